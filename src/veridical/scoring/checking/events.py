"""Which of the events that a scorer reports are borne out by verified words, and when they were."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from veridical.scoring.answer import CitedEvent
from veridical.scoring.checking.evidence import EvidenceChecker, quoted
from veridical.scoring.rubric import Rubric
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
    quotes = list(_quotes(evidence, checker))
    refused = [e.claimed_start for e in evidence if not e.verified and e.claimed_start is not None]
    names = event_names(checker.rubric)
    taken: dict[int, str] = {}
    checked = []
    for event in cited:
        if not math.isfinite(event.at):
            continue
        name = names.get(event.name) or names.get(_plain(event.name))
        if name is None:
            shown: _Quote | str = f"the rubric has no event {quoted(event.name)}"
        elif not checker.is_timed:
            shown = "the transcript has no times"
        else:
            shown = _quote_of(event, name, quotes, refused, taken)
        name = event.name if name is None else name
        if isinstance(shown, str):
            checked.append(CheckedEvent(name, event.at, verified=False, reason=shown))
            continue
        taken.setdefault(shown.index, name)
        at, latest = shown.start, shown.latest
        checked.append(
            CheckedEvent(name, event.at, True, at=at, latest=latest, evidence=shown.index)
        )
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
    for criterion in (c for section in rubric.sections for c in section.criteria):
        names = [group.name for group in criterion.cues.events] if criterion.cues else []
        if criterion.timing is not None:
            names = [criterion.timing.start_event, criterion.timing.end_event, *names]
        for name in names:
            found.setdefault(_plain(name), name)
            found[name] = name
    return found


def _plain(name: str) -> str:
    """A name but for case and signs: "Command assumed" is "command_assumed"."""
    return "_".join("".join(c if c.isalnum() else " " for c in name.lower()).split())


def _quotes(evidence: Sequence[CheckedEvidence], checker: EvidenceChecker) -> Iterator[_Quote]:
    for index, item in enumerate(evidence):
        if not item.verified or item.span is None:
            continue
        moment = checker.transcript.moment(item.span)
        if (start := moment.start) is not None:
            claimed = start if item.claimed_start is None else item.claimed_start
            end = start if moment.end is None else moment.end
            latest = _latest(item.span, moment, start, checker.transcript)
            yield _Quote(index, item.span, claimed, start, end, latest)


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
        return "no verified quote of this criterion shows it"

    def last(quote: _Quote) -> tuple[bool, int, int]:
        """Of quotes at one second each shows one event: first those that show no other yet."""
        return taken.get(quote.index, name) != name, quote.span.start, quote.index

    claimed = min(quotes, key=lambda quote: (abs(quote.claimed - event.at), *last(quote)))
    apart = abs(claimed.claimed - event.at)
    wrong = min((abs(seconds - event.at) for seconds in refused), default=math.inf)
    if wrong <= SAME_MOMENT_SECONDS and wrong < apart:
        return "the quote that was cited for its second is not verified"
    if apart <= SAME_MOMENT_SECONDS:
        return claimed
    # Of two that touch at this second, the one that begins there.
    said = min(quotes, key=lambda q: (q.beyond(event.at), abs(q.start - event.at), *last(q)))
    if said.beyond(event.at) <= SAME_MOMENT_SECONDS:
        return said
    return (
        f"no verified quote of this criterion lies within {SAME_MOMENT_SECONDS:g} s of "
        f"{event.at:g} s; the nearest is at {said.start:g} s"
    )
