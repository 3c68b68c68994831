"""Another program keeps the database locked: calls say so, and the service goes on."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from tests.service.serving import serving, until
from tests.service.visiting import a_place

from veridical.service.app import create_app
from veridical.service.settings import ServiceSettings
from veridical.store import jobs
from veridical.store.jobs import JobState

MORE_THAN_THREADS = 42
ASKED = {"mode": "verify", "query": "", "answer": "Staff get 20 days."}


@pytest.mark.no_cover
def test_a_locked_database_is_told_soon_and_health_answers_meanwhile(tmp_path: Path) -> None:
    settings = ServiceSettings(database=f"sqlite:///{tmp_path}/service.db", busy_seconds=1.0)
    with (
        serving(create_app(settings)) as client,
        closing(sqlite3.connect(tmp_path / "service.db", isolation_level=None)) as other,
        ThreadPoolExecutor(MORE_THAN_THREADS) as pool,
    ):
        until(lambda: client.get("/ready").status_code, lambda status: status == 200)
        other.execute("BEGIN IMMEDIATE")
        calls = [
            pool.submit(client.post, "/api/v1/sessions", json=ASKED)
            for _ in range(MORE_THAN_THREADS)
        ]
        assert client.get("/health").status_code == 200
        assert not all(call.done() for call in calls)
        for call in calls:
            reply = call.result(timeout=30)
            assert reply.status_code == 503
            assert reply.json()["error"]["code"] == "database_unavailable"
            assert reply.headers["Retry-After"] == "1"
        other.execute("ROLLBACK")
        assert client.post("/api/v1/sessions", json=ASKED).status_code == 202


def test_more_jobs_than_are_taken_is_said_in_so_many_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "MOST_OPEN", 1)
    with a_place(tmp_path) as place:
        first = place.client().post("/api/v1/sessions", json=ASKED)
        assert first.status_code == 202
        more = place.client().post("/api/v1/sessions", json=ASKED)
        assert (more.status_code, more.json()["error"]["code"]) == (429, "too_many_jobs")
        assert "Retry-After" in more.headers
        place.store.job_board.end(first.json()["job_id"], JobState.DONE)
        assert place.client().post("/api/v1/sessions", json=ASKED).status_code == 202
