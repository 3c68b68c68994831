"""Section 6 of the ledger specification: the formula, its clamps, the bands."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.ledger.confidence import (
    ConfidenceBand,
    ConfidenceComponents,
    confidence_band,
    displayed_confidence,
)


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
