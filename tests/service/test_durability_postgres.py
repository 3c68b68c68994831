"""Two servers on one PostgreSQL, and a PostgreSQL that is gone for ten seconds."""

from __future__ import annotations

import time

import httpx2
from tests.service.job_database import line_to
from tests.service.job_servers import (
    API,
    LEAVE,
    RUBRIC,
    SECTIONS,
    TRANSCRIPT,
    asked_of,
    counting_model,
    kept_steps,
    started,
)
from tests.service.job_works import until
from tests.store.conftest import empty_postgres, server

__all__ = ["empty_postgres", "server"]

GONE_SECONDS = 10.0
CARD = {"transcript": {"text": TRANSCRIPT}, "rubric": RUBRIC}
AT_A_TIME = 2
"""Sections of a card that are asked for at a time."""


def at_work(url: str) -> set[str]:
    """The processes that have a job at work."""
    return asked_of(url, "SELECT worker FROM jobs WHERE state = 'running'")


def test_two_servers_share_the_work_and_one_takes_over_from_the_other(empty_postgres: str) -> None:
    with (
        counting_model(0.4) as model,
        started(empty_postgres, model, workers=1) as first,
        started(empty_postgres, model, workers=1) as second,
    ):
        cards = [first.post("/scorecards", CARD)["id"] for _ in range(4)]
        jobs = [first.job_about(card) for card in cards]
        until(lambda: len(at_work(empty_postgres)) == 2, "both at work")
        first.kill()
        ended = [second.until_over(job_id) for job_id in jobs]
        assert [(job["state"], job["message"]) for job in ended] == [("done", "")] * 4
        assert sorted(job["times_begun"] for job in ended) == [1, 1, 1, 2]
        for card in cards:
            assert second.get(f"/scorecards/{card}")["state"] == "ready"
    asked = [model.asked[section.id] for section in SECTIONS]
    assert min(asked) >= len(cards)
    assert sum(asked) <= len(cards) * len(SECTIONS) + AT_A_TIME


def test_a_database_that_is_gone_for_ten_seconds(empty_postgres: str) -> None:
    with (
        line_to(empty_postgres) as line,
        counting_model(0.5) as model,
        started(line.url, model) as running,
    ):
        card = running.post("/scorecards", CARD)["id"]
        job_id = running.job_about(card)
        until(lambda: len(kept_steps(empty_postgres)) >= 2, "two sections")
        line.cut()
        back = time.monotonic() + GONE_SECONDS
        while time.monotonic() < back:
            refused = running.client.get(f"{API}/jobs")
            assert refused.status_code == 503, refused.text
            assert refused.headers["retry-after"]
            assert refused.json()["error"]["code"] == "database_unavailable"
            time.sleep(0.5)
        line.mend()
        until(lambda: answers(running.client), "an answer")
        document = running.upload("leave.md", LEAVE)
        for one in (job_id, document["job_id"]):
            ended = running.until_over(one)
            assert (ended["state"], ended["times_begun"], ended["message"]) == ("done", 1, "")
        assert running.get(f"/scorecards/{card}")["state"] == "ready"
    assert {model.asked[section.id] for section in SECTIONS} == {1}


def answers(client: httpx2.Client) -> bool:
    return client.get(f"{API}/jobs").status_code == 200
