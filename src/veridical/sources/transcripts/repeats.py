"""What a recogniser makes up in silence: the same words over and over."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from operator import eq

from veridical.sources.transcripts.keys import keys_of
from veridical.sources.transcripts.place import Placement
from veridical.sources.transcripts.raw import RawSegment
from veridical.sources.transcripts.repairs import Repair, Repairs

MIN_REPEATS = 3
MIN_REPEATED_TOKENS = 3
"""So many segments in a row, of so many tokens at least, are no longer speech."""

MAX_GAP_SECONDS = 2.0
MAX_STEP_SECONDS = 3.0
"""A person who calls again waits for an answer: repeats that are further apart are left alone.

The gap is from end to start, the step from start to start where no end is written.
"""

MAX_PHRASE_TOKENS = 12
MIN_LOOPED_TOKENS = 20
MIN_LOOPS = 6
"""A phrase of up to so many tokens, said so often that it makes up so many tokens, is a loop."""


@dataclass(slots=True)
class Kept:
    """A segment with its words in place."""

    segment: RawSegment
    placement: Placement


def drop_repeated_segments(kept: Sequence[Kept], repairs: Repairs) -> list[Kept]:
    """Of each row of segments that say the same, the first."""
    result: list[Kept] = []
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
        result.append(kept[start])
        is_speech = end - start < MIN_REPEATS or (
            len(keys_of(texts[start]).keys) < MIN_REPEATED_TOKENS
        )
        if is_speech:
            result += kept[start + 1 : end]
        else:
            second = kept[start + 1].segment.start
            repairs.count(Repair.REPEATED_SEGMENTS, second, end - start - 1)
        start = end
    return result


def _plain(text: str) -> str:
    return text.casefold().rstrip(" .,!?\u2026\u3002")


def _follows(before: RawSegment, after: RawSegment) -> bool:
    if before.speaker != after.speaker or before.start is None or after.start is None:
        return False
    if before.end is None:
        return after.start - before.start <= MAX_STEP_SECONDS
    return after.start - before.end <= MAX_GAP_SECONDS


def cut_loops(item: Kept, repairs: Repairs) -> None:
    """Keep the first round of a phrase that goes round and round inside a segment."""
    text = item.placement.text
    keys = keys_of(text)
    cuts = _loops(keys.keys)
    if not cuts:
        return
    parts: list[str] = []
    at = length = 0
    words = []
    remaining = iter(item.placement.words)
    word = next(remaining, None)
    for first, last in (*cuts, (len(keys.keys), len(keys.keys))):
        start = keys.starts[first] if first < len(keys.keys) else len(text)
        end = keys.starts[last] if last < len(keys.keys) else len(text)
        while word is not None and word.end <= start:
            word.start, word.end = word.start - at + length, word.end - at + length
            words.append(word)
            word = next(remaining, None)
        parts.append(text[at:start])
        length += start - at
        while word is not None and word.start < end:
            word = next(remaining, None)
        at = end
        if last > first:
            repairs.count(Repair.LOOPED_WORDS, item.segment.start, last - first)
    item.placement.text = "".join(parts).rstrip()
    item.placement.words = words


def _loops(keys: list[str]) -> list[tuple[int, int]]:
    """Which tokens to leave out, as ranges in order that do not overlap."""
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
