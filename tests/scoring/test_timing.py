"""Durations between verified events, and the verdicts they come to."""

from __future__ import annotations

import pytest

from veridical.scoring.clocks import timed_verdict
from veridical.scoring.rubric import TimingTarget
from veridical.scoring.scorecard import TimingResult


@pytest.mark.parametrize(
    ("target", "most", "seconds", "verdict"),
    [
        (60, 90, 0, "met"),
        (60, 90, 60, "met"),
        (60, 90, 60.000001, "partial"),
        (60, 90, 90, "partial"),
        (60, 90, 90.000001, "missed"),
        (60, None, 60, "met"),
        (60, None, 61, "missed"),
        (None, 90, 90, "met"),
        (None, 90, 91, "missed"),
        (None, None, 5, "not_observed"),
    ],
)
def test_verdicts_by_the_limits(
    target: float | None, most: float | None, seconds: float, verdict: str
) -> None:
    result = TimingResult(TimingTarget("go", "done", target, most), 0.0, seconds, seconds)
    assert timed_verdict(result) == verdict
