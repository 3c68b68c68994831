"""A ledger as rows of the database, and back: exactly what it was."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import RowMapping

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
from veridical.ledger.seal import seal
from veridical.ledger.wire import ledger_to_json
from veridical.sources.document import Span
from veridical.store.bulk import Row
from veridical.store.plain import VALUES, having

CLAIM_COLUMNS = ("id", "session_id", "uid", "ordinal", "claim_text", "claim_type", "importance",
                 "requires_citation", "start_offset", "end_offset", "statement", "context",
                 "markers")  # fmt: skip
ENTRY_COLUMNS = ("id", "session_id", "claim_id", "uid", "verdict", "confidence_score", "chunk_ids",
                 "evidence_snippet", "notes", "entry")  # fmt: skip

_PLAIN = Codec(
    {
        LedgerEntry: Form(
            apart={"id", "claim", "verdict", "confidence_score", "notes"},
            given=having("evidence", "near", "citations"),
        ),
    },
    values=VALUES,
    closed=True,
)
"""Parts of a ledger in columns of the type JSON."""

_IN_COLUMNS = {kind: _PLAIN.of(kind) for kind in (JudgeRecord, LedgerSummary, RiskFlag, Source)}

LEDGER_ROWS = Codec(
    {EvidenceLedger: Form({"id": "ledger_id"}, apart={"created_at", "updated_at", "entries"})},
    values={**EXACT, **_IN_COLUMNS},
)
"""Records in whose rows parts of a ledger stand."""

_MARKERS = _PLAIN.of(tuple[Marker, ...])[1]
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
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
        **LEDGER_ROWS.write(ledger),
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
            [_PLAIN.write(marker) for marker in claim.markers],
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
            _PLAIN.write(entry),
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
    return LEDGER_ROWS.read(
        EvidenceLedger,
        session,
        created_at=stamp(session["created_at"]),
        updated_at=stamp(session["updated_at"]),
        entries=tuple(_entry(row) for row in entries),
    )


def _entry(row: Any) -> LedgerEntry:
    entry = _PLAIN.read(
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
        if not _UUID.fullmatch(given):
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
