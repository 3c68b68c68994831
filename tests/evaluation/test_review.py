"""The sample for manual review: the same everywhere, and something of every kind."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.evaluation.runs import FAILED, MISQUOTED, REFUSAL, answer, ask, result, run, run_of

from veridical.errors import ConfigurationError, ValidationError
from veridical.evaluation.review import draw_sample, shares
from veridical.evaluation.run import EvalRun, QuestionResult

RIGHT = answer()


def mixed(right: int, wrong: int, refused: int, answered: int) -> EvalRun:
    """Answerable questions right and wrong, unanswerable ones refused and answered."""
    kinds = [(True, RIGHT)] * right + [(True, MISQUOTED)] * wrong
    kinds += [(False, REFUSAL)] * refused + [(False, RIGHT)] * answered
    return run(
        *(
            result(ask(f"{n:03}", answerable=answerable), response)
            for n, (answerable, response) in enumerate(kinds)
        )
    )


def ids(sample: tuple[QuestionResult, ...]) -> list[str]:
    return [item.question.id for item in sample]


def kinds(sample: tuple[QuestionResult, ...]) -> Counter[tuple[bool, bool]]:
    return Counter((i.question.answerable, bool(i.scores and i.scores.citation_ok)) for i in sample)


def test_the_same_seed_draws_the_same_on_every_machine() -> None:
    """Oracle: of each kind the first, and in all that order, by `printf '42\\n000' | sha256sum`."""
    made = mixed(16, 2, 6, 1)
    assert ids(draw_sample(made, 6, seed=42)) == ["011", "014", "023", "016", "018", "024"]
    assert ids(draw_sample(made, 6, seed=43)) != ids(draw_sample(made, 6, seed=42))


def test_the_order_of_the_results_changes_nothing() -> None:
    made = mixed(16, 2, 6, 1)
    turned_round = run(*reversed(made.results))
    assert draw_sample(made, 10, 7) == draw_sample(turned_round, 10, 7)


def test_every_kind_is_in_it_and_the_rest_in_proportion() -> None:
    assert kinds(draw_sample(mixed(16, 2, 6, 1), 10)) == {
        (True, True): 5,
        (True, False): 1,
        (False, True): 3,
        (False, False): 1,
    }


@pytest.mark.parametrize(
    ("size", "expected"), [(1, {(True, False)}), (2, {(True, False), (False, False)})]
)
def test_too_small_a_sample_takes_what_failed(size: int, expected: set[tuple[bool, bool]]) -> None:
    assert set(kinds(draw_sample(mixed(16, 2, 6, 1), size))) == expected


@settings(max_examples=60)
@given(st.lists(st.integers(1, 50), min_size=1, max_size=6), st.integers(1, 300))
def test_shares_are_whole_and_fair(sizes: list[int], size: int) -> None:
    taken = shares(sizes, size)
    assert sum(taken) == min(size, sum(sizes))
    assert all(0 <= share <= most for share, most in zip(taken, sizes, strict=True))
    if size >= len(sizes):
        assert min(taken) >= 1
        spare, left = sum(taken) - len(sizes), sum(sizes) - len(sizes)
        for share, most in zip(taken, sizes, strict=True):
            assert not left or abs(share - 1 - spare * (most - 1) / left) < 1


def test_what_got_no_response_cannot_be_reviewed() -> None:
    assert ids(draw_sample(run_of([FAILED, RIGHT]), 10)) == ["q2"]
    with pytest.raises(ValidationError, match="nothing to review"):
        draw_sample(run_of([FAILED]), 10)


def test_a_sample_of_nothing_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="at least 1"):
        draw_sample(run_of([RIGHT]), 0)
