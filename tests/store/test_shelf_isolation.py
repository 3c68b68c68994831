"""What is not on a shelf does not exist for whoever holds it: for every method of every part."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import sqlalchemy as sa
from tests.store.samples import text_pair
from tests.store.shelves import RUBRIC, TEXT, Filled, filled

from veridical.errors import ConflictError
from veridical.ledger.review import Decision
from veridical.store.inquiries import Mode
from veridical.store.paging import Page
from veridical.store.records import RecordKind
from veridical.store.store import Shelf, Store
from veridical.store.tables import metadata

NOTHING = (None, (), False, Page((), None))
OWN = "adds or tells something of its own"
PLAIN = {"workspace", "workspace_id"}
ANCHOR = text_pair("leave.txt", TEXT)[1][0].sha256

Call = Callable[[Shelf, Filled], Any]

CALLS: dict[str, Call | str] = {
    "documents.document_id": OWN,
    "documents.add_upload": OWN,
    "documents.upload": lambda b, of: b.documents.upload(of.upload.id),
    "documents.upload_content": lambda b, of: b.documents.upload_content(of.upload.id),
    "documents.file_of": lambda b, of: b.documents.file_of(of.upload.document_id, 1),
    "documents.put_read": lambda b, of: b.documents.put_read(
        of.upload.id, *text_pair("leave.txt", "Other words.")
    ),
    "documents.page": lambda b, of: b.documents.page(),
    "documents.get": lambda b, of: b.documents.get(of.upload.document_id),
    "documents.versions": lambda b, of: b.documents.versions(of.upload.document_id),
    "documents.read": lambda b, of: b.documents.read(of.upload.document_id),
    "documents.delete": lambda b, of: b.documents.delete(of.upload.document_id),
    "documents.state": lambda b, of: b.documents.state(),
    "documents.state_mark": lambda b, of: b.documents.state_mark() or None,
    "documents.ready_versions": lambda b, of: (
        b.documents.ready_versions((of.upload.document_id,)) or None
    ),
    "documents.contents": lambda b, of: b.documents.contents((of.upload.document_id,)),
    "documents.cited": lambda b, of: b.documents.cited(ANCHOR).chunk,
    "inquiries.add": OWN,
    "inquiries.save": OWN,
    "inquiries.get": lambda b, of: b.inquiries.get(of.inquiry.id),
    "inquiries.again": lambda b, of: b.inquiries.again(of.inquiry.id),
    "inquiries.page": lambda b, of: b.inquiries.page(),
    "inquiries.keep_answer": lambda b, of: b.inquiries.keep_answer(of.inquiry.id, "Mine", {}),
    "inquiries.finish": lambda b, of: b.inquiries.finish(of.inquiry.id, of.ledger),
    "inquiries.delete": lambda b, of: b.inquiries.delete(of.inquiry.id),
    "ledgers.mark": lambda b, of: b.ledgers.mark(of.inquiry.id),
    "ledgers.load": lambda b, of: b.ledgers.load(of.mark),
    "ledgers.versions": lambda b, of: (
        b.ledgers.versions({of.upload.document_id: text_pair("leave.txt", TEXT)[0].sha256}) or None
    ),
    "reviews.add": lambda b, of: b.reviews.add(
        of.inquiry.id, of.ledger.entries[0].id, Decision.ACCEPT, by="Eve"
    ),
    "reviews.reviewed": lambda b, of: tuple(b.reviews.reviewed([of.inquiry.id])),
    "reviews.of_session": lambda b, of: b.reviews.of_session(of.inquiry.id),
    "records.add": OWN,
    "records.get": lambda b, of: b.records.get(of.record.kind, of.record.id),
    "records.page": lambda b, of: b.records.page(of.record.kind),
    "records.finish": lambda b, of: b.records.finish(of.record.id, {}, {}),
    "records.change": lambda b, of: b.records.change(
        of.record.kind, of.record.id, "request", lambda request: {**request, "mine": 1}
    ),
    "recordings.of_record": lambda b, of: b.recordings.of_record(of.record.id),
    "recordings.content": lambda b, of: b.recordings.content(of.record.id) or None,
    "recordings.given": lambda b, of: b.recordings.given(of.record.id),
    "rubrics.add": OWN,
    "rubrics.get": lambda b, of: b.rubrics.get(RUBRIC),
    "rubrics.names": lambda b, of: b.rubrics.names(),
    "rubrics.versions": lambda b, of: b.rubrics.versions(RUBRIC),
    "records.delete": lambda b, of: b.records.delete(of.record.kind, of.record.id),
    "exports.add": lambda b, of: b.exports.add(of.inquiry.id, "json", seconds=60),
    "exports.get": lambda b, of: b.exports.get(of.export.id),
    "exports.content": lambda b, of: b.exports.content(of.export.id),
    "exports.finish": lambda b, of: b.exports.finish(
        of.export.id, b"mine", filename="x", media_type="text/plain"
    ),
    "jobs.get": lambda b, of: b.jobs.get(of.job.id),
    "jobs.page": lambda b, of: b.jobs.page(),
    "jobs.steps": lambda b, of: b.jobs.steps(of.job.id, ""),
    "jobs.ask_to_cancel": lambda b, of: b.jobs.ask_to_cancel(of.job.id),
}


@pytest.fixture
def store(emptied: Store) -> Store:
    return emptied


def methods(shelf: Shelf) -> set[str]:
    return {
        f"{part}.{name}"
        for part in set(Shelf.__slots__) - PLAIN
        for name in dir(getattr(shelf, part))
        if not name.startswith("_") and callable(getattr(getattr(shelf, part), name))
    }


def rows(store: Store) -> dict[str, list[Any]]:
    """All that the database holds."""
    with store._database.reading() as connection:
        return {
            table.name: sorted(map(repr, connection.execute(sa.select(table)).all()))
            for table in metadata.tables.values()
        }


def test_every_method_is_tried(store: Store) -> None:
    assert set(CALLS) == methods(store.shelf("b"))


def test_nothing_of_another_workspace_is_seen_or_changed(store: Store) -> None:
    of_a, other = filled(store, "a"), store.shelf("b")
    before = rows(store)
    for name, call in CALLS.items():
        if isinstance(call, str):
            continue
        try:
            found = call(other, of_a)
        except ConflictError:
            # What finishes something says that it is not there.
            assert name.split(".")[1] in ("put_read", "keep_answer", "finish", "load"), name
        else:
            assert any(found == empty for empty in NOTHING), name
    assert rows(store) == before


def test_what_is_added_is_ones_own(store: Store) -> None:
    of_a, other = filled(store, "a"), store.shelf("b")
    held = store.shelf("a")
    listed = held.documents.page(), held.inquiries.page(), held.records.page(RecordKind.SPEECH)
    assert other.documents.document_id("leave.txt") != held.documents.document_id("leave.txt")
    other.documents.add_upload("leave.txt", "text/plain", b"mine")
    other.inquiries.add(Mode.VERIFY, "", answer="Mine.")
    other.records.add(RecordKind.SPEECH, "Mine", {})
    assert listed == (
        held.documents.page(), held.inquiries.page(), held.records.page(RecordKind.SPEECH)
    )  # fmt: skip
    assert held.documents.upload_content(of_a.upload.id) == TEXT.encode()
    assert len(other.jobs.page().items) == 3


NO_IDS = ["", "x", "../etc", "0" * 36, "é" * 36, "\x00", "123e4567-e89b-12d3-a456-42661417400G"]


def test_what_is_no_id_leads_nowhere(store: Store) -> None:
    """PostgreSQL takes nothing but a UUID in such a place: these never reach it."""
    for text in NO_IDS:
        for call in calls_with(store, text):
            found = call()
            assert any(found == empty for empty in NOTHING)


def calls_with(store: Store, id: str) -> list[Callable[[], Any]]:
    shelf = store.shelf("a")
    return [
        lambda: shelf.documents.get(id),
        lambda: shelf.documents.delete(id),
        lambda: shelf.inquiries.get(id),
        lambda: shelf.inquiries.delete(id),
        lambda: shelf.reviews.add(id, id, Decision.ACCEPT, by=""),
        lambda: shelf.records.get(RecordKind.SPEECH, id),
        lambda: shelf.exports.add(id, "json", seconds=1),
        lambda: shelf.exports.get(id),
        lambda: shelf.jobs.get(id),
        lambda: store.job_board.get(id),
        lambda: store.job_board.begin(id),
        lambda: store.tokens.by_id(id),
        lambda: store.tokens.revoke(id),
    ]
