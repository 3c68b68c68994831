"""Ledgers as JSON (schema `evidence_ledger`), and as the sealed files that are handed on.

The JSON is that of section 9.2 of the ledger specification, and all else that a ledger holds.
Where a value is not there, its key is not: `page_number`, `heading_path`, `date` and the like. Two
exceptions, so that a reader always finds the keys of the specification: the rates of a ledger
without claims are null, and `evidence` of an entry that rests on nothing is
`{"chunk_ids": [], "snippet": "", "source": null, "pieces": []}`.

What is read may come from anywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from veridical.errors import ValidationError
from veridical.judging.confidence import ConfidenceComponents
from veridical.judging.judge import SupportLevel
from veridical.judging.verdict import Verdict
from veridical.ledger.canonical import canonical_bytes, parse_file
from veridical.ledger.entry import (
    AnswerClaim,
    CitationCheck,
    ClaimType,
    Evidence,
    EvidenceLedger,
    Importance,
    JudgeRecord,
    LedgerEntry,
    LedgerSummary,
    Marker,
    MarkerKind,
    RiskFlag,
    RiskType,
    Severity,
    Source,
)
from veridical.ledger.newer import NewerVersion, with_newer
from veridical.ledger.review import Decision, EntryReview
from veridical.ledger.rounding import rounded, rounded_similarity
from veridical.ledger.schemas import refused, require_ledger
from veridical.ledger.seal import seal
from veridical.sources.span import Span
from veridical.validation.schema_errors import SchemaProblem

Data = dict[str, Any]
_Read = Mapping[str, Any]

WIRE_VERSION = 1
"""Version of the form that is written here."""


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
        "summary": summary_to_json(ledger.summary),
        "entries": [_entry(entry, sources) for entry in ledger.entries],
        "risk_flags": [_flag(flag) for flag in ledger.risk_flags],
        "follow_up_questions": list(ledger.follow_up_questions),
        "actions": list(ledger.actions),
        "warnings": list(ledger.warnings),
    }


def _shown_evidence(pieces: Sequence[Evidence], sources: Mapping[str, Source]) -> Data:
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


def summary_to_json(summary: LedgerSummary) -> Data:
    """The counts of a ledger."""
    coverage, unsupported = summary.evidence_coverage, summary.unsupported_rate
    return {
        "total_claims": summary.total_claims,
        "by_verdict": {verdict.value: n for verdict, n in summary.by_verdict.items()},
        "by_importance": {level.value: n for level, n in summary.by_importance.items()},
        "evidence_coverage": None if coverage is None else rounded(coverage),
        "unsupported_rate": None if unsupported is None else rounded(unsupported),
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
            **_shown_evidence(entry.evidence, sources),
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


# The way back.


def ledger_from_json(data: _Read) -> EvidenceLedger:
    """The ledger in data of the shipped schema `evidence_ledger`. A seal in it is not looked at.

    Raises ValidationError that names the path of what does not fit: a missing or unknown key, a
    wrong type, a span that ends before it starts, evidence shown that is not the first piece.
    """
    require_ledger(data)
    sources = tuple(_read_source(item) for item in data["sources"])
    known = {source.id: source for source in sources}
    judge = data["judge"]
    return EvidenceLedger(
        id=data["ledger_id"],
        session_id=data["session_id"],
        title=data["title"],
        query=data["query"],
        answer=data["answer"],
        created_at=data["generated_at"],
        updated_at=data["updated_at"],
        judge=JudgeRecord(judge["name"], judge["point"], judge["extractor"]),
        sources=sources,
        entries=tuple(
            _read_entry(item, known, f"entries[{index}]")
            for index, item in enumerate(data["entries"])
        ),
        summary=_read_summary(data["summary"]),
        risk_flags=tuple(_read_flag(item) for item in data["risk_flags"]),
        follow_up_questions=tuple(data["follow_up_questions"]),
        actions=tuple(data["actions"]),
        warnings=tuple(data["warnings"]),
    )


def _misfit(path: str, message: str, value: object, constraint: str) -> ValidationError:
    return refused(
        "the ledger contradicts itself", [SchemaProblem(path, str(value), constraint, message)]
    )


def _read_source(data: _Read) -> Source:
    return Source(
        id=data["document_id"],
        filename=data["filename"],
        sha256=data["sha256"],
        format=data["format"],
        chars=data["chars"],
        date=data.get("date"),
        superseded_by=data.get("superseded_by"),
    )


def _read_summary(data: _Read) -> LedgerSummary:
    coverage, unsupported = data["evidence_coverage"], data["unsupported_rate"]
    return LedgerSummary(
        total_claims=data["total_claims"],
        by_verdict={verdict: data["by_verdict"][verdict.value] for verdict in Verdict},
        by_importance={level: data["by_importance"][level.value] for level in Importance},
        evidence_coverage=None if coverage is None else float(coverage),
        unsupported_rate=None if unsupported is None else float(unsupported),
    )


def _read_entry(data: _Read, sources: Mapping[str, Source], at: str) -> LedgerEntry:
    pieces = _read_pieces(data["evidence"]["pieces"], sources, f"{at}.evidence.pieces")
    _require_shown(data["evidence"], _shown_evidence(pieces, sources), f"{at}.evidence")
    return LedgerEntry(
        id=data["entry_id"],
        claim=AnswerClaim(
            id=data["claim_id"],
            span=_read_span(data["span"], f"{at}.span"),
            text=data["claim_text"],
            statement=data["statement"],
            type=ClaimType(data["claim_type"]),
            importance=Importance(data["importance"]),
            requires_citation=data["requires_citation"],
            context=data["context"],
            markers=tuple(
                _read_marker(item, f"{at}.markers[{index}]")
                for index, item in enumerate(data["markers"])
            ),
        ),
        verdict=Verdict(data["verdict"]),
        confidence_score=float(data["confidence_score"]),
        components=_read_components(data["components"]),
        probability=float(data["probability"]),
        notes=data["notes"],
        evidence=pieces,
        near=_read_pieces(data["near"], sources, f"{at}.near"),
        citations=tuple(
            _read_citation(item, f"{at}.citations[{index}]")
            for index, item in enumerate(data["citations"])
        ),
    )


def _require_shown(given: _Read, expected: _Read, at: str) -> None:
    """What is shown of the evidence must be what the pieces say: readers look at nothing else."""
    for key, value in expected.items():
        if given[key] != value:
            message = "it does not agree with evidence.pieces"
            raise _misfit(f"{at}.{key}", message, given[key], "pieces")


def _read_span(data: _Read, at: str) -> Span:
    if data["start"] > data["end"]:
        message = f"it starts at {data['start']} and ends before that, at {data['end']}"
        raise _misfit(at, message, data["end"], "start <= end")
    return Span(data["start"], data["end"])


def _read_marker(data: _Read, at: str) -> Marker:
    return Marker(MarkerKind(data["kind"]), data["value"], _read_span(data["span"], f"{at}.span"))


def _read_components(data: _Read) -> ConfidenceComponents:
    return ConfidenceComponents(
        semantic_similarity=float(data["semantic_similarity"]),
        evidence_count=data["evidence_count"],
        directness=float(data["directness"]),
        source_quality=float(data["source_quality"]),
    )


def _read_pieces(
    items: Iterable[_Read], sources: Mapping[str, Source], at: str
) -> tuple[Evidence, ...]:
    return tuple(_read_piece(item, sources, f"{at}[{index}]") for index, item in enumerate(items))


def _read_piece(data: _Read, sources: Mapping[str, Source], at: str) -> Evidence:
    place = data["source"]
    source = sources.get(place["document_id"])
    if source is None or source.filename != place["filename"]:
        raise _misfit(
            f"{at}.source",
            "it names a document that is not among the sources",
            place["document_id"],
            "sources",
        )
    return Evidence(
        chunk_id=data["chunk_id"],
        chunk_sha256=data["chunk_sha256"],
        anchor=data["anchor"],
        source_id=source.id,
        snippet=data["snippet"],
        source_text=data["source_text"],
        snippet_span=_read_span(data["snippet_span"], f"{at}.snippet_span"),
        chunk_span=_read_span(data["chunk_span"], f"{at}.chunk_span"),
        support=SupportLevel(data["support"]),
        similarity=float(data["similarity"]),
        probability=float(data["probability"]),
        contradiction=float(data["contradiction"]),
        contradicts=data["contradicts"],
        directness=float(data["directness"]),
        cited=data["cited"],
        page_number=place.get("page_number"),
        heading_path=tuple(place.get("heading_path", ())),
    )


def _read_citation(data: _Read, at: str) -> CitationCheck:
    return CitationCheck(
        marker=_read_marker(data["marker"], f"{at}.marker"),
        source_id=data.get("document_id"),
        chunk_sha256=data.get("chunk_sha256"),
        problem=data["problem"],
    )


def _read_flag(data: _Read) -> RiskFlag:
    return RiskFlag(
        id=data["risk_id"],
        type=RiskType(data["type"]),
        severity=Severity(data["severity"]),
        description=data["description"],
        affected_claim_ids=tuple(data["affected_claims"]),
        mitigation=data["mitigation"],
    )


# Reviews in the file of a ledger: `reviews`, and beside them `revision`, that of the ledger.


def with_reviews(data: Data, reviews: Sequence[EntryReview], revision: int = 1) -> Data:
    """The data of a ledger with reviews of its entries, oldest first; as it was without any.

    Raises ValidationError for a review of another session, or of an entry that is not there.
    """
    if not reviews:
        return data
    entries = {entry["entry_id"] for entry in data["entries"]}
    for review in reviews:
        if review.session_id != data["session_id"] or review.entry_id not in entries:
            raise ValidationError(
                f"the review {review.id} is about the entry {review.entry_id} of the session "
                f"{review.session_id}, which this ledger has not"
            )
    return {**data, "revision": revision, "reviews": [_review(review) for review in reviews]}


def reviews_from_json(data: _Read) -> tuple[tuple[EntryReview, ...], int]:
    """The reviews in data of the shipped schema `evidence_ledger`, and the ledger's revision."""
    session_id = data["session_id"]
    reviews = tuple(_read_review(review, session_id) for review in data.get("reviews", ()))
    return reviews, data.get("revision", 1)


def _review(review: EntryReview) -> Data:
    return {
        "review_id": review.id,
        "ledger_id": review.ledger_id,
        "revision": review.revision,
        "entry_id": review.entry_id,
        "claim_id": review.claim_id,
        "decision": review.decision.value,
        "machine_verdict": review.machine_verdict.value,
        "verdict": None if review.verdict is None else review.verdict.value,
        "reason": review.reason,
        "reviewer": review.reviewer,
        "at": review.at,
    }


def _read_review(data: _Read, session_id: str) -> EntryReview:
    return EntryReview(
        id=data["review_id"],
        session_id=session_id,
        ledger_id=data["ledger_id"],
        revision=data["revision"],
        entry_id=data["entry_id"],
        claim_id=data["claim_id"],
        decision=Decision(data["decision"]),
        machine_verdict=Verdict(data["machine_verdict"]),
        verdict=None if data["verdict"] is None else Verdict(data["verdict"]),
        reason=data["reason"],
        reviewer=data["reviewer"],
        at=data["at"],
    )


# Files.


@dataclass(frozen=True, slots=True)
class LedgerFile:
    """What a ledger file holds: the ledger, and what reviewers decided about it, oldest first.

    `revision` is that of the ledger, from 1; a file without reviews does not say it.
    """

    ledger: EvidenceLedger
    reviews: tuple[EntryReview, ...] = ()
    revision: int = 1


def ledger_to_bytes(
    ledger: EvidenceLedger,
    *,
    reviews: Sequence[EntryReview] = (),
    revision: int = 1,
    newer: Sequence[NewerVersion] = (),
) -> bytes:
    """The sealed file of a ledger. The same ledger, the same bytes.

    `reviews` are about entries of the ledger, oldest first, and `revision` is the one of the ledger
    itself: see `with_reviews`. Without reviews the file is that of the ledger alone.
    `newer` is noted beside the ledger and not sealed: see `newer.with_newer`.
    """
    data = with_reviews(ledger_to_json(ledger), reviews, revision)
    return canonical_bytes(with_newer(seal(data), newer))


def ledger_from_bytes(file_bytes: bytes) -> EvidenceLedger:
    """The ledger in a file, sealed or not; the seal is not checked (see `verify.verify_ledger`).

    Raises ValidationError that says what is wrong with the file, and where.
    """
    return ledger_from_json(parse_file(file_bytes))


def ledger_file_from_bytes(file_bytes: bytes) -> LedgerFile:
    """The same with the reviews in the file. Raises as `ledger_from_bytes` does."""
    data = parse_file(file_bytes)
    ledger = ledger_from_json(data)
    return LedgerFile(ledger, *reviews_from_json(data))
