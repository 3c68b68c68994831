"""Times that cannot be are put right or left out, and what was said is put in their order.

No word gets a time that was not written.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TypeVar

from veridical.sources.transcripts.align import keys_of
from veridical.sources.transcripts.raw import (
    RawSegment,
    RawTranscript,
    RawWord,
    Repair,
    Repairs,
    Timed,
)

MAX_PLACES = 3
MAX_STEP_BACK_SECONDS = 60.0
"""What is so many places or seconds from where it belongs is not sorted: its time may be wrong."""

Item = TypeVar("Item", bound=Timed)


def in_order(items: list[Item], repairs: Repairs, kind: Repair) -> list[Item]:
    """The items in order of their starts, those of one second as they are in the file.

    Only what is a few places off is moved, and counted as `kind`. What is far off keeps its place
    without its time; so does all that follows a point where the clock starts again.
    """
    if first_out_of_order(start_keys(items)) is None:
        return items
    timed = [(index, item.start) for index, item in enumerate(items) if item.start is not None]
    keys = [start for _, start in timed]
    odd = out_of_order(keys)
    restart = _restart(keys, odd)
    if restart is not None:
        repairs.count(Repair.RESTARTED_CLOCK, keys[restart], len(keys) - restart)
        at: int = timed[restart][0]
        for index, _ in timed[restart:]:
            items[index].drop_times()
        before: list[Item] = in_order(items[:at], repairs, kind)
        return before + items[at:]
    far = _far(keys, odd)
    for place in far:
        repairs.count(Repair.FAR_OUT_OF_ORDER, keys[place])
        items[timed[place][0]].drop_times()
    if len(far) < len(odd):
        first = next(b for a, b in pairwise(keys) if b < a)
        repairs.count(kind, first, len(odd) - len(far))
    return by_start(items)


def by_start(items: list[Item]) -> list[Item]:
    """The items sorted by their starts; one without a time stays behind the item before it."""
    keys = start_keys(items)
    return [items[index] for index in sorted(range(len(items)), key=keys.__getitem__)]


def _restart(keys: list[float], odd: list[int]) -> int | None:
    """The first place after which a whole run of starts lies back: another tape, or a cut."""
    has_run = bool(_runs(keys, odd))
    highest = keys[0]
    run_start: int | None = None
    for place, key in enumerate((*keys[1:], float("inf")), start=1):
        if key < highest and run_start is None:
            run_start = place
        elif key > highest:
            if run_start is not None and place - run_start > 1:
                again = run_start > 1 and keys[run_start] <= keys[0]
                back = highest - keys[run_start] > MAX_STEP_BACK_SECONDS
                if again or (has_run and back):
                    return run_start
            run_start, highest = None, key
    return None


def _runs(keys: list[float], odd: list[int]) -> set[int]:
    """The `odd` places that go on in order side by side: moved as a block, not swapped."""
    pairs = [(a, b) for a, b in pairwise(odd) if b == a + 1 and keys[a] <= keys[b]]
    return {place for pair in pairs for place in pair}


def _far(keys: list[float], odd: list[int]) -> list[int]:
    """Which of the `odd` places are no swap of neighbours."""
    place_of = [0] * len(keys)
    for place, index in enumerate(sorted(range(len(keys)), key=keys.__getitem__)):
        place_of[index] = place
    in_run = _runs(keys, odd)
    return [place for place in odd if place in in_run or not _is_near(keys, place_of, place)]


def _is_near(keys: list[float], place_of: list[int], place: int) -> bool:
    before = keys[place - 1] if place else keys[place]
    after = keys[place + 1] if place + 1 < len(keys) else keys[place]
    step = max(before - keys[place], keys[place] - after)
    if place > 1 and keys[place] <= keys[0]:
        return False  # a start at 0 where none is known
    return abs(place_of[place] - place) <= MAX_PLACES and step <= MAX_STEP_BACK_SECONDS


def start_keys(items: Sequence[Timed]) -> list[float]:
    """The start of each item; one without a time goes with the item before it."""
    keys: list[float] = []
    last = float("-inf")
    for item in items:
        last = last if item.start is None else item.start
        keys.append(last)
    return keys


def first_out_of_order(keys: list[float]) -> int | None:
    """The first index whose key is less than the one before; None where all are in order."""
    return next((i for i in range(1, len(keys)) if keys[i] < keys[i - 1]), None)


def out_of_order(keys: list[float]) -> list[int]:
    """The fewest indices without which the keys never go down.

    What stays is a longest non-decreasing subsequence (Fredman, Discrete Math. 11, 1975).
    """
    tails: list[float] = []
    tail_at: list[int] = []
    before: list[int] = []
    for index, key in enumerate(keys):
        place = bisect_right(tails, key)
        before.append(tail_at[place - 1] if place else -1)
        if place == len(tails):
            tails.append(key)
            tail_at.append(index)
        else:
            tails[place], tail_at[place] = key, index
    kept: set[int] = set()
    at = tail_at[-1] if tail_at else -1
    while at >= 0:
        kept.add(at)
        at = before[at]
    return [index for index in range(len(keys)) if index not in kept]


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
    for item in raw.items():
        item.change_times(lambda seconds: seconds - origin)
    raw.repairs.change_times(lambda seconds: seconds - origin)
    raw.repairs.remark(
        f"The clock of the file begins at {origin:.10g} seconds: this is second 0 here."
    )
    return origin


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


def _settle_start(item: Timed, repairs: Repairs) -> None:
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
    following = float("inf")
    for segment in reversed(segments):
        if segment.start is not None and segment.end is None:
            tokens = len(keys_of(segment.text).keys)
            most = max(LONGEST_ESTIMATE_SECONDS, tokens * SECONDS_PER_TOKEN)
            segment.end = min(following, segment.start + most)
            repairs.count(Repair.ESTIMATED_ENDS, segment.start)
        following = following if segment.start is None else segment.start
