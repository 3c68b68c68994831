"""How long something took: which events start and stop a clock, wherever they were cited.

Only events count whose words were verified. No scorer's sum is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from veridical.scoring.rubric import TimingTarget
from veridical.scoring.scorecard import (
    CardWarning,
    CriterionReview,
    CriterionScore,
    CriterionVerdict,
    EventSource,
    SectionScore,
    TimingResult,
    WarningCode,
)
from veridical.sources.document import Span

_DECIMALS = 6
"""Of seconds: 130.3 - 100.3 is 30, not the little more that floats make of it."""


@dataclass(frozen=True, slots=True)
class Tick:
    """A verified event: it was at `at` or later, up to `latest`.

    `source` and `span` are where the words that show it are cited, and where they stand in the
    transcript; None where that is not known.
    """

    name: str
    at: float
    latest: float
    source: EventSource | None = None
    span: Span | None = None

    def shares_words(self, other: Tick) -> bool:
        """Whether both rest on the same words."""
        return bool(self.span and other.span and self.span.overlap(other.span))


def time_between(target: TimingTarget, ticks: Iterable[Tick]) -> TimingResult:
    """The time from the first start event to the first end event at or after it.

    The events may come in any order. Where the start is also the end, the end is the next one after
    it, in other words. Two different events on the same words have no time between them.
    `close_call` where the events' words may have been said at seconds between which the verdict
    changes.
    """
    in_order = sorted(ticks, key=lambda tick: (tick.at, tick.latest))
    start = next((tick for tick in in_order if tick.name == target.start_event), None)
    if start is None:
        return TimingResult(target, reason=f"{target.start_event!r} was not observed")
    ends = [tick for tick in in_order if tick.name == target.end_event]
    is_same = target.start_event == target.end_event
    if is_same:
        later = [end for end in ends if end.at > start.at and not end.shares_words(start)]
    else:
        later = [end for end in ends if end.at >= start.at]
    if not later:
        reason = f"{target.end_event!r} was not observed"
        if ends and not is_same:
            reason = f"{target.end_event!r} was observed only before {target.start_event!r}"
    elif later[0].shares_words(start):
        reason = (
            f"{target.start_event!r} and {target.end_event!r}: both rest on the same words, which "
            "cannot tell how long it took"
        )
    else:
        end = later[0]
        shortest = round(max(0.0, end.at - start.latest), _DECIMALS)
        longest = round(end.latest - start.at, _DECIMALS)
        return TimingResult(
            target,
            started_at=start.at,
            ended_at=end.at,
            seconds=round(end.at - start.at, _DECIMALS),
            close_call=_verdict(shortest, target) is not _verdict(longest, target),
            start_source=start.source,
            end_source=end.source,
        )
    return TimingResult(target, started_at=start.at, reason=reason, start_source=start.source)


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


class Clocks:
    """The verified events of all sections, to be looked for from near to far.

    `timed` says whether the transcript has times: without any, no clock can run.
    """

    def __init__(self, sections: Iterable[SectionScore], *, timed: bool) -> None:
        self._timed = timed
        self._of_criterion: dict[tuple[str, str], list[Tick]] = {}
        self._of_section: dict[str, list[Tick]] = {}
        for section in sections:
            for score in section.criteria:
                ticks = list(_ticks(section.section_id, score.review))
                self._of_criterion[section.section_id, score.review.criterion_id] = ticks
                self._of_section.setdefault(section.section_id, []).extend(ticks)

    def time(
        self, section_id: str, score: CriterionScore
    ) -> tuple[TimingResult | None, list[CardWarning]]:
        """What the clock of a criterion shows, and which events were cited for another one.

        None for a criterion that is not timed. Where the clock's own two quotes and the verified
        ones of the criterion are fewer than it asks for, nothing is computed.
        """
        if score.timing is None:
            return None, []
        target, review, least = score.timing.target, score.review, score.min_evidence
        if not self._timed:
            return TimingResult(target, reason="the transcript has no times"), []
        ticks = self._near(section_id, review.criterion_id, target)
        timing = time_between(target, ticks)
        if timing.seconds is None:
            return timing, []
        sources = (timing.start_source, timing.end_source)
        behind = [tick.span for tick in ticks if tick.span is not None and tick.source in sources]
        cited = [item.span for item in review.evidence if item.verified and item.span is not None]
        shown = distinct([*cited, *behind])
        if shown >= least:
            return timing, list(_taken_over(section_id, review.criterion_id, timing))
        too_few = TimingResult(
            target,
            started_at=timing.started_at,
            reason=f"{shown} of the {least} pieces of evidence that it needs were verified",
            start_source=timing.start_source,
        )
        return too_few, []

    def _near(self, section_id: str, criterion_id: str, target: TimingTarget) -> list[Tick]:
        """The start and end events of a timing criterion, each from the narrowest place that has a
        verified one of its name: the criterion itself, its section, the whole scorecard.

        What a section says of the same event in another context does not disturb the clock of a
        criterion that has its own.
        """
        scopes = (
            self._of_criterion.get((section_id, criterion_id), []),
            self._of_section.get(section_id, []),
            list(chain.from_iterable(self._of_section.values())),
        )
        found: list[Tick] = []
        for name in dict.fromkeys((target.start_event, target.end_event)):
            named = ([tick for tick in scope if tick.name == name] for scope in scopes)
            found += next(filter(None, named), [])
        return found


def distinct(spans: Iterable[Span]) -> int:
    """How many of some places do not overlap, counted as high as can be."""
    past = count = 0
    for span in sorted(spans, key=lambda span: (span.end, span.start)):
        if not count or span.start >= past:
            past, count = span.end, count + 1
    return count


def _ticks(section_id: str, review: CriterionReview) -> Iterator[Tick]:
    for event in review.events:
        if event.verified and event.evidence is not None and event.at is not None:
            source = EventSource(section_id, review.criterion_id, event.evidence)
            latest = event.at if event.latest is None else max(event.at, event.latest)
            yield Tick(event.name, event.at, latest, source, review.evidence[event.evidence].span)


def _taken_over(section_id: str, criterion_id: str, timing: TimingResult) -> Iterator[CardWarning]:
    ends = (
        (timing.target.start_event, timing.started_at, timing.start_source),
        (timing.target.end_event, timing.ended_at, timing.end_source),
    )
    for name, at, source in ends:
        if source is None or at is None:
            continue
        if (source.section_id, source.criterion_id) == (section_id, criterion_id):
            continue
        where = f"criterion {source.criterion_id!r}"
        if source.section_id != section_id:
            where += f" of section {source.section_id!r}"
        text = f"event {name!r} at {at:g} s is taken over from {where}"
        yield CardWarning(WarningCode.EVENT_TAKEN_OVER, text, criterion_id=criterion_id)
