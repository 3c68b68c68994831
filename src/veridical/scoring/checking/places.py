"""May the words at this place of a transcript be evidence by themselves?"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from veridical.sources.span import Span
from veridical.sources.transcript import Segment, Transcript, Word
from veridical.text.tokens import word_key
from veridical.text.turns import Part, turns
from veridical.validation.conflicts import conflicts
from veridical.validation.cuts import cut_alterations
from veridical.validation.differences import AlterationKind
from veridical.validation.lexicon import NEGATIONS
from veridical.validation.spoken_index import SpokenIndex

MAX_GAP_SECONDS = 10.0
"""A longer silence parts two things that were said."""

_EDGE = 64
"""Characters next to a place that are looked at."""


class Places:
    """What stands around the places of one transcript. Made once, and then only read."""

    def __init__(self, transcript: Transcript, index: SpokenIndex) -> None:
        self._transcript = transcript
        self._index = index
        spoken = turns(transcript)
        self._turns = [turn.span for turn in spoken]
        self._turn_starts = [span.start for span in self._turns]
        self._parts: list[Part] = [part for turn in spoken for part in turn.parts]
        self._part_starts = [part.span.start for part in self._parts]

    def turn_of(self, span: Span) -> Span | None:
        """The turn that all of it stands in, None where there is none."""
        at = bisect_right(self._turn_starts, span.start) - 1
        return self._turns[at] if at >= 0 and span.end <= self._turns[at].end else None

    def has_silence(self, span: Span) -> bool:
        """Whether more than `MAX_GAP_SECONDS` of silence lie between two of its words."""
        latest: float | None = None
        for start, end in self._stretches(span):
            if latest is not None and start - latest > MAX_GAP_SECONDS:
                return True
            latest = max(end, start if latest is None else latest)
        return False

    def is_utterance(self, span: Span) -> bool:
        """Whether it is all that is said in the segment it stands in."""
        at = bisect_right(self._part_starts, span.start) - 1
        if at < 0 or span.end > self._parts[at].span.end:
            return False
        whole, first = self._parts[at].span, self._index.first_from
        return first(whole.start) == first(span.start) and first(span.end) == first(whole.end)

    def cut_from(self, span: Span, quote: str) -> str | None:
        """The word next to the place without which it says something else, None where all is well.

        A "not" before it with no stop between, or the rest of a number that it was cut from.
        """
        turn = self.turn_of(span) or span
        text = self._transcript.text
        before = text[max(turn.start, span.start - _EDGE) : span.start]
        after = text[span.end : min(turn.end, span.end + _EDGE)]
        changed = cut_alterations(quote, text[span.start : span.end], before, after)
        return changed[0].source if changed else self._negation_before(span, turn)

    def denies(self, span: Span, paraphrase: str) -> bool:
        """Whether one of a place and its paraphrase denies something and the other does not.

        Words that only say something like it are read with all that is said in their segments.
        """
        parts = [part.span for part in self._parts if part.span.overlap(span)]
        around = Span(min(p.start for p in parts), max(p.end for p in parts)) if parts else span
        found = conflicts(paraphrase, self._transcript.text[around.start : around.end])
        return any(conflict.kind is AlterationKind.NEGATION for conflict in found)

    def _negation_before(self, span: Span, turn: Span) -> str | None:
        at = self._index.first_from(span.start) - 1
        if at < 0:
            return None
        previous = self._index.span(at, 1)
        between = self._transcript.text[previous.end : span.start]
        if previous.start < turn.start or between.strip():
            return None
        word = self._transcript.text[previous.start : previous.end]
        return word if word_key(word) in NEGATIONS else None

    def _stretches(self, span: Span) -> Iterator[tuple[float, float]]:
        """When its words were said: by their own times, or by those of their segment."""
        transcript = self._transcript
        words = [word for word in transcript.words_in(span) if word.start is not None]
        segments = transcript.segments_in(span)
        if not segments:
            yield from _times(words)
        at = 0
        for segment in segments:
            first = at
            while at < len(words) and words[at].span.start < segment.span.end:
                at += 1
            yield from _times(words[first:at] or [segment])


def _times(stretches: Sequence[Word | Segment]) -> Iterator[tuple[float, float]]:
    for stretch in stretches:
        if stretch.start is not None:
            yield stretch.start, stretch.start if stretch.end is None else stretch.end
