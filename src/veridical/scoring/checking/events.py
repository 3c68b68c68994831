"""Which of the events that a scorer reports are borne out by verified words, and when they were."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from veridical.scoring.answer import CitedEvent
from veridical.scoring.checking import reasons
from veridical.scoring.checking.evidence import EvidenceChecker
from veridical.scoring.rubric import Criterion, Rubric
from veridical.scoring.scorecard import CheckedEvent, CheckedEvidence
from veridical.sources.span import Span
from veridical.sources.transcript import Moment, Transcript

SAME_MOMENT_SECONDS = 2.0
"""How far apart two seconds may be claimed that mean the same moment.

The tolerance for quotes is far wider; an event that could move as far as that would find other
words than its own.
"""

MOST_QUOTE_SECONDS = 5.0
"""Words that go on for longer do not tell by their first one when something happened."""


@dataclass(frozen=True, slots=True)
class _Quote:
    """A verified quote with a second: its index in the criterion's evidence, and when it was.

    `claimed` is the second that it was cited for, its own where none was.
    """

    index: int
    span: Span
    claimed: float
    start: float
    end: float
    latest: float

    def beyond(self, seconds: float) -> float:
        """How far a second lies outside the words."""
        return max(self.start - seconds, seconds - self.end, 0.0)


def check_events(
    cited: Iterable[CitedEvent],
    evidence: Sequence[CheckedEvidence],
    checker: EvidenceChecker,
) -> tuple[CheckedEvent, ...]:
    """The events of one criterion, in the order given.

    An event is verified where the rubric has its name and a verified quote of the criterion was
    cited for its second, or stands there; it then has that quote's second. Where the quote that was
    cited for its second is not verified, neither is the event: other words do not stand in for it.
    """
    quotes = _quotes(evidence, checker)
    refused = [e.claimed_start for e in evidence if not e.verified and e.claimed_start is not None]
    names = event_names(checker.rubric)
    taken: dict[int, str] = {}
    checked = []
    for event in cited:
        if not math.isfinite(event.at):
            continue
        found = _check(event, quotes, refused, names, taken, checker)
        if found.evidence is not None:
            taken.setdefault(found.evidence, found.name)
        checked.append(found)
    return tuple(checked)


def moved_by(event: CheckedEvent) -> float:
    """How many seconds the words of a verified event lie from the second that was claimed for it.

    None where they may have been said at that second.
    """
    if event.at is None:
        return 0.0
    latest = event.at if event.latest is None else event.latest
    return max(event.at - event.claimed_at, event.claimed_at - latest, 0.0)


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


def _quotes(evidence: Sequence[CheckedEvidence], checker: EvidenceChecker) -> list[_Quote]:
    found = []
    for index, item in enumerate(evidence):
        if not item.verified or item.span is None:
            continue
        moment = checker.moment(item.span)
        if moment.start is None:
            continue
        found.append(
            _Quote(
                index,
                item.span,
                moment.start if item.claimed_start is None else item.claimed_start,
                moment.start,
                moment.start if moment.end is None else moment.end,
                _latest(item.span, moment, moment.start, checker.transcript),
            )
        )
    return found


def _latest(span: Span, moment: Moment, start: float, transcript: Transcript) -> float:
    """The last second at which what the words tell of may have been said.

    That of the first word; of words that go on for long, that of the last one, or the end of its
    segment.
    """
    first = start if moment.latest is None else moment.latest
    words = transcript.words_in(span)
    last = words[-1].start if words else None
    last = moment.end if last is None else last
    if last is None or last - start <= MOST_QUOTE_SECONDS:
        return first
    return max(first, last)


def _check(
    event: CitedEvent,
    quotes: Sequence[_Quote],
    refused: Sequence[float],
    names: dict[str, str],
    taken: dict[int, str],
    checker: EvidenceChecker,
) -> CheckedEvent:
    name = names.get(event.name) or names.get(_plain(event.name))
    if name is None:
        return _unverified(event, event.name, reasons.unknown_event(event.name))
    if not checker.is_timed:
        return _unverified(event, name, reasons.NO_EVENT_TIME)
    quote = _quote_of(event, name, quotes, refused, taken)
    if not isinstance(quote, _Quote):
        return _unverified(event, name, quote)
    return CheckedEvent(
        name, event.at, verified=True, at=quote.start, latest=quote.latest, evidence=quote.index
    )


def _quote_of(
    event: CitedEvent,
    name: str,
    quotes: Sequence[_Quote],
    refused: Sequence[float],
    taken: dict[int, str],
) -> _Quote | str:
    """The quote that shows an event, or why none does.

    That which was cited for its second; where none was, that which stands there. `taken` are the
    names of the events that quotes show already.
    """
    if not quotes:
        return reasons.NO_EVIDENCE

    def last(quote: _Quote) -> tuple[bool, int, int]:
        """Of quotes at one second each shows one event: first those that show no other yet."""
        return taken.get(quote.index, name) != name, quote.span.start, quote.index

    claimed = min(quotes, key=lambda quote: (abs(quote.claimed - event.at), *last(quote)))
    apart = abs(claimed.claimed - event.at)
    wrong = min((abs(seconds - event.at) for seconds in refused), default=math.inf)
    if wrong <= SAME_MOMENT_SECONDS and wrong < apart:
        return reasons.EVENT_REFUSED
    if apart <= SAME_MOMENT_SECONDS:
        return claimed
    # Of two that touch at this second, the one that begins there.
    said = min(quotes, key=lambda q: (q.beyond(event.at), abs(q.start - event.at), *last(q)))
    if said.beyond(event.at) <= SAME_MOMENT_SECONDS:
        return said
    return reasons.event_too_far(event.at, said.start, SAME_MOMENT_SECONDS)


def _unverified(event: CitedEvent, name: str, reason: str) -> CheckedEvent:
    return CheckedEvent(name, event.at, verified=False, reason=reason)
