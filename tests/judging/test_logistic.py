from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from veridical.errors import ProcessingError
from veridical.judging.logistic import fit_logistic, sigmoid


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("strength", [0.05, 1.0, 30.0])
def test_it_finds_what_scikit_learn_finds(seed: int, strength: float) -> None:
    random = np.random.default_rng(seed)
    rows = random.normal(size=(300, 7))
    truth = (random.random(300) < sigmoid(rows @ random.normal(size=7) - 0.5)).astype(float)
    weights = random.uniform(0.1, 3.0, 300)
    beta = fit_logistic(
        np.column_stack([rows, np.ones(300)]), truth, weights,
        np.array([strength] * 7 + [0.0]),
    )  # fmt: skip
    oracle = LogisticRegression(C=1 / strength, tol=1e-10, max_iter=10_000)
    oracle.fit(rows, truth, sample_weight=weights)
    assert beta[:7] == pytest.approx(oracle.coef_[0], abs=1e-4)
    assert beta[7] == pytest.approx(oracle.intercept_[0], abs=1e-4)


def test_the_gradient_is_zero_at_what_it_finds() -> None:
    random = np.random.default_rng(3)
    rows = random.normal(size=(80, 4))
    truth = (random.random(80) < 0.3).astype(float)
    penalty = np.array([0.1, 1.0, 10.0, 0.5])
    beta = fit_logistic(rows, truth, np.ones(80), penalty)
    gradient = rows.T @ (sigmoid(rows @ beta) - truth) + penalty * beta
    assert np.abs(gradient).max() < 1e-6


def test_a_row_of_weight_two_counts_as_two_rows() -> None:
    random = np.random.default_rng(5)
    rows = random.normal(size=(40, 3))
    truth = (rows[:, 0] + random.normal(size=40) > 0).astype(float)
    twice = np.where(np.arange(40) < 10, 2.0, 1.0)
    doubled = np.concatenate([np.arange(40), np.arange(10)])
    weighted = fit_logistic(rows, truth, twice, np.ones(3))
    repeated = fit_logistic(rows[doubled], truth[doubled], np.ones(50), np.ones(3))
    assert weighted == pytest.approx(repeated, abs=1e-9)


def test_rows_that_are_told_apart_perfectly_need_a_penalty() -> None:
    rows, truth = np.array([[-1.0], [-2.0], [1.0], [2.0]]), np.array([0.0, 0.0, 1.0, 1.0])
    assert np.isfinite(fit_logistic(rows, truth, np.ones(4), np.array([0.01]))).all()
    with pytest.raises(ProcessingError, match="did not settle"):
        fit_logistic(rows, truth, np.ones(4), np.zeros(1))


def test_the_sigmoid_does_not_overflow() -> None:
    told = sigmoid(np.array([-1e9, -1.0, 0.0, 1.0, 1e9]))
    assert told == pytest.approx([0.0, 0.26894142, 0.5, 0.73105858, 1.0], abs=1e-8)
