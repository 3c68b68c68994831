"""Times that cannot be are put right or left out. No word gets a time that was not written."""

from __future__ import annotations

from collections.abc import Iterable

from veridical.sources.transcripts.keys import keys_of
from veridical.sources.transcripts.order import first_out_of_order, out_of_order, start_keys
from veridical.sources.transcripts.raw import RawSegment, RawTranscript, RawWord
from veridical.sources.transcripts.repairs import Repair, Repairs

LEAST_COUNTDOWN_SECONDS = 1.0
"""A clock that begins this far below zero is a countdown; nearer to it, a rounding error."""

LONGEST_ESTIMATE_SECONDS = 10.0
SECONDS_PER_TOKEN = 1.0
"""A missing end is the next start, but no later than the longer of these two allows."""

LEAST_OVERLAP_SECONDS = 0.001


def set_origin(raw: RawTranscript) -> float:
    """Move a clock that begins below zero, as a countdown does, to begin at 0.

    Returns what the clock showed at our second 0. Only where the first starts are below zero and
    run on in order: a single time below zero is an error of its own.
    """
    starts = [segment.start for segment in raw.segments if segment.start is not None]
    starts = starts or [word.start for word in raw.words if word.start is not None]
    below = [start for start in starts if start < 0]
    if len(below) < 2 or starts[: len(below)] != sorted(below):
        return 0.0
    origin = below[0]
    if origin > -LEAST_COUNTDOWN_SECONDS:
        return 0.0
    for segment in raw.segments:
        _shift(segment, -origin)
        for word in segment.words:
            _shift(word, -origin)
    for word in raw.words:
        _shift(word, -origin)
    raw.repairs.shift(-origin)
    raw.repairs.remark(
        f"The clock of the file begins at {origin:.10g} seconds: this is second 0 here."
    )
    return origin


def _shift(item: RawSegment | RawWord, seconds: float) -> None:
    item.start = None if item.start is None else round(item.start + seconds, 6)
    item.end = None if item.end is None else round(item.end + seconds, 6)


def settle_words(words: list[RawWord], repairs: Repairs) -> None:
    """Both times of each word, from 0 up and in their order, or none."""
    for word in words:
        if word.start is not None and word.start < 0:
            _settle_start(word, repairs)
        if word.start is None:
            word.end = None
        elif word.end is None:
            repairs.count(Repair.WORD_WITHOUT_END, word.start)
            word.end = word.start
        elif word.end < word.start:
            repairs.count(Repair.REVERSED_TIME, word.start)
            word.end = word.start


def settle_segments(segments: list[RawSegment], repairs: Repairs) -> None:
    """Starts from 0 up, ends after them; what is missing is taken from their words."""
    for segment in segments:
        if segment.start is not None and segment.start < 0:
            _settle_start(segment, repairs)
        if segment.start is None:
            segment.start = min(_known(word.start for word in segment.words), default=None)
        if segment.start is None:
            segment.end = None
            continue
        if segment.end is not None and segment.end < segment.start:
            repairs.count(Repair.REVERSED_TIME, segment.start)
            segment.end = None
        if segment.end is None and segment.words:
            last = max(_known(word.end for word in segment.words), default=None)
            segment.end = None if last is None else max(segment.start, last)


def _known(times: Iterable[float | None]) -> list[float]:
    return [time for time in times if time is not None]


def _settle_start(item: RawSegment | RawWord, repairs: Repairs) -> None:
    repairs.count(Repair.NEGATIVE_TIME, 0.0)
    item.start = 0.0 if item.end is not None and item.end > 0 else None


def sort_segments(segments: list[RawSegment], repairs: Repairs) -> None:
    """In order of their starts, those of one second as they are in the file."""
    keys = start_keys(segments)
    first = first_out_of_order(keys)
    if first is not None:
        repairs.count(Repair.UNSORTED_SEGMENTS, keys[first], len(out_of_order(keys)))
        order = sorted(range(len(segments)), key=keys.__getitem__)
        segments[:] = [segments[index] for index in order]


def drop_backward_times(words: list[RawWord], repairs: Repairs) -> None:
    """Take the time from the fewest words after which the starts of the others never go back."""
    timed = [word for word in words if word.start is not None]
    keys = [word.start for word in timed if word.start is not None]
    if first_out_of_order(keys) is None:
        return
    for index in out_of_order(keys):
        repairs.count(Repair.BACKWARD_WORDS, timed[index].start)
        timed[index].start = timed[index].end = None


def trim_overlaps(segments: list[RawSegment], repairs: Repairs) -> None:
    """No segment runs into the next of the same speaker; different speakers may talk at once."""
    last: dict[str | None, RawSegment] = {}
    for segment in segments:
        if segment.start is None:
            continue
        before = last.get(segment.speaker)
        if before is not None and before.end is not None and before.end > segment.start:
            if before.end - segment.start > LEAST_OVERLAP_SECONDS:
                repairs.count(Repair.OVERLAPS, before.start)
            before.end = segment.start
        last[segment.speaker] = segment


def estimate_ends(segments: list[RawSegment], repairs: Repairs) -> None:
    """Give every segment that starts an end."""
    for segment, following in zip(segments, _next_starts(segments), strict=True):
        if segment.start is not None and segment.end is None:
            tokens = len(keys_of(segment.text).keys)
            most = max(LONGEST_ESTIMATE_SECONDS, tokens * SECONDS_PER_TOKEN)
            segment.end = min(following, segment.start + most)
            repairs.count(Repair.ESTIMATED_ENDS, segment.start)


def _next_starts(segments: list[RawSegment]) -> list[float]:
    following = float("inf")
    starts: list[float] = []
    for segment in reversed(segments):
        starts.append(following)
        following = following if segment.start is None else segment.start
    return starts[::-1]
