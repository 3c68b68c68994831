"""A workspace with something in each of its parts, for the tests of shelves."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeVar

from sqlalchemy import Table, func, select
from tests.store.samples import sample_ledger, text_pair

from veridical.judging.verdict import Verdict
from veridical.ledger.citations import CitationResolution
from veridical.ledger.entry import EvidenceLedger
from veridical.ledger.ids import DEFAULT_WORKSPACE
from veridical.ledger.review import Decision, EntryReview
from veridical.store.export_files import ExportFile
from veridical.store.inquiries import Inquiry, Mode
from veridical.store.jobs import Job, JobState
from veridical.store.ledgers import LedgerMark
from veridical.store.library import Upload
from veridical.store.recordings import NewRecording
from veridical.store.records import Record, RecordKind
from veridical.store.store import Shelf, Store
from veridical.store.tables import documents

RUBRIC = "night-shift"
TEXT = "Staff get 20 days.\n\nThey ask two weeks before."


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Filled:
    """What `filled` put on a shelf."""

    upload: Upload
    inquiry: Inquiry
    ledger: EvidenceLedger
    review: EntryReview
    record: Record
    export: ExportFile
    job: Job
    mark: LedgerMark


def there(found: T | None) -> T:
    """What was found, which must be something."""
    assert found is not None
    return found


def count(store: Store, *tables: Table) -> list[int]:
    """The numbers of rows that tables have."""
    with store._database.reading() as connection:
        found = (connection.execute(select(func.count()).select_from(table)) for table in tables)
        return [int(rows.scalar_one()) for rows in found]


def versions(store: Store) -> list[tuple[str, int, str]]:
    """All versions that ever were of all documents: name, number and status."""
    table = documents.c
    query = select(table.filename, table.version, table.status)
    with store._database.reading() as connection:
        rows = connection.execute(query.order_by(table.filename, table.version))
        return [(row.filename, row.version, row.status) for row in rows]


def texts(store: Store, workspace: str = DEFAULT_WORKSPACE) -> dict[str, str]:
    """The texts of the documents of a workspace, by name."""
    contents = store.shelf(workspace).documents.contents()
    return {document.name: document.text for document, _ in contents}


def delete(store: Store, name: str) -> bool:
    """Take a document away; False where there is none."""
    library = store.shelf().documents
    return library.delete(library.document_id(name))


def resolved(store: Store, anchor: str) -> CitationResolution:
    """What a citation anchor points to."""
    return store.shelf().documents.cited(anchor)


def ledger_in(shelf: Shelf, session_id: str) -> EvidenceLedger:
    """The ledger of a session."""
    return shelf.ledgers.load(there(shelf.ledgers.mark(session_id))).ledger


def built_anew(store: Store, shelf: Shelf, session_id: str, verdict: Verdict) -> None:
    """Save the ledger of a session with another verdict on its first claim."""
    ledger = ledger_in(shelf, session_id)
    first = replace(ledger.entries[0], verdict=verdict)
    store.save(replace(ledger, entries=(first, *ledger.entries[1:])), shelf.workspace)


def give(store: Store, shelf: Shelf, name: str, text: str) -> Upload:
    """Upload a file and read it."""
    upload, job = shelf.documents.add_upload(name, "text/plain", text.encode())
    assert store.job_board.begin(job.id)
    read = shelf.documents.put_read(upload.id, *text_pair(name, text))
    store.job_board.end(job.id, JobState.DONE)
    return read


def ask(store: Store, shelf: Shelf, question: str = "How many days?") -> Inquiry:
    """Ask, answer and build a ledger of three entries."""
    inquiry, job = shelf.inquiries.add(Mode.ANSWER, question, by="Ada")
    assert store.job_board.begin(job.id)
    shelf.inquiries.keep_answer(inquiry.id, "An answer.", {"outcome": "answered"})
    finished = shelf.inquiries.finish(inquiry.id, ledger_of(inquiry))
    store.job_board.end(job.id, JobState.DONE)
    return finished


def ledger_of(inquiry: Inquiry, **changes: object) -> EvidenceLedger:
    """A ledger of three entries for an inquiry."""
    made = sample_ledger(3, inquiry.id)
    return replace(made, session_id=inquiry.id, **changes)  # type: ignore[arg-type]


def filled(store: Store, workspace: str) -> Filled:
    """Put something into each part of a workspace."""
    shelf = store.shelf(workspace)
    upload = give(store, shelf, "leave.txt", TEXT)
    inquiry = ask(store, shelf)
    ledger = ledger_of(inquiry)
    review = there(shelf.reviews.add(inquiry.id, ledger.entries[0].id, Decision.ACCEPT, by="Ada"))
    sound = NewRecording("a.wav", "audio/wav", b"RIFF")
    record, _ = shelf.records.add(
        RecordKind.SPEECH, "A speech", {"words": "Dear all"}, recording=sound
    )
    shelf.rubrics.add(RUBRIC, "template: none", by="Ada")
    added = there(shelf.exports.add(inquiry.id, "json", seconds=3_600))
    export = shelf.exports.finish(
        added[0].id, b"{}", filename="ledger.json", media_type="application/json"
    )
    mark = there(shelf.ledgers.mark(inquiry.id))
    return Filled(upload, inquiry, ledger, review, record, export, added[1], mark)


def url_of(store: Store) -> str:
    """Where a store is, for another process."""
    return store._database._url.render_as_string(hide_password=False)
