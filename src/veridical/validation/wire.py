"""A report in the form of the specified JSON (schema `evidence_validation`)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from veridical.codec import Codec, Form
from veridical.sources.document import Document, Format, Span
from veridical.validation.results import ClaimResult, Match, Note, Status, ValidationReport

CONTEXT_CHARS = 32
"""Length of the prefix and the suffix."""

_HTML_REACH = 1_000
"""Characters of HTML that are looked at for the prefix and the suffix, markup included."""


def selectors(document: Document, span: Span) -> list[dict[str, Any]]:
    """A TextQuoteSelector and a TextPositionSelector for `span`, so that other tools can find it.

    For HTML the specification's normalisation is followed: markup is removed and entities are
    decoded, and positions count in what remains. All other formats are plain text to an annotation.
    Source: W3C Web Annotation Data Model, 2017, sections 4.2.4 and 4.2.5.
    """
    if document.format is Format.HTML:
        start, end = document.content.position(span.start), document.content.position(span.end)
        exact, prefix, suffix = (
            document.content.slice(max(0, low), min(high, len(document.text)))
            for low, high in (
                (span.start, span.end),
                (span.start - _HTML_REACH, span.start),
                (span.end, span.end + _HTML_REACH),
            )
        )
    else:
        start, end = span.start, span.end
        exact = document.text[start:end]
        prefix = document.text[max(0, start - CONTEXT_CHARS) : start]
        suffix = document.text[end : end + CONTEXT_CHARS]
    return [
        {
            "type": "TextQuoteSelector",
            "exact": exact,
            "prefix": prefix[-CONTEXT_CHARS:],
            "suffix": suffix[:CONTEXT_CHARS],
        },
        {"type": "TextPositionSelector", "start": start, "end": end},
    ]


GENERATOR = "veridical"
_CODEC = Codec({Note: Form(optional={"claim_id"})})
_VALIDATED_STATES = (Status.VALIDATED, Status.AMBIGUOUS, Status.LOW_CONFIDENCE)


def to_wire(report: ValidationReport, *, now: datetime | None = None) -> dict[str, Any]:
    """The report as plain data. `contentHash` covers all of it but the timestamp."""
    summary = report.summary
    content = {
        "ok": report.ok,
        "errors": [_CODEC.write(error) for error in report.errors],
        "warnings": [_CODEC.write(note) for note in _all_notes(report)],
        "document_metadata": _metadata(report.documents),
        "documents": [_document(document) for document in report.documents],
        "validation_summary": {
            "total_claims": summary.total,
            "validated_claims": summary.validated,
            "failed_claims": summary.failed,
            "ambiguous_claims": summary.ambiguous,
            "low_confidence_claims": summary.low_confidence,
            "average_confidence": summary.average_confidence,
            "validation_rate": round(summary.validation_rate, 6),
        },
        "validated_claims": [_held(r) for r in report.results if r.status in _VALIDATED_STATES],
        "failed_claims": [_failed(r) for r in report.results if r.status is Status.FAILED],
    }
    stamp = (now or datetime.now(UTC)).isoformat(timespec="seconds").replace("+00:00", "Z")
    return {
        "ok": content["ok"],
        "generated": {
            "by": GENERATOR,
            "timestamp": stamp,
            "contentHash": content_hash(content),
        },
        **{key: value for key, value in content.items() if key != "ok"},
    }


def content_hash(content: Mapping[str, Any]) -> str:
    """SHA-256, in hex, of canonical JSON: sorted keys, no spaces, UTF-8."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _all_notes(report: ValidationReport) -> list[Note]:
    return [*report.notes, *(note for result in report.results for note in result.notes)]


def _metadata(documents: tuple[Document, ...]) -> dict[str, Any]:
    """Totals over the documents, as the specification has them for one."""
    return {
        "size_bytes": sum(document.size_bytes for document in documents),
        "line_count": sum(document.line_count for document in documents),
        "section_count": sum(len(document.sections) for document in documents),
        "estimated_reading_time_minutes": round(sum(d.reading_minutes for d in documents), 1),
    }


def _document(document: Document) -> dict[str, Any]:
    wire: dict[str, Any] = {
        "name": document.name,
        "format": document.format.value,
        "sha256": document.sha256,
        "size_bytes": document.size_bytes,
        "line_count": document.line_count,
        "section_count": len(document.sections),
    }
    if document.pages:
        wire["page_count"] = len(document.pages)
    return wire


def _common(result: ClaimResult) -> dict[str, Any]:
    claim = result.claim
    # The status comes first: the list `validated_claims` holds those too that are in doubt.
    wire: dict[str, Any] = {
        "validation_status": result.status.value,
        "claim_id": claim.id,
        "task_id": claim.task_id,
        "evidence_type": claim.evidence_type.value,
        "quote": claim.quote,
        "confidence_score": result.confidence,
    }
    if result.fidelity is not None:
        wire["fidelity"] = result.fidelity.value
    wire["rules"] = [rule.value for rule in result.rules]
    wire["alterations"] = [_CODEC.write(alteration) for alteration in result.alterations]
    wire["diff"] = [
        {"equal": part.equal, "quoted": part.quoted, "source": part.source} for part in result.diff
    ]
    wire["suggestions"] = list(result.suggestions)
    return wire


def _held(result: ClaimResult) -> dict[str, Any]:
    wire = _common(result)
    if result.match is not None:
        wire["match_details"] = _match(result.match)
    wire["alternative_matches"] = [
        {
            "matched_text": match.text,
            "confidence_score": match.confidence,
            "position": match.span.start,
            "end_position": match.span.end,
            "line_number": match.line,
            "match_type": match.match_type.value,
            "document": match.document.name,
            **_moment(match),
        }
        for match in result.alternatives
    ]
    return wire


def _failed(result: ClaimResult) -> dict[str, Any]:
    wire = _common(result)
    wire["failure_reason"] = result.reason.value if result.reason else "NOT_FOUND"
    wire["attempted_matches"] = [
        {
            "candidate_text": attempt.match.text,
            "confidence_score": attempt.match.confidence,
            "rejection_reason": attempt.reason,
            "document": attempt.match.document.name,
            "position": attempt.match.span.start,
            "end_position": attempt.match.span.end,
            "line_number": attempt.match.line,
        }
        for attempt in result.attempts
    ]
    found = result.found_at or result.match
    if found is not None:
        wire["found_at"] = _match(found)
    return wire


def _match(match: Match) -> dict[str, Any]:
    wire: dict[str, Any] = {
        "match_type": match.match_type.value,
        "document": match.document.name,
        "start_position": match.span.start,
        "end_position": match.span.end,
        "line_number": match.line,
        "section": match.section_path[-1] if match.section_path else "",
        "section_path": list(match.section_path),
        "matched_text": match.text,
        "similarity_score": match.similarity,
        "confidence_score": match.confidence,
        "edit_distance": -1 if match.edit_distance is None else match.edit_distance,
        "selectors": selectors(match.document, match.span),
    }
    if match.page is not None:
        wire["page"] = match.page
        if any(scan.page == match.page for scan in match.document.scans):
            wire["recognised"] = True
    if place := match.document.place_of(match.span):
        wire["place"] = place
    if match.context_score is not None:
        wire["context_score"] = match.context_score
    return wire | _moment(match)


def _moment(match: Match) -> dict[str, Any]:
    """When a match in a recording was said; nothing for other documents."""
    moment = match.moment
    if moment is None:
        return {}
    return {
        "start_seconds": moment.start,
        "end_seconds": moment.end,
        "time_precision": moment.precision.value,
        "speakers": list(moment.speakers),
    }
