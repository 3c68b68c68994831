"""Servers that are killed or ended at their work, that share it, and a database that goes away: all
is done, once, and paid for once."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
from tests.service.job_database import line_to
from tests.service.job_servers import (
    ALL,
    API,
    DAYS,
    LEAVE,
    QUESTION,
    RUBRIC,
    SECTIONS,
    TRANSCRIPT,
    Watched,
    asked_of,
    counting_model,
    kept_steps,
    sqlite_url,
    started,
)
from tests.service.job_works import until

CARD = {"transcript": {"text": TRANSCRIPT}, "rubric": RUBRIC}
ANSWER = "\n".join(f"- {DAYS}, says line {n}." for n in range(60))


def test_killed_while_it_reads_documents(tmp_path: Path) -> None:
    url, reading = sqlite_url(tmp_path), "veridical.service.jobs.work.tasks.read_isolated"
    with started(url, held_after=reading) as first:
        given = [first.upload(f"rules-{n}.md", f"{LEAVE}\nRule {n}.\n") for n in range(3)]
        first.until_held()
        first.kill()
    with started(url, held_after=reading) as second:
        second.until_held()
        second.kill()
    with started(url) as third:
        ended = [third.until_over(one["job_id"]) for one in given]
        assert [(job["state"], job["message"]) for job in ended] == [("done", "")] * 3
        assert max(job["times_begun"] for job in ended) >= 2
        documents = third.get("/documents")["items"]
        assert len(documents) == 3
        for one in given:
            versions = third.get(f"/documents/{one['document_id']}/versions")["items"]
            assert [version["version"] for version in versions] == [1]


def test_killed_while_it_builds_a_ledger_and_while_it_exports_it(tmp_path: Path) -> None:
    url, watched = sqlite_url(tmp_path), Watched()
    with started(url) as first:
        assert first.until_over(first.upload("leave.md", LEAVE)["job_id"])["state"] == "done"
        asked = {"mode": "verify", "query": "How much leave is there?", "answer": ANSWER}
    with started(url, held_after="veridical.service.jobs.work.found.Finding.add") as first:
        session = first.post("/sessions", asked)
        with watched.looking(first.address, session["id"]):
            first.until_held()
            first.kill()
    with started(url, held_after="veridical.service.jobs.work.tasks.render") as second:
        with watched.looking(second.address, session["id"]):
            ended = second.until_over(session["job_id"])
            until(lambda: bool(watched.sizes), "a ledger")
        assert (ended["state"], ended["times_begun"], ended["message"]) == ("done", 2, "")
        with second.asking(f"/sessions/{session['id']}/ledger/export", {"format": "pdf"}):
            second.until_held()
            (export,) = second.open_jobs()
            second.kill()
    assert export["kind"] == "export"
    with started(url) as third:
        made = third.until_over(export["id"])
        assert (made["state"], made["times_begun"], made["message"]) == ("done", 2, "")
        found = third.get(f"/exports/{export['subject_id']}")
        assert third.client.get(found["download_url"]).content.startswith(b"%PDF-")
        ledger = third.get(f"/sessions/{session['id']}/ledger")
    assert watched.sizes == {len(ledger["ledger"]["entries"])}
    assert watched.other <= {404, 409, 503}


def test_no_section_and_no_question_is_asked_twice_for_an_answer_that_was_kept(
    tmp_path: Path,
) -> None:
    url, (one, two, three, *_) = sqlite_url(tmp_path), (section.id for section in SECTIONS)
    with counting_model(QUESTION, one, two) as model:
        with started(url, model) as first:
            assert first.until_over(first.upload("leave.md", LEAVE)["job_id"])["state"] == "done"
            card = first.post("/scorecards", CARD)
            session = first.post("/sessions", {"query": "How much annual leave is there?"})
            jobs = [first.job_about(card["id"]), session["job_id"]]
            until(lambda: kept_sections(url) == {one, two}, "two sections kept")
            first.kill()
        paid, before = kept_sections(url), Counter(model.asked)
        model.answered |= {three}
        with started(url, model) as second:
            until(lambda: kept_sections(url) == {one, two, three}, "another one")
            second.kill()
        assert {name: model.asked[name] for name in paid} == {name: before[name] for name in paid}
        paid, before = kept_sections(url), Counter(model.asked)
        model.answered = ALL
        with started(url, model) as third:
            ended = [third.until_over(job_id) for job_id in jobs]
            assert [(job["state"], job["message"]) for job in ended] == [("done", "")] * 2
            assert ended[0]["times_begun"] == 3
            assert third.get(f"/scorecards/{card['id']}")["state"] == "ready"
            assert third.get(f"/sessions/{session['id']}")["state"] == "ready"
        assert {name: model.asked[name] for name in paid} == {name: before[name] for name in paid}
        assert set(model.asked) == ALL


def kept_sections(url: str) -> set[str]:
    """The sections whose answers are stored."""
    return {section.id for section in SECTIONS if f"section-{section.id}" in kept_steps(url)}


# --- whoever follows a job -----------------------------------------------------------------------


def heard(reply: httpx2.Response) -> Iterator[tuple[str, Any]]:
    """The events of a stream as they come, each with its job."""
    name = ""
    for line in reply.iter_lines():
        word, _, rest = line.partition(": ")
        if word == "event":
            name = rest
        elif word == "data":
            yield name, json.loads(rest)


def test_a_stream_ends_with_the_server_and_goes_on_with_the_next(tmp_path: Path) -> None:
    url = sqlite_url(tmp_path)
    with counting_model(SECTIONS[0].id) as model:
        with started(url, model) as first:
            card = first.post("/scorecards", CARD)
            path = f"{API}/jobs/{first.job_about(card['id'])}/events"
            with first.client.stream("GET", path) as stream:
                told = heard(stream)
                before = [next(told)[1]]
                while before[-1]["done"] < 1:
                    before.append(next(told)[1])
                first.process.terminate()  # with the stream open, which must not hold it up
                rest = [name for name, _ in told]
                assert "end" not in rest
            model.answered = ALL
            assert first.process.wait(60) == 0, first.log
        seen = before[-1]["revision"]
        with (
            started(url, model) as second,
            second.client.stream("GET", path, headers={"Last-Event-ID": str(seen)}) as stream,
        ):
            after = list(heard(stream))
    revisions = [job["revision"] for _, job in after]
    assert revisions == sorted(revisions)
    assert revisions[0] > seen
    assert [name for name, _ in after][-2:] == ["progress", "end"]
    assert after[-1][1]["state"] == "done"


# --- PostgreSQL -----------------------------------------------------------------------------------

GONE_SECONDS = 10.0
AT_A_TIME = 2
"""Sections of a card that are asked for at a time."""


def at_work(url: str) -> set[str]:
    """The processes that have a job at work."""
    return asked_of(url, "SELECT worker FROM jobs WHERE state = 'running'")


def test_two_servers_share_the_work_and_one_takes_over_from_the_other(empty_postgres: str) -> None:
    with (
        counting_model() as model,
        started(empty_postgres, model, workers=1) as first,
        started(empty_postgres, model, workers=1) as second,
    ):
        cards = [first.post("/scorecards", CARD)["id"] for _ in range(4)]
        jobs = [first.job_about(card) for card in cards]
        until(lambda: len(at_work(empty_postgres)) == 2, "both at work")
        first.kill()
        model.answered = ALL
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
        counting_model(*(section.id for section in SECTIONS[:2])) as model,
        started(line.url, model) as running,
    ):
        card = running.post("/scorecards", CARD)["id"]
        job_id = running.job_about(card)
        until(lambda: len(kept_steps(empty_postgres)) >= 2, "two sections")
        line.cut()
        model.answered = ALL
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
