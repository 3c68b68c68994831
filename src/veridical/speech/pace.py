"""How fast the words come: when each was said, and the pace over the course of a speech."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise

from veridical.sources.span import Span
from veridical.sources.transcript import Transcript
from veridical.speech.results import PaceWindow
from veridical.text.spoken import SpokenTokens
from veridical.text.turns import Part, Turn

WINDOW_SECONDS = 15.0
MOST_WINDOWS = 2_000
"""Windows of very long recordings are longer, so that a timeline stays a picture."""

LEAST_SECONDS = 0.1
"""No pace is worked out over less: it would say nothing, and could be beyond all numbers."""


def words_per_minute(words: int, seconds: float) -> float:
    """The pace of so many words; 0 where there is no time to speak of."""
    return words * 60 / seconds if seconds >= LEAST_SECONDS else 0.0


def token_seconds(
    transcript: Transcript, spoken: Sequence[Turn], tokens: SpokenTokens, ranges: Sequence[range]
) -> dict[int, float]:
    """When each token was said, by its index; those of which nothing is known are left out.

    A token without a time of its own is placed in its segment as if the pace there were even.
    """
    seconds: dict[int, float] = {}
    for turn, indices in zip(spoken, ranges, strict=True):
        for part, inside in _tokens_of_parts(turn, tokens, indices):
            if part.start is None or part.end is None:
                continue
            step = max(0.0, part.end - part.start) / max(1, len(inside))
            for place, index in enumerate(inside):
                seconds[index] = part.start + place * step
    spans = [Span(tokens.starts[i], tokens.ends[i]) for turn in ranges for i in turn]
    indices_of_spans = (i for turn in ranges for i in turn)
    at = 0
    for index, span in zip(indices_of_spans, spans, strict=True):
        while at < len(transcript.words) and transcript.words[at].span.end <= span.start:
            at += 1
        if at < len(transcript.words) and transcript.words[at].span.start < span.end:
            start = transcript.words[at].start
            if start is not None:
                seconds[index] = start
    return seconds


def pace_windows(seconds: Sequence[float], start: float, end: float) -> tuple[PaceWindow, ...]:
    """The pace from `start` to `end`, of words that start at these seconds.

    The last window takes in what is left where that is less than half a window.
    """
    if end - start < LEAST_SECONDS or not seconds:
        return ()
    ordered = sorted(seconds)
    length = max(WINDOW_SECONDS, (end - start) / MOST_WINDOWS)
    count = max(1, int((end - start) / length + 0.5))
    edges = [*(start + number * length for number in range(count)), end]
    counted = [0, *(bisect_left(ordered, edge) for edge in edges[1:-1]), len(ordered)]
    return tuple(
        PaceWindow(low, high, words_per_minute(past - first, high - low))
        for (low, high), (first, past) in zip(pairwise(edges), pairwise(counted), strict=True)
    )


def _tokens_of_parts(
    turn: Turn, tokens: SpokenTokens, indices: range
) -> Iterator[tuple[Part, range]]:
    """Each part of a turn, and the tokens that start in it."""
    at = indices.start
    for part in turn.parts:
        first = at
        while at < indices.stop and tokens.starts[at] < part.span.end:
            at += 1
        yield part, range(first, at)
