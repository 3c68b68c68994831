"""`kill -9` of a server at its work: after a restart all is done, once, and paid for once."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path

from tests.service.job_servers import (
    DAYS,
    LEAVE,
    RUBRIC,
    SECTIONS,
    TRANSCRIPT,
    Watched,
    counting_model,
    kept_steps,
    large_text,
    sqlite_url,
    started,
)
from tests.service.job_works import until

ANSWER = "\n".join(f"- {DAYS}, says line {n}." for n in range(60))


def test_killed_while_it_reads_documents(tmp_path: Path) -> None:
    url, words = sqlite_url(tmp_path), large_text(2_000)
    with started(url) as first:
        given = [first.upload(f"rules-{n}.md", words + str(n)) for n in range(3)]
        first.until_running(given[0]["job_id"])
        first.kill()
    with started(url) as second:
        second.until_running(given[1]["job_id"])
        time.sleep(0.3)
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
        session = first.post("/sessions", asked)
        with watched.looking(first.address, session["id"]):
            first.until_running(session["job_id"])
            first.kill()
    with started(url) as second:
        with watched.looking(second.address, session["id"]):
            ended = second.until_over(session["job_id"])
            until(lambda: bool(watched.sizes), "a ledger")
        assert (ended["state"], ended["times_begun"], ended["message"]) == ("done", 2, "")
        with second.asking(f"/sessions/{session['id']}/ledger/export", {"format": "pdf"}):
            until(lambda: [job for job in second.open_jobs() if job["state"] == "running"] != [])
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
    url = sqlite_url(tmp_path)
    with counting_model(0.3) as model:
        with started(url, model) as first:
            assert first.until_over(first.upload("leave.md", LEAVE)["job_id"])["state"] == "done"
            asked = {"transcript": {"text": TRANSCRIPT}, "rubric": RUBRIC}
            card = first.post("/scorecards", asked)
            session = first.post("/sessions", {"query": "How much annual leave is there?"})
            jobs = [first.job_about(card["id"]), session["job_id"]]
            until(lambda: len(kept_sections(url)) >= 2, "two sections kept")
            first.kill()
        paid, before = kept_sections(url), Counter(model.asked)
        with started(url, model) as second:
            until(lambda: kept_sections(url) > paid, "another one")
            second.kill()
        assert {name: model.asked[name] for name in paid} == {name: before[name] for name in paid}
        paid, before = kept_sections(url), Counter(model.asked)
        with started(url, model) as third:
            ended = [third.until_over(job_id) for job_id in jobs]
            assert [(job["state"], job["message"]) for job in ended] == [("done", "")] * 2
            assert ended[0]["times_begun"] == 3
            assert third.get(f"/scorecards/{card['id']}")["state"] == "ready"
            assert third.get(f"/sessions/{session['id']}")["state"] == "ready"
        assert {name: model.asked[name] for name in paid} == {name: before[name] for name in paid}
        assert set(model.asked) == {section.id for section in SECTIONS} | {"question"}


def kept_sections(url: str) -> set[str]:
    """The sections whose answers are stored."""
    return {section.id for section in SECTIONS if f"section-{section.id}" in kept_steps(url)}
