"""Delivery metrics: how long, how fast, which fillers, which pauses."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise

from veridical.sources.span import Span
from veridical.sources.transcript import Precision, Transcript
from veridical.speech.fillers import fillers_of
from veridical.speech.results import DeliveryMetrics, PaceWindow, Pause
from veridical.text.spoken import SpokenTokens
from veridical.text.turns import Part, Turn, tokens_of_turns, turns

# How fast the words come: when each was said, and the pace over the course of a speech.


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


LONG_PAUSE_SECONDS = 1.5
"""Only a longer silence counts as a pause."""

SEGMENTS_ONLY = (
    "Reduced timing precision: only segments have times, so pauses inside a segment are not seen, "
    "and fillers and pace are placed by segment."
)
SOME_WORDS_ONLY = (
    "Reduced timing precision: some words have no time of their own; there the times of their "
    "segments stand in."
)
NO_TIMES = "The transcript has no times: duration, pace and pauses are not measured."


def measure(transcript: Transcript, *, label: str | None = None) -> DeliveryMetrics:
    """Measure a speech, or with `label` what the speaker labelled so says of it.

    Duration runs from the start of the first segment to the end of the last, in seconds; words are
    tokens of `veridical.text.spoken`. A pause is a silence of more than `LONG_PAUSE_SECONDS`
    between two words of one turn, or between two segments where words have no times. Never raises:
    what cannot be measured is 0 or empty, and `notes` says why.
    """
    spoken = turns(transcript, label)
    tokens, ranges = tokens_of_turns(transcript, spoken)
    parts = [part for turn in spoken for part in turn.parts]
    start, end = _bounds(parts)
    words = sum(map(len, ranges))
    precision, notes = _precision(transcript, parts)
    seconds = token_seconds(transcript, spoken, tokens, ranges)
    pauses = {pause for turn in spoken for pause in _pauses(transcript, turn)}
    return DeliveryMetrics(
        start=start,
        end=end,
        words=words,
        words_per_minute=words_per_minute(words, end - start),
        fillers=fillers_of(transcript, tokens, ranges),
        pauses=tuple(sorted(pauses, key=lambda pause: (pause.start, pause.end))),
        pace=pace_windows(list(seconds.values()), start, end),
        precision=precision,
        notes=notes,
    )


def _bounds(parts: Sequence[Part]) -> tuple[float, float]:
    start = min((part.start for part in parts if part.start is not None), default=0.0)
    end = max((part.end for part in parts if part.end is not None), default=start)
    return start, max(start, end)


def _precision(transcript: Transcript, parts: Sequence[Part]) -> tuple[Precision, tuple[str, ...]]:
    """What the times rest on, and what to tell the reader about it."""
    if not parts:
        return Precision.NONE, ()
    timed = untimed = 0
    for part in parts:
        words = transcript.words_in(part.span)
        known = sum(word.start is not None for word in words)
        timed += known
        untimed += len(words) - known + (not words and part.start is not None)
    if timed:
        return Precision.WORD, (SOME_WORDS_ONLY,) if untimed else ()
    if any(part.start is not None for part in parts):
        return Precision.SEGMENT, (SEGMENTS_ONLY,)
    return Precision.NONE, (NO_TIMES,)


def _pauses(transcript: Transcript, turn: Turn) -> Iterator[Pause]:
    """The long silences of a turn."""
    for part in turn.parts:
        for before, after in pairwise(transcript.words_in(part.span)):
            yield from _pause(before.end, after.start)
    for earlier, later in pairwise(turn.parts):
        _, end = _edges(transcript, earlier)
        start, _ = _edges(transcript, later)
        if end is not None and start is not None:
            yield from _pause(end, start)
        else:
            yield from _pause(earlier.end, later.start)


def _pause(start: float | None, end: float | None) -> Iterator[Pause]:
    if start is not None and end is not None and end - start > LONG_PAUSE_SECONDS:
        yield Pause(start, end)


def _edges(transcript: Transcript, part: Part) -> tuple[float | None, float | None]:
    """When the first word of a part starts and the last one ends, None where it is not known."""
    words = transcript.words_in(part.span)
    return (words[0].start, words[-1].end) if words else (None, None)
