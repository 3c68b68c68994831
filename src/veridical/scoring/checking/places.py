"""May the words at this place of a transcript be evidence by themselves?"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from veridical.scoring.checking.cut_words import negation_before, number_beside
from veridical.scoring.checking.utterances import Utterances
from veridical.sources.span import Span
from veridical.sources.transcript import Segment, Transcript, Word
from veridical.text.turns import Part, turns
from veridical.validation.conflicts import conflicts
from veridical.validation.cuts import cut_alterations
from veridical.validation.differences import AlterationKind
from veridical.validation.spoken_index import SpokenIndex

MAX_GAP_SECONDS = 10.0
"""A longer silence parts two things that were said."""

SECONDS_A_WORD = 5.0
"""Nobody takes longer to say a word: what is left of its time is silence."""

_ANSWER = re.compile(r"\W{0,3}(?:no|nope)\W{1,3}", re.IGNORECASE)
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
        self._utterances = Utterances(transcript.text, spoken)

    def turn_of(self, span: Span) -> Span | None:
        """The turn that all of it stands in, None where there is none."""
        at = bisect_right(self._turn_starts, span.start) - 1
        return self._turns[at] if at >= 0 and span.end <= self._turns[at].end else None

    def may_be_several(self, span: Span) -> bool:
        """Whether nobody knows who says it, and it runs over the end of an utterance and a segment.

        Where segments are not told apart either, over the end of an utterance.
        """
        first = bisect_right(self._part_starts, span.start) - 1
        if first < 0 or self._parts[first].speaker is not None:
            return False
        is_in_segment = self._transcript.segments and span.end <= self._parts[first].span.end
        if is_in_segment:
            return False
        start = Span(span.start, span.start)
        return self._utterances.around(span) != self._utterances.around(start)

    def has_silence(self, span: Span) -> bool:
        """Whether more than `MAX_GAP_SECONDS` of silence lie between two of its words."""
        latest: float | None = None
        for start, end in self._stretches(span):
            if latest is not None and start - latest > MAX_GAP_SECONDS:
                return True
            latest = max(end, start if latest is None else latest)
        return False

    def is_utterance(self, span: Span) -> bool:
        """Whether it begins and ends where an utterance does."""
        whole, first = self.utterance(span), self._index.first_from
        return first(whole.start) == first(span.start) and first(span.end) == first(whole.end)

    def utterance(self, span: Span) -> Span:
        """All that was said in one breath with it."""
        return self._utterances.around(span)

    def cut_from(self, span: Span, quote: str) -> str | None:
        """The word next to the place without which it says something else, None where all is well.

        A "not" before it with no stop between, or the rest of a number that it was cut from.
        """
        turn = self.turn_of(span) or span
        text = self._transcript.text
        before = text[max(turn.start, span.start - _EDGE) : span.start]
        after = text[span.end : min(turn.end, span.end + _EDGE)]
        changed = cut_alterations(quote, text[span.start : span.end], before, after)
        if changed:
            return changed[0].source
        breath = self.utterance(span)
        before_in_breath = text[max(breath.start, span.start - _EDGE) : span.start]
        after_in_breath = text[span.end : min(breath.end, span.end + _EDGE)]
        return negation_before(before) or number_beside(
            before_in_breath, text[span.start : span.end], after_in_breath
        )

    def answers_no(self, span: Span) -> bool:
        """Whether a "no" and a comma come first, which deny what was asked, not what follows."""
        start = self.utterance(span).start
        return _ANSWER.fullmatch(self._transcript.text[start : span.start][-_EDGE:]) is not None

    def denies(self, span: Span, paraphrase: str) -> bool:
        """Whether one of a place and its paraphrase denies something and the other does not.

        Words that only say something like it are read with all that is said in their segments.
        """
        parts = [part.span for part in self._parts if part.span.overlap(span)]
        around = Span(min(p.start for p in parts), max(p.end for p in parts)) if parts else span
        found = conflicts(paraphrase, self._transcript.text[around.start : around.end])
        return any(conflict.kind is AlterationKind.NEGATION for conflict in found)

    def _stretches(self, span: Span) -> Iterator[tuple[float, float]]:
        """When its words were said: by their own times, or by those of their segment."""
        transcript = self._transcript
        words = [word for word in transcript.words_in(span) if word.start is not None]
        segments = transcript.segments_in(span)
        if not segments:
            yield from self._times(words)
        at = 0
        for segment in segments:
            first = at
            while at < len(words) and words[at].span.start < segment.span.end:
                at += 1
            yield from self._times(words[first:at] or [segment])

    def _times(self, stretches: Sequence[Word | Segment]) -> Iterator[tuple[float, float]]:
        for stretch in stretches:
            if stretch.start is not None:
                said = self._transcript.text[stretch.span.start : stretch.span.end]
                longest = stretch.start + SECONDS_A_WORD * max(1, len(said.split()))
                end = stretch.start if stretch.end is None else stretch.end
                yield stretch.start, min(end, longest)
