"""Exact alignment of a needle with a stretch of folded text, by edlib.

edlib is given bytes over the needle's own alphabet: on `str` it is fifteen times slower as soon as
one character is not ASCII.

Source: Sosic and Sikic, Edlib, Bioinformatics 33(9), 2017; Myers, J. ACM 46(3), 1999.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import edlib
from rapidfuzz.distance import Levenshtein

from veridical.text.folded import FoldedChunk
from veridical.text.normalize import encode

_MAX_SYMBOLS = 254
_WORD_BITS = 64


@dataclass(frozen=True, slots=True)
class Hit:
    """A needle found at `[start, end)` of a chunk's folded text, `distance` edits away."""

    start: int
    end: int
    distance: int


class Needle:
    """A folded quote, ready to be looked for.

    `codes` is comparable with `FoldedChunk.codes`, which may hold two characters for one where the
    script is large; `symbols` is the needle over an alphabet of its own, in which distances are
    exact unless it has more than 254 different characters (`shared`). `words` is the cost of
    aligning one character of text.
    """

    __slots__ = ("_table", "codes", "folded", "length", "shared", "symbols", "words")

    def __init__(self, folded: str) -> None:
        self.folded = folded
        self.codes = encode(folded)
        self.length = len(self.codes)
        self.words = -(-self.length // _WORD_BITS)
        self._table: dict[int, int] | None = None
        self.symbols = self.codes
        self.shared = False
        if not folded.isascii():
            alphabet = sorted(set(folded))
            self.shared = len(alphabet) > _MAX_SYMBOLS
            self._table = _Alphabet({ord(c): 1 + i % _MAX_SYMBOLS for i, c in enumerate(alphabet)})
            self.symbols = folded.translate(self._table).encode("latin-1")

    def is_at(self, chunk: FoldedChunk, start: int) -> bool:
        """Whether the needle stands at `start`, where its `codes` are known to stand."""
        return self._table is None or chunk.text(start, start + self.length) == self.folded

    def haystack(self, chunk: FoldedChunk, start: int, end: int) -> bytes:
        """The chunk from `start` to `end` over the alphabet of `symbols`."""
        if self._table is None:
            return chunk.codes[start:end]
        return chunk.text(start, end).translate(self._table).encode("latin-1")


class _Alphabet(dict[int, int]):
    """Every character that the needle does not hold is the same stranger."""

    def __missing__(self, code_point: int) -> int:
        return 0


def occurrences(needle: Needle, chunk: FoldedChunk, start: int, end: int, most: int) -> list[Hit]:
    """Up to `most` places in `[start, end)` where the needle stands as it is, overlaps included."""
    hits: list[Hit] = []
    at = chunk.codes.find(needle.codes, start, end)
    while at >= 0 and len(hits) < most:
        if needle.is_at(chunk, at):
            hits.append(Hit(at, at + needle.length, 0))
        at = chunk.codes.find(needle.codes, at + 1, end)
    return hits


def align(
    needle: Needle, chunk: FoldedChunk, start: int, end: int, budget: int, most: int
) -> list[Hit]:
    """The places in `[start, end)` at the least distance from the needle, if within `budget` edits.

    Up to `most` places are given, in order; they may overlap.
    """
    haystack = needle.haystack(chunk, start, end)
    if not haystack:
        return []
    found = edlib.align(needle.symbols, haystack, mode="HW", task="distance", k=budget)
    distance: int = found["editDistance"]
    if distance < 0 or distance >= needle.length:
        return []
    hits: list[Hit] = []
    for group in islice(_groups(found["locations"], needle.length), min(most, MOST_INEXACT)):
        first, last = _best_of(needle, haystack, group, distance)
        hit = Hit(start + first, start + last + 1, distance)
        hits.extend([hit] if not needle.shared else _rechecked(needle, chunk, hit, budget))
    return hits


def _groups(locations: Iterable[tuple[int | None, int]], length: int) -> Iterator[list[int]]:
    """The first ends of alignments, parted where two are too far apart to stand for one place."""
    apart = max(1, length // _PARTS)
    group: list[int] = []
    for _, end in locations:
        if end < 0:
            continue
        if group and end - group[0] >= apart:
            yield group
            group = []
        if len(group) < _TRIED_ENDS:
            group.append(end)
    if group:
        yield group


MOST_INEXACT = 40
"""Inexact places of a needle at one distance beyond which only nearer ones are looked for. Some may
turn out to overlap: at least a quarter of them are places of their own."""


class Wanted:
    """How near a place must be to be news, for each needle of a search through one text."""

    def __init__(self, budgets: Sequence[int]) -> None:
        self._budgets = list(budgets)
        self._seen: dict[tuple[int, int], tuple[int, int]] = {}

    def budget(self, index: int) -> int:
        """Edits within which places of a needle are still looked for; it may be negative."""
        return self._budgets[index]

    def note(self, index: int, chunk: FoldedChunk, hits: Sequence[Hit]) -> None:
        """Count the places of a needle that were found, each once."""
        for hit in hits:
            count, end = self._seen.get((index, hit.distance), (0, -1))
            if int(chunk.offsets[hit.start]) < end:
                continue
            self._seen[index, hit.distance] = count + 1, int(chunk.offsets[hit.end - 1]) + 1
            if count + 1 >= MOST_INEXACT:
                self._budgets[index] = min(self._budgets[index], hit.distance - 1)


_TRIED_ENDS = 8
_PARTS = 4
_SPACE = 32


def _best_of(
    needle: Needle, haystack: bytes, ends: Sequence[int], distance: int
) -> tuple[int, int]:
    """First and last index of the alignment that best respects the borders of words.

    Ends at one distance often differ by a character or two: prefer those between words, then the
    length nearest the needle's, then the first.
    """
    spaces = needle.symbols[needle.folded.find(" ")] if " " in needle.folded else _SPACE
    ranked: list[tuple[int, int, int, int]] = []
    backwards = needle.symbols[::-1]
    for end in ends:
        low = max(0, end + 1 - needle.length - distance)
        window = haystack[low : end + 1][::-1]
        # The starts of alignments that end here, found as the ends of the same read backwards.
        found = edlib.align(backwards, window, mode="SHW", task="distance", k=distance)
        starts = [end - last for _, last in found["locations"] if last >= 0]
        first = starts[-1] if starts else low
        borders = (first == 0 or haystack[first - 1] == spaces) + (
            end + 1 == len(haystack) or haystack[end + 1] == spaces
        )
        ranked.append((-borders, abs(end + 1 - first - needle.length), first, end))
    _, _, first, end = min(ranked)
    return first, end


def _rechecked(needle: Needle, chunk: FoldedChunk, hit: Hit, budget: int) -> list[Hit]:
    text = chunk.text(hit.start, hit.end)
    distance = Levenshtein.distance(needle.folded, text, score_cutoff=budget)
    return [Hit(hit.start, hit.end, distance)] if distance <= budget else []
