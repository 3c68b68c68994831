"""Jobs: what is over stays over, whoever else works on it, and its subject says the same."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from tests.store.samples import text_pair
from tests.store.shelves import ask, ledger_of, there, url_of, versions

from veridical.errors import ConflictError
from veridical.store.inquiries import InquiryState, Mode
from veridical.store.jobs import Job, JobState
from veridical.store.library import UploadState
from veridical.store.records import RecordKind, RecordState
from veridical.store.store import Store

OVER = (JobState.DONE, JobState.FAILED, JobState.CANCELLED)


@pytest.fixture
def store(emptied: Store) -> Store:
    return emptied


def upload(store: Store) -> Job:
    return store.shelf().documents.add_upload("a.txt", "text/plain", b"x")[1]


def test_a_job_from_its_beginning_to_its_end(store: Store) -> None:
    board, given = store.job_board, upload(store)
    assert [one.job for one in board.open_jobs()] == [given]
    assert (given.state, given.revision, given.times_begun) == (JobState.WAITING, 1, 0)
    begun = there(board.begin(given.id))
    assert (begun.workspace, begun.job.state, begun.job.times_begun) == ("default", "running", 1)
    again = there(board.begin(given.id)).job
    assert again.started_at == begun.job.started_at is not None
    assert again.times_begun == 2
    assert board.progress(given.id, 2, 5, "page 2")
    ended = there(board.end(given.id, JobState.DONE))
    assert ended == store.shelf().jobs.get(given.id)
    assert (ended.done, ended.total, ended.revision) == (5, 5, 5)
    assert ended.ended_at is not None
    assert board.open_jobs() == ()
    assert store.shelf().jobs.page(active_only=True).items == ()
    assert store.shelf().jobs.page().items == (ended,)


def test_of_two_who_saw_the_same_sign_of_life_one_takes_a_job_up(store: Store) -> None:
    board, given = store.job_board, upload(store)
    (line,) = board.line()
    assert board.begin(given.id, "a", line.beat) is not None
    assert board.begin(given.id, "b", line.beat) is None
    assert (board.beat("a", [given.id]), board.beat("b", [given.id])) == ({given.id: False}, {})
    assert store.shelf().jobs.ask_to_cancel(given.id)
    assert board.beat("a", [given.id]) == {given.id: True}
    board.hand_back("b", [given.id])
    assert board.line()[0].worker == "a"
    board.hand_back("a", [given.id])
    (left,) = board.line()
    assert left.worker is None
    assert board.begin(given.id, "b", left.beat) is None  # it was asked to end meanwhile
    assert board.beat("a", [given.id]) == {}


def test_what_was_kept_first_of_a_step_stays_until_the_job_ends(store: Store) -> None:
    board, given = store.job_board, upload(store)
    board.begin(given.id)
    name = "a step\0\ud800" + "é" * 5_000
    assert board.kept_step(given.id, name) is None
    assert [board.keep_step(given.id, name, said) for said in ("one", "two")] == ["one", "one"]
    assert board.kept_step(given.id, name) == "one"
    assert board.kept_step(given.id, "another") is None
    board.end(given.id, JobState.DONE)
    assert board.kept_step(given.id, name) is None
    assert board.keep_step(given.id, name, "late") == "late"
    assert board.kept_step(given.id, name) is None


def test_each_kind_of_subject_takes_on_the_state(store: Store) -> None:
    board, shelf = store.job_board, store.shelf()
    inquiry, of_inquiry = shelf.inquiries.add(Mode.VERIFY, "", answer="So.")
    record, of_record = shelf.records.add(RecordKind.SCORECARD, "", {})
    for job in (of_inquiry, of_record):
        board.begin(job.id)
    asked, scored = (
        there(shelf.inquiries.get(inquiry.id)),
        there(shelf.records.get(record.kind, record.id)),
    )
    assert (asked.state, scored.state) == (InquiryState.WORKING, RecordState.WORKING)
    for job in (of_inquiry, of_record):
        board.end(job.id, JobState.FAILED, "the model is gone")
    asked, scored = (
        there(shelf.inquiries.get(inquiry.id)),
        there(shelf.records.get(record.kind, record.id)),
    )
    assert (asked.state, asked.message) == (InquiryState.FAILED, "the model is gone")
    assert (scored.state, scored.message) == (RecordState.FAILED, "the model is gone")


def test_a_session_of_the_same_id_elsewhere_is_left_alone(store: Store) -> None:
    """A ledger of the command line has one id of its session in every workspace."""
    inquiry = ask(store, store.shelf("a"))
    store.save(ledger_of(inquiry), "b")
    before = store.shelf("b").inquiries.get(inquiry.id)
    _, job = store.shelf("a").exports.add(inquiry.id, "pdf", seconds=9) or (None, None)
    assert job is not None
    assert store.shelf("a").inquiries.delete(inquiry.id)
    assert there(store.job_board.get(job.id)).job.state is JobState.CANCELLED
    assert store.shelf("b").inquiries.get(inquiry.id) == before


def test_what_is_finished_stays_ready_though_its_job_ends_otherwise(store: Store) -> None:
    """Killed between the two, it is begun again, and may be cancelled then."""
    shelf = store.shelf()
    inquiry, job = shelf.inquiries.add(Mode.VERIFY, "", answer="So.")
    store.job_board.begin(job.id)
    ready = shelf.inquiries.finish(inquiry.id, ledger_of(inquiry))
    store.job_board.end(job.id, JobState.CANCELLED, "asked to")
    assert shelf.inquiries.get(inquiry.id) == ready


def test_what_is_taken_away_ends_the_work_on_it(store: Store) -> None:
    shelf, board = store.shelf(), store.job_board
    file, reading = shelf.documents.add_upload("a.txt", "text/plain", b"x")
    inquiry, asking = shelf.inquiries.add(Mode.ANSWER, "How?")
    record, scoring = shelf.records.add(RecordKind.SPEECH, "", {})
    for job in (reading, asking, scoring):
        board.begin(job.id)
    assert shelf.documents.delete(file.document_id)
    assert shelf.inquiries.delete(inquiry.id)
    assert not shelf.records.delete(RecordKind.VALIDATION, record.id)
    assert shelf.records.delete(record.kind, record.id)
    for job in (reading, asking, scoring):
        assert there(board.get(job.id)).job.state is JobState.CANCELLED
        assert not board.progress(job.id, 1, 1, "")
    for late in (
        lambda: shelf.documents.put_read(file.id, *text_pair("a.txt", "x")),
        lambda: shelf.inquiries.keep_answer(inquiry.id, "late", {}),
        lambda: shelf.inquiries.finish(inquiry.id, ledger_of(inquiry)),
        lambda: shelf.records.finish(record.id, {}, {}),
    ):
        with pytest.raises(ConflictError):
            late()
    assert versions(store) == []
    assert store.list() == ()


def test_only_who_has_a_job_at_work_says_how_far_it_is_and_how_it_ends(store: Store) -> None:
    board, given = store.job_board, upload(store)
    assert board.begin(given.id, "first")
    assert board.progress(given.id, 1, 2, "page 1", "first")
    assert board.begin(given.id, "second", beat=1)
    assert not board.progress(given.id, 2, 2, "page 2", "first")
    left = there(board.end(given.id, JobState.FAILED, "it took too long", "first"))
    assert (left.state, left.done) == (JobState.RUNNING, 1)
    assert there(board.end(given.id, JobState.DONE, worker="second")).state is JobState.DONE


def test_of_many_who_end_it_one_does(store: Store) -> None:
    """Threads with a store of their own, as processes have: each is told the same end."""
    ids = [upload(store).id for _ in range(6)]

    def work(seed: int) -> dict[str, JobState]:
        chosen = random.Random(seed)
        told = {}
        with Store.open(url_of(store)) as own:
            for key in chosen.sample(ids, len(ids)):
                own.job_board.begin(key)
                own.job_board.progress(key, seed, 9, "")
                if chosen.random() < 0.3:
                    own.shelf().jobs.ask_to_cancel(key)
                ended = there(own.job_board.end(key, chosen.choice(OVER), str(seed)))
                told[key] = ended.state
        return told

    with ThreadPoolExecutor(4) as pool:
        told = list(pool.map(work, range(4)))
    for key in ids:
        found = there(store.job_board.get(key))
        assert {one[key] for one in told} == {found.job.state}
        shown = there(store.shelf().documents.upload(found.job.subject_id))
        ready = found.job.state is JobState.DONE
        assert shown.state == ("ready" if ready else found.job.state.value)
        assert shown.message == found.job.message


class Life(RuleBasedStateMachine):
    """A job in any order of what its workers, its owner and an operator do."""

    store: Store

    def __init__(self) -> None:
        super().__init__()
        self.shelf = self.store.shelf(str(uuid4()))
        self.last: Job | None = None
        self.gone = False

    @initialize(name=st.sampled_from(["a.txt", "b.txt"]))
    def begins(self, name: str) -> None:
        self.file, self.last = self.shelf.documents.add_upload(name, "text/plain", b"x")

    @rule()
    def begin(self) -> None:
        assert self.last is not None
        found = self.store.job_board.begin(self.last.id)
        assert (found is None) == (self.last.state.is_over or self.last.cancel_asked)

    @rule(done=st.integers(0, 9), total=st.integers(0, 9))
    def progress(self, done: int, total: int) -> None:
        assert self.last is not None
        goes_on = self.last.state is JobState.RUNNING and not self.last.cancel_asked
        assert self.store.job_board.progress(self.last.id, done, total, "step") == goes_on

    @rule()
    def cancel(self) -> None:
        assert self.last is not None
        self.shelf.jobs.ask_to_cancel(self.last.id)

    @rule(state=st.sampled_from(OVER))
    def end(self, state: JobState) -> None:
        assert self.last is not None
        ended = there(self.store.job_board.end(self.last.id, state, "why"))
        assert ended.state == (self.last.state if self.last.state.is_over else state)

    @precondition(lambda self: not self.gone)
    @rule()
    def read(self) -> None:
        library = self.shelf.documents
        before = there(library.upload(self.file.id))
        put: Any = lambda: library.put_read(self.file.id, *text_pair("a.txt", "x"))  # noqa: E731
        if before.state in (UploadState.FAILED, UploadState.CANCELLED):
            with pytest.raises(ConflictError):
                put()
        elif before.version is not None or before.state is not UploadState.READY:
            assert put().version == 1

    @precondition(lambda self: not self.gone)
    @rule()
    def delete(self) -> None:
        assert self.shelf.documents.delete(self.file.document_id)
        self.gone = True

    @invariant()
    def what_is_over_stays_over(self) -> None:
        if self.last is None:
            return
        found = there(self.store.job_board.get(self.last.id))
        now, last = found.job, self.last
        self.last = now
        self.the_subject_agrees()
        if last.state.is_over:
            assert now == last
            return
        assert (now.revision > last.revision) == (now != last)
        assert now.times_begun >= last.times_begun
        assert last.state is JobState.WAITING or now.state is not JobState.WAITING
        assert (now.ended_at is not None) == now.state.is_over

    def the_subject_agrees(self) -> None:
        if self.gone or self.last is None:
            return
        shown = there(self.shelf.documents.upload(self.file.id))
        agreeing = {
            JobState.WAITING: {"waiting", "ready"}, JobState.RUNNING: {"reading", "ready"},
            JobState.DONE: {"ready"}, JobState.FAILED: {"failed", "ready"},
            JobState.CANCELLED: {"cancelled", "ready"},
        }  # fmt: skip
        assert shown.state in agreeing[self.last.state]


def test_a_job_in_any_order_of_events() -> None:
    with Store.open("sqlite://") as opened:

        class Machine(Life):
            store = opened

        run_state_machine_as_test(
            Machine, settings=settings(max_examples=25, stateful_step_count=15, deadline=None)
        )
