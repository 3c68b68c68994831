"""Two drawings without script: what came of the questions by topic, and how long they took."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from veridical.evaluation.report.wording import LOOKS, Look, milliseconds
from veridical.evaluation.run import Outcome, QuestionResult, what_came_of
from veridical.reports.words import count

NO_TOPIC = "(no topic)"
_MOST_TICKS = 5

_SHORTEST_AXIS = 0.001
"""Milliseconds; no clock that is read here tells less apart."""

STROKES = {
    "lines": (5, "M0 2.5H5"),
    "crosses": (8, "M2 2L6 6M2 6L6 2"),
    "dots": (6, "M2.4 3a.6 .6 0 1 0 1.2 0a.6 .6 0 1 0 -1.2 0"),
    "slant": (6, "M-1 7L7 -1M-1 1L1 -1M5 7L7 5"),
    "stripes": (5, "M1 0V5"),
    "grid": (7, "M0 0H7M0 0V7"),
    "plain": (8, ""),
}
"""The patterns of the bars: the side of a tile, and the path that is drawn on it."""


@dataclass(frozen=True, slots=True)
class Times:
    """What questions took on one clock: `(id, milliseconds)` of at least one, two percentiles."""

    name: str
    each: tuple[tuple[str, float], ...]
    p50: float
    p95: float

    @property
    def told(self) -> str:
        """The percentiles, and of how many."""
        of = count(len(self.each), "question")
        return f"p50 {milliseconds(self.p50)}, p95 {milliseconds(self.p95)}, {of}"


@dataclass(frozen=True, slots=True)
class Topic:
    """The questions of one topic, and of the longest."""

    name: str
    outcomes: Counter[Outcome]
    longest: int

    @property
    def told(self) -> str:
        """What came of them, in words."""
        outcomes = self.outcomes
        wrong = "".join(
            f", {outcomes[outcome]} {look.word.lower()}"
            for outcome, look in LOOKS.items()
            if outcomes[outcome] and outcome is not Outcome.RIGHT
        )
        return f"{outcomes[Outcome.RIGHT]} of {outcomes.total()} right{wrong}"

    def bars(self) -> Iterator[tuple[Look, int, str, str]]:
        """The look of an outcome, how many questions, and where their bar begins and how wide."""
        at = 0
        for outcome, look in LOOKS.items():
            if number := self.outcomes[outcome]:
                yield look, number, f"{at / self.longest:.4%}", f"{number / self.longest:.4%}"
                at += number


def topics_of(results: Sequence[QuestionResult]) -> list[Topic]:
    """A bar for each topic, in the order of the questions, as long as it has questions."""
    topics: dict[str, Counter[Outcome]] = {}
    for result in results:
        outcomes = topics.setdefault(result.question.topic.strip() or NO_TOPIC, Counter())
        outcomes[what_came_of(result)] += 1
    longest = max((outcomes.total() for outcomes in topics.values()), default=0)
    return [Topic(name, outcomes, longest) for name, outcomes in topics.items()]


def axis_end(longest: float) -> tuple[float, float]:
    """Where an axis from 0 ends so that `longest` is on it, and its step: 1, 2 or 5 times a power
    of ten.
    """
    if longest < _SHORTEST_AXIS:
        return _SHORTEST_AXIS, _SHORTEST_AXIS
    rough = longest / _MOST_TICKS
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * times for times in (1, 2, 5, 10) if power * times >= rough * (1 - 1e-9))
    return step * max(1, math.ceil(longest / step - 1e-9)), step


def ruler(end: float, step: float) -> Iterator[tuple[str, str, str]]:
    """The ticks of an axis: where, the class of the label, and the label."""
    steps = round(end / step)
    for tick in range(steps + 1):
        side = {0: "first", steps: "last"}.get(tick, "middle")
        yield f"{tick / steps:.3%}", side, f"{tick * step:,.6g}" + (" ms" if tick == steps else "")
