"""How long something took, by events whose words were verified. No scorer's sum is used."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.errors import ConfigurationError
from veridical.scoring.answer import CriterionVerdict
from veridical.scoring.rubric import Criterion, TimingTarget
from veridical.scoring.scorecard import CheckedEvent, TimingResult

_DECIMALS = 6
"""Of seconds: 130.3 - 100.3 is 30, not the little more that floats make of it."""


def time_criterion(criterion: Criterion, events: Sequence[CheckedEvent]) -> TimingResult:
    """The time from the first start event to the first end event at or after it.

    Only verified events count, in whatever order they come. Where the start is also the end, the
    end is the next one after it. `close_call` where the events' words may have been said at seconds
    between which the verdict changes.

    Raises ConfigurationError for a criterion that is not timed.
    """
    target = criterion.timing
    if target is None:
        raise ConfigurationError(f"criterion {criterion.id!r} has no timing to compute")
    starts, ends = _named(target.start_event, events), _named(target.end_event, events)
    if not starts:
        return TimingResult(target, reason=_not_observed(target.start_event))
    started_at, started_by = starts[0]
    if target.start_event == target.end_event:
        later = [(at, latest) for at, latest in ends if at > started_at]
    else:
        later = [(at, latest) for at, latest in ends if at >= started_at]
    if not later:
        reason = (
            f"{target.end_event!r} was observed only before {target.start_event!r}"
            if ends and target.start_event != target.end_event
            else _not_observed(target.end_event)
        )
        return TimingResult(target, started_at=started_at, reason=reason)
    ended_at, ended_by = later[0]
    shortest = round(max(0.0, ended_at - started_by), _DECIMALS)
    longest = round(ended_by - started_at, _DECIMALS)
    return TimingResult(
        target,
        started_at=started_at,
        ended_at=ended_at,
        seconds=round(ended_at - started_at, _DECIMALS),
        close_call=_verdict(shortest, target) is not _verdict(longest, target),
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


def _named(name: str, events: Sequence[CheckedEvent]) -> list[tuple[float, float]]:
    """When the verified events of that name were said, from and until, in order of time."""
    return sorted(
        (event.at, event.at if event.latest is None else max(event.at, event.latest))
        for event in events
        if event.verified and event.at is not None and event.name == name
    )


def _not_observed(name: str) -> str:
    return f"{name!r} was not observed"
