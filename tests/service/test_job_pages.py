"""Jobs over the API and on pages: listed, looked at, followed, ended before their time."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from starlette.types import Message
from tests.service.visiting import Place, a_place, two_hours_later
from tests.validation.report_page import parse

from veridical.service.context import Bounds, Places
from veridical.service.jobs import watching
from veridical.store.inquiries import Mode
from veridical.store.jobs import Job, JobState
from veridical.store.records import RecordKind
from veridical.store.workspaces import Role

API = "/api/v1"


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    with a_place(tmp_path) as made:
        yield made


def added(place: Place, workspace: str = "default") -> Job:
    return place.store.shelf(workspace).records.add(RecordKind.VALIDATION, "quotes", {})[1]


def done(place: Place, job: Job, state: JobState = JobState.DONE, message: str = "") -> None:
    """In one step: whoever follows it might see the one between."""
    place.store.job_board.end(job.id, state, message)


def events(text: str) -> list[dict[str, Any]]:
    """The events of a stream, each with the data as JSON."""
    found = re.findall(r"event: (\w+)\nid: (\d+)\ndata: (.*)\n\n", text)
    return [{"event": name, "id": int(at), "job": json.loads(data)} for name, at, data in found]


def test_one_that_waits_is_cancelled_at_once_and_one_that_is_over_stays(place: Place) -> None:
    waiting, over, client = added(place), added(place), place.client()
    done(place, over)
    cancelled = client.post(f"{API}/jobs/{waiting.id}/cancel")
    assert (cancelled.status_code, cancelled.json()["state"]) == (200, "cancelled")
    assert client.post(f"{API}/jobs/{over.id}/cancel").json()["state"] == "done"
    left = added(place)
    active = client.get(f"{API}/jobs?active=true").json()["items"]
    assert [item["id"] for item in active] == [left.id]


def test_a_job_that_is_over_is_told_once_and_then_that_it_ended(place: Place) -> None:
    job, client = added(place), place.client()
    done(place, job, JobState.FAILED, "</script> no words\n\nevent: end")
    stream = client.get(f"{API}/jobs/{job.id}/events")
    assert stream.headers["content-type"].startswith("text/event-stream")
    assert stream.headers["cache-control"] == "no-store"
    told = events(stream.text)
    assert [one["event"] for one in told] == ["progress", "end"]
    assert told[0]["job"] == client.get(f"{API}/jobs/{job.id}").json()
    assert told[0]["job"]["message"] == "</script> no words\n\nevent: end"
    again = client.get(f"{API}/jobs/{job.id}/events", headers={"Last-Event-ID": str(told[0]["id"])})
    assert [one["event"] for one in events(again.text)] == ["end"]
    odd = client.get(f"{API}/jobs/{job.id}/events", headers={"Last-Event-ID": "x"})
    assert [one["event"] for one in events(odd.text)] == ["progress", "end"]


async def follow(place: Place, job: Job, secret: str, heard: list[str]) -> None:
    """Listen to the end of the stream; what is heard goes to the list, the status first."""

    async def receive() -> Message:
        await asyncio.Event().wait()  # a client that stays
        raise AssertionError

    async def send(message: Message) -> None:
        told = message.get("body", b"").decode()
        heard.append(told or str(message.get("status", "")))

    sent = [(b"host", b"127.0.0.1"), (b"authorization", f"Bearer {secret}".encode())]
    path = f"{API}/jobs/{job.id}/events"
    scope = {"type": "http", "method": "GET", "path": path, "headers": sent, "query_string": b""}
    await place.app(scope, receive, send)


async def following(place: Place, job: Job, secret: str) -> tuple[asyncio.Task[None], list[str]]:
    """Somebody who has heard how the job stands, or that there is no place left."""
    heard: list[str] = []
    listening = asyncio.create_task(follow(place, job, secret, heard))
    async with asyncio.timeout(60):
        while not listening.done() and "event: progress" not in "".join(heard):  # noqa: ASYNC110
            await asyncio.sleep(0.005)
    return listening, heard


def test_so_many_may_follow_and_not_all_by_one(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "POLL_SECONDS", 0.01)
    monkeypatch.setattr(place.app.state.service.jobs.watch, "seats", Places(Bounds(2, 2, 1)))
    job, (one, two, three) = added(place), (place.token() for _ in range(3))

    async def listen() -> list[str]:
        streams = [await following(place, job, secret) for secret in (one, one, two, three)]
        done(place, job)
        await asyncio.gather(*(listening for listening, _ in streams))
        streams.append(await following(place, job, three))
        return [heard[0] for _, heard in streams]

    assert asyncio.run(listen()) == ["200", "503", "200", "503", "200"]


def test_whoever_is_known_no_longer_is_told_no_more(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "POLL_SECONDS", 0.01)
    job, admin = added(place), place.client(place.token())
    create = place.store.tokens.create
    (revoked, secret), (_, other) = (create("default", name, Role.READER) for name in ("Ana", "Bo"))
    soon = datetime.now(UTC) + timedelta(hours=1)
    expiring = place.token(Role.READER, expires_at=soon)

    async def listen() -> list[str]:
        streams = [await following(place, job, one) for one in (expiring, secret, other)]
        gone = await asyncio.to_thread(admin.delete, f"{API}/tokens/{revoked.id}")
        assert gone.status_code == 204
        two_hours_later(monkeypatch)
        done(place, job)
        await asyncio.gather(*(listening for listening, _ in streams))
        return [", ".join(one["event"] for one in events("".join(heard))) for _, heard in streams]

    assert asyncio.run(listen()) == ["progress", "progress", "progress, progress, end"]


def test_the_pages_say_how_each_job_stands(place: Place) -> None:
    browser = place.browser()
    assert "Nothing has been asked for here yet" in browser.get("/jobs").text
    waiting, failed = added(place), added(place)
    done(place, failed, JobState.FAILED, "<b>no</b> words in it")
    page = browser.get("/jobs").text
    assert f'data-job="{waiting.id}"' in page
    assert f'data-job="{failed.id}"' not in page
    assert "✕ failed" in page
    assert "&lt;b&gt;no&lt;/b&gt; words in it" in page
    one = browser.get(f"/jobs/{waiting.id}").text
    assert "Waiting for its turn" in one
    assert "<noscript>" in one
    assert f'href="/validations/{waiting.subject_id}"' in one
    assert "&lt;b&gt;no&lt;/b&gt; words in it" in browser.get(f"/jobs/{failed.id}").text


def test_a_job_says_what_it_is_about_and_its_state_once(place: Place) -> None:
    shelf, browser = place.store.shelf("default"), place.browser()
    name = "b\u202efdp.<i>x</i>.md"
    upload, reading = shelf.documents.add_upload(name, "text/markdown", b"# Leave\n")
    said = "We all get <b>25</b> days. Or 30."
    inquiry, asking = shelf.inquiries.add(Mode.VERIFY, "", answer=said)
    record, scoring = shelf.records.add(RecordKind.SCORECARD, "On Tac 3", {})
    subjects = (
        (reading, f"/documents/{upload.document_id}", "b[RLO]fdp.<i>x</i>.md"),
        (asking, f"/sessions/{inquiry.id}", said),
        (scoring, f"/scorecards/{record.id}", "On Tac 3"),
    )
    place.store.job_board.begin(scoring.id)
    place.store.job_board.progress(scoring.id, 2, 6, "scoring sections")
    listed, states = parse(browser.get("/jobs").text), {}
    for job, page, called in subjects:
        for tree in (listed, parse(browser.get(f"/jobs/{job.id}").text)):
            (link,) = [a for a in tree.all("a") if a.attributes.get("href") == page]
            assert called in link.text
            assert link.all("bdi")
            states[job.id] = tree.text
    assert states[reading.id].count("aiting") == 1
    assert states[scoring.id].count("Scoring sections: 2 of 6") == 1
    assert "under way" not in states[scoring.id]
    shelf.records.delete(RecordKind.SCORECARD, record.id)
    assert "deleted since" in browser.get("/jobs").text
