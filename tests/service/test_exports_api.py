"""Exports over HTTP: made by a job, downloaded by a signed address that expires."""

from __future__ import annotations

import asyncio
import traceback
from contextlib import suppress
from pathlib import Path
from threading import Thread
from urllib.parse import parse_qs, urlsplit

import pytest
import sqlalchemy
from fastapi.testclient import TestClient
from tests.service.seeding import Seeded, seed
from tests.service.visiting import Place, a_place, csrf_of
from tests.service.working import API, refused, work_off

from veridical.service.inquiring import asking as exporting
from veridical.service.settings import Auth
from veridical.store.workspaces import Role

NOBODY = "00000000-0000-4000-8000-000000000000"
ON_BOTH = True
PLACE = {"auth": Auth.TOKEN, "rate_per_minute": 0}


@pytest.fixture(scope="module")
def seeded(place: Place) -> Seeded:
    return seed(place.store, sources=("leave-policy.md",))


@pytest.fixture(scope="module")
def client(place: Place) -> TestClient:
    return place.client(place.token(Role.REVIEWER))


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """No engine works here: whoever waits for a file waits in vain."""
    monkeypatch.setattr(exporting, "WAIT_SECONDS", 0.0)


def export(place: Place, client: TestClient, seeded: Seeded, format: str) -> dict[str, object]:
    """An export that was made, now or for somebody who asked before."""
    address = f"{API}/sessions/{seeded.session_id}/ledger/export"
    begun = client.post(address, json={"format": format})
    assert (begun.status_code, begun.json()["status"]) in ((202, "waiting"), (201, "done"))
    work_off(place)
    made = client.get(begun.headers["location"])
    assert made.status_code == 200
    assert made.json()["status"] == "done", made.json()
    return dict(made.json())


@pytest.mark.parametrize(
    ("format", "media_type", "begins"),
    [
        ("markdown", "text/markdown", b"## Evidence Ledger"),
        ("json", "application/json", b"{"),
        ("html", "text/html", b"<!doctype html>"),
        ("pdf", "application/pdf", b"%PDF-"),
    ],
)
def test_a_ledger_is_downloaded_without_a_token(
    place: Place, client: TestClient, seeded: Seeded, format: str, media_type: str, begins: bytes
) -> None:
    made = export(place, client, seeded, format)
    file = place.client().get(str(made["download_url"]))
    assert file.status_code == 200
    assert file.content.startswith(begins) or begins in file.content[:200]
    assert len(file.content) == made["size_bytes"]
    assert file.headers["content-type"].startswith(media_type)
    assert file.headers["content-disposition"].startswith("attachment")


def test_no_database_is_asked_by_the_thread_that_serves_all(tmp_path: Path) -> None:
    """One that does not answer would stop every request."""
    with a_place(tmp_path) as place:
        seeded = seed(place.store, sources=("leave-policy.md",))
        client, asked = place.client(), []

        def look(*_: object) -> None:
            with suppress(RuntimeError):
                asyncio.get_running_loop()
                asked.append(traceback.format_stack(limit=12))

        engine = place.store._database.engine
        sqlalchemy.event.listen(engine, "before_cursor_execute", look)
        made = export(place, client, seeded, "json")
        assert client.get(str(made["download_url"])).status_code == 200
        again = client.post(
            f"{API}/sessions/{seeded.session_id}/ledger/export", json={"format": "json"}
        )
        assert again.is_success
        address = f"/sessions/{seeded.session_id}"
        token = csrf_of(client.get(address, headers={"Accept": "text/html"}).text)
        form = {"csrf_token": token, "format": "json"}
        assert client.post(f"{address}/export", data=form).status_code == 303
        sqlalchemy.event.remove(engine, "before_cursor_execute", look)
    assert not asked, "".join(asked[0])


def test_a_call_waits_for_a_file_that_comes_soon(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    seeded = seed(place.store, "soon", sources=("leave-policy.md",))
    client = place.reviewer("soon")
    monkeypatch.setattr(exporting, "WAIT_SECONDS", 30.0)
    address = f"{API}/sessions/{seeded.session_id}/ledger/export"
    replies = []
    asking = Thread(target=lambda: replies.append(client.post(address, json={"format": "json"})))
    asking.start()
    while asking.is_alive():
        work_off(place)
        asking.join(0.05)
    assert replies[0].status_code == 201
    assert replies[0].json()["status"] == "done"


def altered(url: str, **changes: str) -> str:
    """An address with other values in its query; "" leaves one out."""
    split = urlsplit(url)
    query = {name: values[0] for name, values in parse_qs(split.query).items()} | changes
    return f"{split.path}?" + "&".join(f"{name}={value}" for name, value in query.items() if value)


def test_an_address_that_was_altered_leads_nowhere(
    place: Place, client: TestClient, seeded: Seeded
) -> None:
    url = str(export(place, client, seeded, "json")["download_url"])
    stranger = place.client()
    assert stranger.get(altered(url)).status_code == 200
    for changes, status in (
        ({"signature": "0" * 64}, 404),
        ({"signature": "\u00e9"}, 404),
        ({"signature": ""}, 422),
        ({"expires": "9999999999"}, 404),
        ({"expires": f"0{parse_qs(urlsplit(url).query)['expires'][0]}"}, 404),
        ({"expires": "+" + parse_qs(urlsplit(url).query)["expires"][0]}, 422),
        ({"expires": "-1"}, 422),
        ({"expires": "soon"}, 422),
        ({"workspace": "another"}, 404),
        ({"workspace": "../x"}, 404),
    ):
        assert stranger.get(altered(url, **changes)).status_code == status
    other = url.replace(urlsplit(url).path.rpartition("/")[2], NOBODY)
    refused(stranger.get(other), 404, "not_found")


def test_an_address_expires(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("short")
    with a_place(folder, download_seconds=0.0) as place:
        seeded = seed(place.store, sources=("leave-policy.md",))
        client = place.client()
        address = f"{API}/sessions/{seeded.session_id}/ledger/export"
        begun = client.post(address, json={"format": "json"})
        refused(client.get(begun.json()["download_url"]), 410, "expired")
        refused(client.get(begun.headers["location"]), 404, "not_found")
