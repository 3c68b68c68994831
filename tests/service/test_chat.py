"""`POST /chat` and `GET /health` of a real server."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx2
import pytest
from tests.service.serving import serving, until, until_health, until_ready

from veridical.answering.index.policy_index import PolicyIndex
from veridical.answering.question.asked import MAX_QUESTION_CHARS
from veridical.errors import ModelError, ModelUnavailable
from veridical.models.protocol import ModelReply, ModelRequest
from veridical.models.scripted import ScriptedModel
from veridical.service.app import create_app

LEAVE = """# Leave Policy

## 1. Annual leave

Full-time employees accrue 1.67 days of annual leave a month. Requests go to the line manager at
least two weeks ahead.

## 2. Carrying leave over

Up to five days of unused leave may be carried over to the next year.
"""
PARKING = """# Parking Policy

## 1. Spaces

The car park behind the main building has 40 spaces. A permit costs 12 euros a month.
"""
QUESTION = "How many days of annual leave do full-time employees accrue a month?"
PETS = "On which day may dogs come?"
PARKED = "How much does a parking permit cost a month?"
UNANSWERED = "Which dental clinics are covered in Lisbon?"


def write_policies(folder: Path) -> Path:
    (folder / "leave.md").write_text(LEAVE, "utf-8")
    (folder / "parking.md").write_text(PARKING, "utf-8")
    return folder


def in_memory(folder: Path) -> PolicyIndex:
    return PolicyIndex.open([str(folder)], keep=False)


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx2.Client]:
    folder = write_policies(tmp_path_factory.mktemp("policies"))
    with serving(create_app(lambda: in_memory(folder))) as client:
        yield client


def ask(client: httpx2.Client, question: str) -> dict[str, object]:
    reply = client.post("/chat", json={"question": question})
    assert reply.status_code == 200, reply.text
    return dict(reply.json())


def test_an_answer_has_the_fields_of_the_specification(client: httpx2.Client) -> None:
    reply = ask(client, QUESTION)
    assert "1.67 days" in reply["answer"]
    (citation,) = reply["citations"]
    assert {"doc_id", "title", "section", "snippet", "text"} <= citation.keys()
    assert citation["doc_id"] == "leave.md"
    assert citation["title"] == "Leave Policy"
    assert reply["snippets"] == [citation["snippet"]]
    assert reply["latency_ms"] > 0
    quoted = re.search(r'^Quote: "(.+)" \[1\]$', reply["answer"], re.MULTILINE)
    assert quoted
    assert quoted[1] in " ".join(citation["text"].split())
    assert LEAVE[citation["start"] : citation["end"]].strip().endswith("ahead.")


def test_a_refusal_cites_nothing(client: httpx2.Client) -> None:
    reply = ask(client, UNANSWERED)
    assert "cannot" in reply["answer"]
    assert reply["citations"] == reply["snippets"] == reply["quotes"] == []
    assert reply["refused"] is True
    assert reply["refusal"]["reason"] in {"nothing_found", "not_answered"}


@pytest.mark.parametrize(
    ("body", "status", "code", "said"),
    [
        (b"{}", 422, "invalid_request", "question"),
        (b"not json", 422, "invalid_request", "the body is not valid JSON"),
        (b"[" * 20_000, 422, "invalid_request", "the body is not valid JSON"),
        (b'{"question": "\xff"}', 422, "invalid_request", "the body is not valid JSON"),
        (b'{"question": 7}', 422, "invalid_request", "question"),
        (b'{"question": "Why?", "top_k": 3}', 422, "invalid_request", "top_k"),
        (b'{"question": "  "}', 422, "invalid_request", "question"),
        (json.dumps({"question": "a " * 5_000}).encode(), 422, "invalid_request", "2,000"),
        (json.dumps({"question": "a" * 70_000}).encode(), 413, "too_large", "64 KB"),
    ],
)
def test_a_request_that_cannot_be_used_says_why(
    client: httpx2.Client, body: bytes, status: int, code: str, said: str
) -> None:
    reply = client.post("/chat", content=body, headers={"content-type": "application/json"})
    assert reply.status_code == status, reply.text
    error = reply.json()["error"]
    assert error["code"] == code
    assert said in error["message"]


def test_the_longest_question_that_is_taken_has_an_outcome(client: httpx2.Client) -> None:
    padded = QUESTION + " Please" * MAX_QUESTION_CHARS
    assert ask(client, padded[:MAX_QUESTION_CHARS])["answer"]


@pytest.mark.parametrize("question", ["???", "Why", "Wie viele Urlaubstage habe ich in Rom?", "🏖️"])
def test_a_question_without_an_answer_is_refused(client: httpx2.Client, question: str) -> None:
    reply = ask(client, question)
    assert "cannot" in reply["answer"]
    assert reply["citations"] == []


def test_other_addresses_and_methods_reply_in_the_same_shape(client: httpx2.Client) -> None:
    assert client.get("/nowhere").json()["error"]["code"] == "not_found"
    assert client.get("/chat").json()["error"]["code"] == "method_not_allowed"


def test_two_hundred_questions_at_once_are_all_answered_alike(client: httpx2.Client) -> None:
    def answer(number: int) -> tuple[int, object]:
        question = QUESTION if number % 2 else UNANSWERED
        reply = client.post("/chat", json={"question": question})
        return reply.status_code, (number % 2, reply.json()["answer"])

    with ThreadPoolExecutor(200) as pool:
        replies = list(pool.map(answer, range(200)))
    assert {status for status, _ in replies} == {200}
    (refused, answered) = sorted({said for _, said in replies})
    assert "cannot" in refused[1]
    assert "1.67 days" in answered[1]


def test_changed_documents_are_answered_from_while_it_serves(tmp_path: Path) -> None:
    folder = write_policies(tmp_path)
    with serving(create_app(lambda: in_memory(folder), refresh_seconds=0.05)) as client:
        assert "1.67 days" in ask(client, QUESTION)["answer"]
        stop = threading.Event()
        seen: list[int] = []

        def keep_asking() -> None:
            while not stop.is_set():
                seen.append(client.post("/chat", json={"question": QUESTION}).status_code)

        asking = threading.Thread(target=keep_asking)
        asking.start()
        try:
            (folder / "leave.md").write_text(LEAVE.replace("1.67", "2.08"), "utf-8")
            (folder / "parking.md").unlink()
            (folder / "pets.txt").write_text("Pets\n\nDogs may come on Fridays.\n", "utf-8")
            until(
                lambda: [ask(client, question)["answer"] for question in (QUESTION, PETS, PARKED)],
                lambda told: "2.08" in told[0] and "Fridays" in told[1] and "cannot" in told[2],
            )
        finally:
            stop.set()
            asking.join()
        assert client.get("/health").json()["documents"] == 2
        assert set(seen) == {200}


def test_an_empty_folder_is_served_and_refuses(tmp_path: Path) -> None:
    with serving(create_app(lambda: in_memory(tmp_path))) as client:
        assert client.get("/health").json()["documents"] == 0
        reply = ask(client, QUESTION)
    assert "cannot" in reply["answer"]
    assert reply["refusal"]["reason"] == "empty_corpus"


def test_before_the_index_is_ready_the_service_says_so(tmp_path: Path) -> None:
    folder, may_open = write_policies(tmp_path), threading.Event()

    def slowly() -> PolicyIndex:
        may_open.wait(30)
        return in_memory(folder)

    with serving(create_app(slowly), wait_until_ready=False) as client:
        health = client.get("/health")
        assert (health.status_code, health.json()["status"]) == (503, "starting")
        reply = client.post("/chat", json={"question": QUESTION})
        assert (reply.status_code, reply.json()["error"]["code"]) == (503, "not_ready")
        assert reply.headers["retry-after"] == "1"
        assert "still being read" in client.get("/").text
        may_open.set()
        until_ready(client)
        assert "1.67" in ask(client, QUESTION)["answer"]


def test_documents_that_cannot_be_opened_are_told(tmp_path: Path) -> None:
    missing = tmp_path / "nowhere"
    with serving(create_app(lambda: in_memory(missing)), wait_until_ready=False) as client:
        health = until_health(client, lambda health: health["status"] != "starting")
        assert health["status"] == "failed"
        assert "nowhere" in str(health["message"])
        assert client.get("/health").status_code == 503


def test_documents_that_come_later_are_found(tmp_path: Path) -> None:
    folder = tmp_path / "later"
    app = create_app(lambda: in_memory(folder), refresh_seconds=0.05)
    with serving(app, wait_until_ready=False) as client:
        until_health(client, lambda health: health["status"] == "failed")
        folder.mkdir()
        write_policies(folder)
        until_ready(client)
        until(lambda: ask(client, QUESTION)["answer"], lambda told: "1.67" in told)


def test_an_application_can_be_started_again(tmp_path: Path) -> None:
    app = create_app(lambda: in_memory(write_policies(tmp_path)))
    for _ in range(2):
        with serving(app) as client:
            assert "1.67" in ask(client, QUESTION)["answer"]


def model_app(folder: Path, reply: object) -> object:
    return create_app(lambda: in_memory(folder), model=ScriptedModel([reply], repeat_last=True))


def test_a_model_writes_and_its_words_are_checked(tmp_path: Path) -> None:
    def reply(request: ModelRequest) -> ModelReply:
        source = 1 + min(
            number for number in range(8) if f"[{number + 1}]" in request.messages[-1].content
        )
        return ModelReply(
            f"- Full-time employees accrue 1.67 days of annual leave a month. [{source}]\n"
            f"- They also get a company car. [{source}]"
        )

    with serving(model_app(write_policies(tmp_path), reply)) as client:
        answer = ask(client, QUESTION)
    assert "1.67 days" in answer["answer"]
    assert "company car" not in answer["answer"]
    assert answer["answered_by"] == "scripted"


@pytest.mark.parametrize(
    ("failure", "status"),
    [(ModelUnavailable("no answer in time"), 200), (ModelError("bad key"), 502)],
)
def test_a_model_that_fails_is_stood_in_for_or_told(
    tmp_path: Path, failure: ModelError, status: int
) -> None:
    with serving(model_app(write_policies(tmp_path), failure), wait_until_ready=False) as client:
        until_ready(client)
        reply = client.post("/chat", json={"question": QUESTION})
    assert reply.status_code == status, reply.text
    if status == 200:
        assert "1.67 days" in reply.json()["answer"]
        assert reply.json()["answered_by"] == "extractive"
        assert any("no answer in time" in note for note in reply.json()["notes"])


def test_the_api_is_described(client: httpx2.Client) -> None:
    described = client.get("/openapi.json").json()
    assert set(described["paths"]) == {"/chat", "/health"}
    assert {"413", "422", "502", "503"} <= described["paths"]["/chat"]["post"]["responses"].keys()
    assert "503" in described["paths"]["/health"]["get"]["responses"]


@pytest.mark.parametrize("path", ["/", "/health"])
def test_a_probe_may_ask_for_the_head_alone(client: httpx2.Client, path: str) -> None:
    reply = client.head(path)
    assert (reply.status_code, reply.content) == (200, b"")
