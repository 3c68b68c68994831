"""Sections 4.2 and 6 of the ledger specification, branch by branch."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.judging.judge import SupportLevel
from veridical.judging.verdict import (
    ConfidenceBand,
    ConfidenceComponents,
    EvidenceMatch,
    Verdict,
    assign_verdict,
    confidence_band,
    displayed_confidence,
)

FULL, PARTIAL, NONE = SupportLevel.FULL, SupportLevel.PARTIAL, SupportLevel.NONE


def match(
    similarity: float, support: SupportLevel, *, against: bool = False, snippet: str = "words"
) -> EvidenceMatch:
    return EvidenceMatch(snippet, similarity, support, against)


@pytest.mark.parametrize(
    ("similarity", "support", "verdict", "confidence"),
    [
        (1.0, FULL, Verdict.SUPPORTED, 1.0),
        (0.8501, FULL, Verdict.SUPPORTED, 0.8501),
        (0.85, FULL, Verdict.WEAK, 0.68),
        (0.2, FULL, Verdict.WEAK, 0.16),
        (1.0, PARTIAL, Verdict.WEAK, 0.8),
        (0.8501, PARTIAL, Verdict.WEAK, 0.68008),
        (0.3, PARTIAL, Verdict.WEAK, 0.24),
        (0.99, NONE, Verdict.NOT_FOUND, 0.0),
    ],
)
def test_one_match(
    similarity: float, support: SupportLevel, verdict: Verdict, confidence: float
) -> None:
    found = assign_verdict([match(similarity, support)])
    assert found.verdict is verdict
    assert found.confidence == pytest.approx(confidence)


def test_a_contradiction_goes_before_any_support() -> None:
    found = assign_verdict([match(0.99, FULL), match(0.7, NONE, against=True, snippet="28 days")])
    assert (found.verdict, found.confidence) == (Verdict.CONTRADICTED, 0.7)
    assert found.notes == 'Evidence contradicts claim: "28 days"'


def test_the_first_piece_that_bears_decides() -> None:
    found = assign_verdict([match(0.9, NONE), match(0.8, PARTIAL), match(0.99, FULL)])
    assert (found.verdict, found.confidence) == (Verdict.WEAK, pytest.approx(0.64))


# --- section 6: the formula, its clamps, the bands ----------------------------------------------


@pytest.mark.parametrize(
    ("similarity", "count", "directness", "quality", "expected"),
    [
        (1.0, 1, 1.0, 1.0, 0.85),
        (1.0, 2, 1.0, 1.0, 0.90),
        (1.0, 4, 1.0, 1.0, 1.0),
    ],
)
def test_the_formula(
    similarity: float, count: int, directness: float, quality: float, expected: float
) -> None:
    components = ConfidenceComponents(similarity, count, directness, quality)
    assert displayed_confidence(components) == pytest.approx(expected)


UNIT = st.floats(0, 1)


@given(UNIT, st.integers(0, 50), UNIT, UNIT)
def test_it_stays_between_0_and_1_and_never_falls_with_more_sources(
    similarity: float, count: int, directness: float, quality: float
) -> None:
    less, more = (
        displayed_confidence(ConfidenceComponents(similarity, n, directness, quality))
        for n in (count, count + 1)
    )
    assert 0 <= less <= more <= 1


@pytest.mark.parametrize(
    ("score", "band"),
    [
        (0.85, ConfidenceBand.HIGH),
        (0.8449, ConfidenceBand.GOOD),
        (0.7, ConfidenceBand.GOOD),
        (0.6949, ConfidenceBand.MODERATE),
        (0.5, ConfidenceBand.MODERATE),
        (0.4949, ConfidenceBand.LOW),
        (0.3, ConfidenceBand.LOW),
        (0.2949, ConfidenceBand.VERY_LOW),
    ],
)
def test_the_bands_meet_as_displayed(score: float, band: ConfidenceBand) -> None:
    assert confidence_band(score) is band
