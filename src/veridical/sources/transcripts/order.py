"""Putting what was said in the order of time."""

from __future__ import annotations

from bisect import bisect_right
from itertools import pairwise
from typing import TypeVar

from veridical.sources.transcripts.raw import RawSegment, RawWord
from veridical.sources.transcripts.repairs import Repair, Repairs

MAX_PLACES = 3
MAX_STEP_BACK_SECONDS = 60.0
"""What is so many places or seconds from where it belongs is not sorted: its time may be wrong."""

Item = TypeVar("Item", RawWord, RawSegment)


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


def start_keys(items: list[RawWord] | list[RawSegment]) -> list[float]:
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
