"""Sessions with their ledgers, reviews and exports, and records of other kinds."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.store.samples import sample_ledger
from tests.store.shelves import ask, count, ledger_of, there

from veridical.errors import ConflictError, StoreError
from veridical.ledger.entry import RiskFlag, RiskType, Severity
from veridical.ledger.review import Decision
from veridical.store.inquiries import InquiryState, Mode
from veridical.store.jobs import JobState
from veridical.store.ledgers import Saved
from veridical.store.records import RecordKind, RecordState
from veridical.store.store import Store
from veridical.store.tables import claims, entry_reviews, export_contents, exports, sessions


@pytest.fixture
def store(emptied: Store) -> Store:
    return emptied


# --- questions and their ledgers ------------------------------------------------------------------


@pytest.mark.parametrize("mode", list(Mode))
def test_what_is_checked_again_and_the_check_lead_to_each_other(store: Store, mode: Mode) -> None:
    shelf = store.shelf()
    first = ask(store, shelf)
    assert (first.earlier_id, shelf.inquiries.again(first.id)) == (None, ())
    second, _ = shelf.inquiries.add(mode, first.query, answer="", earlier=first.id)
    third, _ = shelf.inquiries.add(mode, first.query, title="Anew", earlier=first.id)
    assert (second.earlier_id, second.details) == (first.id, None)
    assert shelf.inquiries.get(second.id) == second
    assert [each.id for each in shelf.inquiries.again(first.id)] == [third.id, second.id]
    # What was answered is kept beside it, and is not told with it.
    assert shelf.inquiries.get(first.id) == first
    kept = shelf.inquiries.keep_answer(second.id, "Ten.", {"outcome": "answered"})
    assert (kept.details, kept.earlier_id) == ({"outcome": "answered"}, first.id)
    assert shelf.inquiries.keep_answer(second.id, "Twelve.", {}) == kept
    assert shelf.inquiries.delete(third.id)
    assert [each.id for each in shelf.inquiries.again(first.id)] == [second.id]
    assert store.shelf("other").inquiries.again(first.id) == ()
    assert shelf.inquiries.delete(first.id)
    assert there(shelf.inquiries.get(second.id)).earlier_id == first.id


def test_a_ledger_that_comes_too_late_or_for_another_session_is_not_taken(store: Store) -> None:
    inquiries = store.shelf().inquiries
    inquiry, job = inquiries.add(Mode.ANSWER, "How?")
    with pytest.raises(StoreError, match="of another session"):
        inquiries.finish(inquiry.id, sample_ledger())
    store.job_board.end(job.id, JobState.FAILED, "no")
    for late in (
        lambda: inquiries.finish(inquiry.id, ledger_of(inquiry)),
        lambda: inquiries.keep_answer(inquiry.id, "x", {}),
    ):
        with pytest.raises(ConflictError, match="ended, meanwhile"):
            late()
    assert count(store, sessions, claims) == [0, 0]
    ready = ask(store, store.shelf())
    assert inquiries.finish(ready.id, ledger_of(ready, query="Another?")) == ready
    assert there(store.shelf().ledgers.mark(ready.id)).revision == 1


def test_a_ledger_of_the_command_line_is_a_session_too(store: Store) -> None:
    flag = RiskFlag("risk-1", next(iter(RiskType)), Severity.LOW, "old", (), "look")
    ledger = replace(sample_ledger(), risk_flags=(flag, flag))
    store.save(ledger)
    shelf = store.shelf()
    inquiry = there(shelf.inquiries.get(ledger.session_id))
    assert (inquiry.mode, inquiry.state, inquiry.job_id) == (Mode.VERIFY, InquiryState.READY, None)
    assert (inquiry.title, inquiry.query, inquiry.answer) == (
        ledger.title, ledger.query, ledger.answer
    )  # fmt: skip
    assert (inquiry.risks, inquiry.summary) == (2, ledger.summary)
    assert inquiry.created_at.isoformat() == "2026-01-03T14:30:00+00:00"
    assert store.save(ledger) is Saved.UNCHANGED
    assert store.save(replace(ledger, query="Another?")) is Saved.REPLACED
    changed = shelf.inquiries.get(ledger.session_id)
    assert changed == replace(inquiry, revision=2, query="Another?")
    mark = there(shelf.ledgers.mark(ledger.session_id))
    assert shelf.ledgers.load(mark).ledger.query == "Another?"
    assert store.load_record(ledger.id, revision=1).ledger == ledger


def test_a_ledger_that_was_deleted_and_saved_anew_has_another_mark(store: Store) -> None:
    ledgers = store.shelf().ledgers
    ledger = sample_ledger()
    store.save(ledger)
    before = there(ledgers.mark(ledger.session_id))
    store.save(ledger)
    assert ledgers.mark(ledger.session_id) == before, "nothing was changed"
    store.shelf().inquiries.delete(ledger.session_id)
    store.save(ledger)
    after = there(ledgers.mark(ledger.session_id))
    assert after != before
    assert (after.ledger_id, after.revision) == (before.ledger_id, before.revision)
    with pytest.raises(ConflictError, match="taken away"):
        ledgers.load(before)


def test_deleting_a_session_takes_all_of_it(store: Store) -> None:
    shelf = store.shelf()
    kept, gone = ask(store, shelf), ask(store, shelf)
    mark = there(shelf.ledgers.mark(gone.id))
    for inquiry in (kept, gone):
        entry = ledger_of(inquiry).entries[0].id
        shelf.reviews.add(inquiry.id, entry, Decision.ACCEPT, by="Ada")
        made = there(shelf.exports.add(inquiry.id, "json", seconds=60))
        shelf.exports.finish(made[0].id, b"{}", filename="a.json", media_type="text/plain")
    before = count(store, sessions, claims, entry_reviews, export_contents, exports)
    assert shelf.inquiries.delete(gone.id)
    assert not shelf.inquiries.delete(gone.id)
    after = count(store, sessions, claims, entry_reviews, export_contents, exports)
    assert after == [n // 2 for n in before]
    assert shelf.ledgers.mark(gone.id) is None
    with pytest.raises(ConflictError, match="taken away"):
        shelf.ledgers.load(mark)
    assert [one.id for one in shelf.inquiries.page().items] == [kept.id]


# --- reviews --------------------------------------------------------------------------------------


def test_an_entry_of_an_earlier_ledger_is_reviewed_no_more(store: Store) -> None:
    shelf = store.shelf()
    inquiry = ask(store, shelf)
    ledger = ledger_of(inquiry)
    shelf.reviews.add(inquiry.id, ledger.entries[2].id, Decision.ACCEPT, by="Ada")
    store.save(replace(ledger, entries=ledger.entries[:2]))
    assert shelf.reviews.add(inquiry.id, ledger.entries[2].id, Decision.ACCEPT, by="Bo") is None
    later = there(shelf.reviews.add(inquiry.id, ledger.entries[0].id, Decision.ACCEPT, by="Bo"))
    assert later.revision == 2
    assert [one.revision for one in shelf.reviews.of_session(inquiry.id)] == [1, 2]


# --- exports and records --------------------------------------------------------------------------


@pytest.mark.parametrize("kind", RecordKind)
def test_a_record_from_its_order_to_its_result(store: Store, kind: RecordKind) -> None:
    shelf = store.shelf()
    given = {"words": ["\x00", "\ud800"], "n": 0.1}
    record, job = shelf.records.add(kind, "A title", given, by="Ada")
    assert shelf.records.get(kind, record.id) == record
    assert job.kind.value == kind.value
    ready = shelf.records.finish(record.id, {"ok": [True]}, {"score": 1})
    assert (ready.state, ready.request, ready.result) == (RecordState.READY, given, {"ok": [True]})
    assert shelf.records.finish(record.id, {"ok": [False]}, {}) == ready
    (listed,) = shelf.records.page(kind).items
    assert listed == replace(ready, request={}, result=None)
    other = next(one for one in RecordKind if one is not kind)
    assert shelf.records.get(other, record.id) is None
    assert shelf.records.page(other).items == ()
