"""Jobs: what is over stays over, whoever else works on it, and its subject says the same."""

from __future__ import annotations

import pytest
from tests.store.samples import text_pair
from tests.store.shelves import ask, ledger_of, there, versions

from veridical.errors import ConflictError
from veridical.store.inquiries import InquiryState, Mode
from veridical.store.jobs import Job, JobState
from veridical.store.records import RecordKind, RecordState
from veridical.store.store import Store


@pytest.fixture
def store(emptied: Store) -> Store:
    return emptied


def upload(store: Store) -> Job:
    return store.shelf().documents.add_upload("a.txt", "text/plain", b"x")[1]


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
