"""Times that cannot be are put right or left out. No word gets a time that was not written."""

from __future__ import annotations

from collections.abc import Iterable

from veridical.sources.transcripts.keys import keys_of
from veridical.sources.transcripts.order import first_out_of_order, out_of_order
from veridical.sources.transcripts.raw import RawSegment, RawTranscript, RawWord
from veridical.sources.transcripts.repairs import Repair, Repairs

LEAST_COUNTDOWN_SECONDS = 1.0
"""A clock that begins this far below zero is a countdown; nearer to it, a rounding error."""

LONGEST_ESTIMATE_SECONDS = 10.0
SECONDS_PER_TOKEN = 1.0
"""A missing end is the next start, but no later than the longer of these two allows."""

LEAST_OVERLAP_SECONDS = 0.001
MOST_TRIMMED_SECONDS = 2.0
"""An overlap between these two is a recogniser's guess at where a segment ends, and trimmed."""

SLACK_SECONDS = 1.0
"""How far a word may lie outside of its segment: both times are a recogniser's guess."""


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
        elif word.end is None or word.end < word.start:
            repairs.count(Repair.WORD_WITHOUT_END, word.start)
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


def drop_stray_times(segment: RawSegment, repairs: Repairs) -> None:
    """Take the time from words that lie outside of their segment: one of the two is wrong."""
    if segment.start is None:
        return
    earliest = segment.start - SLACK_SECONDS
    latest = float("inf") if segment.end is None else segment.end + SLACK_SECONDS
    for word in segment.words:
        if word.start is not None and not earliest <= word.start <= latest:
            repairs.count(Repair.STRAY_WORDS, segment.start)
            word.drop_times()
        elif word.end is not None and word.end > latest:
            repairs.count(Repair.WORD_WITHOUT_END, word.start)
            word.end = word.start


def drop_backward_times(words: list[RawWord], repairs: Repairs) -> None:
    """Take the time from the fewest words after which the starts of the others never go back."""
    timed = [word for word in words if word.start is not None]
    keys = [word.start for word in timed if word.start is not None]
    if first_out_of_order(keys) is None:
        return
    for index in out_of_order(keys):
        repairs.count(Repair.BACKWARD_WORDS, timed[index].start)
        timed[index].drop_times()


def by_speaker(segments: Iterable[RawSegment]) -> list[list[RawWord]]:
    """The words of each speaker, in the order of the text.

    Segments that lie inside an earlier one of the same speaker are somebody else's, so left out.
    """
    words: dict[str | None, list[RawWord]] = {}
    reach: dict[str | None, float] = {}
    for segment in segments:
        end = segment.end if segment.end is not None else segment.start
        if end is None or end > reach.get(segment.speaker, -1.0):
            words.setdefault(segment.speaker, []).extend(segment.words)
            reach[segment.speaker] = max(end or 0.0, reach.get(segment.speaker, -1.0))
    return list(words.values())


def trim_overlaps(segments: list[RawSegment], repairs: Repairs) -> None:
    """A segment that runs a little into the next of the same speaker ends where that begins.

    A longer overlap stays, as does a segment inside another: that is two people talking at once,
    and to cut the longer one short would give what is said late in it a wrong second.
    """
    last: dict[str | None, RawSegment] = {}
    for segment in segments:
        if segment.start is None:
            continue
        before = last.get(segment.speaker)
        if before is not None and before.end is not None and before.end > segment.start:
            if segment.end is not None and segment.end <= before.end:
                repairs.count(Repair.LONG_OVERLAPS, segment.start)
                continue
            if before.end - segment.start >= MOST_TRIMMED_SECONDS:
                repairs.count(Repair.LONG_OVERLAPS, segment.start)
            else:
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
