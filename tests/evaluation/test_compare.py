"""Two runs over the same questions: what turned, and whether that could be chance."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.evaluation.runs import (
    FAILED,
    MISQUOTED,
    REFUSAL,
    RIGHT,
    UNCITED,
    WRONG,
    run,
    run_of,
)

from veridical.evaluation.compare import (
    Comparison,
    OtherQuestionsError,
    compare_runs,
    median_interval,
    paired_latency,
    sign_test,
)
from veridical.evaluation.run import ChatError, ChatResponse, EvalRun, Measure


def turned(comparison: Comparison) -> list[tuple[str, str, bool]]:
    return [(turn.id, turn.measure.value, turn.turned == "better") for turn in comparison.turns]


def cells(comparison: Comparison, measure: Measure) -> tuple[int, int, int, int]:
    found = next(each for each in comparison.measures if each.measure is measure)
    return found.right_in_both, found.worse, found.better, found.wrong_in_both


@pytest.mark.parametrize(
    ("before", "after", "lost"),
    [
        (RIGHT, MISQUOTED, ["citation"]),
        (RIGHT, WRONG, ["correct"]),
        (RIGHT, UNCITED, ["grounded", "citation"]),
        (RIGHT, REFUSAL, ["grounded", "citation", "correct", "refused"]),
        (WRONG, MISQUOTED, ["citation"]),
        (MISQUOTED, MISQUOTED, []),
    ],
)
def test_what_is_lost_one_way_is_won_the_other(
    before: ChatResponse, after: ChatResponse, lost: list[str]
) -> None:
    worse = compare_runs(run_of([before]), run_of([after]))
    better = compare_runs(run_of([after]), run_of([before]))
    gained = [name for _, name, is_better in turned(worse) if is_better]
    assert [name for _, name, is_better in turned(worse) if not is_better] == lost
    assert turned(better) == [(q, name, not won) for q, name, won in turned(worse)]
    assert worse.worse is bool(lost)
    assert better.worse is bool(gained)


def test_every_pair_is_counted_once() -> None:
    pairs = list(product([RIGHT, MISQUOTED, UNCITED], repeat=2))
    comparison = compare_runs(run_of([a for a, _ in pairs]), run_of([b for _, b in pairs]))
    assert cells(comparison, Measure.GROUNDED) == (4, 2, 2, 1)
    assert cells(comparison, Measure.CITATION) == (1, 2, 2, 4)
    grounded = comparison.measures[0]
    assert (grounded.before.count, grounded.after.count, grounded.after.of) == (6, 6, 9)


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (RIGHT, FAILED, [("q1", True)]),
        (FAILED, RIGHT, [("q1", False)]),
        (FAILED, FAILED, []),
    ],
)
def test_errors_are_told_apart_and_are_no_part_of_the_rates(
    before: ChatResponse | ChatError, after: ChatResponse | ChatError, told: list[tuple[str, bool]]
) -> None:
    comparison = compare_runs(run_of([before, RIGHT]), run_of([after, RIGHT]))
    assert [(each.id, each.turned == "worse") for each in comparison.errors] == told
    assert comparison.turns == ()
    assert comparison.responded == comparison.measures[0].after.of == 1
    assert comparison.errors_in_both == (0 if told else 1)
    assert comparison.worse is any(worse for _, worse in told)


def other_words(made: EvalRun) -> EvalRun:
    first = made.results[0]
    question = replace(first.question, question="How many days?")
    return run(replace(first, question=question), *made.results[1:])


THREE = run_of([RIGHT] * 3)


@pytest.mark.parametrize(
    ("before", "after", "complaint", "compared"),
    [
        (THREE, run(*THREE.results[:2]), "only in the first", 2),
        (run(*THREE.results[1:]), THREE, "only in the second", 2),
        (THREE, other_words(THREE), "other words", 2),
    ],
)
def test_other_questions_are_refused_or_left_out_and_told(
    before: EvalRun, after: EvalRun, complaint: str, compared: int
) -> None:
    with pytest.raises(OtherQuestionsError, match=complaint):
        compare_runs(before, after)
    comparison = compare_runs(before, after, common=True)
    left_out = (*comparison.only_before, *comparison.only_after, *comparison.altered)
    assert comparison.compared == compared
    assert len(left_out) == 1


# --- the statistics ------------------------------------------------------------------------------


@pytest.mark.parametrize("n", range(11))
def test_the_sign_test_counts_the_splits_that_are_no_more_even(n: int) -> None:
    """Oracle: all 2**n ways in which n questions can have turned."""
    ways = [sum(way) for way in product((0, 1), repeat=n)]
    for worse in range(n + 1):
        uneven = sum(abs(2 * way - n) >= abs(2 * worse - n) for way in ways)
        assert sign_test(worse, n - worse) == pytest.approx(uneven / len(ways))


@given(st.integers(1, 200))
def test_the_interval_of_the_median_holds_it_95_times_in_100_and_no_narrower_one_does(
    n: int,
) -> None:
    def missed(out: int) -> float:
        return 2 * sum(comb(n, k) for k in range(out)) / (1 << n)

    found = median_interval(list(map(float, range(n))))
    if found is None:
        assert missed(1) > 0.05
        return
    low, high = map(int, found)
    assert low + high == n - 1
    assert missed(low + 1) <= 0.05
    assert low + 1 >= n // 2 or missed(low + 2) > 0.05


def test_latencies_are_compared_question_by_question() -> None:
    times = paired_latency([(10.0, 12.0), (20.0, 23.0), (30.0, 31.0), (40.0, 40.0)])
    assert times is not None
    assert times.p50 == (25.0, 27.0)
    assert (times.slower, times.faster, times.median_change) == (3, 0, 1.5)
    assert times.interval is None
    assert times.p_value == 0.25
