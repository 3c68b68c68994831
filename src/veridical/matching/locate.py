"""Where do these words stand? The search for many quotes in one document."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import Levenshtein

from veridical.matching.align import Hit, Needle, align
from veridical.matching.pieces import PieceSearch
from veridical.matching.policy import (
    DEFAULT_POLICY,
    FULL_SCAN_WORK,
    SHORT_SCAN_CHARS,
    SearchPolicy,
)
from veridical.matching.seeds import SeedSearch, gram_length
from veridical.sources.span import Span
from veridical.text.folded import FoldedChunk, FoldedText

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
