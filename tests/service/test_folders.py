"""Folders that a service keeps indexed: read at the start, looked at again, never changed by the
API."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.service.policies import LEAVE, PARKED, PETS, QUESTION, write_policies
from tests.service.serving import until
from tests.service.visiting import Place, a_place
from tests.service.working import API, ask, in_new_workspace, refused, upload

from veridical.answering.index.policy_index import PolicyIndex
from veridical.errors import ModelError, ModelUnavailable
from veridical.models.protocol import ModelReply, ModelRequest
from veridical.models.scripted import ScriptedModel

OFTEN = 0.02


def rewrite(path: Path, text: str) -> None:
    """Give a file other words at once: one that looks so often would see it empty for a moment, and
    take that for a version."""
    new = path.parent.with_name("being written")
    new.write_text(text, "utf-8")
    new.replace(path)


@contextmanager
def keeping(folder: Path, *, refresh_seconds: float = 0.0, **settings: Any) -> Iterator[Place]:
    """A service that keeps a folder, without the engine for jobs; its database is beside that."""
    beside = folder.parent / f"{folder.name}-service"
    beside.mkdir(exist_ok=True)
    with a_place(
        beside,
        documents=(str(folder),),
        refresh_seconds=refresh_seconds,
        **settings,
    ) as place:
        folders = place.app.state.service.folders
        folders.start()
        try:
            yield place
        finally:
            folders.stop()


def until_health(client: TestClient, wished: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """What `/health` says once that is as wished."""
    return dict(until(lambda: client.get("/health").json(), wished))


def ready(place: Place) -> TestClient:
    """A client, once questions are answered."""
    client = place.client()
    until_health(client, lambda health: health["status"] == "ready")
    return client


def chat(client: TestClient, question: str) -> dict[str, Any]:
    reply = client.post("/chat", json={"question": question})
    assert reply.status_code == 200, reply.text
    return dict(reply.json())


def documents(client: TestClient) -> dict[str, dict[str, Any]]:
    """The documents of the workspace, by name."""
    return {item["filename"]: item for item in client.get(f"{API}/documents").json()["items"]}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "policies"
    made.mkdir()
    return write_policies(made)


def test_changed_documents_are_answered_from_while_it_serves(folder: Path) -> None:
    with keeping(folder, refresh_seconds=OFTEN) as place:
        client = ready(place)
        assert "1.67 days" in chat(client, QUESTION)["answer"]
        stop = threading.Event()
        seen: list[int] = []

        def keep_asking() -> None:
            while not stop.is_set():
                seen.append(place.client().post("/chat", json={"question": QUESTION}).status_code)

        asking = threading.Thread(target=keep_asking)
        asking.start()
        try:
            rewrite(folder / "leave.md", LEAVE.replace("1.67", "2.08"))
            (folder / "parking.md").unlink()
            rewrite(folder / "pets.txt", "Pets\n\nDogs may come on Fridays.\n")
            until(
                lambda: [chat(client, question)["answer"] for question in (QUESTION, PETS, PARKED)],
                lambda told: "2.08" in told[0] and "Fridays" in told[1] and "cannot" in told[2],
            )
        finally:
            stop.set()
            asking.join()
        until_health(client, lambda health: health["documents"] == 2)
        assert set(seen) == {200}


def test_before_the_documents_are_read_the_service_says_so(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_open, opened = threading.Event(), PolicyIndex.open

    def slowly(*sources: Any, **options: Any) -> PolicyIndex:
        may_open.wait(30)
        return opened(*sources, **options)

    monkeypatch.setattr(PolicyIndex, "open", slowly)
    with keeping(folder) as place:
        client = place.client()
        health = client.get("/health")
        assert (health.status_code, health.json()["status"]) == (503, "starting")
        reply = client.post("/chat", json={"question": QUESTION})
        refused(reply, 503, "not_ready")
        assert reply.headers["retry-after"] == "1"
        assert "still being read" in client.get("/ask").text
        assert chat(in_new_workspace(place), QUESTION)["refused"], "another workspace waits too"
        may_open.set()
        assert "1.67" in chat(ready(place), QUESTION)["answer"]


def test_documents_of_a_folder_cannot_be_changed_by_calls(folder: Path) -> None:
    with keeping(folder) as place:
        client = ready(place)
        shown = documents(client)["leave.md"]
        assert shown["from_folder"] is True
        assert shown["latest_upload"] is None
        address = f"{API}/documents/{shown['id']}"
        file = {"file": ("leave.md", "Other words.")}
        assert "folder" in refused(client.delete(address), 409, "conflict")
        assert "folder" in refused(client.post(f"{API}/documents", files=file), 409, "conflict")
        refused(client.post(f"{address}/versions", files=file), 409, "conflict")
        assert "read from a folder" in refused(client.get(f"{address}/file"), 404, "not_found")
        assert documents(client)["leave.md"] == shown
        elsewhere = in_new_workspace(place)
        assert elsewhere.post(f"{API}/documents", files=file).status_code == 202


def test_a_changed_file_is_the_next_version_so_that_ledgers_keep_their_words(folder: Path) -> None:
    with keeping(folder, refresh_seconds=OFTEN) as place:
        client = ready(place)
        session = ask(place, client, query=QUESTION)
        rewrite(folder / "leave.md", LEAVE.replace("1.67", "2.08"))
        shown = until(
            lambda: documents(client)["leave.md"], lambda one: one["ready"]["version"] == 2
        )
        text = f"{API}/documents/{shown['id']}/text"
        assert "2.08" in client.get(text).json()["text"]
        assert client.get(text, params={"version": 1}).json()["text"] == LEAVE
        ledger = client.get(f"{API}/sessions/{session['id']}/ledger").json()["ledger"]
        (piece, *_) = ledger["entries"][0]["evidence"]
        assert piece["version"] == 1
        assert "1.67" in LEAVE[piece["start"] : piece["end"]]
        (folder / "leave.md").unlink()
        until(lambda: documents(client), lambda found: "leave.md" not in found)
        refused(client.get(text, params={"version": 1}), 404, "not_found")


def test_what_was_uploaded_under_the_name_of_a_file_is_not_lost(tmp_path: Path) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    with keeping(folder, refresh_seconds=OFTEN) as place:
        client = ready(place)
        upload(place, client, "pets.txt", "Pets\n\nDogs may come on Mondays.\n")
        until(lambda: chat(client, PETS)["answer"], lambda told: "Mondays" in told)
        rewrite(folder / "pets.txt", "Pets\n\nDogs may come on Fridays.\n")
        until(lambda: chat(client, PETS)["answer"], lambda told: "Fridays" in told)
        assert documents(client)["pets.txt"]["ready"]["version"] == 2
        (folder / "pets.txt").unlink()
        until(lambda: chat(client, PETS)["answer"], lambda told: "Mondays" in told)


def test_a_model_writes_and_its_words_are_checked(folder: Path) -> None:
    def reply(request: ModelRequest) -> ModelReply:
        source = 1 + min(
            number for number in range(8) if f"[{number + 1}]" in request.messages[-1].content
        )
        return ModelReply(
            f"- Full-time employees accrue 1.67 days of annual leave a month. [{source}]\n"
            f"- They also get a company car. [{source}]"
        )

    with keeping(folder, model=ScriptedModel([reply], repeat_last=True)) as place:
        client = ready(place)
        for answer in (chat(client, QUESTION), ask(place, client, query=QUESTION)["details"]):
            assert "1.67 days" in answer["answer"]
            assert "company car" not in answer["answer"]
            assert answer["answered_by"] == "scripted"


@pytest.mark.parametrize(
    ("failure", "status"),
    [(ModelUnavailable("no answer in time"), 200), (ModelError("bad key"), 502)],
)
def test_a_model_that_fails_is_stood_in_for_or_told(
    folder: Path, failure: ModelError, status: int
) -> None:
    with keeping(folder, model=ScriptedModel([failure], repeat_last=True)) as place:
        client = ready(place)
        reply = client.post("/chat", json={"question": QUESTION})
        session = ask(place, client, query=QUESTION)
    assert reply.status_code == status, reply.text
    assert session["state"] == ("ready" if status == 200 else "failed")
    if status == 200:
        assert "1.67 days" in reply.json()["answer"]
        assert reply.json()["answered_by"] == "extractive"
        assert any("no answer in time" in note for note in reply.json()["notes"])
    else:
        assert "bad key" in session["message"]


def test_what_cannot_be_read_is_counted_and_documents_of_a_lost_folder_stay(folder: Path) -> None:
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7 and nothing more")
    with keeping(folder, refresh_seconds=OFTEN) as place:
        client = ready(place)
        health = client.get("/health").json()
        assert (health["documents"], health["unreadable"]) == (2, 1)
        folder.rename(folder.with_name("elsewhere"))
        health = until_health(client, lambda health: "policies" in health["message"])
        assert health["status"] == "ready"
        assert "1.67" in chat(client, QUESTION)["answer"]
