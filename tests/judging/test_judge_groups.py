"""A judge that gives another number of judgements than it was asked for has failed on cases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from veridical.judging.judge import (
    Case,
    JudgeFailure,
    Judgement,
    OperatingPoint,
    SupportLevel,
    judge_groups,
)

YES = Judgement(SupportLevel.FULL, 1.0, 1.0, 0.0, False, 1.0, (0, 1))
CASE = Case("Yes.", ("Yes.",))
GROUPS = [[CASE, CASE], [CASE]]

Given = list[Judgement | JudgeFailure]


@dataclass(frozen=True)
class Fixed:
    """Gives what it was made with, whatever it is asked."""

    given: Given
    name: str = "fixed"
    point: OperatingPoint = OperatingPoint.STRICT

    def judge(self, cases: Sequence[Case]) -> Given:
        return self.given


@dataclass(frozen=True)
class FixedTogether(Fixed):
    """The same of groups."""

    groups: Sequence[Given] = ()

    def judge_together(self, groups: Sequence[Sequence[Case]]) -> list[Given]:
        return self.groups  # type: ignore[return-value]  # a user's judge may give a tuple


def failed(found: Sequence[Given]) -> list[list[bool]]:
    """Which of the judgements of each group are failures, and that there is one for each case."""
    assert [len(group) for group in found] == [len(group) for group in GROUPS]
    return [[isinstance(one, JudgeFailure) for one in group] for group in found]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ([YES] * 3, [[False, False], [False]]),
        ([YES], [[False, True], [True]]),
        ([], [[True, True], [True]]),
        ([YES] * 4, [[True, True], [True]]),
    ],
)
def test_judged_one_by_one(given: Given, expected: list[list[bool]]) -> None:
    assert failed(judge_groups(Fixed(given), GROUPS)) == expected


@pytest.mark.parametrize(
    ("groups", "expected"),
    [
        ([[YES] * 2, [YES]], [[False, False], [False]]),
        ([[YES]], [[False, True], [True]]),
        ([[YES] * 3, [YES]], [[True, True], [False]]),
        ([[YES] * 2, [YES], [YES]], [[True, True], [True]]),
        (([YES] * 2,), [[False, False], [True]]),
    ],
)
def test_judged_together(groups: Sequence[Given], expected: list[list[bool]]) -> None:
    found = judge_groups(FixedTogether([], groups=groups), GROUPS)
    assert failed(found) == expected
