"""A verification as plain data (schema `ledger_verification`)."""

from __future__ import annotations

from typing import Any

from veridical.ledger.seal import Problem
from veridical.ledger.verification import (
    EntryCheck,
    EvidenceCheck,
    LedgerVerification,
    Location,
    SourceCheck,
)

Data = dict[str, Any]


def verification_to_json(found: LedgerVerification) -> Data:
    """The verification as plain data. It holds no time: the same documents, the same data."""
    counts = {("without_evidence" if s is None else s.value): n for s, n in found.counts.items()}
    return {
        "ledger_id": found.ledger_id,
        "ok": found.ok,
        "seal": {
            "intact": found.seal.intact,
            "head": found.seal.head,
            "problems": [_problem(problem) for problem in found.seal.problems],
        },
        "problems": [_problem(problem) for problem in found.problems],
        "counts": {**counts, "stale": found.stale},
        "sources": [_source(source) for source in found.sources],
        "entries": [_entry(entry) for entry in found.entries],
    }


def _problem(problem: Problem) -> Data:
    return {"where": problem.where, "message": problem.message}


def _source(source: SourceCheck) -> Data:
    data: Data = {
        "document_id": source.source_id,
        "filename": source.filename,
        "status": source.status.value,
        "sha256": source.sha256,
    }
    if source.document is not None:
        data |= {"document": source.document, "sha256_now": source.sha256_now}
    return data


def _entry(entry: EntryCheck) -> Data:
    return {
        "entry_id": entry.entry_id,
        "claim_id": entry.claim_id,
        "claim_text": entry.claim_text,
        "verdict": entry.verdict.value,
        "status": None if entry.status is None else entry.status.value,
        "stale": entry.stale,
        "evidence": [_evidence(check) for check in entry.evidence],
    }


def _evidence(check: EvidenceCheck) -> Data:
    data: Data = {
        "anchor": check.anchor,
        "document_id": check.source_id,
        "status": check.status.value,
        "stale": check.stale,
        "snippet": check.snippet,
        "was": _location(check.was),
        "rules": [rule.value for rule in check.rules],
        "alterations": [
            {"kind": change.kind.value, "then": change.then, "now": change.now}
            for change in check.changes
        ],
        "diff": [{"equal": part.equal, "then": part.then, "now": part.now} for part in check.diff],
    }
    if check.now is not None:
        data["now"] = _location(check.now)
    if check.also is not None:
        data["also"] = _location(check.also)
    return data


def _location(location: Location) -> Data:
    data: Data = {
        "document": location.document,
        "span": {"start": location.span.start, "end": location.span.end},
    }
    if location.line is not None:
        data["line"] = location.line
    if location.page is not None:
        data["page_number"] = location.page
    return data
