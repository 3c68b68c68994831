"""Exact and near matches of many needles in one pass over a text.

A needle that stands in the text with at most k edits has at least one of its k + 1 pieces there
unchanged (the pigeonhole principle). One Aho-Corasick automaton finds every piece of every needle;
each place so pointed at is then compared exactly. With k = 0 the one piece is the needle itself.

Source: Navarro, A Guided Tour to Approximate String Matching, ACM Comput. Surv. 33(1), 2001.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np
from ahocorasick_rs import BytesAhoCorasick, MatchKind
from numpy.typing import NDArray

from veridical.matching.align import Hit, Needle, Wanted, align, occurrences
from veridical.text.arrays import sorted_unique
from veridical.text.folded import FoldedChunk

_MAX_PIECE = 16
"""Longer pieces are cut: hardly more places in prose, far fewer hits on periodic text, and half the
time to build the automaton."""

_SLICE = 16 * 1024
"""Characters searched at a time: bounds the list of hits on repetitive text."""

_WINDOW_COST = 1_000
"""Starting one alignment costs about as much as aligning this many characters."""

_PLACE_COST = 50
"""Noting one place costs about as much as aligning this many characters."""

_MANY_HITS = 8 * _SLICE
"""Hits of pieces in a slice of repetitive text. Prose has a hundredth of it."""


class PieceSearch:
    """Finds needles that stand in one text exactly or within their edit budget."""

    def __init__(self, needles: Sequence[Needle], budgets: Sequence[int]) -> None:
        self._needles = needles
        self._budgets = np.array(budgets, np.int64)
        targets: dict[bytes, list[tuple[int, int]]] = {}
        for index, (needle, budget) in enumerate(zip(needles, budgets, strict=True)):
            for offset, piece in _pieces(needle.codes, budget + 1):
                targets.setdefault(piece, []).append((index, offset))
        self._exact: set[int] = set()
        self._wanted = Wanted(budgets)
        self._rest: tuple[list[int], PieceSearch] | None = None
        self._longest = max(map(len, targets), default=1)
        self._reach = max((needle.length for needle in needles), default=0)
        self._automaton = BytesAhoCorasick(list(targets), matchkind=MatchKind.Standard)
        self._counts = np.array([len(target) for target in targets.values()], np.int64)
        self._firsts = np.cumsum(self._counts) - self._counts
        flat = np.array(list(chain.from_iterable(targets.values())), np.int64).reshape(-1, 2)
        self._target_needles, self._target_offsets = flat[:, 0], flat[:, 1]

    def search(self, chunk: FoldedChunk, most: int) -> Iterator[tuple[int, Hit]]:
        """Index of a needle and a place of it in the chunk, in no particular order.

        Exact occurrences; and as long as a needle has shown none, the nearest place at each point
        that its pieces point at.
        """
        for index, windows in self._windows(chunk):
            needle = self._needles[index]
            hits: list[Hit] = []
            for first, last in windows:
                end = last + needle.length
                hits += occurrences(needle, chunk, max(0, first), end, most - len(hits))
            if hits:
                self._exact.add(index)
            elif index not in self._exact:
                for first, last in windows:
                    budget = self._wanted.budget(index)
                    if budget > 0:
                        start, end = max(0, first - budget), last + needle.length + budget
                        near = align(needle, chunk, start, end, budget, most)
                        self._wanted.note(index, chunk, near)
                        hits += near
            for hit in hits:
                yield index, hit

    def _windows(self, chunk: FoldedChunk) -> Iterator[tuple[int, list[tuple[int, int]]]]:
        """For each needle where it may start in the chunk: from `first` to `last`, in order."""
        keys: list[NDArray[np.int64]] = []
        for at in range(0, len(chunk), _SLICE):
            text = chunk.codes[at : at + _SLICE + self._longest - 1]
            places, hits = self._places(text, at, len(chunk))
            keys.append(places)
            if hits > _MANY_HITS and (crowded := self._crowded(places, len(text), len(chunk))):
                for index in crowded:
                    yield index, [(0, max(0, len(chunk) - self._needles[index].length))]
                yield from self._rest_windows(crowded, chunk)
                return
        if keys:
            yield from self._grouped(sorted_unique(np.concatenate(keys)), chunk)

    def _crowded(self, places: NDArray[np.int64], length: int, chunk_length: int) -> list[int]:
        """Needles with so many places in a stretch of text that aligning all of it is cheaper."""
        counts = np.bincount(places // self._span(chunk_length), minlength=len(self._needles))
        words = np.array([needle.words for needle in self._needles])
        crowded: list[int] = np.flatnonzero(counts * _PLACE_COST > length * words).tolist()
        return crowded

    def _rest_windows(
        self, crowded: Sequence[int], chunk: FoldedChunk
    ) -> Iterator[tuple[int, list[tuple[int, int]]]]:
        """The windows of all other needles, searched for on their own."""
        others = sorted(set(range(len(self._needles))).difference(crowded))
        if self._rest is None or self._rest[0] != others:
            needles = [self._needles[index] for index in others]
            budgets = [int(self._budgets[index]) for index in others]
            self._rest = others, PieceSearch(needles, budgets)
        for index, windows in self._rest[1]._windows(chunk) if others else ():
            yield others[index], windows

    def _grouped(
        self, places: NDArray[np.int64], chunk: FoldedChunk
    ) -> Iterator[tuple[int, list[tuple[int, int]]]]:
        """The places of each needle as windows; near ones share a window."""
        if not len(places):
            return
        span = self._span(len(chunk))
        needles, starts = places // span, places % span - self._reach
        apart = np.ones(len(places), np.bool_)
        apart[1:] = (needles[1:] != needles[:-1]) | (
            starts[1:] - starts[:-1] > 2 * self._budgets[needles[1:]]
        )
        opens = np.flatnonzero(apart)
        firsts = starts[opens].tolist()
        lasts = starts[np.append(opens[1:], len(places)) - 1].tolist()
        owners, begins = np.unique(needles[opens], return_index=True)
        ends = [*begins[1:].tolist(), len(opens)]
        for owner, begin, end in zip(owners.tolist(), begins.tolist(), ends, strict=True):
            needle = self._needles[owner]
            characters = needle.length + 2 * int(self._budgets[owner])
            cost = (end - begin) * (_WINDOW_COST + characters * needle.words)
            if cost > len(chunk) * needle.words:
                yield owner, [(0, max(0, len(chunk) - needle.length))]
            else:
                yield owner, list(zip(firsts[begin:end], lasts[begin:end], strict=True))

    def _places(self, text: bytes, at: int, length: int) -> tuple[NDArray[np.int64], int]:
        """Where needles may start, by what stands in a slice of the chunk; and the hits in it."""
        found = self._automaton.find_matches_as_indexes(text, overlapping=True)
        if not found:
            return np.empty(0, np.int64), 0
        flat = np.fromiter(chain.from_iterable(found), np.int64, 3 * len(found)).reshape(-1, 3)
        patterns, starts = flat[:, 0], flat[:, 1] + at
        counts = self._counts[patterns]
        within = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
        targets = np.repeat(self._firsts[patterns], counts) + within
        begins = np.repeat(starts, counts) - self._target_offsets[targets]
        keys = self._target_needles[targets] * self._span(length) + begins + self._reach
        return sorted_unique(keys), len(keys)

    def _span(self, length: int) -> int:
        """A place is `needle * span + start + reach`; a start may be negative by a needle."""
        return length + self._reach + 1


def _pieces(codes: bytes, count: int) -> Iterator[tuple[int, bytes]]:
    """Offset and bytes of `count` pieces of nearly equal length that do not overlap."""
    for index in range(count):
        start, end = len(codes) * index // count, len(codes) * (index + 1) // count
        yield start, codes[start : min(end, start + _MAX_PIECE)]
