"""The confidence shown with a verdict: section 6 of the ledger specification."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

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
