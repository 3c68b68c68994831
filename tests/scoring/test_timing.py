"""Durations between verified events, and the verdicts they come to."""

from __future__ import annotations

import pytest

from veridical.errors import ConfigurationError
from veridical.scoring.answer import CriterionVerdict
from veridical.scoring.checking.timing import (
    PlacedEvent,
    time_criterion,
    time_placed,
    timed_verdict,
)
from veridical.scoring.rubric import Criterion, CriterionType, TimingTarget
from veridical.scoring.scorecard import CheckedEvent, EventSource, TimingResult
from veridical.sources.span import Span


def timed(
    target: float | None = 60.0, most: float | None = 90.0, *, start: str = "go", end: str = "done"
) -> Criterion:
    return Criterion("c", "C", CriterionType.TIMING, timing=TimingTarget(start, end, target, most))


def event(
    name: str, at: float, latest: float | None = None, *, verified: bool = True
) -> CheckedEvent:
    if not verified:
        return CheckedEvent(name, at, verified=False)
    return CheckedEvent(name, at, True, at=at, latest=at if latest is None else latest, evidence=0)


@pytest.mark.parametrize(
    ("events", "seconds"),
    [
        ([event("go", 10), event("done", 50)], 40.0),
        ([event("done", 50), event("go", 10)], 40.0),  # in whatever order they come
        ([event("go", 10), event("go", 40), event("done", 50)], 40.0),  # the first start
        ([event("go", 10), event("done", 90), event("done", 50)], 40.0),  # the first end
        ([event("done", 5), event("go", 10), event("done", 50)], 40.0),  # the end after the start
        ([event("go", 10), event("done", 10)], 0.0),
        ([event("go", 100.3), event("done", 130.3)], 30.0),  # to the microsecond
        ([event("go", 10, verified=False), event("go", 20), event("done", 50)], 30.0),
    ],
)
def test_the_first_start_and_the_first_end_at_or_after_it(
    events: list[CheckedEvent], seconds: float
) -> None:
    result = time_criterion(timed(), events)
    assert result.seconds == seconds
    assert result.started_at is not None
    assert result.reason == ""


@pytest.mark.parametrize(
    ("events", "reason", "started"),
    [
        ([], "'go' was not observed", None),
        ([event("done", 50)], "'go' was not observed", None),
        ([event("go", 10, verified=False), event("done", 50)], "'go' was not observed", None),
        ([event("go", 10)], "'done' was not observed", 10),
        ([event("go", 10), event("done", 50, verified=False)], "'done' was not observed", 10),
        ([event("go", 60), event("done", 50)], "'done' was observed only before 'go'", 60),
    ],
)
def test_what_is_missing_is_said(
    events: list[CheckedEvent], reason: str, started: float | None
) -> None:
    result = time_criterion(timed(), events)
    assert (result.seconds, result.ended_at, result.started_at) == (None, None, started)
    assert result.reason == reason
    assert timed_verdict(result) is CriterionVerdict.NOT_OBSERVED


def test_from_an_event_to_the_next_of_its_name() -> None:
    again = timed(start="update", end="update")
    assert time_criterion(again, [event("update", 10), event("update", 300)]).seconds == 290
    alone = time_criterion(again, [event("update", 10)])
    assert (alone.seconds, alone.reason) == (None, "'update' was not observed")


@pytest.mark.parametrize(
    ("target", "most", "seconds", "verdict"),
    [
        (60, 90, 0, "met"),
        (60, 90, 60, "met"),
        (60, 90, 60.000001, "partial"),
        (60, 90, 90, "partial"),
        (60, 90, 90.000001, "missed"),
        (60, None, 60, "met"),
        (60, None, 61, "missed"),
        (None, 90, 90, "met"),
        (None, 90, 91, "missed"),
        (None, None, 5, "not_observed"),
    ],
)
def test_verdicts_by_the_limits(
    target: float | None, most: float | None, seconds: float, verdict: str
) -> None:
    result = TimingResult(TimingTarget("go", "done", target, most), 0.0, seconds, seconds)
    assert timed_verdict(result) == verdict


@pytest.mark.parametrize(
    ("start", "end", "close"),
    [
        ((10, 10), (50, 50), False),  # words with times of their own
        ((10, 20), (50, 55), False),  # 30 to 45 s: met, whatever it was
        ((10, 10), (60, 75), True),  # 50 to 65 s
        ((10, 30), (75, 75), True),  # 45 to 65 s
        ((10, 10), (90, 105), True),  # 80 to 95 s: over the maximum or not
        ((10, 20), (75, 78), True),  # 55 to 68 s
        ((10, 80), (20, 90), True),  # one segment
        ((10, 12), (200, 210), False),
    ],
)
def test_close_calls(start: tuple[float, float], end: tuple[float, float], close: bool) -> None:
    events = [event("go", *start), event("done", *end)]
    result = time_criterion(timed(), events)
    assert result.close_call is close
    assert result.seconds == end[0] - start[0]


@pytest.mark.parametrize(
    ("names", "places", "seconds"),
    [
        (("go", "done"), ((0, 9), (9, 20)), 0.0),  # next to each other, in one segment
        (("go", "done"), ((0, 9), (0, 9)), None),
        (("go", "done"), ((0, 9), (8, 20)), None),
        (("go", "go"), ((0, 9), (8, 20), (30, 40)), 30.0),  # the same words are no next one
        (("go", "go"), ((0, 9), (8, 20)), None),
    ],
)
def test_words_that_show_the_start_do_not_show_the_end(
    names: tuple[str, str], places: tuple[tuple[int, int], ...], seconds: float | None
) -> None:
    again = names[0] == names[1]
    placed = [
        PlacedEvent(
            event(names[min(number, 1)], 10 + 15 * number * again),
            EventSource("s", "c", number),
            Span(*place),
        )
        for number, place in enumerate(places)
    ]
    result = time_placed(timed(start=names[0], end=names[1]), placed)
    assert result.seconds == seconds
    assert result.start_source == EventSource("s", "c", 0)
    last = EventSource("s", "c", len(places) - 1)
    assert result.end_source == (None if seconds is None else last)
    assert bool(result.reason) is (seconds is None)


def test_only_timing_criteria_are_timed() -> None:
    with pytest.raises(ConfigurationError, match="'c' has no timing"):
        time_criterion(Criterion("c", "C", CriterionType.BOOLEAN), [])
