"""A ledger read back from plain data, which may come from anywhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from veridical.errors import ValidationError
from veridical.judging.confidence import ConfidenceComponents
from veridical.judging.judge import SupportLevel
from veridical.judging.verdict import Verdict
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
from veridical.ledger.schemas import load_schema
from veridical.ledger.wire_write import shown_evidence
from veridical.sources.span import Span
from veridical.validation.schema_errors import SchemaProblem, first_errors

if TYPE_CHECKING:
    from jsonschema_rs import Draft7Validator

Data = Mapping[str, Any]


def ledger_from_json(data: Data) -> EvidenceLedger:
    """The ledger in data of the shipped schema `evidence_ledger`. A seal in it is not looked at.

    Raises ValidationError that names the path of what does not fit: a missing or unknown key, a
    wrong type, a span that ends before it starts, evidence shown that is not the first piece.
    """
    require_ledger(data)
    sources = tuple(_source(item) for item in data["sources"])
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
            _entry(item, known, f"entries[{index}]") for index, item in enumerate(data["entries"])
        ),
        summary=_summary(data["summary"]),
        risk_flags=tuple(_flag(item) for item in data["risk_flags"]),
        follow_up_questions=tuple(data["follow_up_questions"]),
        actions=tuple(data["actions"]),
        warnings=tuple(data["warnings"]),
    )


def require_ledger(data: object) -> None:
    """Raises ValidationError where data does not fit the schema of ledgers."""
    try:
        if _validator().is_valid(data):
            return
    except (ValueError, TypeError, OverflowError, RecursionError):
        pass  # Not JSON at all: said in words below.
    problems = first_errors(load_schema("evidence_ledger"), data)
    raise _refused("the ledger does not fit its schema", problems)


@cache
def _validator() -> Draft7Validator:
    """Made once: most files fit. The schema uses only what drafts 7 and 2020-12 read alike."""
    from jsonschema_rs import Draft7Validator

    return Draft7Validator(load_schema("evidence_ledger"))


def _refused(complaint: str, problems: list[SchemaProblem]) -> ValidationError:
    first = problems[0]
    return ValidationError(
        f"{complaint}: " + "; ".join(problem.describe() for problem in problems),
        {"path": first.path, "value": first.value, "constraint": first.constraint},
    )


def _misfit(path: str, message: str, value: object, constraint: str) -> ValidationError:
    return _refused(
        "the ledger contradicts itself", [SchemaProblem(path, str(value), constraint, message)]
    )


def _source(data: Data) -> Source:
    return Source(
        id=data["document_id"],
        filename=data["filename"],
        sha256=data["sha256"],
        format=data["format"],
        chars=data["chars"],
        date=data.get("date"),
        superseded_by=data.get("superseded_by"),
    )


def _summary(data: Data) -> LedgerSummary:
    coverage, unsupported = data["evidence_coverage"], data["unsupported_rate"]
    return LedgerSummary(
        total_claims=data["total_claims"],
        by_verdict={verdict: data["by_verdict"][verdict.value] for verdict in Verdict},
        by_importance={level: data["by_importance"][level.value] for level in Importance},
        evidence_coverage=None if coverage is None else float(coverage),
        unsupported_rate=None if unsupported is None else float(unsupported),
    )


def _entry(data: Data, sources: Mapping[str, Source], at: str) -> LedgerEntry:
    pieces = _pieces(data["evidence"]["pieces"], sources, f"{at}.evidence.pieces")
    _require_shown(data["evidence"], shown_evidence(pieces, sources), f"{at}.evidence")
    return LedgerEntry(
        id=data["entry_id"],
        claim=AnswerClaim(
            id=data["claim_id"],
            span=_span(data["span"], f"{at}.span"),
            text=data["claim_text"],
            statement=data["statement"],
            type=ClaimType(data["claim_type"]),
            importance=Importance(data["importance"]),
            requires_citation=data["requires_citation"],
            context=data["context"],
            markers=tuple(
                _marker(item, f"{at}.markers[{index}]")
                for index, item in enumerate(data["markers"])
            ),
        ),
        verdict=Verdict(data["verdict"]),
        confidence_score=float(data["confidence_score"]),
        components=_components(data["components"]),
        probability=float(data["probability"]),
        notes=data["notes"],
        evidence=pieces,
        near=_pieces(data["near"], sources, f"{at}.near"),
        citations=tuple(
            _citation(item, f"{at}.citations[{index}]")
            for index, item in enumerate(data["citations"])
        ),
    )


def _require_shown(given: Data, expected: Data, at: str) -> None:
    """What is shown of the evidence must be what the pieces say: readers look at nothing else."""
    for key, value in expected.items():
        if given[key] != value:
            message = "it does not agree with evidence.pieces"
            raise _misfit(f"{at}.{key}", message, given[key], "pieces")


def _span(data: Data, at: str) -> Span:
    if data["start"] > data["end"]:
        message = f"it starts at {data['start']} and ends before that, at {data['end']}"
        raise _misfit(at, message, data["end"], "start <= end")
    return Span(data["start"], data["end"])


def _marker(data: Data, at: str) -> Marker:
    return Marker(MarkerKind(data["kind"]), data["value"], _span(data["span"], f"{at}.span"))


def _components(data: Data) -> ConfidenceComponents:
    return ConfidenceComponents(
        semantic_similarity=float(data["semantic_similarity"]),
        evidence_count=data["evidence_count"],
        directness=float(data["directness"]),
        source_quality=float(data["source_quality"]),
    )


def _pieces(items: Iterable[Data], sources: Mapping[str, Source], at: str) -> tuple[Evidence, ...]:
    return tuple(_piece(item, sources, f"{at}[{index}]") for index, item in enumerate(items))


def _piece(data: Data, sources: Mapping[str, Source], at: str) -> Evidence:
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
        snippet_span=_span(data["snippet_span"], f"{at}.snippet_span"),
        chunk_span=_span(data["chunk_span"], f"{at}.chunk_span"),
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


def _citation(data: Data, at: str) -> CitationCheck:
    return CitationCheck(
        marker=_marker(data["marker"], f"{at}.marker"),
        source_id=data.get("document_id"),
        chunk_sha256=data.get("chunk_sha256"),
        problem=data["problem"],
    )


def _flag(data: Data) -> RiskFlag:
    return RiskFlag(
        id=data["risk_id"],
        type=RiskType(data["type"]),
        severity=Severity(data["severity"]),
        description=data["description"],
        affected_claim_ids=tuple(data["affected_claims"]),
        mitigation=data["mitigation"],
    )
