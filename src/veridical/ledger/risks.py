"""What may be wrong with an answer or its sources: section 7 of the ledger specification."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from veridical.judging.judge import SupportLevel
from veridical.judging.verdict import Verdict
from veridical.ledger.entry import (
    Evidence,
    Importance,
    LedgerEntry,
    RiskFlag,
    RiskType,
    Severity,
    Source,
)
from veridical.ledger.freshness import Staleness
from veridical.ledger.ids import content_id
from veridical.validation.reports.wording import count

LOW_CONFIDENCE_BELOW = 0.6
"""Mean confidence below which the answer as a whole is flagged, and the claims that it names."""

TIE_WITHIN = 0.02
"""Passages of weak support whose similarities differ by no more stand side by side."""


@dataclass(frozen=True, slots=True)
class RiskDefinition:
    """How serious a kind of risk is by default, and what a reader should do about it."""

    severity: Severity
    mitigation: str


RISKS: Mapping[RiskType, RiskDefinition] = {
    RiskType.MISSING_EVIDENCE: RiskDefinition(
        Severity.HIGH, "Upload relevant documents or revise response"
    ),
    RiskType.CONTRADICTION: RiskDefinition(
        Severity.HIGH, "Review and correct the contradicted claims"
    ),
    RiskType.OUTDATED_SOURCE: RiskDefinition(Severity.MEDIUM, "Verify with current documentation"),
    RiskType.AMBIGUOUS_EVIDENCE: RiskDefinition(
        Severity.MEDIUM, "Seek clarification or additional sources"
    ),
    RiskType.CONFLICTING_SOURCES: RiskDefinition(Severity.HIGH, "Determine authoritative source"),
    RiskType.LOW_CONFIDENCE: RiskDefinition(Severity.LOW, "Consider qualifying or removing claim"),
}
"""The kinds of risk with their defaults. Source: sections 7.1 and 7.2."""


def risk_flags(
    session_id: str,
    entries: Sequence[LedgerEntry],
    sources: Sequence[Source],
    stale: Mapping[str, Staleness],
) -> tuple[RiskFlag, ...]:
    """The risks of a ledger, in the order of `RiskType`; at most one flag a kind and severity.

    `stale` says of source ids why they may be outdated.
    """
    names = {source.id: source.filename for source in sources}
    found = (
        _missing(entries),
        _contradicted(entries),
        *_outdated(entries, names, stale),
        _ambiguous(entries),
        _conflicting(entries, names),
        _low(entries),
    )
    return tuple(_flag(session_id, risk) for risk in found if risk is not None)


@dataclass(frozen=True, slots=True)
class _Risk:
    type: RiskType
    description: str
    entries: Sequence[LedgerEntry]
    severity: Severity | None = None


def _flag(session_id: str, risk: _Risk) -> RiskFlag:
    definition = RISKS[risk.type]
    affected = tuple(entry.claim.id for entry in risk.entries)
    return RiskFlag(
        id=content_id("risk", session_id, risk.type, risk.description),
        type=risk.type,
        severity=risk.severity or definition.severity,
        description=risk.description,
        affected_claim_ids=affected,
        mitigation=definition.mitigation,
    )


def _missing(entries: Sequence[LedgerEntry]) -> _Risk | None:
    """Claims from nowhere.

    Section 7.2 flags critical claims as high. A missing material claim is flagged too, as medium,
    where no critical one is missing; a minor one is not worth a flag.
    """
    missing = [entry for entry in entries if entry.verdict is Verdict.NOT_FOUND]
    critical = [e for e in missing if e.claim.importance is Importance.CRITICAL]
    if critical:
        have = "has" if len(critical) == 1 else "have"
        return _Risk(
            RiskType.MISSING_EVIDENCE,
            f"{count(len(critical), 'critical claim')} {have} no supporting evidence",
            critical,
        )
    material = [e for e in missing if e.claim.importance is Importance.MATERIAL]
    if material:
        return _Risk(
            RiskType.MISSING_EVIDENCE,
            f"{count(len(material), 'claim')} could not be verified from provided documents",
            material,
            Severity.MEDIUM,
        )
    return None


def _contradicted(entries: Sequence[LedgerEntry]) -> _Risk | None:
    contradicted = [entry for entry in entries if entry.verdict is Verdict.CONTRADICTED]
    if not contradicted:
        return None
    does = "contradicts" if len(contradicted) == 1 else "contradict"
    return _Risk(
        RiskType.CONTRADICTION,
        f"{count(len(contradicted), 'claim')} {does} the source documents",
        contradicted,
    )


def _outdated(
    entries: Sequence[LedgerEntry], names: Mapping[str, str], stale: Mapping[str, Staleness]
) -> Iterable[_Risk]:
    """One flag a source: each has a reason of its own."""
    for source_id, staleness in sorted(stale.items(), key=lambda item: names[item[0]]):
        resting = [
            entry
            for entry in entries
            if any(piece.source_id == source_id for piece in entry.evidence[:1])
        ]
        if resting:
            yield _Risk(
                RiskType.OUTDATED_SOURCE,
                f"{names[source_id]} may be outdated: {staleness.reason}",
                resting,
            )


def _ambiguous(entries: Sequence[LedgerEntry]) -> _Risk | None:
    """Weak claims that several different passages fit equally well, and citations that do not
    lead to one passage.
    """
    tied = [entry for entry in entries if entry.verdict is Verdict.WEAK and _is_tie(entry)]
    unclear = [entry for entry in entries if any(check.problem for check in entry.citations)]
    ids = {entry.id for entry in (*tied, *unclear)}
    affected = [entry for entry in entries if entry.id in ids]
    if not affected:
        return None
    parts = []
    if tied:
        rest = "rests" if len(tied) == 1 else "rest"
        parts.append(f"{count(len(tied), 'claim')} {rest} on passages that fit equally well")
    if unclear:
        carry, say = ("carries", "it says") if len(unclear) == 1 else ("carry", "they say")
        parts.append(
            f"{count(len(unclear), 'claim')} {carry} a citation that does not lead to what {say}"
        )
    return _Risk(RiskType.AMBIGUOUS_EVIDENCE, " and ".join(parts), affected)


def _is_tie(entry: LedgerEntry) -> bool:
    if len(entry.evidence) < 2:
        return False
    best = entry.evidence[0]
    return any(
        best.similarity - other.similarity <= TIE_WITHIN and other.snippet != best.snippet
        for other in entry.evidence[1:]
    )


def _conflicting(entries: Sequence[LedgerEntry], names: Mapping[str, str]) -> _Risk | None:
    """Claims that one passage bears out and another contradicts."""
    affected, between = [], set()
    for entry in entries:
        for_it = [p for p in entry.evidence if _supports(p)]
        against = [p for p in entry.evidence if p.contradicts]
        if for_it and against:
            affected.append(entry)
            between |= {names[piece.source_id] for piece in (*for_it, *against)}
    if not affected:
        return None
    listed = ", ".join(sorted(between))
    return _Risk(
        RiskType.CONFLICTING_SOURCES,
        f"Sources disagree on {count(len(affected), 'claim')}: {listed}",
        affected,
    )


def _supports(piece: Evidence) -> bool:
    return piece.support is SupportLevel.FULL and not piece.contradicts


def _low(entries: Sequence[LedgerEntry]) -> _Risk | None:
    """Section 7.2 gives the answer as a whole a medium flag."""
    if not entries:
        return None
    mean = sum(entry.confidence_score for entry in entries) / len(entries)
    if mean >= LOW_CONFIDENCE_BELOW:
        return None
    return _Risk(
        RiskType.LOW_CONFIDENCE,
        f"Overall confidence is low ({mean * 100:.0f}%)",
        [entry for entry in entries if entry.confidence_score < LOW_CONFIDENCE_BELOW],
        Severity.MEDIUM,
    )
