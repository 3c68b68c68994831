"""Recordings on the pages: listened to in parts, in no export, and taken away in time; and what a
reviewer does with scorecards and rubrics.
"""

from __future__ import annotations

import io
import json
import wave
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select, update
from tests.cli.test_transcribe import serving, spoken
from tests.service.seeding import EXAMPLES
from tests.service.visiting import BROWSER, Place, a_place
from tests.service.working import in_new_workspace, work_off

from veridical.scoring.wire import scorecard_from_bytes
from veridical.service.entry.identity import WORKSPACE_HEADER
from veridical.store.engine import now
from veridical.store.store import Store
from veridical.store.tables import jobs, recordings

RADIO = (EXAMPLES / "scoring" / "fireground.vtt").read_bytes()
TALK = (EXAMPLES / "speech" / "talk.vtt").read_bytes()
PROCEDURE = (EXAMPLES / "scoring" / "fireground-procedure.md").read_bytes()


def sound() -> bytes:
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(8_000)
        file.writeframes(bytes(range(256)) * 100)
    return out.getvalue()


def visitor(place: Place) -> TestClient:
    client = in_new_workspace(place)
    client.headers["Accept"] = BROWSER["Accept"]
    return client


@pytest.fixture
def client(place: Place) -> TestClient:
    return visitor(place)


def sent(place: Place, client: TestClient, address: str, files: Any, **form: str) -> str:
    reply = client.post(address, data=form, files=files)
    assert reply.status_code == 303, reply.text
    work_off(place)
    return str(reply.headers["location"])


def scored(place: Place, client: TestClient, **form: str) -> str:
    files = {
        "transcript_file": ("radio.vtt", RADIO),
        "recording_file": ("radio.wav", sound()),
    }
    return sent(place, client, "/scorecards", files, **{"rubric": "fireground", **form})


def later(store: Store, seconds: float) -> None:
    """Have all jobs have ended so long ago."""
    ended = update(jobs).values(ended_at=now() - timedelta(seconds=seconds))
    store._database.write(lambda connection: connection.execute(ended), "later")


@pytest.fixture(scope="module")
def listener(place: Place) -> TestClient:
    """Somebody in a workspace with a scorecard that is only looked at."""
    return visitor(place)


@pytest.fixture(scope="module")
def page(place: Place, listener: TestClient) -> str:
    return scored(place, listener)


@pytest.fixture(scope="module")
def address(page: str) -> str:
    """Where the recording of the scorecard is."""
    return page.replace("/scorecards/", "/recordings/")


def test_a_recording_is_given_in_the_parts_that_a_player_asks_for(
    listener: TestClient, page: str, address: str
) -> None:
    assert "<audio" in listener.get(page).text
    whole = sound()
    for asked, start, end in (
        ("bytes=0-", 0, len(whole)),
        ("bytes=100-199", 100, 200),
        ("bytes=-50", len(whole) - 50, len(whole)),
        ("bytes=10-99999999", 10, len(whole)),
    ):
        reply = listener.get(address, headers={"Range": asked})
        assert reply.status_code == 206
        assert reply.content == whole[start:end]
        assert reply.headers["content-range"] == f"bytes {start}-{end - 1}/{len(whole)}"
        assert reply.headers["content-type"].startswith("audio/")
    for asked in (f"bytes={len(whole)}-", f"bytes={'9' * 40}-", "bytes=-0"):
        assert listener.get(address, headers={"Range": asked}).status_code == 416


@pytest.mark.parametrize("asked", [{}, {"Range": "lines=1-2"}, {"Range": "bytes=9-3"}])
def test_without_a_range_the_whole_recording_is_given(
    listener: TestClient, address: str, monkeypatch: pytest.MonkeyPatch, asked: dict[str, str]
) -> None:
    monkeypatch.setattr("veridical.service.pages.recordings.PART_BYTES", 1_000)
    reply = listener.get(address, headers=asked)
    assert reply.status_code == 200
    assert reply.content == sound()
    assert "content-range" not in reply.headers


def test_no_other_workspace_hears_it(client: TestClient, address: str) -> None:
    assert client.get(address).status_code == 404


def test_no_export_holds_a_recording(listener: TestClient, page: str) -> None:
    for form in ("json", "html", "markdown", "pdf"):
        reply = listener.get(f"{page}/file", params={"form": form})
        assert reply.status_code == 200
        assert b"<audio" not in reply.content
        assert sound()[100:200] not in reply.content


def test_the_recording_of_a_speech_goes_ten_minutes_after_the_report(
    place: Place, client: TestClient
) -> None:
    files = {"transcript_file": ("talk.vtt", TALK), "recording_file": ("talk.wav", sound())}
    page = sent(place, client, "/speech", files, speaker="Daniel")
    address = page.replace("/speech/", "/recordings/")
    assert "The recording is deleted at" in client.get(page).text
    assert client.get(address).status_code == 200
    store = place.store
    later(store, 601)
    assert client.get(address).status_code == 404
    assert "not kept any more" in client.get(page).text
    assert store.sweep()["recordings"] == 1
    with store._database.reading() as connection:
        kept = connection.execute(select(recordings.c.record_id)).scalars().all()
    assert page.rsplit("/", 1)[1] not in kept


def test_who_evaluates_again_can_listen_again(place: Place, client: TestClient) -> None:
    files = {"transcript_file": ("talk.vtt", TALK), "recording_file": ("talk.wav", sound())}
    page = sent(place, client, "/speech", files, speaker="Daniel")
    again = sent(place, client, f"{page}/again", None, from_time="0:00", to_time="")
    assert again != page
    assert "The recording is deleted at" in client.get(again).text
    reply = client.get(again.replace("/speech/", "/recordings/"))
    assert (reply.content, reply.headers["content-type"]) == (sound(), "audio/x-wav")
    later(place.store, 601)
    third = sent(place, client, f"{again}/again", None)
    assert "not kept any more" in client.get(third).text


@pytest.mark.parametrize(("keep", "is_kept"), [("", True), ("10", False), ("always", True)])
def test_who_gives_a_recording_says_how_long_it_is_kept(
    place: Place, client: TestClient, keep: str, is_kept: bool
) -> None:
    page = scored(place, client, keep=keep)
    later(place.store, 3_600)
    reply = client.get(page.replace("/scorecards/", "/recordings/"))
    assert reply.status_code == (200 if is_kept else 404)


@pytest.mark.parametrize("kind", ["speech", "scorecards"])
def test_a_recording_alone_is_heard_first(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with serving() as server, a_place(tmp_path, transcriber=server.url) as place:
        client = in_new_workspace(place)
        files = {"recording_file": ("talk.wav", spoken("talk.wav").read_bytes())}
        page = sent(place, client, f"/{kind}", files, rubric="fireground")
        text = client.get(page).text
        assert "talk.wav" in text
        assert "<audio" in text, text
        assert client.get(f"{page}/file").status_code == 200
        again = client.post(f"{page}/again")
        assert again.status_code == 303
        work_off(place)
        assert client.get(f"{again.headers['location']}/file").status_code == 200


def test_without_a_recogniser_the_page_says_what_is_missing(
    place: Place, client: TestClient
) -> None:
    page = sent(place, client, "/speech", {"recording_file": ("talk.wav", sound())})
    assert "audio" in client.get(page).text


@pytest.mark.parametrize(
    ("name", "content", "keep"),
    [("talk.wav", b"no sound at all", ""), ("talk.txt", sound(), ""), ("talk.wav", sound(), "1e9")],
)
def test_what_is_no_recording_is_refused(
    client: TestClient, name: str, content: bytes, keep: str
) -> None:
    files = {"transcript_file": ("t.vtt", TALK), "recording_file": (name, content)}
    reply = client.post("/speech", data={"keep": keep}, files=files)
    assert reply.status_code == 422


def test_a_reviewer_overrules_a_criterion_and_every_export_says_so(
    place: Place, client: TestClient
) -> None:
    page = scored(place, client)
    given = {"criterion": "announce-command", "verdict": "missed", "reason": "Said too late."}
    before = scorecard_from_bytes(client.get(f"{page}/file").content)
    assert client.post(f"{page}/rulings", data=given).status_code == 303
    for form in ("json", "html", "markdown"):
        text = client.get(f"{page}/file", params={"form": form}).text
        assert "Said too late." in text
    card = scorecard_from_bytes(client.get(f"{page}/file").content)
    assert card.overall == before.overall
    assert card.sections == before.sections
    assert "After review:" in client.get(page).text
    assert client.post(f"{page}/rulings", data={**given, "seen": "0"}).status_code == 409
    for wrong in ({"reason": " "}, {"criterion": "none"}, {"verdict": "good"}):
        reply = client.post(f"{page}/rulings", data={**given, "seen": "1", **wrong})
        assert reply.status_code == 422
    back = {"criterion": "announce-command", "seen": "1"}
    assert client.post(f"{page}/rulings", data=back).status_code == 303
    assert "After review:" not in client.get(page).text


def test_the_trend_over_scorecards_is_shown(place: Place, client: TestClient) -> None:
    assert "Two scorecards" in client.get("/scorecards/trend").text
    scored(place, client)
    scored(place, client)
    text = client.get("/scorecards/trend").text
    assert "2 scorecards" in text
    assert "Gives a size-up on arrival" in text


def test_a_rubric_is_drafted_changed_and_scored_with(place: Place, client: TestClient) -> None:
    files = {"procedure_file": ("house-fires.md", PROCEDURE)}
    made = client.post("/rubrics", files=files)
    assert made.status_code == 303
    page = made.headers["location"]
    text = client.get(page).text
    assert "must announce on the tactical channel" in text
    assert "house-fires.md, 2. Arrival" in text
    store = place.store
    shelf = store.shelf(client.headers[WORKSPACE_HEADER])
    name = page.rsplit("/", 1)[1]
    kept = shelf.rubrics.get(name)
    assert kept
    yaml = kept.text
    changed = yaml.replace("version: '0.1'", "version: '0.2'")
    broken = client.post(page, data={"text": "template: 1", "seen": "1"})
    assert broken.status_code == 422
    assert client.post(page, data={"text": changed, "seen": "1"}).status_code == 303
    assert client.post(page, data={"text": yaml, "seen": "1"}).status_code == 422
    assert [one.version for one in shelf.rubrics.versions(name)] == [2, 1]
    assert "0.1" in client.get(page, params={"version": 1}).text
    assert client.get(page, params={"version": 3}).status_code == 404
    assert client.get(page, params={"version": "9" * 20}).status_code == 422
    files = {"transcript_file": ("radio.vtt", RADIO)}
    card = sent(place, client, "/scorecards", files, rubric=f"saved: {name}")
    wire = json.loads(client.get(f"{card}/file").content)
    assert wire["template"]["version"] == "0.2"
    assert "To train" in client.get(card).text


def test_a_procedure_without_a_duty_is_told(client: TestClient) -> None:
    reply = client.post("/rubrics", files={"procedure_file": ("a.md", b"# A\n\nWe rest.\n")})
    assert reply.status_code == 422
    assert "must or shall be done" in reply.text
