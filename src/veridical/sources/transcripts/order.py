"""Putting what was said in the order of time."""

from __future__ import annotations

from bisect import bisect_right

from veridical.sources.transcripts.raw import RawSegment, RawWord


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
