"""A ledger checked again, against the documents as they are now. No database, no network."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from veridical.errors import ValidationError
from veridical.ledger.entry import Evidence, LedgerEntry, Source
from veridical.ledger.seal import check_seal
from veridical.ledger.verification import (
    EntryCheck,
    EvidenceCheck,
    LedgerVerification,
    SourceCheck,
    SourceStatus,
    worst,
)
from veridical.ledger.verify_consistency import inconsistencies
from veridical.ledger.verify_evidence import EvidenceChecks
from veridical.ledger.verify_reviews import review_problems
from veridical.ledger.verify_sources import match_sources
from veridical.ledger.wire import ledger_file_from_bytes
from veridical.sources.document import Document


def verify_ledger(
    file_bytes: bytes,
    documents: Iterable[Document],
    *,
    expected_head: str | None = None,
) -> LedgerVerification:
    """Check a ledger file: its seal, that it agrees with itself, and its evidence in `documents`.
    Reviews in it must be about its entries and be well-formed; whether they are right is not asked.

    A document is a source of the ledger if it has its name; else the one of that file name in
    another folder, where there is only one; else the one of the very same text. `expected_head`
    is that of `check_seal`. What is altered or gone is a finding, not an error.

    What follows from entries and sources (risks, questions, actions, the sources' dates) is made
    again where the sources have not changed; warnings, notes and the judge's numbers cannot be.

    Raises ValidationError where the file is no ledger at all (not JSON, or not of the schema), or
    two documents have one name.
    """
    known = tuple(documents)
    twice = [name for name, count in Counter(d.name for d in known).items() if count > 1]
    if twice:
        raise ValidationError(f"two documents are named {twice[0]!r}; rename one")
    seal = check_seal(file_bytes, expected_head=expected_head)
    file = ledger_file_from_bytes(file_bytes)
    ledger = file.ledger
    matched = match_sources(ledger.sources, known)
    checks = EvidenceChecks(ledger, known, matched)
    unchanged = {
        source.id: document
        for source in ledger.sources
        if (document := matched.get(source.id)) and document.sha256 == source.sha256
    }
    return LedgerVerification(
        ledger_id=ledger.id,
        seal=seal,
        sources=tuple(_source_check(source, matched.get(source.id)) for source in ledger.sources),
        entries=tuple(_entry_check(entry, checks.of) for entry in ledger.entries),
        problems=(*inconsistencies(ledger, unchanged), *review_problems(file)),
    )


def _source_check(source: Source, document: Document | None) -> SourceCheck:
    if document is None:
        return SourceCheck(source.id, source.filename, source.sha256, SourceStatus.MISSING)
    same = document.sha256 == source.sha256
    return SourceCheck(
        source.id,
        source.filename,
        source.sha256,
        SourceStatus.UNCHANGED if same else SourceStatus.CHANGED,
        document.name,
        document.sha256,
    )


def _entry_check(entry: LedgerEntry, check: Callable[[Evidence], EvidenceCheck]) -> EntryCheck:
    checks = tuple(check(piece) for piece in entry.evidence)
    return EntryCheck(
        entry_id=entry.id,
        claim_id=entry.claim.id,
        claim_text=entry.claim.text,
        verdict=entry.verdict,
        status=worst([check.status for check in checks]),
        stale=any(check.stale for check in checks),
        evidence=checks,
    )
