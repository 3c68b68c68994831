"""Which of the events that a scorer reports are borne out by verified words, and when they were."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from veridical.scoring.answer import CitedEvent
from veridical.scoring.checking import reasons
from veridical.scoring.checking.evidence import EvidenceChecker
from veridical.scoring.rubric import Criterion, Rubric
from veridical.scoring.scorecard import CheckedEvent, CheckedEvidence
from veridical.sources.transcript import Moment

SAME_MOMENT_SECONDS = 2.0
"""How far apart two events may be claimed that rest on the same words, besides their length."""


@dataclass(frozen=True, slots=True)
class _Quote:
    """A verified quote with a second: its index in the criterion's evidence, and when it was."""

    index: int
    moment: Moment
    start: float


def check_events(
    cited: Iterable[CitedEvent],
    evidence: Sequence[CheckedEvidence],
    checker: EvidenceChecker,
) -> tuple[CheckedEvent, ...]:
    """The events of one criterion, in the order given.

    An event is verified where the rubric has its name and a verified quote of the criterion lies
    within the tolerance of its second: the nearest, of two as near the earlier. It then has that
    quote's second. Words that show one event do not also show another one which is claimed for
    another second: else the time between the two would be none at all.
    """
    quotes = [
        _Quote(index, moment, moment.start)
        for index, item in enumerate(evidence)
        if item.verified and item.span is not None
        for moment in [checker.moment(item.span)]
        if moment.start is not None
    ]
    names = event_names(checker.rubric)
    finite = (event for event in cited if math.isfinite(event.at))
    checked = [_check(event, quotes, names, checker) for event in finite]
    return tuple(_without_borrowed(checked, {quote.index: quote for quote in quotes}))


def event_names(rubric: Rubric) -> dict[str, str]:
    """The events of a rubric: of its clocks and its cues. Keys are how they are compared."""
    found: dict[str, str] = {}
    for section in rubric.sections:
        for criterion in section.criteria:
            for name in _names_of(criterion):
                found.setdefault(_plain(name), name)
                found[name] = name
    return found


def _names_of(criterion: Criterion) -> list[str]:
    names = []
    if criterion.timing is not None:
        names += [criterion.timing.start_event, criterion.timing.end_event]
    if criterion.cues is not None:
        names += [group.name for group in criterion.cues.events]
    return names


def _plain(name: str) -> str:
    """A name but for case and signs: "Command assumed" is "command_assumed"."""
    return "_".join("".join(c if c.isalnum() else " " for c in name.lower()).split())


def _check(
    event: CitedEvent, quotes: Sequence[_Quote], names: dict[str, str], checker: EvidenceChecker
) -> CheckedEvent:
    name = names.get(event.name) or names.get(_plain(event.name))
    if name is None:
        return _unverified(event, event.name, reasons.unknown_event(event.name))
    if not checker.is_timed:
        return _unverified(event, name, reasons.NO_EVENT_TIME)
    near = [(_drift(q, event.at, checker), q.start, q.index, q) for q in quotes]
    if not near:
        return _unverified(event, name, reasons.NO_EVIDENCE)
    drift, start, index, quote = min(near, key=lambda found: found[:3])
    if drift > checker.tolerance_seconds:
        far = reasons.event_too_far(event.at, start, checker.tolerance_seconds)
        return _unverified(event, name, far)
    latest = quote.start if quote.moment.latest is None else quote.moment.latest
    return CheckedEvent(name, event.at, verified=True, at=start, latest=latest, evidence=index)


def _drift(quote: _Quote, seconds: float, checker: EvidenceChecker) -> float:
    drift = checker.drift(quote.moment, seconds)
    return math.inf if drift is None else drift


def _without_borrowed(
    events: Sequence[CheckedEvent], quotes: dict[int, _Quote]
) -> list[CheckedEvent]:
    """The events, those not verified that lean on words which show another one nearer to them."""
    beyond = [_beyond(event, quotes) for event in events]
    nearest: dict[int, float] = {}
    for event, seconds in zip(events, beyond, strict=True):
        if event.evidence is not None:
            nearest[event.evidence] = min(seconds, nearest.get(event.evidence, math.inf))
    return [
        replace(
            event,
            verified=False,
            at=None,
            latest=None,
            evidence=None,
            reason=reasons.event_shares_words(event.claimed_at, quotes[event.evidence].start),
        )
        if event.evidence is not None and seconds > nearest[event.evidence] + SAME_MOMENT_SECONDS
        else event
        for event, seconds in zip(events, beyond, strict=True)
    ]


def _beyond(event: CheckedEvent, quotes: dict[int, _Quote]) -> float:
    """How many seconds the claimed second lies outside the words that an event rests on."""
    if event.evidence is None:
        return 0.0
    quote = quotes[event.evidence]
    end = quote.start if quote.moment.end is None else quote.moment.end
    return max(quote.start - event.claimed_at, event.claimed_at - end, 0.0)


def _unverified(event: CitedEvent, name: str, reason: str) -> CheckedEvent:
    return CheckedEvent(name, event.at, verified=False, reason=reason)
