"""What columns hold, exactly: documents, ledgers and other records as rows and as JSON values, and
back.

On the way back a key that is missing takes the field's default, so that a field with a default can
be added to a type without touching what is stored. What cannot have been written here is refused
with a TypeError, ValueError or LookupError: someone else changed it.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields, replace
from datetime import UTC, datetime
from operator import attrgetter
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Connection, RowMapping, Select, Table

from veridical.codec import EXACT, Codec, Form
from veridical.errors import StoreError, ValidationError
from veridical.judging.verdict import Verdict
from veridical.ledger.entry import (
    AnswerClaim,
    ClaimType,
    Evidence,
    EvidenceLedger,
    Importance,
    JudgeRecord,
    LedgerEntry,
    LedgerSummary,
    Marker,
    RiskFlag,
    Source,
)
from veridical.ledger.review import EntryReview
from veridical.ledger.seal import seal
from veridical.ledger.wire import ledger_to_json
from veridical.sources.document import Document, Format, Span
from veridical.sources.masks import NO_MASKS, Masks
from veridical.sources.transcript import Transcript
from veridical.store.bulk import Row
from veridical.store.columns import is_id

_Record = TypeVar("_Record")

PAIR = attrgetter("start", "end")
"""The offsets of a span."""


def structure_of(document: Document) -> dict[str, Any]:
    """What is known about a document beside name, text, format and size.

    Enough to show and to cite: sections, pages, and the masks that tell what a reader sees.
    """
    return PLAIN.write(document)


def document_of(
    name: str, text: str, format: str, size_bytes: int, structure: dict[str, Any]
) -> Document:
    """The document that `structure_of` was given."""
    kind = Transcript if "words" in structure else Document
    kept = {"name": name, "text": text, "format": Format(format), "size_bytes": size_bytes}
    return PLAIN.read(kind, structure, **kept)


def _structure_told(data: dict[str, Any]) -> dict[str, Any]:
    """Masks last: a fingerprint is made of the whole."""
    masks = data.pop("masks")
    return {**data, "masks": masks}


def _masks(columns: Any) -> Masks:
    starts, ends, shown, unseen = columns
    if not starts:
        return NO_MASKS
    return Masks(array("q", starts), array("q", ends), tuple(shown), array("b", unseen))


def _span(pair: Any) -> Span:
    start, end = pair
    if type(start) is not int or type(end) is not int:
        raise TypeError("an offset is a whole number")
    return Span(start, end)


def _having(*names: str) -> Callable[[Any], Any]:
    """Refuses data without these, which were always written."""

    def given(data: dict[str, Any]) -> dict[str, Any]:
        if not data.keys() >= set(names):
            raise LookupError("what was always written is not there")
        return data

    return given


_STRUCTURE = Form(
    optional={"places", "scans"},
    apart={"name", "text", "format", "size_bytes"},
    told=_structure_told,
    given=_having("sections", "pages", "warnings", "masks"),
)

_RECORDING = replace(
    _STRUCTURE,
    given=_having(
        "sections", "pages", "warnings", "masks",
        "words", "segments", "language", "time_base", "recorded_as",
    ),
)  # fmt: skip

_ENTRY = Form(
    apart={"id", "claim", "verdict", "confidence_score", "notes"},
    given=_having("evidence", "near", "citations"),
)

PLAIN = Codec(
    {Document: _STRUCTURE, Transcript: _RECORDING, LedgerEntry: _ENTRY},
    values={
        **EXACT,
        Span: (PAIR, _span),
        Masks: (lambda one: [[*one.starts], [*one.ends], one.shown, [*one.unseen]], _masks),
    },
    closed=True,
)
"""A value in a column of the type JSON: a span is a pair of offsets, masks are columns. What has a
column of its own is left out.
"""

ROWS = Codec(
    {
        EvidenceLedger: Form({"id": "ledger_id"}, apart={"created_at", "updated_at", "entries"}),
        EntryReview: Form(apart={"at"}),
    },
    values={
        **EXACT,
        **{kind: PLAIN.of(kind) for kind in (JudgeRecord, LedgerSummary, RiskFlag, Source)},
    },
)
"""A record as the values of columns that are called as its fields, and back from a row that may
have other columns too.
"""


def columns_of(kind: Any, table: Table, **others: ColumnElement[Any]) -> list[ColumnElement[Any]]:
    """What a query selects to find records of a kind: the columns of a table that are called as
    their fields, and `others` for fields that are called otherwise, or stand elsewhere.
    """
    found = {**table.c, **others}
    return [found[field.name].label(field.name) for field in fields(kind)]


def row_of(record: object, table: Table) -> dict[str, Any]:
    """The values of a record that a table has columns for, called as its fields."""
    return {name: value for name, value in ROWS.write(record).items() if name in table.c}


def found(connection: Connection, query: Select[Any], kind: type[_Record]) -> tuple[_Record, ...]:
    """The records that a query finds."""
    return tuple(ROWS.read(kind, row) for row in connection.execute(query).mappings())


def first(connection: Connection, query: Select[Any], kind: type[_Record]) -> _Record | None:
    """The first record that a query finds, if there is any."""
    row = connection.execute(query).mappings().first()
    return None if row is None else ROWS.read(kind, row)


CLAIM_COLUMNS = ("id", "session_id", "uid", "ordinal", "claim_text", "claim_type", "importance",
                 "requires_citation", "start_offset", "end_offset", "statement", "context",
                 "markers")  # fmt: skip
ENTRY_COLUMNS = ("id", "session_id", "claim_id", "uid", "verdict", "confidence_score", "chunk_ids",
                 "evidence_snippet", "notes", "entry")  # fmt: skip

_MARKERS = PLAIN.of(tuple[Marker, ...])[1]
_MOMENT = "%Y-%m-%dT%H:%M:%SZ"


def require_storable(ledger: EvidenceLedger) -> None:
    """Raises StoreError where ids are no UUIDs or not unique, or times not as the ledger's are."""
    _require_uuids((ledger.id, ledger.session_id))
    for ids in ([e.id for e in ledger.entries], [e.claim.id for e in ledger.entries]):
        _require_uuids(ids)
        if len(set(ids)) != len(ids):
            raise StoreError(
                f"The ledger {ledger.id} cannot be stored: two of its entries or claims have one "
                "id. Build it anew."
            )
    for entry in ledger.entries:
        _require_uuids(piece.chunk_id for piece in entry.evidence)
    for written in (ledger.created_at, ledger.updated_at):
        moment(written)


def seal_head(ledger: EvidenceLedger) -> str | None:
    """The head of the seal of the ledger's file, without a key; None where no file can hold it."""
    try:
        head: str = seal(ledger_to_json(ledger))["seal"]["head"]
    except ValidationError:
        return None
    return head


def header(ledger: EvidenceLedger, head: str | None) -> dict[str, Any]:
    """The values of a row of `sessions` that are the ledger's own; `head` is its `seal_head`."""
    return {
        "seal_head": head,
        "created_at": moment(ledger.created_at),
        "updated_at": moment(ledger.updated_at),
        **ROWS.write(ledger),
    }


def claim_rows(key: str, ledger: EvidenceLedger) -> Iterator[Row]:
    """The rows of `claims`, of `CLAIM_COLUMNS`. `key` is that of the row of `sessions`."""
    for ordinal, entry in enumerate(ledger.entries):
        claim = entry.claim
        yield (
            row_key(key, ordinal),
            key,
            claim.id,
            ordinal,
            claim.text,
            claim.type.value,
            claim.importance.value,
            claim.requires_citation,
            claim.span.start,
            claim.span.end,
            claim.statement,
            claim.context,
            [PLAIN.write(marker) for marker in claim.markers],
        )


def entry_rows(key: str, ledger: EvidenceLedger) -> Iterator[Row]:
    """The rows of `evidence_ledger`, of `ENTRY_COLUMNS`, in the order of the claims'."""
    for ordinal, entry in enumerate(ledger.entries):
        row = row_key(key, ordinal)
        yield (
            row,
            key,
            row,
            entry.id,
            entry.verdict.value,
            entry.confidence_score,
            *_repeated(entry.evidence),
            entry.notes,
            PLAIN.write(entry),
        )


def _repeated(evidence: Sequence[Evidence]) -> tuple[list[str], str | None]:
    """What stands in columns of its own for those who query the database: chunks, and a snippet."""
    return [piece.chunk_id for piece in evidence], evidence[0].snippet if evidence else None


def row_key(key: str, ordinal: int) -> str:
    """The primary key of a claim and of its entry: that of the session, its end a number.

    In this order they are appended to their indexes, which is several times faster than ids that
    fall anywhere.
    """
    return f"{key[:-8]}{ordinal:08x}"


def ledger_of(session: RowMapping, entries: Iterable[Any]) -> EvidenceLedger:
    """The ledger of a row of `sessions` and the joined rows of its claims and entries, in order."""
    return ROWS.read(
        EvidenceLedger,
        session,
        created_at=stamp(session["created_at"]),
        updated_at=stamp(session["updated_at"]),
        entries=tuple(_entry(row) for row in entries),
    )


def _entry(row: Any) -> LedgerEntry:
    entry = PLAIN.read(
        LedgerEntry,
        row.entry,
        id=row.uid,
        claim=AnswerClaim(
            id=row.claim_uid,
            span=Span(row.start_offset, row.end_offset),
            text=row.claim_text,
            statement=row.statement,
            type=ClaimType(row.claim_type),
            importance=Importance(row.importance),
            requires_citation=row.requires_citation,
            context=row.context,
            markers=_MARKERS(row.markers),
        ),
        verdict=Verdict(row.verdict),
        confidence_score=row.confidence_score,
        notes=row.notes,
    )
    if (row.chunk_ids, row.evidence_snippet) != _repeated(entry.evidence):
        raise ValueError("columns that repeat what the entry says differ from it")
    return entry


def _require_uuids(ids: Iterable[str]) -> None:
    for given in ids:
        if not is_id(given):
            raise StoreError(f"The ledger cannot be stored: its id {given[:40]!r} is not a UUID.")


def moment(given: str) -> datetime:
    """A moment that a ledger wrote. Raises StoreError where it is none."""
    try:
        found = datetime.strptime(given, _MOMENT).replace(tzinfo=UTC)
    except ValueError:
        found = None
    if found is None or stamp(found) != given:
        raise StoreError(
            f"The ledger cannot be stored: its time {given[:40]!r} is not like "
            "2026-01-03T14:30:00Z."
        )
    return found


def stamp(moment: datetime) -> str:
    """A moment as a ledger writes it."""
    return moment.replace(tzinfo=None).isoformat(timespec="seconds") + "Z"
