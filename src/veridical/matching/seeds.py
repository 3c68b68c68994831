"""How hard to look, and where: places that share enough short pieces with a needle.

Pieces of a damaged quote lie in nearly one diagonal. Cut a needle of m characters into m/q grams of
q. A place within k edits keeps at least m/q - k of them unchanged, and their shifts against the
text (diagonals) lie within 2k of each other. Hits are counted in bins of diagonals at least 2k
wide, two neighbours together; a pair of bins that reaches the count is aligned exactly. That misses
nothing up to k = 0.15 m. Below that similarity the fullest bins are aligned as a best effort.

Source: Ukkonen, Approximate string matching with q-grams, Theor. Comput. Sci. 92(1), 1992;
Rasmussen, Stoye and Myers, Efficient q-gram filters, J. Comput. Biol. 13(2), 2006 (the bins).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from veridical.matching.align import Hit, Needle, Wanted, align
from veridical.text.folded import FoldedChunk, sorted_unique

ROUNDING = 1e-9
"""Keeps `0.15 * 20` from counting as 2.999..."""


@dataclass(frozen=True, slots=True)
class SearchPolicy:
    """Bounds of a search over folded text.

    The search is complete (no place is missed) up to `max_edit_distance` edits while the similarity
    stays at or above `min_similarity`, and then, for what was not found so, down to
    `min_similarity` alone. Between that and `floor_similarity` it is a best effort. Where document
    and quote are small (`FULL_SCAN_WORK`, `SHORT_SCAN_CHARS`) it is complete down to
    `scan_similarity`.
    """

    max_edit_distance: int = 3
    min_similarity: float = 0.85
    floor_similarity: float = 0.5
    scan_similarity: float = 0.35
    max_places: int = 100

    def near_edits(self, length: int) -> int:
        """Edits within which every place of a needle of `length` characters is found."""
        return min(self.max_edit_distance, self.complete_edits(length))

    def complete_edits(self, length: int) -> int:
        """Edits within which the best place is found, if there is no nearer one."""
        return int((1 - self.min_similarity) * length + ROUNDING)

    def floor_edits(self, length: int) -> int:
        """Edits beyond which nothing is reported."""
        return int((1 - self.floor_similarity) * length + ROUNDING)

    def scan_edits(self, length: int) -> int:
        """Edits beyond which nothing is reported where the whole text is aligned."""
        return int((1 - self.scan_similarity) * length + ROUNDING)


DEFAULT_POLICY = SearchPolicy()

FULL_SCAN_WORK = 64 * 1024
"""Characters times 64-character words of the needle up to which a whole text is aligned: 0.3 ms."""

SHORT_SCAN_CHARS = 256 * 1024
"""Characters of a text up to which that is done for a needle of one such word: 1 ms. A short needle
that was changed keeps too little for its pieces to tell where it stands."""


_SHORT_GRAM, _LONG_GRAM = 4, 5
_LONG_FROM = 72
"""Characters of a needle from which long grams keep enough of them: short ones are less telling
but leave a short needle with more that must agree."""

_LONG_TEXT = 128 * 1024
"""Characters of a text up to which grams of one less are still telling: of 2,080 quotes with 15 to
40 % of their characters changed, 14 instead of 104 are missed in texts of 50 KB.
"""


def gram_length(needle: int, text: int) -> int:
    """The grams with which to look for a needle of so many characters in a text of so many."""
    gram = _SHORT_GRAM if needle < _LONG_FROM else _LONG_GRAM
    return gram - (text <= _LONG_TEXT)


_Keys = NDArray[np.uint32] | NDArray[np.uint64]

_SMALL_GRAM = 4
_MIX = 0x9E3779B97F4A7C15
_SIEVE_BITS = 18
_MIN_BIN_BITS = 4

_GUESSES = 8
"""Pairs of bins aligned for a needle and chunk where none reaches the complete count."""

_MIN_GUESS_GRAMS = 2
"""Grams in common that make a guess worth an alignment."""

_MANY_HITS = 8
"""Hits for each character of repetitive text. Prose has a hundredth of it."""

_HIT_COST = 50
"""Counting one hit costs about as much as aligning this many characters."""

_NEVER = np.iinfo(np.int32).max

_MAX_COUNTED = 1 << 13
"""Hits counted at a time: bounds the memory."""

_MAX_BINS = 1 << 17
"""Bins counted at a time, of whole needles: bounds the memory, and stays in the cache."""


@dataclass(frozen=True, slots=True, eq=False)
class _Targets:
    """Which needles hold a gram, and where: kind `k` has `counts[k]` entries from `firsts[k]` on
    in `owners` (indices of needles) and `offsets` (of the gram in the needle).
    """

    owners: NDArray[np.int64]
    offsets: NDArray[np.int64]
    firsts: NDArray[np.int64]
    counts: NDArray[np.int64]

    def without(self, needles: NDArray[np.bool_]) -> _Targets:
        """The same, without the entries of some needles."""
        kept = ~needles[self.owners]
        counts = np.add.reduceat(kept.astype(np.int64), self.firsts)
        return _Targets(self.owners[kept], self.offsets[kept], np.cumsum(counts) - counts, counts)

    def starts(
        self, positions: NDArray[np.int32], kinds: NDArray[np.int32]
    ) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]]:
        """For each needle that holds the gram: the needle, its start, and the gram's offset in it.

        A bounded number at a time.
        """
        counts = self.counts[kinds]
        ends = np.cumsum(counts)
        start = 0
        while start < len(positions):
            before = int(ends[start - 1]) if start else 0
            stop = int(np.searchsorted(ends, before + _MAX_COUNTED, side="right"))
            stop = max(stop, start + 1)
            some = counts[start:stop]
            within = np.arange(int(some.sum())) - np.repeat(np.cumsum(some) - some, some)
            targets = np.repeat(self.firsts[kinds[start:stop]], some) + within
            offsets = self.offsets[targets]
            yield self.owners[targets], np.repeat(positions[start:stop], some) - offsets, offsets
            start = stop


class SeedSearch:
    """Finds needles that share grams with one text.

    All needles are searched with grams of `gram` characters, and those shorter are not found.
    """

    def __init__(self, needles: Sequence[Needle], policy: SearchPolicy, gram: int) -> None:
        self._gram = gram
        self._needles = needles
        self._policy = policy
        self._wanted = Wanted([policy.floor_edits(needle.length) for needle in needles])
        lengths = np.array([needle.length for needle in needles], np.int64)
        budgets = np.array([policy.complete_edits(int(m)) for m in lengths], np.int64)
        grams = lengths // gram
        self._bits = np.maximum(
            _MIN_BIN_BITS, np.ceil(np.log2(np.maximum(2 * budgets, 1))).astype(np.int64)
        )
        # Where few edits are allowed, the pieces have found all there is; only guesses are left.
        searched = np.array([policy.near_edits(int(m)) for m in lengths], np.int64) >= budgets
        self._enough = np.where(searched, _NEVER, np.maximum(1, grams - budgets)).astype(np.int32)
        self._highest = np.full(len(needles), _MIN_GUESS_GRAMS - 1, np.int32)
        self._reach = int(lengths.max(initial=0)) + (1 << int(self._bits.max(initial=0)))
        owners = np.repeat(np.arange(len(needles)), grams)
        offsets = np.concatenate(
            [np.arange(count) * gram for count in grams.tolist()] or [np.empty(0, np.int64)]
        )
        offsets = offsets.astype(np.int64)
        keys = _keys(needles, owners, offsets, gram)
        order = np.argsort(keys, kind="stable")
        found, firsts, counts = np.unique(keys[order], return_index=True, return_counts=True)
        self._keys = cast("_Keys", found)
        self._targets = _Targets(owners[order], offsets[order], firsts, counts)
        self._words = np.array([needle.words for needle in needles], np.int64)
        self._sieve = np.zeros(1 << _SIEVE_BITS, np.bool_)
        self._sieve[_hash(self._keys)] = True

    def search(self, chunk: FoldedChunk, most: int) -> Iterator[tuple[int, Hit]]:
        """Index of a needle and a place of it in the chunk at the least distance seen there."""
        positions, kinds = self._gram_hits(chunk.codes)
        if not len(positions):
            return
        targets = self._targets
        if int(targets.counts[kinds].sum()) > _MANY_HITS * len(chunk):
            crowded = self._crowded(kinds, len(chunk))
            targets = targets.without(crowded)
            for index in np.flatnonzero(crowded).tolist():
                budget = self._wanted.budget(index)
                hits = align(self._needles[index], chunk, 0, len(chunk), budget, most)
                self._wanted.note(index, chunk, hits)
                for hit in hits:
                    yield index, hit
        bins = ((len(chunk) + self._reach) >> self._bits) + 2
        ends = np.cumsum(bins)
        rows = ends - bins
        seen: list[tuple[NDArray[np.int32], NDArray[np.int32]]] = []
        for owners, begins, offsets in targets.starts(positions, kinds):
            at = rows[owners] + ((begins + self._reach) >> self._bits[owners])
            seen.append((at.astype(np.int32), offsets.astype(np.int32)))
        marked = np.concatenate([at for at, _ in seen])
        within = np.concatenate([offsets for _, offsets in seen])
        seen.clear()
        first = 0
        while first < len(rows):
            low = int(rows[first])
            last = max(first + 1, int(np.searchsorted(ends, low + _MAX_BINS, side="right")))
            inside = np.flatnonzero((marked >= low) & (marked < ends[last - 1]))
            counted = marked[inside] - np.int32(low), within[inside]
            yield from self._found(
                chunk, first, rows[first:last] - low, bins[first:last], counted, most
            )
            first = last

    def _found(
        self,
        chunk: FoldedChunk,
        first: int,
        rows: NDArray[np.int64],
        bins: NDArray[np.int64],
        hits: tuple[NDArray[np.int32], NDArray[np.int32]],
        most: int,
    ) -> Iterator[tuple[int, Hit]]:
        """What is found of the needles from `first` on, whose bins begin at `rows`. `hits` are the
        bins that were hit, and the offsets in their needles.
        """
        counts = np.zeros(int(bins.sum()), np.int32)
        np.add.at(counts, hits[0], np.int32(1))  # hits are few: counting all bins is more work
        pairs = np.add(counts[:-1], counts[1:], out=counts[:-1])
        pairs[rows[1:] - 1] = 0  # a pair across two needles is none
        found: set[int] = set()
        for index, low, high in self._full(pairs, first, rows, hits):
            budget = self._policy.complete_edits(self._needles[index].length)
            for hit in self._align(index, chunk, low, high, budget, most):
                found.add(index)
                yield index, hit
        for index, place in self._guesses(pairs, first, rows):
            if index in found:
                continue
            budget = self._policy.floor_edits(self._needles[index].length)
            for hit in self._align(index, chunk, place, place, budget, 1):
                yield index, hit

    def _align(
        self, index: int, chunk: FoldedChunk, first: int, last: int, budget: int, most: int
    ) -> list[Hit]:
        """Align with what the diagonals of bins `first` to `last + 1` can reach."""
        start, end = self._stretch(index, first, last, budget)
        return align(self._needles[index], chunk, start, min(len(chunk), end), budget, most)

    def _stretch(self, index: int, first: int, last: int, budget: int) -> tuple[int, int]:
        """Start and end of what the diagonals of bins `first` to `last + 1` can reach."""
        bits = int(self._bits[index])
        low = (first << bits) - self._reach - budget
        high = ((last + 2) << bits) - self._reach + self._needles[index].length + budget
        return max(0, low), max(0, high)

    def _full(
        self,
        pairs: NDArray[np.int32],
        first: int,
        rows: NDArray[np.int64],
        hits: tuple[NDArray[np.int32], NDArray[np.int32]],
    ) -> Iterator[tuple[int, int, int]]:
        """Needle, first and last bin of each run of pairs that reach the complete count."""
        # First by what is enough for any: an array of what is for each bin would be as large.
        enough_of = self._enough[first : first + len(rows)]
        full = np.flatnonzero(pairs >= enough_of.min())
        owners = np.searchsorted(rows, full, side="right") - 1
        enough = pairs[full] >= enough_of[owners]
        full, owners = full[enough], owners[enough]
        if not len(full):
            return
        enough = _different(full, *hits) >= enough_of[owners]
        full, owners = full[enough], owners[enough]
        if not len(full):
            return
        opens = np.ones(len(full), np.bool_)
        opens[1:] = (full[1:] != full[:-1] + 1) | (owners[1:] != owners[:-1])
        starts = np.flatnonzero(opens)
        ends = np.append(starts[1:], len(full)) - 1
        places = full - rows[owners]
        yield from zip(
            (owners[starts] + first).tolist(),
            places[starts].tolist(),
            places[ends].tolist(),
            strict=True,
        )

    def _guesses(
        self, pairs: NDArray[np.int32], first: int, rows: NDArray[np.int64]
    ) -> Iterator[tuple[int, int]]:
        """Needle and fullest pair of bins, where fuller than in all chunks before."""
        before = self._highest[first : first + len(rows)]
        highest = np.maximum.reduceat(pairs, rows)
        for index in np.flatnonzero(highest > before).tolist():
            start = int(rows[index])
            end = int(rows[index + 1]) if index + 1 < len(rows) else len(pairs)
            most = int(highest[index])
            for place in np.flatnonzero(pairs[start:end] == most)[:_GUESSES].tolist():
                yield first + index, place
        np.maximum(before, highest, out=before)

    def _gram_hits(self, codes: bytes) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Where a known gram stands, and which: positions and indices into `_keys`."""
        padded = np.frombuffer(codes + bytes(16), np.uint8)
        positions: list[NDArray[np.int32]] = []
        keys: list[_Keys] = []
        # Shifted views of the bytes as words hold the gram at every position.
        word = self._keys.dtype
        size, mask = word.itemsize, word.type((1 << 8 * self._gram) - 1)
        for phase in range(size):
            count = (len(codes) - self._gram - phase) // size + 1
            if count <= 0:
                continue
            words = padded[phase : phase + size * count].view(word) & mask
            maybe = np.flatnonzero(self._sieve.take(_hash(words))).astype(np.int32)
            positions.append(maybe * np.int32(size) + np.int32(phase))
            keys.append(words[maybe])
        if not positions or not len(self._keys):
            return np.empty(0, np.int32), np.empty(0, np.int32)
        position, key = np.concatenate(positions), np.concatenate(keys)
        kinds = np.searchsorted(self._keys, key).astype(np.int32)
        np.minimum(kinds, len(self._keys) - 1, out=kinds)
        known = self._keys[kinds] == key
        return position[known], kinds[known]

    def _crowded(self, kinds: NDArray[np.int32], length: int) -> NDArray[np.bool_]:
        """Needles with so many hits in repetitive text that aligning all of it is cheaper."""
        seen = np.bincount(kinds, minlength=len(self._keys))
        hits = np.bincount(
            self._targets.owners,
            weights=np.repeat(seen, self._targets.counts),
            minlength=len(self._needles),
        )
        crowded: NDArray[np.bool_] = hits * _HIT_COST > length * self._words
        return crowded


def _different(
    full: NDArray[np.int64], bins: NDArray[np.int32], offsets: NDArray[np.int32]
) -> NDArray[np.int64]:
    """For each pair of bins in `full` how many different grams it holds.

    A common gram is counted wherever it stands. Only pairs that pass that count are counted anew,
    which spares three alignments of four. Each hit has its bin, and its offset in the needle.
    """
    span = int(offsets.max(initial=0)) + 1
    asked = np.zeros(int(bins.max(initial=0)) + 2, np.bool_)  # the last for the pair before all
    asked[full] = True
    keys = []
    for pair in (bins, bins - 1):  # a bin belongs to the pair that it begins and to the one before
        inside = np.flatnonzero(asked[pair])  # few: looking all of them up takes ten times as long
        keys.append(np.searchsorted(full, pair[inside]) * span + offsets[inside])
    return np.bincount(sorted_unique(np.concatenate(keys)) // span, minlength=len(full))


def _keys(
    needles: Sequence[Needle], owners: NDArray[np.int64], offsets: NDArray[np.int64], gram: int
) -> _Keys:
    """The grams of needles at some offsets, each as a number: 32 bits where they are enough, which
    are searched for in two thirds of the time.
    """
    begins = np.cumsum([0, *(needle.length for needle in needles)])
    codes = np.frombuffer(b"".join(needle.codes for needle in needles) + bytes(gram), np.uint8)
    places = begins[owners] + offsets
    keys: Any = np.zeros(len(places), np.uint32 if gram <= _SMALL_GRAM else np.uint64)
    for at in range(gram):
        keys |= codes[places + at].astype(keys.dtype) << keys.dtype.type(8 * at)
    return cast("_Keys", keys)


def _hash(keys: _Keys) -> NDArray[np.int64]:
    bits = 8 * keys.dtype.itemsize
    mixed = keys * keys.dtype.type(_MIX >> (64 - bits))
    return (mixed >> keys.dtype.type(bits - _SIEVE_BITS)).astype(np.int64)
