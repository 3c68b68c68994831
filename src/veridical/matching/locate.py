"""Where do these words stand? The search for many quotes in one document."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from ahocorasick_rs import BytesAhoCorasick, MatchKind
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from veridical.matching.align import Hit, Needle, Wanted, align, occurrences
from veridical.matching.seeds import (
    DEFAULT_POLICY,
    FULL_SCAN_WORK,
    SHORT_SCAN_CHARS,
    SearchPolicy,
    SeedSearch,
    gram_length,
)
from veridical.sources.document import Span
from veridical.text.folded import FoldedChunk, FoldedText, sorted_unique

# Exact and near matches of many needles in one pass over a text.


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


_MARGIN = 64
_NEIGHBOURS = 5
"""Stretches of about one length that share less than half may overlap a span from the left."""

_SPACE = 32


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A needle stands at `span` of the document's text, `edit_distance` edits of folded text away.

    `similarity` is 1 - edits / length of the longer of the two, in folded characters.
    """

    edit_distance: int
    span: Span
    similarity: float


class _Places:
    """The places of one needle, nearest first, without those that mostly overlap a nearer one."""

    def __init__(self, needle: Needle, most: int) -> None:
        self._needle = needle
        self._most = most
        self._found: dict[Span, Place] = {}

    def add(self, chunk: FoldedChunk, hit: Hit) -> None:
        start, end = self._without_edge_spaces(chunk, hit)
        span = Span(int(chunk.offsets[start]), int(chunk.offsets[end - 1]) + 1)
        known = self._found.get(span)
        if known is None or hit.distance < known.edit_distance:
            similarity = 1 - hit.distance / max(self._needle.length, hit.end - hit.start)
            self._found[span] = Place(hit.distance, span, similarity)

    def _without_edge_spaces(self, chunk: FoldedChunk, hit: Hit) -> tuple[int, int]:
        """The hit without a space at its start or end, unless that space is part of the match."""
        first = hit.start + (chunk.codes[hit.start] == _SPACE)
        last = hit.end - (chunk.codes[hit.end - 1] == _SPACE)
        if last - first in (hit.end - hit.start, 0):
            return hit.start, hit.end
        text = chunk.text(first, last)
        if Levenshtein.distance(self._needle.folded, text) > hit.distance:
            return hit.start, hit.end
        return first, last

    def __len__(self) -> int:
        return len(self._found)

    def result(self) -> list[Place]:
        kept: list[Place] = []
        taken = _Taken()
        for place in sorted(self._found.values()):
            exact_only = bool(kept) and kept[0].edit_distance == 0
            if len(kept) == self._most or (exact_only and place.edit_distance):
                break
            if place.edit_distance == 0 or taken.is_free(place.span):
                kept.append(place)
                taken.add(place.span)
        return kept


class _Taken:
    """Stretches of the text that a nearer place already covers; kept as a sorted list of starts."""

    def __init__(self) -> None:
        self._spans: list[Span] = []

    def is_free(self, span: Span) -> bool:
        """Whether no stretch shares half of the span. Neighbours may share a few characters."""
        at = bisect_left(self._spans, Span(span.end, span.end))
        near = self._spans[max(0, at - _NEIGHBOURS) : at]
        return all(2 * other.overlap(span) < min(len(other), len(span)) for other in near)

    def add(self, span: Span) -> None:
        insort(self._spans, span)


def locate(
    text: FoldedText, needles: Sequence[Needle], *, policy: SearchPolicy = DEFAULT_POLICY
) -> list[list[Place]]:
    """Find where each needle stands in a document: `locate_near`, else `locate_damaged`."""
    places = locate_near(text, needles, policy=policy)
    left = [index for index, found in enumerate(places) if not found]
    damaged = locate_damaged(text, [needles[index] for index in left], policy=policy)
    for index, found in zip(left, damaged, strict=True):
        places[index] = found
    return places


def locate_near(
    text: FoldedText,
    needles: Sequence[Needle],
    *,
    policy: SearchPolicy = DEFAULT_POLICY,
    check: Callable[[], None] = lambda: None,
) -> list[list[Place]]:
    """Exact occurrences of each needle, up to `policy.max_places`, overlaps included; if there is
    none, the places within `policy.near_edits`, nearest first. An empty needle is nowhere.

    `check` is called now and then and may raise to stop the search.
    """
    return _search(text, needles, policy, check, _search_near)


def locate_damaged(
    text: FoldedText,
    needles: Sequence[Needle],
    *,
    policy: SearchPolicy = DEFAULT_POLICY,
    check: Callable[[], None] = lambda: None,
) -> list[list[Place]]:
    """The nearest places of needles that `locate_near` did not find, nearest first.

    Complete down to `policy.min_similarity`, then a best effort down to `policy.floor_similarity`;
    complete altogether where document and needle are small.
    """
    return _search(text, needles, policy, check, _search_damaged)


def _search(
    text: FoldedText,
    needles: Sequence[Needle],
    policy: SearchPolicy,
    check: Callable[[], None],
    stage: Callable[..., None],
) -> list[list[Place]]:
    places = [_Places(needle, policy.max_places) for needle in needles]
    live = [index for index, needle in enumerate(needles) if needle.length]
    if live:
        stage(text, [needles[i] for i in live], [places[i] for i in live], policy, check)
    return [found.result() for found in places]


def _search_near(
    text: FoldedText,
    needles: Sequence[Needle],
    places: Sequence[_Places],
    policy: SearchPolicy,
    check: Callable[[], None],
) -> None:
    budgets = [min(policy.near_edits(needle.length), needle.length // 2) for needle in needles]
    search = PieceSearch(needles, budgets)
    for chunk in text.chunks(_overlap(needles, budgets)):
        check()
        for index, hit in search.search(chunk, policy.max_places):
            places[index].add(chunk, hit)


def _search_damaged(
    text: FoldedText,
    needles: Sequence[Needle],
    places: Sequence[_Places],
    policy: SearchPolicy,
    check: Callable[[], None],
) -> None:
    length = len(text.document.text)
    small = [_is_scanned(needle, length) for needle in needles]
    scanned = [i for i in range(len(needles)) if small[i]]
    seeded: dict[int, list[int]] = {}
    for i, needle in enumerate(needles):
        if not small[i]:
            seeded.setdefault(gram_length(needle.length, length), []).append(i)
    searches = [
        (owners, SeedSearch([needles[i] for i in owners], policy, gram))
        for gram, owners in sorted(seeded.items())
    ]
    budgets = [
        policy.scan_edits(needle.length) if small[i] else policy.floor_edits(needle.length)
        for i, needle in enumerate(needles)
    ]
    for chunk in text.chunks(_overlap(needles, budgets)):
        check()
        for owners, search in searches:
            for index, hit in search.search(chunk, policy.max_places):
                places[owners[index]].add(chunk, hit)
        for index in scanned:
            for hit in align(
                needles[index], chunk, 0, len(chunk), budgets[index], policy.max_places
            ):
                places[index].add(chunk, hit)


def _is_scanned(needle: Needle, length: int) -> bool:
    """Whether the needle is aligned with the whole of a text of so many characters."""
    if needle.words == 1:
        return length <= SHORT_SCAN_CHARS
    return needle.words * length <= FULL_SCAN_WORK


def _overlap(needles: Sequence[Needle], budgets: Sequence[int]) -> int:
    """Characters that one chunk must repeat of the one before, so that no place is cut in two."""
    return max(needle.length for needle in needles) + max(budgets) + _MARGIN
