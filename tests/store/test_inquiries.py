"""Sessions with their ledgers, reviews and exports, and records of other kinds."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from datetime import timedelta

import pytest
from tests.store.samples import sample_ledger
from tests.store.shelves import ask, count, ledger_of, there

from veridical.errors import ConflictError, StoreError, ValidationError
from veridical.judging.verdict import Verdict
from veridical.ledger.entry import RiskFlag, RiskType, Severity
from veridical.ledger.review import Decision, standing
from veridical.store import export_files
from veridical.store.inquiries import InquiryState, Mode
from veridical.store.jobs import JobState, now
from veridical.store.ledgers import LedgerMark, Saved
from veridical.store.records import RecordKind, RecordState
from veridical.store.store import Store
from veridical.store.tables import claims, entry_reviews, export_contents, exports, sessions


@pytest.fixture
def store(emptied: Store) -> Store:
    return emptied


# --- questions and their ledgers ------------------------------------------------------------------


def test_a_question_from_asking_to_its_ledger(store: Store) -> None:
    shelf = store.shelf()
    inquiry, job = shelf.inquiries.add(Mode.ANSWER, "How many days?", title="Leave", by="Ada")
    assert shelf.inquiries.get(inquiry.id) == inquiry
    assert (inquiry.state, inquiry.job_id, inquiry.summary) == (InquiryState.WAITING, job.id, None)
    assert shelf.ledgers.mark(inquiry.id) is None
    kept = shelf.inquiries.keep_answer(inquiry.id, "Ten.", {"outcome": "answered", "n": [1.5]})
    assert (kept.answer, kept.details) == ("Ten.", {"outcome": "answered", "n": [1.5]})
    assert shelf.inquiries.keep_answer(inquiry.id, "Twelve.", {}) == kept
    ledger = ledger_of(inquiry)
    ready = shelf.inquiries.finish(inquiry.id, ledger)
    assert ready.state is InquiryState.READY
    assert (ready.ledger_id, ready.revision, ready.summary) == (ledger.id, 1, ledger.summary)
    assert (ready.answer, ready.title, ready.created_by) == ("Ten.", "Leave", "Ada")
    assert shelf.inquiries.page().items == (replace(ready, answer="", details=None),)
    mark = there(shelf.ledgers.mark(inquiry.id))
    assert mark == LedgerMark(inquiry.id, ledger.id, 1, mark.stamp, "")
    assert shelf.ledgers.load(mark).ledger == ledger
    assert shelf.ledgers.load(mark).is_as_saved
    assert store.load(inquiry.id) == ledger


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


def test_reviews_are_kept_beside_the_verdict(store: Store) -> None:
    shelf = store.shelf()
    inquiry = ask(store, shelf)
    ledger = ledger_of(inquiry)
    first, second = ledger.entries[0], ledger.entries[1]
    over = there(
        shelf.reviews.add(
            inquiry.id, first.id, Decision.OVERRULE, by="Ada", verdict=Verdict.WEAK, reason=" no\n"
        )
    )
    assert (over.machine_verdict, over.verdict) == (Verdict.SUPPORTED, Verdict.WEAK)
    assert (over.reason, over.reviewer, over.claim_id) == ("no", "Ada", first.claim.id)
    assert (over.ledger_id, over.revision) == (ledger.id, 1)
    agreed = there(shelf.reviews.add(inquiry.id, second.id, Decision.ACCEPT, by="Bo"))
    back = there(
        shelf.reviews.add(inquiry.id, first.id, Decision.WITHDRAW, by="Ada", reason="mistaken")
    )
    assert (agreed.verdict, back.verdict) == (Verdict.SUPPORTED, None)
    assert shelf.reviews.of_session(inquiry.id) == (over, agreed, back)
    counting = standing(shelf.reviews.of_session(inquiry.id), ledger.entries)
    assert dict(counting) == {second.id: agreed}
    mark = there(shelf.ledgers.mark(inquiry.id))
    assert mark.last_review == back.id
    assert shelf.ledgers.load(mark).ledger == ledger


def test_a_decision_is_about_the_ledger_that_was_seen(store: Store) -> None:
    shelf = store.shelf()
    inquiry = ask(store, shelf)
    ledger = ledger_of(inquiry)
    entry = ledger.entries[0]
    seen = there(shelf.ledgers.mark(inquiry.id))
    agreed = there(shelf.reviews.add(
        inquiry.id, entry.id, Decision.ACCEPT, by="Ada",
        expected_revision=1, expected_stamp=seen.stamp,
    ))  # fmt: skip
    anew = replace(ledger, entries=(replace(entry, verdict=Verdict.WEAK), *ledger.entries[1:]))
    store.save(anew)
    assert standing(shelf.reviews.of_session(inquiry.id), anew.entries) == {}
    for expected in ({"expected_revision": 1}, {"expected_stamp": seen.stamp}):
        with pytest.raises(ConflictError, match="built anew meanwhile"):
            shelf.reviews.add(inquiry.id, entry.id, Decision.ACCEPT, by="Bo", **expected)
    with pytest.raises(ValidationError, match="no review of this claim to withdraw"):
        shelf.reviews.add(inquiry.id, entry.id, Decision.WITHDRAW, by="Ada")
    assert shelf.reviews.of_session(inquiry.id) == (agreed,)
    weak = there(
        shelf.reviews.add(inquiry.id, entry.id, Decision.ACCEPT, by="Bo", expected_revision=2)
    )
    assert standing(shelf.reviews.of_session(inquiry.id), anew.entries) == {entry.id: weak}


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


def test_an_export_from_its_order_to_its_end(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf = store.shelf()
    inquiry = ask(store, shelf)
    ordered = there(shelf.exports.add(inquiry.id, "pdf", seconds=60))
    file, job = ordered
    assert (file.state, shelf.exports.content(file.id)) == ("waiting", None)
    store.job_board.begin(job.id)
    assert there(shelf.exports.get(file.id)).state == "running"
    made = shelf.exports.finish(
        file.id, b"%PDF\x00", filename="a.pdf", media_type="application/pdf"
    )
    assert (made.state, made.size_bytes, made.filename) == ("done", 5, "a.pdf")
    assert made.sha256 == hashlib.sha256(b"%PDF\x00").hexdigest()
    again = shelf.exports.finish(file.id, b"other", filename="b", media_type="text/plain")
    assert again == made == shelf.exports.get(file.id)
    assert shelf.exports.content(file.id) == b"%PDF\x00"
    (noted,) = store.exports(ledger_of(inquiry).id)
    assert (noted.format, noted.sha256, noted.path, noted.revision) == (
        "pdf", made.sha256, "a.pdf", 1
    )  # fmt: skip
    later = now() + timedelta(seconds=61)
    monkeypatch.setattr(export_files, "now", lambda: later)
    assert shelf.exports.get(file.id) is None
    assert shelf.exports.content(file.id) is None
    assert there(shelf.exports.add(inquiry.id, "pdf", seconds=60))[0].id != file.id


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
