"""Delivery metrics: how long, how fast, which fillers, which pauses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from veridical.sources.transcript import Precision, Transcript
from veridical.speech.fillers import fillers_of
from veridical.speech.pace import pace_windows, token_seconds, words_per_minute
from veridical.speech.results import DeliveryMetrics, Pause
from veridical.text.turns import Part, Turn, tokens_of_turns, turns

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
