"""From judged evidence to a verdict, and the confidence shown with it.

The rules of sections 4.2 and 6 of the ledger specification.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from veridical.judging.judge import SupportLevel

FULL_SUPPORT_ABOVE = 0.85
"""Similarity above which full support makes a claim supported."""

WEAK_FACTOR = 0.8
"""What partial support leaves of the similarity."""


class Verdict(StrEnum):
    """What the sources say of a claim."""

    SUPPORTED = "supported"
    WEAK = "weak"
    CONTRADICTED = "contradicted"
    NOT_FOUND = "not_found"


@dataclass(frozen=True, slots=True)
class EvidenceMatch:
    """One piece of evidence as the rules see it; `similarity` is 0 to 1."""

    snippet: str
    similarity: float
    support: SupportLevel
    contradicts: bool = False


@dataclass(frozen=True, slots=True)
class Assignment:
    """A verdict, the confidence that the rules give it (0 to 1), and a sentence that says why."""

    verdict: Verdict
    confidence: float
    notes: str


def assign_verdict(evidence: Sequence[EvidenceMatch]) -> Assignment:
    """The verdict on a claim from the evidence that bears on it, most similar first.

    Evidence that neither supports nor contradicts (`SupportLevel.NONE`) bears on nothing and is
    passed over: the specification's rules would call it weak support.
    Source: section 4.2 of the ledger specification.
    """
    contradicting = next((match for match in evidence if match.contradicts), None)
    if contradicting is not None:
        return Assignment(
            Verdict.CONTRADICTED,
            contradicting.similarity,
            f'Evidence contradicts claim: "{contradicting.snippet}"',
        )
    bearing = [match for match in evidence if match.support is not SupportLevel.NONE]
    if not bearing:
        found = "No matching evidence found in provided documents"
        lacking = "Evidence does not adequately support claim"
        return Assignment(Verdict.NOT_FOUND, 0.0, lacking if evidence else found)
    best = bearing[0]
    if best.support is SupportLevel.FULL and best.similarity > FULL_SUPPORT_ABOVE:
        return Assignment(
            Verdict.SUPPORTED, best.similarity, f'Directly supported by: "{best.snippet}"'
        )
    return Assignment(
        Verdict.WEAK, best.similarity * WEAK_FACTOR, f'Partially supported: "{best.snippet}"'
    )


SIMILARITY_WEIGHT = 0.6
BONUS_PER_SOURCE = 0.05
MOST_EXTRA_SOURCES = 3
DIRECTNESS_WEIGHT = 0.15
QUALITY_WEIGHT = 0.1


@dataclass(frozen=True, slots=True)
class ConfidenceComponents:
    """What a confidence is made of.

    `semantic_similarity`, `directness` (1 for a direct quote, 0.5 for an inference) and
    `source_quality` are 0 to 1; `evidence_count` counts sources that bear the claim out.
    """

    semantic_similarity: float
    evidence_count: int
    directness: float
    source_quality: float


def displayed_confidence(components: ConfidenceComponents) -> float:
    """The confidence, 0 to 1. Source: section 6.1 of the ledger specification."""
    extra = min(components.evidence_count - 1, MOST_EXTRA_SOURCES)
    score = (
        components.semantic_similarity * SIMILARITY_WEIGHT
        + extra * BONUS_PER_SOURCE
        + components.directness * DIRECTNESS_WEIGHT
        + components.source_quality * QUALITY_WEIGHT
    )
    return min(max(score, 0.0), 1.0)


NO_CONFIDENCE = ConfidenceComponents(0.0, 0, 0.0, 0.0)
"""Of a claim that nothing bears out: one that was not found, or is contradicted. A confidence of 0
is the least, so that none that is refuted ranks above one of which nothing is known.
"""


class ConfidenceBand(StrEnum):
    """How a confidence is called."""

    HIGH = "high"
    GOOD = "good"
    MODERATE = "moderate"
    LOW = "low"
    VERY_LOW = "very_low"


_FLOORS = (
    (0.85, ConfidenceBand.HIGH),
    (0.7, ConfidenceBand.GOOD),
    (0.5, ConfidenceBand.MODERATE),
    (0.3, ConfidenceBand.LOW),
)


def confidence_band(score: float) -> ConfidenceBand:
    """The band of a confidence as it is displayed, to two decimals.

    Source: section 6.2 of the ledger specification, whose bands end at 0.84, 0.69, ...
    """
    shown = round(score, 2)
    return next((band for floor, band in _FLOORS if shown >= floor), ConfidenceBand.VERY_LOW)
