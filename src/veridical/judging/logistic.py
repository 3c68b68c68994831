"""Ridge logistic regression by Newton's method: small, exact, and without dependencies.

Source: Hastie, Tibshirani and Friedman, The Elements of Statistical Learning, 2nd ed., 4.4.1 and
18.4 (the penalised form).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from veridical.errors import ProcessingError

_STEPS = 100
_SETTLED = 1e-10
_MOST_LOGIT = 30.0

Array = NDArray[np.float64]


def fit_logistic(rows: Array, truth: Array, weights: Array, penalty: Array) -> Array:
    """The coefficients (columns,) that minimise

        sum_i weights_i * log(1 + exp(-s_i * rows_i @ beta)) + 1/2 * sum_j penalty_j * beta_j^2

    with `s_i` 1 where `truth` (rows,) is 1 and -1 where it is 0. An intercept is a column of ones
    with a penalty of 0. Raises ProcessingError where no minimum is found: a column that parts the
    rows perfectly needs a penalty.
    """
    beta = np.zeros(rows.shape[1])
    loss = _loss(rows, truth, weights, penalty, beta)
    for _ in range(_STEPS):
        probability = sigmoid(rows @ beta)
        gradient = rows.T @ (weights * (probability - truth)) + penalty * beta
        curvature = weights * probability * (1 - probability)
        hessian = (rows * curvature[:, None]).T @ rows + np.diag(penalty + 1e-12)
        step = np.linalg.solve(hessian, gradient)
        size = 1.0
        while (new := _loss(rows, truth, weights, penalty, beta - size * step)) > loss + 1e-12:
            size /= 2
            if size < _SETTLED:
                break
        beta = beta - size * step
        loss = new
        if float(np.abs(step).max()) < _SETTLED**0.5 * 1e-2:
            return beta
    raise ProcessingError(
        "the logistic regression did not settle: a feature tells the labels apart perfectly, or "
        "the rows are too few. Give it more rows."
    )


def _loss(rows: Array, truth: Array, weights: Array, penalty: Array, beta: Array) -> float:
    signed = np.where(truth > 0, 1.0, -1.0) * (rows @ beta)
    return float(weights @ np.logaddexp(0.0, -signed) + 0.5 * penalty @ beta**2)


def sigmoid(logits: Array) -> Array:
    """Probabilities for log-odds, without overflow."""
    probability: Array = 1.0 / (1.0 + np.exp(-np.clip(logits, -_MOST_LOGIT, _MOST_LOGIT)))
    return probability
