"""The whole service: a real server with its engine for jobs, from a file to a download."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx2
from tests.service.seeding import EXAMPLES
from tests.service.serving import serving, until
from tests.service.working import API

from veridical.service.app import create_app
from veridical.service.settings import ServiceSettings

NAME = "pto-policy.md"
QUESTION = "How many unused vacation days can I take over into next year?"


def seen(client: httpx2.Client, address: str) -> dict[str, Any]:
    reply = client.get(address)
    assert reply.status_code == 200, reply.text
    return dict(reply.json())


def test_from_a_file_to_a_reviewed_download(tmp_path: Path) -> None:
    settings = ServiceSettings(database=f"sqlite:///{tmp_path / 'service.db'}")
    policy = (EXAMPLES / "policies" / NAME).read_bytes()
    with serving(create_app(settings), wait_until_ready=False) as client:
        given = client.post(f"{API}/documents", files={"file": (NAME, policy)})
        assert given.status_code == 202
        until(
            lambda: seen(client, given.headers["location"]),
            lambda document: document["ready"] is not None,
        )
        assert "5 unused days" in client.post("/chat", json={"question": QUESTION}).json()["answer"]
        asked = client.post(f"{API}/sessions", json={"query": QUESTION})
        address = asked.headers["location"]
        session = until(
            lambda: seen(client, address), lambda one: one["state"] not in ("waiting", "working")
        )
        assert session["state"] == "ready", session
        (entry, *_) = seen(client, f"{address}/ledger")["ledger"]["entries"]
        assert entry["verdict"] == "supported"
        review = {"decision": "overrule", "verdict": "weak", "reason": "Of last year."}
        made = client.post(f"{address}/entries/{entry['id']}/reviews", json=review)
        assert made.status_code == 201
        export = client.post(f"{address}/ledger/export", json={"format": "markdown"})
        assert export.status_code in (201, 202)
        until(
            lambda: seen(client, export.headers["location"]),
            lambda one: one["status"] == "done",
        )
        file = client.get(export.json()["download_url"])
        assert "5 unused" in file.text
        assert "Of last year." in file.text
        assert client.delete(given.headers["location"]).status_code == 204
        assert seen(client, f"{address}/ledger")["ledger"]["entries"][0]["evidence_snippet"]
