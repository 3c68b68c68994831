"""Where the words of a scorecard stand: the lines of its transcript, and the places quoted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from veridical.scoring.report.outline import Entry, Outline
from veridical.scoring.scorecard import CheckedEvidence
from veridical.sources.span import Span
from veridical.sources.transcript import Transcript
from veridical.text.turns import turns


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

    def anchors(self, entry: Entry) -> Iterator[str]:
        """The places that a criterion rests on, in the order of its evidence."""
        found = (self.anchor(evidence) for evidence in entry.score.review.evidence)
        yield from dict.fromkeys(anchor for anchor in found if anchor)

    def _stands(self, evidence: CheckedEvidence) -> bool:
        span = evidence.span
        if not evidence.verified or not span or not evidence.matched_text:
            return False
        return self._text[span.start : span.end] == evidence.matched_text


def _anchor(span: Span) -> str:
    return f"t{span.start}-{span.end}"
