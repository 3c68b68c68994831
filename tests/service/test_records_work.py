"""The work of records: the same when it is begun again, and no model is paid twice."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from tests.service.seeding import EXAMPLES
from tests.service.working import MemorySteps
from tests.store.shelves import there

from veridical.errors import VeridicalError
from veridical.models.protocol import FinishReason, ModelReply, ModelRequest
from veridical.retrieval.chunks import chunk_document
from veridical.service.corpora import Corpora
from veridical.service.jobs.workers import CancelledError, Doing, work_of
from veridical.service.records.inputs import (
    Asked,
    TranscriptInput,
    evaluation_asked,
    scorecard_asked,
    speech_asked,
)
from veridical.service.settings import ServiceSettings
from veridical.sources.loader import load_document_bytes
from veridical.store.jobs import JobState
from veridical.store.records import Record, RecordState
from veridical.store.store import Shelf, Store

LEAVE = b"# Leave\n\nFull-time employees get 25 days of leave a year.\n"
QUESTIONS = [
    {"id": f"q{n}", "question": question, "answerable": True, "expected": [["25 days"]]}
    for n, question in enumerate(
        ("How many days of leave do I get?", "How much leave do full-time employees get?")
    )
]
RADIO = (EXAMPLES / "scoring" / "fireground.vtt").read_text("utf-8")


@dataclass
class CountedModel:
    """Answers with what it is told, and counts how often it is asked."""

    replies: Callable[[ModelRequest], str]
    name: str = "counted"
    asked: list[ModelRequest] = field(default_factory=list)

    def complete(self, request: ModelRequest) -> ModelReply:
        self.asked.append(request)
        return ModelReply(self.replies(request), FinishReason.STOP, "counted", 10, 5)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "work.db") as store:
        yield store


@pytest.fixture
def shelf(store: Store) -> Shelf:
    shelf = store.shelf("default")
    upload, job = shelf.documents.add_upload("leave.md", "text/markdown", LEAVE)
    document = load_document_bytes(LEAVE, "leave.md")
    shelf.documents.put_read(upload.id, document, chunk_document(document))
    store.job_board.begin(job.id)
    store.job_board.end(job.id, JobState.DONE)
    return shelf


def doing(
    store: Store, shelf: Shelf, asked: Asked, *, model: Any = None, steps: MemorySteps | None = None
) -> tuple[Doing, Record, list[tuple[int, int]]]:
    record, job = shelf.records.add(asked.kind, asked.title, asked.request)
    store.job_board.begin(job.id)
    told: list[tuple[int, int]] = []

    def tell(done: int, total: int, _step: str) -> None:
        told.append((done, total))

    settings = ServiceSettings(model=model)
    corpora = Corpora(model=model)
    return Doing(job, shelf, corpora, settings, steps or MemorySteps(), tell), record, told


def asked_of(kind: str, shelf: Shelf) -> Asked:
    if kind == "scorecard":
        return scorecard_asked(shelf, TranscriptInput(text=RADIO), "fireground")
    if kind == "speech":
        text = (EXAMPLES / "speech" / "talk.vtt").read_text("utf-8")
        return speech_asked(shelf, TranscriptInput(text=text))
    return evaluation_asked(QUESTIONS)


def outcome(work: Doing, record: Record) -> str:
    """What comes of a job, but for the moment at which it was asked for."""
    try:
        work_of(work.job.kind)(work)
    except VeridicalError as error:
        return str(error)
    done = there(work.shelf.records.get(record.kind, record.id))
    assert done.result is not None
    result = dict(done.result)
    result.pop("createdAt", None)
    result.get("run", {}).pop("started_at", None)
    return json.dumps(result)


REPLY = "- Full-time employees get 25 days of leave a year. [1]"


@pytest.mark.parametrize(
    ("kind", "reply"), [("scorecard", "{}"), ("speech", "{}"), ("evaluation", REPLY)]
)
def test_no_model_is_paid_twice_and_the_result_is_the_same(
    store: Store, shelf: Shelf, kind: str, reply: str
) -> None:
    """As after `kill -9` just before the result was written: the answers are there, it is not."""
    model, steps, asked = CountedModel(lambda _: reply), MemorySteps(), asked_of(kind, shelf)
    first = outcome(*doing(store, shelf, asked, model=model, steps=steps)[:2])
    calls = len(model.asked)
    assert calls
    assert outcome(*doing(store, shelf, asked, model=model, steps=steps)[:2]) == first
    assert len(model.asked) == calls


def test_progress_is_told_and_a_run_can_be_cancelled(store: Store, shelf: Shelf) -> None:
    work, _, told = doing(store, shelf, evaluation_asked(QUESTIONS))
    work_of(work.job.kind)(work)
    assert told == [(1, 2), (2, 2)]

    def stop(*_: Any) -> None:
        raise CancelledError

    work, record, _ = doing(store, shelf, evaluation_asked(QUESTIONS))
    with pytest.raises(CancelledError):
        work_of(work.job.kind)(
            Doing(work.job, work.shelf, work.corpora, work.settings, work.steps, stop)
        )
    left = there(shelf.records.get(record.kind, record.id))
    assert left.state is not RecordState.READY
    assert left.result is None
