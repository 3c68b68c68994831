"""What a recogniser makes up in silence: the same words over and over, faster than can be said.

The words stay; what cannot have been said when the file says is left without a time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import eq

from veridical.sources.transcripts.keys import keys_of
from veridical.sources.transcripts.place import Placement
from veridical.sources.transcripts.raw import RawSegment
from veridical.sources.transcripts.repairs import Repair, Repairs

MIN_REPEATS = 3
MIN_REPEATED_TOKENS = 3
"""So many segments in a row, of so many tokens at least, are looked at."""

MAX_GAP_SECONDS = 2.0
MAX_STEP_SECONDS = 3.0
"""A person who calls again waits for an answer: repeats that are further apart are speech.

The gap is from end to start, the step from start to start where no end is written.
"""

MAX_TOKENS_PER_SECOND = 8.0
"""Nobody says the same words again any faster."""

MAX_PHRASE_TOKENS = 12
MIN_LOOPED_TOKENS = 20
MIN_LOOPS = 6
"""A phrase of up to so many tokens, said so often that it makes up so many tokens, is a loop."""


@dataclass(slots=True)
class Kept:
    """A segment with its words in place."""

    segment: RawSegment
    placement: Placement


def doubt_repeated_segments(kept: Sequence[Kept], repairs: Repairs) -> None:
    """Of each row of segments that say the same, those that cannot be speech lose their times."""
    texts = [_plain(item.placement.text) for item in kept]
    start = 0
    while start < len(kept):
        end = start + 1
        while (
            end < len(kept)
            and texts[end] == texts[start]
            and _follows(kept[end - 1].segment, kept[end].segment)
        ):
            end += 1
        tokens = len(keys_of(texts[start]).keys) if end - start >= MIN_REPEATS else 0
        if tokens >= MIN_REPEATED_TOKENS:
            _judge([item.segment for item in kept[start:end]], tokens, repairs)
        start = end


def _judge(row: list[RawSegment], tokens: int, repairs: Repairs) -> None:
    seconds = [segment.start for segment in row]
    impossible = [
        segment.is_doubtful or _is_too_fast(tokens, _lasting(segment, before, following))
        for before, segment, following in zip(row, row[1:], [*row[2:], None], strict=False)
    ]
    for segment, second, is_impossible in zip(row[1:], seconds[1:], impossible, strict=True):
        if is_impossible:
            repairs.count(Repair.REPEATED_SEGMENTS, second)
            segment.drop_times()
        else:
            repairs.count(Repair.LIKELY_REPEATED_SEGMENTS, second)


def _lasting(segment: RawSegment, before: RawSegment, following: RawSegment | None) -> float | None:
    """The seconds that a repeat takes; 0 where it has those of the one before it."""
    if segment.start is None or (segment.start, segment.end) == (before.start, before.end):
        return 0.0
    if segment.end is not None:
        return segment.end - segment.start
    if following is None or following.start is None:
        return None
    return following.start - segment.start


def _is_too_fast(tokens: int, seconds: float | None) -> bool:
    return seconds is not None and tokens > MAX_TOKENS_PER_SECOND * seconds


def _plain(text: str) -> str:
    return text.casefold().rstrip(" .,!?\u2026\u3002")


def _follows(before: RawSegment, after: RawSegment) -> bool:
    if before.speaker != after.speaker or before.start is None or after.start is None:
        return False
    if before.end is None:
        return after.start - before.start <= MAX_STEP_SECONDS
    return after.start - before.end <= MAX_GAP_SECONDS


def doubt_loops(item: Kept, repairs: Repairs) -> list[Kept]:
    """The segment, cut where a phrase goes round and round: a loop that cannot be is untimed."""
    if item.segment.start is None:
        return [item]
    text = item.placement.text
    keys = keys_of(text)
    cuts: list[tuple[int, int]] = []
    for first, last in _loops(keys.keys):
        if not _is_impossible(item, len(keys.keys), keys.starts[first], keys.ends[last - 1]):
            repairs.count(Repair.LIKELY_LOOPED_WORDS, item.segment.start, last - first)
            continue
        repairs.count(Repair.LOOPED_WORDS, item.segment.start, last - first)
        cuts.append(_between_spaces(text, keys.starts[first], keys.ends[last - 1]))
    parts: list[Kept] = []
    at = 0
    for start, end in cuts:
        parts += _part(item, at, start, is_timed=True)
        parts += _part(item, max(at, start), end, is_timed=False)
        at = end
    return [*parts, *_part(item, at, len(text), is_timed=True)] if cuts else [item]


def _is_impossible(item: Kept, tokens: int, start: int, end: int) -> bool:
    """Whether a loop cannot be speech: by the times of its words, else of its whole segment."""
    segment = item.segment
    inside = [placed.word for placed in item.placement.words if start <= placed.start < end]
    starts = [word.start for word in inside if word.start is not None]
    if segment.is_doubtful:
        return True
    if len(starts) >= MIN_LOOPED_TOKENS // 2:
        return len(starts) > 1 and _is_too_fast(len(starts) - 1, starts[-1] - starts[0])
    lasting = None if segment.end is None or segment.start is None else segment.end - segment.start
    return _is_too_fast(tokens, lasting)


def _between_spaces(text: str, start: int, end: int) -> tuple[int, int]:
    """The stretch with all the letters and signs that no space parts from it."""
    before, after = text.rfind(" ", 0, start + 1), text.find(" ", end)
    return before + 1, len(text) if after < 0 else after


def _part(item: Kept, start: int, end: int, *, is_timed: bool) -> Iterator[Kept]:
    """`text[start:end]` as a segment of its own, unless it is empty."""
    text = item.placement.text
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    if start >= end:
        return
    whole = item.segment
    placement = Placement(text[start:end])
    for placed in item.placement.words:
        if start <= placed.start and placed.end <= end:
            placed.start, placed.end = placed.start - start, placed.end - start
            placement.words.append(placed)
    words = [placed.word for placed in placement.words]
    segment = RawSegment(placement.text, whole.start, whole.end, whole.speaker, words)
    if not is_timed:
        segment.drop_times()
    yield Kept(segment, placement)


def _loops(keys: list[str]) -> list[tuple[int, int]]:
    """Which tokens repeat those before them, as ranges in order that do not overlap."""
    if len(keys) < MIN_LOOPED_TOKENS or len(set(keys)) == len(keys):
        return []
    found: list[tuple[int, int]] = []
    for size in range(1, MAX_PHRASE_TOKENS + 1):
        same = bytes(map(eq, keys, keys[size:]))
        least = max(MIN_LOOPED_TOKENS, MIN_LOOPS * size) - size
        for run in re.finditer(b"\x01{%d,}" % least, same):
            rounds = (run.end() - run.start()) // size
            first = run.start() + size
            found.append((first, first + rounds * size))
    found.sort()
    cuts: list[tuple[int, int]] = []
    for first, last in found:
        if not cuts or first >= cuts[-1][1]:
            cuts.append((first, last))
    return cuts
