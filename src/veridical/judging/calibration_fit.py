"""Fitting a judge's probabilities and thresholds to labelled rows, and saying what that brings."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from veridical.errors import ValidationError
from veridical.judging import metrics
from veridical.judging.calibration import CalibratedByUser, Calibration, log_odds, sigmoid
from veridical.judging.datasets import LabelledRow
from veridical.judging.evaluation import FOLDS, Evaluation, cases_of_rows, row_result
from veridical.judging.judge import Judge, judge_groups

LEAST_ROWS = 30
LEAST_OF_A_KIND = 10
"""Supported rows, and others, that a fit needs."""

ERROR_RATE = 0.1
"""False passes aimed at by the strict point, and false strips by the lenient one."""

_LEAST_SLOPE = 0.01
_MOST = 100.0
_STEPS, _SETTLED, _RIDGE = 100, 1e-10, 1e-3
_DIGITS = 6


@dataclass(frozen=True, slots=True)
class CalibrationReport:
    """A calibration fitted on all rows, and what such a calibration is worth.

    `before` is the judge by itself; `after` the judge with calibrations fitted without the fold
    that each row is in. Both are on the same rows and at one operating point.
    """

    calibration: Calibration
    before: Evaluation
    after: Evaluation


def calibrate(rows: Sequence[LabelledRow], judge: Judge) -> CalibrationReport:
    """Fit a judge to labelled rows; every case is judged once.

    Raises ValidationError for too few rows, of either kind or in all, that could be judged, and
    where the judge's probabilities say nothing about them.
    """
    cases = cases_of_rows(rows)
    groups = list(dict.fromkeys(cases))
    outcomes = dict(zip(groups, judge_groups(judge, groups), strict=True))
    results = [row_result(row, outcomes[of_row]) for row, of_row in zip(rows, cases, strict=True)]
    before = Evaluation(judge.name, judge.point.value, tuple(results))
    calibration = fit_calibration(
        judge.name, before.truth, [result.confidence for result in before.judged]
    )
    judged = [at for at, result in enumerate(before.results) if result.verdict is not None]
    folds = before.grouping.folds(FOLDS)
    for fold in sorted(set(folds)):
        others = [before.results[at] for at, of in zip(judged, folds, strict=True) if of != fold]
        truth = [result.row.supported for result in others]
        fitted = _fitted(judge.name, truth, [result.confidence for result in others])
        calibrated = CalibratedByUser(judge, fitted)
        for at in (at for at, of in zip(judged, folds, strict=True) if of == fold):
            rescaled = calibrated.rescaled(cases[at], outcomes[cases[at]])
            results[at] = row_result(rows[at], rescaled)
    return CalibrationReport(calibration, before, replace(before, results=tuple(results)))


def fit_calibration(
    judge: str, truth: Sequence[bool], probabilities: Sequence[float]
) -> Calibration:
    """The calibration for a judge's probabilities on labelled rows.

    The strict threshold is the lowest that a further row that is not supported reaches with a
    chance of at most `ERROR_RATE`, if it comes from where these rows come from; the lenient one
    fails a further supported row with at most that chance. The balanced one has the best balanced
    accuracy on the rows.

    Raises ValidationError for too few rows, and for probabilities that say nothing about them.
    Source: Platt, Probabilities for SV Machines, 1999; for the thresholds split conformal
    prediction: Vovk, Gammerman and Shafer, Algorithmic Learning in a Random World, 2005.
    """
    supported, others = sum(truth), len(truth) - sum(truth)
    if len(truth) < LEAST_ROWS or min(supported, others) < LEAST_OF_A_KIND:
        raise ValidationError(
            f"{len(truth)} rows could be judged, {supported} supported and {others} others; a "
            f"calibration needs at least {LEAST_ROWS}, {LEAST_OF_A_KIND} of each. About a hundred "
            "do well."
        )
    return _fitted(judge, truth, probabilities)


def _fitted(judge: str, truth: Sequence[bool], probabilities: Sequence[float]) -> Calibration:
    slope, intercept = (
        round(v, _DIGITS) for v in _line(truth, [log_odds(p) for p in probabilities])
    )
    if slope < _LEAST_SLOPE:
        raise ValidationError(
            "on these rows the judge's probabilities do not rise with the labels, so there is "
            "nothing to calibrate; check the labels, or use another judge"
        )
    fitted = Calibration(judge, slope, intercept, 1.0, 1.0, 1.0, len(truth), sum(truth))
    scores = [fitted.probability(probability) for probability in probabilities]
    balanced = min(1.0, metrics.best_threshold(truth, scores))
    return replace(
        fitted,
        strict=max(_strict(truth, scores), balanced),
        balanced=balanced,
        lenient=min(_lenient(truth, scores), balanced),
    )


def _allowed(rows: int) -> int:
    """How many of `rows` may err so that a further one errs with a chance of `ERROR_RATE`."""
    return max(0, math.floor(ERROR_RATE * (rows + 1)) - 1)


def _strict(truth: Sequence[bool], scores: Sequence[float]) -> float:
    """The lowest score above all others' but the allowed ones; half way to 1 where none is."""
    others = sorted((s for s, t in zip(scores, truth, strict=True) if not t), reverse=True)
    least = others[min(_allowed(len(others)), len(others) - 1)] if others else 0.0
    return min((score for score in scores if score > least), default=(least + 1) / 2)


def _lenient(truth: Sequence[bool], scores: Sequence[float]) -> float:
    """The score that all supported rows reach but the allowed ones."""
    supported = sorted(score for score, is_true in zip(scores, truth, strict=True) if is_true)
    return supported[min(_allowed(len(supported)), len(supported) - 1)] if supported else 1.0


def _line(truth: Sequence[bool], odds: Sequence[float]) -> tuple[float, float]:
    """Slope and intercept of a logistic regression on log-odds, by Newton's method.

    The targets are Platt's: not 1 and 0 but what as many rows allow to say. That keeps the line
    finite where the rows can be told apart without an error.
    """
    positives = sum(truth)
    high, low = (positives + 1) / (positives + 2), 1 / (len(truth) - positives + 2)
    targets = np.where(truth, high, low)
    rows = np.column_stack([odds, np.ones(len(odds))])
    line = np.array([0.0, math.log((positives + 1) / (len(truth) - positives + 1))])
    for _ in range(_STEPS):
        expected = np.array([sigmoid(x) for x in rows @ line])
        gradient = rows.T @ (expected - targets) + [_RIDGE * line[0], 0.0]
        curvature = (rows.T * expected * (1 - expected)) @ rows + _RIDGE * np.eye(2)
        step = np.linalg.solve(curvature, gradient)
        line = np.clip(line - step, -_MOST, _MOST)
        if np.abs(step).sum() < _SETTLED:
            break
    return float(line[0]), float(line[1])
