"""May the words at this place of a transcript be evidence by themselves?"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise

from veridical.scoring.offline.heard import FILLERS, SPOKEN_NUMBERS
from veridical.sources.document import Span
from veridical.sources.transcript import Segment, Transcript, Word
from veridical.text.reading import sentence_spans
from veridical.text.spoken import SpokenIndex
from veridical.text.tokens import word_key
from veridical.text.turns import Part, Turn, turns
from veridical.validation.cuts import cut_alterations
from veridical.validation.differences import AlterationKind
from veridical.validation.free import conflicts
from veridical.validation.lexicon import MAGNITUDES, NEGATIONS

# What stands right beside a quote and must not be cut off: a "not", the rest of a spoken number.


_INTERJECTIONS = frozenset({"no", "non", "nein", "ne", "ni"})
"""Denials that deny nothing when a stop follows them: "No, we have a fire"."""

_FILLERS = FILLERS | {"well", "like", "so", "repeat"}
_MOST_FILLERS = 3
_LOOKALIKES = str.maketrans("\u0430\u0435\u043e\u0440\u0441\u0445\u0443\u0456\u0442", "aeopcxyit")
_ZERO_IN_WORD = re.compile(r"(?<=[^\W\d_])0(?=[^\W\d_])")
_LAST_WORD = re.compile(r"([^\W_]+(?:['\u2019][^\W_]+)?)([\W_]*)\Z")
_ENDS = re.compile(r"(?<!\.)[.?!](?!\.)")
_JOINERS = frozenset({"point", "decimal", "dash", "of"})
_AHEAD = frozenset({"minus", "point"})
_WORDS_BEFORE = re.compile(r"(?:([^\W_]+)[ -]+)?([^\W_]+)(?:-?[ \t\n]+|[-\u2010\u2011])\Z")
_WORDS_AFTER = re.compile(r"\A(?:-?[ \t\n]+|[-\u2010\u2011])([^\W_]+)(?:[ -]+([^\W_]+))?")
_FIRST = re.compile(r"\A\W*([^\W_]+)")
_LAST = re.compile(r"([^\W_]+)\W*\Z")


def negation_before(text: str) -> str | None:
    """The negation that a text ends in, but for fillers, commas and dashes; None where none is.

    A letter that only looks like another one, or is not seen at all, hides none.
    """
    kept = "".join(c for c in text if unicodedata.category(c) != "Cf")
    text = _ZERO_IN_WORD.sub("o", kept.translate(_LOOKALIKES))
    for _ in range(_MOST_FILLERS + 1):
        found = _LAST_WORD.search(text)
        if found is None or _ENDS.search(found[2]):
            return None
        key = word_key(found[1])
        if key in NEGATIONS and (key not in _INTERJECTIONS or not found[2].strip()):
            return found[1]
        if key not in _FILLERS and found[1].casefold() != "i":
            return None
        text = text[: found.start()]
    return None


def number_beside(before: str, said: str, after: str) -> str | None:
    """The word beside `said` that is part of its first or last number; None where there is none.

    "two five" is one number, as are "2 5", "two point five", "minus 5" and "3 of 10".
    """
    first, last = _FIRST.search(said), _LAST.search(said)
    left, right = _WORDS_BEFORE.search(before), _WORDS_AFTER.search(after)
    goes_on = left and (left[2].casefold() in _AHEAD or _goes_on(left[2], left[1]))
    if left and first and goes_on and _is_number(first[1]):
        return left[2]
    if right and last and _is_number(last[1]) and _goes_on(right[1], right[2]):
        return right[1]
    return None


def _goes_on(word: str, beyond: str | None) -> bool:
    """Whether a number goes on with a word, `beyond` being the one on its far side."""
    if word.casefold() == "and":
        return beyond is not None and beyond.casefold() in MAGNITUDES
    joins = word.casefold() in _JOINERS
    return _is_number(word) or (joins and beyond is not None and _is_number(beyond))


def _is_number(word: str) -> bool:
    return word.isdecimal() or word.casefold() in SPOKEN_NUMBERS


# Where one utterance ends and the next begins, however a transcript is cut into segments.


PAUSE_SECONDS = 2.0
"""A silence between two segments that ends an utterance without a full stop."""

PAUSE_OF_ANYBODY_SECONDS = 0.5
"""The same where nobody knows who speaks: what follows may be an answer."""

LONGEST_SECONDS = 30.0
"""A talk without full stops and pauses is cut after so long, where a segment begins."""


def _starts(text: str, turn: Turn) -> Iterator[int]:
    yield turn.span.start
    for start, _ in sentence_spans(text[turn.span.start : turn.span.end]):
        yield turn.span.start + start
    begun = turn.parts[0].start
    for one, other in pairwise(turn.parts):
        if one.end is None or other.start is None:
            continue
        least = PAUSE_OF_ANYBODY_SECONDS if other.speaker is None else PAUSE_SECONDS
        is_long = begun is not None and other.start - begun > LONGEST_SECONDS
        if is_long or other.start - one.end >= least:
            begun = other.start
            yield other.span.start


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
        # An utterance is bounded by turns, full stops and pauses, not by captions.
        starts = sorted({start for turn in spoken for start in _starts(transcript.text, turn)})
        self._utterance_starts, self._utterance_ends = starts, [*starts[1:], len(transcript.text)]

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
        return self.utterance(span) != self.utterance(start)

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
        starts = self._utterance_starts
        if not starts:
            return span
        first = max(0, bisect_right(starts, span.start) - 1)
        last = max(first, bisect_right(starts, max(span.start, span.end - 1)) - 1)
        return Span(min(span.start, starts[first]), max(span.end, self._utterance_ends[last]))

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
