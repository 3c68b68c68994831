"""The measures, against scikit-learn, scipy and worked examples."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, balanced_accuracy_score, confusion_matrix, roc_auc_score

from veridical.judging.metrics import (
    BalancedAccuracy,
    Rate,
    auc,
    best_threshold,
    by_folds,
    calibration_error,
    majority,
    outcome,
)

ROWS = st.lists(
    st.tuples(st.booleans(), st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.5, 0.9, 1.0])),
    min_size=2,
    max_size=40,
).filter(lambda rows: len({is_true for is_true, _ in rows}) == 2)


def columns(rows: list[tuple[bool, float]]) -> tuple[list[bool], list[float]]:
    return [is_true for is_true, _ in rows], [score for _, score in rows]


@given(ROWS)
def test_auc_is_that_of_scikit_learn_ties_and_all(rows: list[tuple[bool, float]]) -> None:
    truth, scores = columns(rows)
    assert auc(truth, scores) == pytest.approx(roc_auc_score(truth, scores))


@given(ROWS)
def test_rates_are_those_of_scikit_learn(rows: list[tuple[bool, float]]) -> None:
    truth, scores = columns(rows)
    said = [score >= 0.5 for score in scores]
    found = outcome(truth, said)
    assert found.accuracy.value == pytest.approx(accuracy_score(truth, said))
    assert found.balanced.value == pytest.approx(balanced_accuracy_score(truth, said))
    kept, passed, stripped, through = confusion_matrix(truth, said).ravel().tolist()
    assert (found.false_pass.count, found.false_pass.of) == (passed, passed + kept)
    assert (found.false_strip.count, found.false_strip.of) == (stripped, stripped + through)


@given(ROWS)
def test_the_best_threshold_is_the_best_of_all(rows: list[tuple[bool, float]]) -> None:
    truth, scores = columns(rows)

    def reached(threshold: float) -> float:
        return balanced_accuracy_score(truth, [score >= threshold for score in scores])

    best = max(reached(threshold) for threshold in [*scores, math.inf])
    assert reached(best_threshold(truth, scores)) == pytest.approx(best)


@given(st.integers(1, 400), st.data())
def test_the_interval_of_a_rate_is_wilsons(of: int, data: st.DataObject) -> None:
    from scipy.stats import binomtest

    count = data.draw(st.integers(0, of))
    known = binomtest(count, of).proportion_ci(0.95, method="wilson")
    assert Rate(count, of).interval == pytest.approx((known.low, known.high), abs=1e-9)


@pytest.mark.no_cover
def test_intervals_of_rows_that_hang_together_cover_too() -> None:
    """Ten rows a group that are all right or all wrong are worth one row."""
    random_ = random.Random(6)
    trials, grouped, alone = 400, 0, 0
    for _ in range(trials):
        truth, said, groups = [], [], []
        for group in range(40):
            is_true = group % 2 == 0
            answer = random_.random() < (0.8 if is_true else 0.2)
            truth += [is_true] * 10
            said += [answer] * 10
            groups += [group] * 10
        for with_groups in (True, False):
            found = outcome(truth, said, groups if with_groups else None).balanced.interval
            assert found is not None
            inside = found[0] <= 0.8 <= found[1]
            grouped += with_groups and inside
            alone += not with_groups and inside
    assert grouped / trials >= 0.9
    assert alone / trials < 0.6


def test_without_one_of_the_kinds_there_is_no_balanced_accuracy() -> None:
    found = outcome([True, True], [True, False])
    assert found.balanced.value is None
    assert found.balanced.interval is None
    assert found.false_pass.value is None
    assert BalancedAccuracy(Rate(0, 0), Rate(0, 0)).to_mapping()["value"] is None
    assert auc([True, True], [0.1, 0.2]) is None
    assert best_threshold([False], [0.5]) == math.inf


@pytest.mark.parametrize(
    ("rows", "error"),
    [
        ([(True, 1.0), (False, 0.0)], 0.0),
        ([(True, 0.0), (False, 1.0)], 1.0),
        ([(True, 0.3), (False, 0.39)], 0.155),  # they share a bin
    ],
)
def test_calibration_error_by_hand(rows: list[tuple[bool, float]], error: float) -> None:
    assert calibration_error(*columns(rows)) == pytest.approx(error)


@pytest.mark.parametrize(
    ("truth", "accuracy", "passes"),
    [
        ([True, True, False], 2 / 3, True),
        ([True, False, False], 2 / 3, False),
        ([True, False], 0.5, False),
    ],
)
def test_the_majority_baseline(truth: list[bool], accuracy: float, passes: bool) -> None:
    found = majority(truth)
    assert found.accuracy.value == pytest.approx(accuracy)
    assert found.balanced.value == 0.5
    assert (found.false_strip.value == 0) == passes


def test_a_threshold_is_never_chosen_on_the_rows_it_is_used_on() -> None:
    truth = [True, False] * 4
    scores = [0.9, 0.1] * 3 + [0.1, 0.9]  # the last fold is the other way round
    folds = [0, 0, 1, 1, 2, 2, 3, 3]
    assert by_folds(truth, scores, folds) == (True, False) * 3 + (False, True)
