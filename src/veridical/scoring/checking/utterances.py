"""Where one utterance ends and the next begins, however a transcript is cut into segments."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise

from veridical.sources.span import Span
from veridical.text.reading import sentence_spans
from veridical.text.turns import Part, Turn

PAUSE_SECONDS = 2.0
"""A silence between two segments that ends an utterance without a full stop."""

PAUSE_OF_ANYBODY_SECONDS = 0.5
"""The same where nobody knows who speaks: what follows may be an answer."""

LONGEST_SECONDS = 30.0
"""A talk without full stops and pauses is cut after so long, where a segment begins."""


class Utterances:
    """The utterances of a transcript: bounded by turns, full stops and pauses, not by captions."""

    def __init__(self, text: str, turns: Sequence[Turn]) -> None:
        starts = sorted({start for turn in turns for start in _starts(text, turn)})
        self._starts = starts
        self._ends = [*starts[1:], len(text)]

    def around(self, span: Span) -> Span:
        """The words of a span and all that was said in the same breath."""
        first = max(0, bisect_right(self._starts, span.start) - 1)
        last = max(first, bisect_right(self._starts, max(span.start, span.end - 1)) - 1)
        if not self._starts:
            return span
        return Span(min(span.start, self._starts[first]), max(span.end, self._ends[last]))


def _starts(text: str, turn: Turn) -> Iterator[int]:
    yield turn.span.start
    for start, _ in sentence_spans(text[turn.span.start : turn.span.end]):
        yield turn.span.start + start
    yield from _after_pauses(turn.parts)


def _after_pauses(parts: Sequence[Part]) -> Iterator[int]:
    begun = parts[0].start
    for one, other in pairwise(parts):
        if one.end is None or other.start is None:
            continue
        least = PAUSE_OF_ANYBODY_SECONDS if other.speaker is None else PAUSE_SECONDS
        is_long = begun is not None and other.start - begun > LONGEST_SECONDS
        if is_long or other.start - one.end >= least:
            begun = other.start
            yield other.span.start
