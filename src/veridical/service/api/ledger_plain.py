"""A ledger as plain JSON values, as `ledger_wire.LedgerReply` describes them, and as sent bytes."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from veridical.judging.confidence import confidence_band
from veridical.ledger.entry import (
    CitationCheck,
    Evidence,
    LedgerEntry,
    LedgerSummary,
    RiskFlag,
    Source,
)
from veridical.ledger.review import EntryReview
from veridical.ledger.rounding import rounded
from veridical.service.inquiring.ledger_view import LedgerView, SentLedger

_GZIP_LEVEL = 5
_TAG_DIGITS = 32

Data = dict[str, Any]


def ledger_reply(
    view: LedgerView, entries: Sequence[LedgerEntry] | None = None, next: str | None = None
) -> Data:
    """The reply with all entries of a ledger, or those that were chosen."""
    ledger, inquiry = view.ledger, view.inquiry
    sources = {source.id: source for source in ledger.sources}
    chosen = ledger.entries if entries is None else entries
    return {
        "ledger": {
            "id": ledger.id,
            "session_id": ledger.session_id,
            "revision": view.mark.revision,
            "created_at": ledger.created_at,
            "updated_at": ledger.updated_at,
            "entries": [_entry(entry, view, sources) for entry in chosen],
            "summary": summary_plain(ledger.summary),
            "risk_flags": [_flag(flag) for flag in ledger.risk_flags],
            "follow_up_questions": list(ledger.follow_up_questions),
            "actions": list(ledger.actions),
            "warnings": list(ledger.warnings),
        },
        "session": {
            "id": inquiry.id,
            "query": inquiry.query,
            "mode": inquiry.mode.value,
            "title": inquiry.title,
            "state": inquiry.state.value,
            "answer": ledger.answer,
        },
        "next": next,
    }


def sent_ledger(view: LedgerView) -> SentLedger:
    """The whole reply as it is sent."""
    plain = as_bytes(ledger_reply(view))
    tag = hashlib.sha256(plain).hexdigest()[:_TAG_DIGITS]
    return SentLedger(plain, gzip.compress(plain, _GZIP_LEVEL, mtime=0), tag)


def as_bytes(data: Data) -> bytes:
    """A reply in JSON."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.encode("utf-8", "replace")


def summary_plain(summary: LedgerSummary) -> Data:
    """The summary of a ledger, as `LedgerSummaryWire`."""
    coverage, unsupported = summary.evidence_coverage, summary.unsupported_rate
    return {
        "total_claims": summary.total_claims,
        "by_verdict": {verdict.value: n for verdict, n in summary.by_verdict.items()},
        "by_importance": {level.value: n for level, n in summary.by_importance.items()},
        "evidence_coverage": None if coverage is None else rounded(coverage),
        "unsupported_rate": None if unsupported is None else rounded(unsupported),
    }


def _entry(entry: LedgerEntry, view: LedgerView, sources: Mapping[str, Source]) -> Data:
    claim, deciding = entry.claim, entry.evidence[0] if entry.evidence else None
    review = view.standing.get(entry.id)
    return {
        "id": entry.id,
        "claim_id": claim.id,
        "claim_text": claim.text,
        "claim_type": claim.type.value,
        "claim_importance": claim.importance.value,
        "verdict": entry.verdict.value,
        "confidence_score": rounded(entry.confidence_score),
        "evidence_chunk_ids": list(dict.fromkeys(piece.anchor for piece in entry.evidence)),
        "evidence_snippet": deciding.snippet if deciding else "",
        "source_document": _source(deciding, sources) if deciding else None,
        "notes": entry.notes,
        "span": {"start": claim.span.start, "end": claim.span.end},
        "statement": claim.statement,
        "band": confidence_band(entry.confidence_score).value,
        "probability": rounded(entry.probability),
        "evidence": [_piece(piece, view, sources) for piece in entry.evidence],
        "near": [_piece(piece, view, sources) for piece in entry.near],
        "citations": [_citation(check) for check in entry.citations],
        "review": None if review is None else _review(review),
    }


def _source(piece: Evidence, sources: Mapping[str, Source]) -> Data:
    data: Data = {"id": piece.source_id, "filename": sources[piece.source_id].filename}
    if piece.page_number is not None:
        data["page_number"] = piece.page_number
    if piece.heading_path:
        data["heading_path"] = list(piece.heading_path)
    return data


def _piece(piece: Evidence, view: LedgerView, sources: Mapping[str, Source]) -> Data:
    return {
        "chunk_id": piece.chunk_id,
        "anchor": piece.anchor,
        "document_id": piece.source_id,
        "filename": sources[piece.source_id].filename,
        "version": view.versions.get(piece.source_id),
        "start": piece.snippet_span.start,
        "end": piece.snippet_span.end,
        "page_number": piece.page_number,
        "heading_path": list(piece.heading_path),
        "snippet": piece.snippet,
        "support": piece.support.value,
        "contradicts": piece.contradicts,
        "cited": piece.cited,
        "probability": rounded(piece.probability),
    }


def _citation(check: CitationCheck) -> Data:
    marker = check.marker
    return {
        "kind": marker.kind.value,
        "value": marker.value,
        "start": marker.span.start,
        "end": marker.span.end,
        "document_id": check.source_id,
        "problem": check.problem,
    }


def _review(review: EntryReview) -> Data:
    return {
        "id": review.id,
        "decision": review.decision.value,
        "verdict": review.verdict.value if review.verdict else None,
        "reason": review.reason,
        "reviewer": review.reviewer,
        "at": review.at,
    }


def _flag(flag: RiskFlag) -> Data:
    return {
        "id": flag.id,
        "type": flag.type.value,
        "severity": flag.severity.value,
        "description": flag.description,
        "affected_claim_ids": list(flag.affected_claim_ids),
        "mitigation": flag.mitigation,
    }
