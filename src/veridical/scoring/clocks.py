"""The clock of each timing criterion: which events start and stop it, wherever they were cited."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from veridical.scoring.answer import CardWarning, SectionFailure, WarningCode
from veridical.scoring.checking.timing import PlacedEvent, time_placed
from veridical.scoring.rubric import Criterion, Rubric, Section
from veridical.scoring.scorecard import (
    CriterionReview,
    EventSource,
    SectionReview,
    TimingResult,
)
from veridical.sources.span import Span


class Clocks:
    """The verified events of all sections, to be looked for from near to far.

    `timed` says whether the transcript has times: without any, no clock can run.
    """

    def __init__(
        self,
        rubric: Rubric,
        outcomes: Mapping[str, SectionReview | SectionFailure],
        *,
        timed: bool = True,
    ) -> None:
        self._timed = timed
        self._of_criterion: dict[tuple[str, str], list[PlacedEvent]] = {}
        self._of_section: dict[str, list[PlacedEvent]] = {}
        for section in rubric.sections:
            outcome = outcomes[section.id]
            for review in outcome.criteria if isinstance(outcome, SectionReview) else ():
                placed = list(_placed(section.id, review))
                self._of_criterion[section.id, review.criterion_id] = placed
                self._of_section.setdefault(section.id, []).extend(placed)

    def time(
        self, section: Section, criterion: Criterion, review: CriterionReview
    ) -> tuple[TimingResult | None, list[CardWarning]]:
        """What the clock of a criterion shows, and which events were cited for another one.

        None for a criterion that is not timed. Where the clock's own two quotes and the verified
        ones of the criterion are fewer than it asks for, nothing is computed.
        """
        if criterion.timing is None:
            return None, []
        if not self._timed:
            return TimingResult(criterion.timing, reason="the transcript has no times"), []
        events, least = self._near(section, criterion), criterion.evidence.min_evidence
        timing = time_placed(criterion, events)
        if timing.seconds is None:
            return timing, []
        shown = distinct([*_verified(review), *_behind(timing, events)])
        if shown >= least:
            return timing, list(_taken_over(section, criterion, timing))
        reason = f"{shown} of the {least} pieces of evidence that it needs were verified"
        too_few = TimingResult(
            timing.target,
            started_at=timing.started_at,
            reason=reason,
            start_source=timing.start_source,
        )
        return too_few, []

    def _near(self, section: Section, criterion: Criterion) -> list[PlacedEvent]:
        """The start and end events of a timing criterion, each from the narrowest place that has a
        verified one of its name: the criterion itself, its section, the whole scorecard.

        What a section says of the same event in another context does not disturb the clock of a
        criterion that has its own.
        """
        if criterion.timing is None:
            return []
        scopes = (
            self._of_criterion.get((section.id, criterion.id), []),
            self._of_section.get(section.id, []),
            list(chain.from_iterable(self._of_section.values())),
        )
        names = dict.fromkeys((criterion.timing.start_event, criterion.timing.end_event))
        return list(chain.from_iterable(_narrowest(name, scopes) for name in names))


def distinct(spans: Iterable[Span]) -> int:
    """How many of some places do not overlap, counted as high as can be."""
    past = count = 0
    for span in sorted(spans, key=lambda span: (span.end, span.start)):
        if not count or span.start >= past:
            past, count = span.end, count + 1
    return count


def _placed(section_id: str, review: CriterionReview) -> Iterator[PlacedEvent]:
    for event in review.events:
        if event.verified and event.evidence is not None:
            source = EventSource(section_id, review.criterion_id, event.evidence)
            yield PlacedEvent(event, source, review.evidence[event.evidence].span)


def _narrowest(name: str, scopes: Iterable[list[PlacedEvent]]) -> list[PlacedEvent]:
    named = ([placed for placed in scope if placed.event.name == name] for scope in scopes)
    return next(filter(None, named), [])


def _verified(review: CriterionReview) -> list[Span]:
    return [item.span for item in review.evidence if item.verified and item.span is not None]


def _behind(timing: TimingResult, events: Iterable[PlacedEvent]) -> list[Span]:
    """The words that started and stopped a clock."""
    sources = (timing.start_source, timing.end_source)
    return [e.span for e in events if e.span is not None and e.source in sources]


def _taken_over(
    section: Section, criterion: Criterion, timing: TimingResult
) -> Iterator[CardWarning]:
    ends = (
        (timing.target.start_event, timing.started_at, timing.start_source),
        (timing.target.end_event, timing.ended_at, timing.end_source),
    )
    for name, at, source in ends:
        if source is None or at is None:
            continue
        if (source.section_id, source.criterion_id) == (section.id, criterion.id):
            continue
        where = f"criterion {source.criterion_id!r}"
        if source.section_id != section.id:
            where += f" of section {source.section_id!r}"
        text = f"event {name!r} at {at:g} s is taken over from {where}"
        yield CardWarning(WarningCode.EVENT_TAKEN_OVER, text, criterion_id=criterion.id)
