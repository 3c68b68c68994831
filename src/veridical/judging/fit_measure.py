"""What a fit is worth: on folds it has not seen, and on data sets it has not seen.

Everything is nested: the thresholds that a row is judged by were chosen without its fold (or, for
transfer, without its data set), on probabilities that were themselves predicted from other folds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from veridical.judging import metrics
from veridical.judging.coefficients import Head, fit_head
from veridical.judging.fit_rows import LEAST_OF_A_KIND, Array, FitRows, Mask
from veridical.judging.judge import OperatingPoint
from veridical.judging.points import Thresholds, choose_thresholds

SUPPORT_RIDGE = 0.05
CONTRADICTION_RIDGE = 0.2
"""Penalties on a squared weight for each row."""

_DIGITS = 4


def support_head(rows: FitRows, chosen: Mask) -> Head:
    """The head of support, fitted on some rows."""
    training = rows.training(rows.supported, chosen)
    return fit_head(training, training, ridge=SUPPORT_RIDGE)


def contradiction_sets(rows: FitRows) -> Mask:
    """Rows of the data sets that have refuted claims enough to learn from."""
    names = [n for n in rows.names if (rows.refuted & rows.of(n)).sum() >= LEAST_OF_A_KIND]
    return np.array([name in names for name in rows.sets])


def contradiction_head(rows: FitRows, chosen: Mask) -> Head:
    """The head of contradiction: refuted against supported; its line is drawn over all labels.

    Where nothing is refuted it is the head of support turned round.
    """
    usable = contradiction_sets(rows) & chosen
    opposed = usable & (rows.refuted | rows.supported)
    if (rows.refuted & usable).sum() < 2:
        against = rows.training(~rows.supported, chosen)
        return fit_head(against, against, ridge=SUPPORT_RIDGE)
    return fit_head(
        rows.training(rows.refuted, opposed),
        rows.training(rows.refuted, usable),
        ridge=CONTRADICTION_RIDGE,
    )


def predicted(rows: FitRows, chosen: Mask) -> Array:
    """The probability of support of each chosen row from a fit without its fold; else NaN."""
    told = np.full(len(rows.sets), np.nan)
    for fold in sorted(set(rows.folds[chosen].tolist())):
        inside = chosen & (rows.folds == fold)
        told[inside] = support_head(rows, chosen & ~inside).probability(rows.features[inside])
    return told


def thresholds_on(rows: FitRows, told: Array, chosen: Mask) -> Thresholds:
    """The thresholds on predicted probabilities, all data sets counting alike."""
    samples = (rows.of(name) & chosen for name in rows.names)
    return choose_thresholds(
        [rows.sample(told, own) for own in samples if 0 < rows.supported[own].sum() < own.sum()]
    )


@dataclass(frozen=True)
class Judged:
    """Each row's probability and whether it passes at each point, from fits that never saw it."""

    probability: Array
    passes: dict[OperatingPoint, Mask]


def judged_by_folds(rows: FitRows) -> Judged:
    """By fits and thresholds without the row's fold."""
    return _judged(rows, [(rows.folds == f) for f in sorted(set(rows.folds.tolist()))])


def judged_by_transfer(rows: FitRows) -> Judged | None:
    """By fits and thresholds without the row's data set; None where there is only one."""
    if len(rows.names) < 2:
        return None
    return _judged(rows, [rows.of(name) for name in rows.names])


def _judged(rows: FitRows, parts: list[Mask]) -> Judged:
    count = len(rows.sets)
    told = np.zeros(count)
    passes = {point: np.zeros(count, bool) for point in OperatingPoint}
    for part in parts:
        others = ~part
        thresholds = thresholds_on(rows, predicted(rows, others), others)
        told[part] = support_head(rows, others).probability(rows.features[part])
        sample = rows.sample(told, part)
        for point, passed in passes.items():
            strict = point is OperatingPoint.STRICT
            passed[part] = sample.passed(thresholds.full_from(point), strict=strict)
    return Judged(told, passes)


def contradiction_by_folds(rows: FitRows) -> Array:
    """The probability of contradiction of each row, from fits without its fold."""
    told = np.zeros(len(rows.sets))
    for fold in sorted(set(rows.folds.tolist())):
        inside = rows.folds == fold
        told[inside] = contradiction_head(rows, ~inside).probability(rows.features[inside])
    return told


def measure(rows: FitRows) -> dict[str, Any]:
    """All figures by data set, and the calibration error over all rows, as plain data."""
    folds, transfer, against = (
        judged_by_folds(rows), judged_by_transfer(rows), contradiction_by_folds(rows)
    )  # fmt: skip
    return {
        "folds": len(set(rows.folds.tolist())),
        "ece": _round(
            metrics.calibration_error(rows.supported.tolist(), folds.probability.tolist())
        ),
        "sets": {
            name: dict(_of_set(rows, rows.of(name), folds, transfer, against))
            for name in rows.names
        },
    }


def _of_set(
    rows: FitRows, own: Mask, folds: Judged, transfer: Judged | None, against: Array
) -> Iterator[tuple[str, Any]]:
    truth, groups = rows.supported[own].tolist(), rows.groups[own].tolist()
    fold_of, probability = rows.folds[own].tolist(), folds.probability[own].tolist()
    yield "rows", len(truth)
    yield "supported", sum(truth)
    yield "groups", len(set(groups))
    yield "auc", _round(metrics.auc(truth, probability))
    yield "ece", _round(metrics.calibration_error(truth, probability))
    for point, passed in folds.passes.items():
        yield point.value, _outcome(metrics.outcome(truth, passed[own].tolist(), groups))
    own_threshold = metrics.by_folds(truth, probability, fold_of)
    yield "own_threshold", _outcome(metrics.outcome(truth, own_threshold, groups))
    containment = metrics.by_folds(truth, rows.containment[own].tolist(), fold_of)
    yield "word_containment", _outcome(metrics.outcome(truth, containment, groups))
    yield "majority", _outcome(metrics.majority(truth))
    if transfer is not None:
        passed = transfer.passes[OperatingPoint.BALANCED][own].tolist()
        yield "transfer", _outcome(metrics.outcome(truth, passed, groups))
    opposed = own & (rows.refuted | rows.supported)
    refuted = rows.refuted[opposed].tolist()
    if sum(refuted) >= LEAST_OF_A_KIND:
        accused = [reading.signs.contradicted is not None for reading in rows.readings]
        chosen = np.array(accused)
        yield (
            "contradiction",
            {
                "auc": _round(metrics.auc(refuted, against[opposed].tolist())),
                "refuted": sum(refuted),
                "supported": len(refuted) - sum(refuted),
                "found": int((chosen & own & rows.refuted).sum()),
                "falsely_accused": int((chosen & own & rows.supported).sum()),
            },
        )


def _outcome(outcome: metrics.Outcome) -> dict[str, Any]:
    return {
        "balanced_accuracy": _round(outcome.balanced.value),
        "interval": [_round(bound) for bound in outcome.balanced.interval or ()],
        "false_pass": [outcome.false_pass.count, outcome.false_pass.of],
        "false_strip": [outcome.false_strip.count, outcome.false_strip.of],
    }


def _round(value: float | None) -> float | None:
    return None if value is None else round(value, _DIGITS)
