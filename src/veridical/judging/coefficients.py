"""The fitted model of the calibrated judge: a weighted sum of features, and a line to log-odds."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from veridical.judging.logistic import Array, fit_logistic, sigmoid

MOST_DEVIATIONS = 4.0
"""Features count for no more than this many standard deviations from their mean."""

_DIGITS = 6
_LINE_PENALTY = 1e-6
_CONSTANT = 1e-5
"""Standard deviation below which a feature is the same everywhere."""


@dataclass(frozen=True, slots=True)
class Head:
    """One question put to the features: is it supported, or is it contradicted?

    The score of a case is the sum of `weights` times its standardised features; its log-odds are
    `slope` times the score plus `intercept`. `means` and `scales` standardise.
    """

    means: tuple[float, ...]
    scales: tuple[float, ...]
    weights: tuple[float, ...]
    slope: float
    intercept: float

    def score(self, features: Array) -> Array:
        """The scores of cases, whose features are (cases, names)."""
        standard = (features - np.array(self.means)) / np.array(self.scales)
        weighted = np.clip(standard, -MOST_DEVIATIONS, MOST_DEVIATIONS) * np.array(self.weights)
        score: Array = weighted.sum(axis=1)
        return score

    def probability(self, features: Array) -> Array:
        """The calibrated probabilities of cases."""
        return sigmoid(self.slope * self.score(features) + self.intercept)


@dataclass(frozen=True)
class TrainingRows:
    """Features (rows, names), answers (rows,) of 0 and 1, and the data set of each row."""

    features: Array
    truth: Array
    sets: tuple[str, ...]

    def where(self, chosen: NDArray[np.bool_]) -> TrainingRows:
        """Some of the rows."""
        sets = tuple(name for name, kept in zip(self.sets, chosen, strict=True) if kept)
        return TrainingRows(self.features[chosen], self.truth[chosen], sets)


def fit_head(rows: TrainingRows, line: TrainingRows, *, ridge: float) -> Head:
    """Fit a head on rows of several data sets, all of which count alike, and so do both answers.

    Each data set has an intercept of its own while the weights are fitted: they then tell claims
    of one set apart rather than the sets. One line through the rows of `line` turns scores into
    probabilities (Platt scaling). `ridge` is the penalty on a squared weight for each row.
    """
    features, count = rows.features, len(rows.truth)
    means, scales = features.mean(axis=0), features.std(axis=0)
    scales = np.where(scales > _CONSTANT, scales, 1.0)
    standard = np.clip((features - means) / scales, -MOST_DEVIATIONS, MOST_DEVIATIONS)
    names = sorted(set(rows.sets))
    own = np.array([[float(one == name) for name in names] for one in rows.sets])
    design = np.hstack([standard, own])
    beta = fit_logistic(
        design, rows.truth, balanced_weights(rows), np.full(design.shape[1], ridge * count)
    )
    head = Head(
        _plain(means), _plain(scales), _plain(beta[: features.shape[1]]), slope=1.0, intercept=0.0
    )
    scores = np.column_stack([head.score(line.features), np.ones(len(line.truth))])
    slope, intercept = fit_logistic(
        scores, line.truth, np.ones(len(scores)), np.full(2, _LINE_PENALTY)
    )
    return replace(
        head, slope=round(float(slope), _DIGITS), intercept=round(float(intercept), _DIGITS)
    )


def balanced_weights(rows: TrainingRows) -> Array:
    """Weights (rows,), 1 on average, under which all data sets and both answers count alike."""
    weights = np.zeros(len(rows.truth))
    names = np.array(rows.sets)
    for name in sorted(set(rows.sets)):
        for answer in (0.0, 1.0):
            chosen = (names == name) & (rows.truth == answer)
            if chosen.any():
                weights[chosen] = 0.5 / chosen.sum()
    balanced: Array = weights * len(weights) / weights.sum()
    return balanced


def _plain(values: Array) -> tuple[float, ...]:
    return tuple(round(float(value), _DIGITS) for value in values)
