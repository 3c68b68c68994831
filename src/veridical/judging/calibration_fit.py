"""Fitting a judge's probabilities and thresholds to labelled rows, and saying what that brings."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from veridical.errors import ValidationError
from veridical.judging import metrics
from veridical.judging.calibration import CalibratedByUser, Calibration, log_odds, sigmoid
from veridical.judging.datasets import LabelledRow, group_rows
from veridical.judging.evaluation import FOLDS, Evaluation, RowResult, cases_of_rows, evaluate
from veridical.judging.judge import (
    Case,
    Judge,
    JudgeFailure,
    Judgement,
    OperatingPoint,
    judge_groups,
)

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
    recorded = _Recorded.of(judge, rows)
    before = evaluate(rows, recorded)
    judged = [result.row for result in before.judged]
    confidences = [result.confidence for result in before.judged]
    check_enough([row.supported for row in judged])
    folds = group_rows(judged).folds(FOLDS)
    by_id: dict[str, RowResult] = {}
    for fold in sorted(set(folds)):
        inside = [i for i, of_row in enumerate(folds) if of_row == fold]
        others = [i for i, of_row in enumerate(folds) if of_row != fold]
        truth = [judged[i].supported for i in others]
        fitted = _fitted(judge.name, truth, [confidences[i] for i in others])
        tested = evaluate([judged[i] for i in inside], CalibratedByUser(recorded, fitted))
        by_id.update({result.row.id: result for result in tested.results})
    after = replace(before, results=tuple(by_id.get(r.row.id, r) for r in before.results))
    calibration = fit_calibration(judge.name, [row.supported for row in judged], confidences)
    return CalibrationReport(calibration, before, after)


def check_enough(truth: Sequence[bool]) -> None:
    """Raises ValidationError where there are too few rows to fit anything to."""
    supported, others = sum(truth), len(truth) - sum(truth)
    if len(truth) < LEAST_ROWS or min(supported, others) < LEAST_OF_A_KIND:
        raise ValidationError(
            f"{len(truth)} rows could be judged, {supported} supported and {others} others; a "
            f"calibration needs at least {LEAST_ROWS}, {LEAST_OF_A_KIND} of each. About a hundred "
            "do well."
        )


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
    check_enough(truth)
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
    targets = [high if is_true else low for is_true in truth]
    slope, intercept = 0.0, math.log((positives + 1) / (len(truth) - positives + 1))
    for _ in range(_STEPS):
        expected = [sigmoid(slope * x + intercept) for x in odds]
        weights = [p * (1 - p) for p in expected]
        errors = [p - t for p, t in zip(expected, targets, strict=True)]
        d_slope = math.fsum(e * x for e, x in zip(errors, odds, strict=True)) + _RIDGE * slope
        d_intercept = math.fsum(errors)
        a = math.fsum(w * x * x for w, x in zip(weights, odds, strict=True)) + _RIDGE
        b = math.fsum(w * x for w, x in zip(weights, odds, strict=True))
        c = math.fsum(weights) + _RIDGE
        step_slope = (c * d_slope - b * d_intercept) / (a * c - b * b)
        step_intercept = (a * d_intercept - b * d_slope) / (a * c - b * b)
        slope = min(max(slope - step_slope, -_MOST), _MOST)
        intercept = min(max(intercept - step_intercept, -_MOST), _MOST)
        if abs(step_slope) + abs(step_intercept) < _SETTLED:
            break
    return slope, intercept


@dataclass(frozen=True, slots=True)
class _Recorded:
    """A judge that has judged already, so that no model is asked twice."""

    name: str
    point: OperatingPoint
    outcomes: Mapping[tuple[Case, ...], list[Judgement | JudgeFailure]]

    @classmethod
    def of(cls, judge: Judge, rows: Sequence[LabelledRow]) -> _Recorded:
        groups = list(dict.fromkeys(cases_of_rows(rows)))
        return cls(
            judge.name, judge.point, dict(zip(groups, judge_groups(judge, groups), strict=True))
        )

    def judge(self, cases: Sequence[Case]) -> list[Judgement | JudgeFailure]:
        """What was recorded of cases by themselves."""
        return [one for group in self.judge_together([(case,) for case in cases]) for one in group]

    def judge_together(
        self, groups: Sequence[Sequence[Case]]
    ) -> list[list[Judgement | JudgeFailure]]:
        """What was recorded."""
        return [self.outcomes[tuple(group)] for group in groups]
