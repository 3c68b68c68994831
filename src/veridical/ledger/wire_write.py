"""A ledger as plain data: section 9.2 of the ledger specification, and all else that it holds.

Where a value is not there, its key is not: `page_number`, `heading_path`, `date` and the like. Two
exceptions, so that a reader always finds the keys of the specification: the rates of a ledger
without claims are null, and `evidence` of an entry that rests on nothing is
`{"chunk_ids": [], "snippet": "", "source": null, "pieces": []}`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from veridical.errors import ValidationError
from veridical.judging.confidence import ConfidenceComponents
from veridical.ledger.entry import (
    CitationCheck,
    Evidence,
    EvidenceLedger,
    LedgerEntry,
    LedgerSummary,
    Marker,
    RiskFlag,
    Source,
)
from veridical.ledger.rounding import rounded, rounded_similarity
from veridical.sources.span import Span

WIRE_VERSION = 1
"""Version of the form that is written here."""

Data = dict[str, Any]


def ledger_to_json(ledger: EvidenceLedger) -> Data:
    """The ledger in the form of the shipped schema `evidence_ledger`, without a seal.

    Reading it back gives the same ledger, but for numbers beyond six decimals.
    Raises ValidationError where evidence names a source that the ledger does not list.
    """
    sources = {source.id: source for source in ledger.sources}
    return {
        "version": WIRE_VERSION,
        "ledger_id": ledger.id,
        "session_id": ledger.session_id,
        "title": ledger.title,
        "query": ledger.query,
        "answer": ledger.answer,
        "generated_at": ledger.created_at,
        "updated_at": ledger.updated_at,
        "judge": {
            "name": ledger.judge.name,
            "point": ledger.judge.point,
            "extractor": ledger.judge.extractor,
        },
        "sources": [_source(source) for source in ledger.sources],
        "summary": _summary(ledger.summary),
        "entries": [_entry(entry, sources) for entry in ledger.entries],
        "risk_flags": [_flag(flag) for flag in ledger.risk_flags],
        "follow_up_questions": list(ledger.follow_up_questions),
        "actions": list(ledger.actions),
        "warnings": list(ledger.warnings),
    }


def shown_evidence(pieces: Sequence[Evidence], sources: Mapping[str, Source]) -> Data:
    """What section 9.2 shows of the evidence of an entry: all chunks, and the deciding snippet."""
    if not pieces:
        return {"chunk_ids": [], "snippet": "", "source": None}
    deciding = pieces[0]
    return {
        "chunk_ids": list(dict.fromkeys(piece.anchor for piece in pieces)),
        "snippet": deciding.snippet,
        "source": _place(deciding, sources),
    }


def _source(source: Source) -> Data:
    data: Data = {
        "document_id": source.id,
        "filename": source.filename,
        "sha256": source.sha256,
        "format": source.format,
        "chars": source.chars,
    }
    return data | _present(date=source.date, superseded_by=source.superseded_by)


def _present(**values: object) -> Data:
    return {key: value for key, value in values.items() if value is not None}


def _summary(summary: LedgerSummary) -> Data:
    coverage, unsupported = summary.evidence_coverage, summary.unsupported_rate
    return {
        "total_claims": summary.total_claims,
        "evidence_coverage": None if coverage is None else rounded(coverage),
        "unsupported_rate": None if unsupported is None else rounded(unsupported),
        "by_verdict": {verdict.value: n for verdict, n in summary.by_verdict.items()},
        "by_importance": {level.value: n for level, n in summary.by_importance.items()},
    }


def _entry(entry: LedgerEntry, sources: Mapping[str, Source]) -> Data:
    claim = entry.claim
    return {
        "entry_id": entry.id,
        "claim_id": claim.id,
        "claim_text": claim.text,
        "statement": claim.statement,
        "context": claim.context,
        "span": _span(claim.span),
        "claim_type": claim.type.value,
        "importance": claim.importance.value,
        "requires_citation": claim.requires_citation,
        "markers": [_marker(marker) for marker in claim.markers],
        "verdict": entry.verdict.value,
        "confidence_score": rounded(entry.confidence_score),
        "components": _components(entry.components),
        "probability": rounded(entry.probability),
        "evidence": {
            **shown_evidence(entry.evidence, sources),
            "pieces": [_piece(piece, sources) for piece in entry.evidence],
        },
        "near": [_piece(piece, sources) for piece in entry.near],
        "citations": [_citation(check) for check in entry.citations],
        "notes": entry.notes,
    }


def _span(span: Span) -> Data:
    return {"start": span.start, "end": span.end}


def _marker(marker: Marker) -> Data:
    return {"kind": marker.kind.value, "value": marker.value, "span": _span(marker.span)}


def _components(components: ConfidenceComponents) -> Data:
    return {
        "semantic_similarity": rounded(components.semantic_similarity),
        "evidence_count": components.evidence_count,
        "directness": rounded(components.directness),
        "source_quality": rounded(components.source_quality),
    }


def _piece(piece: Evidence, sources: Mapping[str, Source]) -> Data:
    return {
        "chunk_id": piece.chunk_id,
        "chunk_sha256": piece.chunk_sha256,
        "anchor": piece.anchor,
        "source": _place(piece, sources),
        "snippet": piece.snippet,
        "source_text": piece.source_text,
        "snippet_span": _span(piece.snippet_span),
        "chunk_span": _span(piece.chunk_span),
        "support": piece.support.value,
        "similarity": rounded_similarity(piece.similarity),
        "probability": rounded(piece.probability),
        "contradiction": rounded(piece.contradiction),
        "contradicts": piece.contradicts,
        "directness": rounded(piece.directness),
        "cited": piece.cited,
    }


def _place(piece: Evidence, sources: Mapping[str, Source]) -> Data:
    source = sources.get(piece.source_id)
    if source is None:
        raise ValidationError(
            f"evidence {piece.chunk_id} names the source {piece.source_id}, "
            "which is not among the sources of the ledger"
        )
    data: Data = {"document_id": source.id, "filename": source.filename}
    if piece.page_number is not None:
        data["page_number"] = piece.page_number
    if piece.heading_path:
        data["heading_path"] = list(piece.heading_path)
    return data


def _citation(check: CitationCheck) -> Data:
    found = _present(document_id=check.source_id, chunk_sha256=check.chunk_sha256)
    return {"marker": _marker(check.marker), **found, "problem": check.problem}


def _flag(flag: RiskFlag) -> Data:
    return {
        "risk_id": flag.id,
        "type": flag.type.value,
        "severity": flag.severity.value,
        "description": flag.description,
        "affected_claims": list(flag.affected_claim_ids),
        "mitigation": flag.mitigation,
    }
