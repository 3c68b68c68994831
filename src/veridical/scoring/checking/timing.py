"""How long something took, by events whose words were verified. No scorer's sum is used."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from veridical.errors import ConfigurationError
from veridical.scoring.answer import CriterionVerdict
from veridical.scoring.rubric import Criterion, TimingTarget
from veridical.scoring.scorecard import CheckedEvent, EventSource, TimingResult
from veridical.sources.span import Span

_DECIMALS = 6
"""Of seconds: 130.3 - 100.3 is 30, not the little more that floats make of it."""

SAME_WORDS = "both rest on the same words, which cannot tell how long it took"


@dataclass(frozen=True, slots=True)
class PlacedEvent:
    """An event, and which words show it: where they are cited, and their place in the transcript.

    None where that is not known.
    """

    event: CheckedEvent
    source: EventSource | None = None
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class _Tick:
    """A verified event: it was at `at` or later, up to `latest`."""

    at: float
    latest: float
    placed: PlacedEvent

    def shares_words(self, other: _Tick) -> bool:
        mine, others = self.placed.span, other.placed.span
        return mine is not None and others is not None and mine.overlap(others) > 0


def time_criterion(criterion: Criterion, events: Iterable[CheckedEvent]) -> TimingResult:
    """The time between events of which it is not known which words show them."""
    return time_placed(criterion, [PlacedEvent(event) for event in events])


def time_placed(criterion: Criterion, events: Sequence[PlacedEvent]) -> TimingResult:
    """The time from the first start event to the first end event at or after it.

    Only verified events count, in whatever order they come. Where the start is also the end, the
    end is the next one after it, in other words. Two different events on the same words have no
    time between them. `close_call` where the events' words may have been said at seconds between
    which the verdict changes.

    Raises ConfigurationError for a criterion that is not timed.
    """
    target = criterion.timing
    if target is None:
        raise ConfigurationError(f"criterion {criterion.id!r} has no timing to compute")
    starts, ends = _named(target.start_event, events), _named(target.end_event, events)
    if not starts:
        return TimingResult(target, reason=_not_observed(target.start_event))
    start = starts[0]
    if target.start_event == target.end_event:
        later = [end for end in ends if end.at > start.at and not end.shares_words(start)]
    else:
        later = [end for end in ends if end.at >= start.at]
    if not later:
        reason = (
            f"{target.end_event!r} was observed only before {target.start_event!r}"
            if ends and target.start_event != target.end_event
            else _not_observed(target.end_event)
        )
    elif later[0].shares_words(start):
        reason = f"{target.start_event!r} and {target.end_event!r}: {SAME_WORDS}"
    else:
        return _result(target, start, later[0])
    return TimingResult(
        target, started_at=start.at, reason=reason, start_source=start.placed.source
    )


def _result(target: TimingTarget, start: _Tick, end: _Tick) -> TimingResult:
    shortest = round(max(0.0, end.at - start.latest), _DECIMALS)
    longest = round(end.latest - start.at, _DECIMALS)
    return TimingResult(
        target,
        started_at=start.at,
        ended_at=end.at,
        seconds=round(end.at - start.at, _DECIMALS),
        close_call=_verdict(shortest, target) is not _verdict(longest, target),
        start_source=start.placed.source,
        end_source=end.placed.source,
    )


def timed_verdict(result: TimingResult) -> CriterionVerdict:
    """Met up to the target, partial up to the maximum, missed beyond; with one of them alone met or
    missed. Not observed where no time could be computed.
    """
    if result.seconds is None:
        return CriterionVerdict.NOT_OBSERVED
    return _verdict(result.seconds, result.target)


def _verdict(seconds: float, target: TimingTarget) -> CriterionVerdict:
    limits = [limit for limit in (target.target_seconds, target.max_seconds) if limit is not None]
    if not limits:
        return CriterionVerdict.NOT_OBSERVED
    if seconds <= limits[0]:
        return CriterionVerdict.MET
    return CriterionVerdict.PARTIAL if seconds <= limits[-1] else CriterionVerdict.MISSED


def _named(name: str, events: Sequence[PlacedEvent]) -> list[_Tick]:
    """The verified events of that name, in order of time."""
    ticks = [
        _Tick(
            placed.event.at,
            placed.event.at
            if placed.event.latest is None
            else max(placed.event.at, placed.event.latest),
            placed,
        )
        for placed in events
        if placed.event.verified and placed.event.at is not None and placed.event.name == name
    ]
    return sorted(ticks, key=lambda tick: (tick.at, tick.latest))


def _not_observed(name: str) -> str:
    return f"{name!r} was not observed"
