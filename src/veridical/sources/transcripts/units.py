"""Whether the times of a file are in the unit that its form says: nobody speaks that fast."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from veridical.sources.transcript import TimeUnit
from veridical.sources.transcripts.raw import RawSegment, RawTranscript, RawWord

MOST_WORDS_PER_SECOND = 12.0
LEAST_WORDS_PER_SECOND = 1 / 60
"""Outside of these no speech is, over a whole recording."""

LEAST_USUAL_WORDS_PER_SECOND = 0.2
"""So slow at least is what is read in another unit than the file says: sparse logs stay."""

LETTERS_PER_WORD = 5
"""For scripts without spaces, and words of any length: 60 letters a second are too many too."""

LEAST_JUDGED_WORDS = 20
"""Fewer words may well be close together; only a unit can be told from them."""

MILLISECONDS = 1000.0


@dataclass(frozen=True, slots=True)
class _Said:
    start: float
    end: float | None
    words: float


@dataclass(frozen=True, slots=True)
class _Pace:
    """`while_spoken` counts the usual time of an item, `overall` the time from first to last."""

    words: float
    while_spoken: float
    overall: float


def settle_unit(raw: RawTranscript) -> None:
    """Read times that cannot be in the file's unit in the other one, or leave them all out."""
    pace = _pace(raw.segments) or _pace(raw.all_words())
    if pace is None:
        return
    if raw.unit is TimeUnit.MILLISECONDS and _is_speech(pace.while_spoken / MILLISECONDS):
        _read_as(raw, TimeUnit.SECONDS, MILLISECONDS)
    elif (
        raw.unit is TimeUnit.SECONDS
        and pace.while_spoken < LEAST_WORDS_PER_SECOND
        and _is_speech(pace.while_spoken * MILLISECONDS)
    ):
        _read_as(raw, TimeUnit.MILLISECONDS, 1 / MILLISECONDS)
    elif pace.overall > MOST_WORDS_PER_SECOND and pace.words >= LEAST_JUDGED_WORDS:
        for segment in raw.segments:
            segment.drop_times()
        for word in raw.words:
            word.drop_times()
        raw.repairs.remark(
            "The times make the speech impossibly fast, in seconds and in milliseconds: all times "
            "are left out."
        )


def _is_speech(words_per_second: float) -> bool:
    return LEAST_USUAL_WORDS_PER_SECOND <= words_per_second <= MOST_WORDS_PER_SECOND


def _pace(items: Sequence[RawSegment] | Sequence[RawWord]) -> _Pace | None:
    """None where the times say nothing of the pace."""
    timed = [
        _Said(item.start, item.end, words)
        for item in items
        if item.start is not None and (words := _words_in(item))
    ]
    if not timed:
        return None
    starts = [item.start for item in timed]
    closed = [item for item in timed if item.end is not None]
    ends = [item.end for item in closed if item.end is not None]
    extent = max([*starts, *ends]) - min(starts)
    if not closed:
        # How long the last one lasts is not known, so its words do not count.
        words = sum(item.words for item in timed[:-1])
        steps = [abs(after - before) for before, after in pairwise(starts)]
        return _Pace(words, _usual(words, steps), _rate(words, extent)) if words else None
    words = sum(item.words for item in timed)
    overall = _rate(words, extent)
    lasting = [end - item.start for item, end in zip(closed, ends, strict=True)]
    spoken = _usual(sum(item.words for item in closed), lasting)
    return _Pace(words, overall if spoken == math.inf else spoken, overall)


def _usual(words: float, durations: list[float]) -> float:
    """The pace where all last as long as the middle one: a single wrong time does not count."""
    return _rate(words, median(durations) * len(durations))


def _rate(words: float, seconds: float) -> float:
    return words / seconds if seconds > 0 else math.inf


def _words_in(item: RawSegment | RawWord) -> float:
    texts = [item.text]
    if isinstance(item, RawSegment) and not item.text:
        texts = [word.text for word in item.words]
    words = sum(len(text.split()) for text in texts)
    letters = sum(sum(map(str.isalnum, text)) for text in texts)
    return max(words, letters / LETTERS_PER_WORD) if letters else 0.0


def _read_as(raw: RawTranscript, unit: TimeUnit, factor: float) -> None:
    for segment in raw.segments:
        _scale(segment, factor)
    for word in raw.all_words():
        _scale(word, factor)
    raw.repairs.scale(factor)
    raw.repairs.remark(
        f"The times are impossible in {raw.unit} and are read as {unit}: check one of them."
    )
    raw.unit = unit


def _scale(item: RawSegment | RawWord, factor: float) -> None:
    item.start = None if item.start is None else round(item.start * factor, 6)
    item.end = None if item.end is None else round(item.end * factor, 6)
