"""How scores add up: weighted means, rounded once, and the status that they come to."""

from __future__ import annotations

import math
from collections.abc import Iterable

from veridical.errors import ProcessingError
from veridical.scoring.rubric import ScoringRules
from veridical.scoring.scorecard import Status

DECIMALS = 6
"""Decimals of every score, rate and share that a scorecard tells."""


def rounded(value: float) -> float:
    """A score as scorecards have it; also what thresholds are held against.

    What sums of binary fractions come to, 0.7999999999999999, is never a fail for a pass at 0.8.
    """
    return round(value, DECIMALS) + 0.0  # no minus zero


def weighted_mean(parts: Iterable[tuple[float, float]]) -> float | None:
    """The mean of `(weight, value)`, not rounded; None where no weight is left.

    The sums are exact (`math.fsum`), so that their order does not matter. Weights of any size are
    brought down by a power of two first, which changes no digit: their sum cannot overflow.

    Raises ProcessingError for weights that are no numbers.
    """
    pairs = list(parts)
    largest = max((weight for weight, _ in pairs), default=0.0)
    if not all(math.isfinite(weight) for weight, _ in pairs):
        raise ProcessingError("the weights of a rubric must be finite numbers")
    _, exponent = math.frexp(largest)
    scaled = [(math.ldexp(weight, -exponent), value) for weight, value in pairs]
    weight = math.fsum(weight for weight, _ in scaled)
    if weight <= 0.0:
        return None
    return math.fsum(weight * value for weight, value in scaled) / weight


def normalized(score: float, scale: tuple[float, float]) -> float:
    """Where a score lies between the ends of its scale, from 0 to 1."""
    least, greatest = scale
    return (score - least) / (greatest - least)


def status_of(score: float, rules: ScoringRules) -> Status:
    """What a rounded score comes to."""
    if score >= rules.pass_threshold:
        return Status.PASS
    if score >= rules.needs_improvement_threshold:
        return Status.NEEDS_IMPROVEMENT
    return Status.FAIL
