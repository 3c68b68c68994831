"""Operating points: from which probability support is full, and what stands in its way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from veridical.judging.features_conflicts import Conflict
from veridical.judging.features_hard import HardSigns
from veridical.judging.judge import OperatingPoint, SupportLevel
from veridical.validation.differences import AlterationKind

STRICT_FALSE_PASSES = 0.1
"""Share of the claims that are not supported which the strict point may let pass on folds."""

LENIENT_FALSE_STRIPS = 0.2
"""Share of the supported claims which the lenient point may hold back on folds."""

PARTIAL_FALSE_STRIPS = 0.05
"""Share of the supported claims that may come out as not even partly supported on folds."""

PARTLY_COVERED = 0.45
"""Share of a claim that the deciding sentences must cover for it to be partly supported: a passage
that only shares its subject bears nothing out.
"""

LEAST_COVERED = 0.55
"""Share of a claim that the deciding sentences must cover to bear it out at the strict point."""

_STEPS = 200

Probabilities = NDArray[np.float64]
Truths = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Probabilities from which support is full at each point, and from which it is partial."""

    strict: float
    balanced: float
    lenient: float
    partial: float

    def full_from(self, point: OperatingPoint) -> float:
        """The threshold of full support at a point."""
        return {
            OperatingPoint.STRICT: self.strict,
            OperatingPoint.BALANCED: self.balanced,
            OperatingPoint.LENIENT: self.lenient,
        }[point]


def barred(signs: HardSigns, point: OperatingPoint) -> bool:
    """Whether hard signs forbid full support at a point, whatever the probability.

    At the strict point every conflict and reservation does, and that the sentences have too little
    of the claim to be read as saying it; at the others every conflict but a name that the passage
    merely lacks.
    """
    if signs.deciding is None or not signs.english:
        return True
    if point is OperatingPoint.STRICT:
        return bool(signs.conflicts or signs.reservations) or signs.covered < LEAST_COVERED
    return any(_is_firm(conflict) for conflict in signs.conflicts)


def _is_firm(conflict: Conflict) -> bool:
    """Whether the passage says another thing, and does not only leave a name out: it may go by a
    title or a pronoun there.
    """
    return conflict.kind is not AlterationKind.NAME or bool(conflict.claimed and conflict.said)


def support_level(
    signs: HardSigns, probability: float, thresholds: Thresholds, point: OperatingPoint
) -> SupportLevel:
    """How far a passage bears a claim out, for its hard signs and its probability.

    A claim that stands there word for word, or in a cell, is fully supported, one that a sentence
    contradicts not at all.
    """
    if signs.settled:
        return SupportLevel.FULL
    if signs.contradicted is not None or signs.deciding is None:
        return SupportLevel.NONE
    if probability >= thresholds.full_from(point) and not barred(signs, point):
        return SupportLevel.FULL
    partly = probability >= min(thresholds.partial, thresholds.full_from(point))
    return SupportLevel.PARTIAL if partly and signs.covered >= PARTLY_COVERED else SupportLevel.NONE


@dataclass(frozen=True, slots=True)
class Sample:
    """Rows of one data set with probabilities from folds: what thresholds are chosen on.

    `free` and `free_strict` tell which rows no hard sign bars (at the strict point), `sure` which
    are settled; all (rows,).
    """

    truth: Truths
    probability: Probabilities
    free: Truths
    free_strict: Truths
    sure: Truths

    def passed(self, threshold: float, *, strict: bool) -> Truths:
        """Which rows are fully supported."""
        free = self.free_strict if strict else self.free
        passed: Truths = self.sure | (free & (self.probability >= threshold))
        return passed

    def rates(self, threshold: float, *, strict: bool) -> tuple[float, float]:
        """False passes of what is not supported, and false strips of what is."""
        passed = self.passed(threshold, strict=strict)
        return float(passed[~self.truth].mean()), float((~passed[self.truth]).mean())


def choose_thresholds(samples: Sequence[Sample]) -> Thresholds:
    """The thresholds, each from rates averaged over the data sets so that all count alike.

    Strict: the lowest that keeps false passes to `STRICT_FALSE_PASSES`. Balanced: the best mean
    balanced accuracy, smoothed. Lenient and partial: the highest that keep false strips to their
    rates (for partial, hard signs set aside).
    """
    grid = np.round(np.linspace(0.0, 1.0, _STEPS + 1), 6)
    strict_passes = [_mean(samples, t, strict=True)[0] for t in grid]
    strict = next(
        (t for t, r in zip(grid, strict_passes, strict=True) if r <= STRICT_FALSE_PASSES), 1.0
    )
    rates = np.array([_mean(samples, t, strict=False) for t in grid])
    accuracy = 1 - rates.mean(axis=1)
    smooth = np.convolve(np.pad(accuracy, 2, mode="edge"), np.ones(5) / 5, mode="valid")
    balanced = float(grid[int(np.argmax(np.round(smooth, 9)))])
    lenient = max(
        (t for t, r in zip(grid, rates[:, 1], strict=True) if r <= LENIENT_FALSE_STRIPS),
        default=0.0,
    )
    kept = [
        float(np.quantile(sample.probability[sample.truth], PARTIAL_FALSE_STRIPS))
        for sample in samples
    ]
    lenient = min(float(lenient), balanced)
    partial = min(round(float(np.mean(kept)), 6), lenient)
    return Thresholds(max(float(strict), balanced), balanced, lenient, partial)


def _mean(samples: Sequence[Sample], threshold: float, *, strict: bool) -> tuple[float, float]:
    rates = [sample.rates(threshold, strict=strict) for sample in samples]
    return (
        float(np.mean([passes for passes, _ in rates])),
        float(np.mean([strips for _, strips in rates])),
    )
