"""A scorecard with its parts numbered, as all its forms show it, and named for links."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from veridical.scoring.scorecard import (
    CardWarning,
    CheckedEvent,
    CheckedEvidence,
    CriterionReview,
    CriterionScore,
    EventSource,
    ReviewItem,
    Scorecard,
    SectionScore,
)
from veridical.sources.document import Span
from veridical.sources.transcript import Transcript
from veridical.text.turns import turns

_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}")


@dataclass(frozen=True, slots=True)
class Entry:
    """A criterion: `number` is `2.3`, the third of the second section; `anchor` its fragment."""

    number: str
    anchor: str
    section_id: str
    score: CriterionScore
    warnings: tuple[CardWarning, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A section with its criteria, and what is warned of it rather than of one of them."""

    number: int
    anchor: str
    section: SectionScore
    entries: tuple[Entry, ...]
    warnings: tuple[CardWarning, ...]


class Outline:
    """The parts of a scorecard in its order."""

    def __init__(self, card: Scorecard) -> None:
        self.card = card
        of: dict[tuple[str | None, str | None], list[CardWarning]] = {}
        for warning in card.warnings:
            of.setdefault((warning.section_id, warning.criterion_id), []).append(warning)
        anchors = set[str]()
        self.parts = tuple(
            _part(number, section, of, anchors) for number, section in enumerate(card.sections, 1)
        )
        # What no section takes is said of the whole.
        self.warnings = tuple(warning for each in of.values() for warning in each)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All criteria in order."""
        return tuple(entry for part in self.parts for entry in part.entries)

    @cached_property
    def _named(self) -> dict[tuple[str, str | None], Part | Entry]:
        named: dict[tuple[str, str | None], Part | Entry] = {}
        for part in self.parts:
            named.setdefault((part.section.section_id, None), part)
            for entry in part.entries:
                named.setdefault((entry.section_id, entry.score.review.criterion_id), entry)
        return named

    def find(self, item: ReviewItem) -> Part | Entry | None:
        """What an item for review is about, as closely as the scorecard has it."""
        exact = self._named.get((item.section_id, item.criterion_id))
        return exact or self._named.get((item.section_id, None))

    def source(self, source: EventSource | None) -> tuple[Entry, CheckedEvidence] | None:
        """The criterion that cites some words, and the words; None where there are none."""
        found = source and self._named.get((source.section_id, source.criterion_id))
        if source is None or not isinstance(found, Entry):
            return None
        evidence = found.score.review.evidence
        within = 0 <= source.evidence < len(evidence)
        return (found, evidence[source.evidence]) if within else None

    def title(self, item: ReviewItem) -> str:
        """How an item for review is called; its ids where the scorecard does not have it."""
        found = self.find(item)
        if isinstance(found, Entry):
            return f"{found.number} {found.score.title}"
        if isinstance(found, Part):
            more = f", {item.criterion_id}" if item.criterion_id else ""
            return f"{found.number} {found.section.title}{more}"
        return ", ".join(filter(None, (item.section_id, item.criterion_id)))


def _part(
    number: int,
    section: SectionScore,
    warnings: dict[tuple[str | None, str | None], list[CardWarning]],
    anchors: set[str],
) -> Part:
    """One section; takes its warnings out of `warnings`."""
    name = section.section_id
    entries = []
    for place, score in enumerate(section.criteria, 1):
        criterion_id = score.review.criterion_id
        entries.append(
            Entry(
                number=f"{number}.{place}",
                anchor=_anchor_of(anchors, "c", (name, criterion_id), (number, place)),
                section_id=name,
                score=score,
                warnings=tuple(warnings.pop((name, criterion_id), ())),
            )
        )
    own = [key for key in warnings if key[0] == name]
    told = tuple(warning for key in own for warning in warnings.pop(key))
    return Part(number, _anchor_of(anchors, "s", (name,), (number,)), section, tuple(entries), told)


def _anchor_of(taken: set[str], kind: str, names: Sequence[str], numbers: Sequence[int]) -> str:
    """The fragment of a section or criterion: of ids, so that links stay good, each given once.

    It is of numbers where an id cannot be a part of one, or has been seen before. A colon stands in
    the numbered ones only, a dot before the ids only: the two never meet.
    """
    anchor = ".".join((kind, *names))
    if anchor in taken or not all(map(_PLAIN.fullmatch, names)):
        return ":".join((kind, *map(str, numbers)))
    taken.add(anchor)
    return anchor


# Where the words of a scorecard stand: the lines of its transcript, and the places quoted.


@dataclass(frozen=True, slots=True)
class Line:
    """What is shown on one line of the transcript. Times are seconds, None where not known.

    The spans of all lines, one after the other, are the whole text.
    """

    number: int
    span: Span
    start: float | None
    end: float | None
    speaker: str | None

    @property
    def anchor(self) -> str:
        """The fragment of the line."""
        return f"u{self.number}"


def lines_of(transcript: Transcript) -> tuple[Line, ...]:
    """The lines of a transcript: its segments, cut where the speaker changes within one."""
    parts = [part for turn in turns(transcript) for part in turn.parts]
    ends = [0, *(part.span.start for part in parts[1:]), len(transcript.text)]
    return tuple(
        Line(number, Span(start, end), part.start, part.end, part.speaker)
        for number, (part, (start, end)) in enumerate(zip(parts, pairwise(ends), strict=False), 1)
    )


@dataclass(frozen=True, slots=True)
class Use:
    """A criterion, and evidence of it that stands at a place."""

    entry: Entry
    evidence: CheckedEvidence


@dataclass(frozen=True, slots=True)
class QuotePlace:
    """Words of the transcript that criteria rest on. There is at least one use."""

    span: Span
    uses: tuple[Use, ...]

    @property
    def anchor(self) -> str:
        """The fragment of the place; it names the very characters."""
        return _anchor(self.span)

    @property
    def start(self) -> float | None:
        """When the words were said, in seconds."""
        return self.uses[0].evidence.start

    @property
    def speaker(self) -> str | None:
        """Who said them."""
        return self.uses[0].evidence.speaker


class Quotes:
    """The verified quotes of a scorecard, by their places in its transcript.

    Evidence whose words do not stand at its place, because this is another transcript, has none:
    words that are not there are never highlighted.
    """

    def __init__(self, outline: Outline, transcript: Transcript) -> None:
        self._text = transcript.text
        uses: dict[Span, list[Use]] = {}
        for entry in outline.entries:
            for evidence in entry.score.review.evidence:
                if evidence.span is not None and self._stands(evidence):
                    uses.setdefault(evidence.span, []).append(Use(entry, evidence))
        self.places = tuple(QuotePlace(span, tuple(uses[span])) for span in sorted(uses))

    def anchor(self, evidence: CheckedEvidence) -> str | None:
        """The fragment of the place of some evidence; None where it has none."""
        if evidence.span is None or not self._stands(evidence):
            return None
        return _anchor(evidence.span)

    def anchor_of(self, event: CheckedEvent, review: CriterionReview) -> str | None:
        """The fragment of the words that show an event; None where none do."""
        shows = event.evidence
        if shows is None or not 0 <= shows < len(review.evidence):
            return None
        return self.anchor(review.evidence[shows])

    def _stands(self, evidence: CheckedEvidence) -> bool:
        span = evidence.span
        if not evidence.verified or not span or not evidence.matched_text:
            return False
        return self._text[span.start : span.end] == evidence.matched_text


def _anchor(span: Span) -> str:
    return f"t{span.start}-{span.end}"
