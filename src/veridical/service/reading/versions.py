"""What became of a document between two versions: what was put in, taken out, changed and moved.

Paragraphs are compared as a reader sees them, so that new line breaks, mark-up and hyphens at line
ends are no change. A PDF does not say where its paragraphs end: it is compared by sentences.
"""

from __future__ import annotations

import re
from bisect import bisect_left, insort
from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from rapidfuzz import fuzz
from rapidfuzz.distance import Indel

from veridical.retrieval.chunks import DEFAULT
from veridical.retrieval.pieces import Pieces
from veridical.sources.document import Document, Format
from veridical.sources.span import Span
from veridical.text.normalize import LINE_END_HYPHEN

# Which paragraph of one version is which of another: in order where they agree, then what moved,
# then what is alike. Time grows about linearly with the documents; what that leaves open counts
# as taken out and put in.


ALIKE = 0.6
"""Paragraphs in the same gap that share this much are one that was changed."""

_MOVED_ALIKE = 0.8
"""Paragraphs elsewhere that share this much are one that was moved and changed."""

_LEAST_MOVED_CHARS = 16
"""Shorter paragraphs ("Yes", "5 %") stand in many places and have not moved."""

_LEAST_ALIKE_CHARS = 24
_MOST_COMPARED = 250
"""Of what is left on either side, so many are compared with each other."""

_MOST_CELLS = 4_000_000
"""Of paragraphs that repeat, stretches of at most so many pairs are aligned."""

_BAND = 10
"""In a gap, a paragraph is compared with those so far before and behind its place."""


class Pair(NamedTuple):
    """Paragraph `old` is paragraph `new`, by their indexes. `in_place` says that all pairs in place
    before it are before it on both sides; others moved.
    """

    old: int
    new: int
    in_place: bool


def align(old: Sequence[str], new: Sequence[str]) -> list[Pair]:
    """The pairs of two versions' paragraphs, in the order of the new ones; each in one at most."""
    anchors = list(_same_in_order(old, new))
    taken_old = {i for i, _ in anchors}
    taken_new = {j for _, j in anchors}
    pairs = [Pair(i, j, in_place=True) for i, j in anchors]

    def take(found: Iterator[tuple[int, int]], *, in_place: bool) -> None:
        for i, j in found:
            taken_old.add(i)
            taken_new.add(j)
            pairs.append(Pair(i, j, in_place=in_place))

    def left() -> tuple[list[int], list[int]]:
        return (
            [i for i in range(len(old)) if i not in taken_old],
            [j for j in range(len(new)) if j not in taken_new],
        )

    take(_moved(old, new, *left()), in_place=False)
    for gap_old, gap_new in _gaps(anchors, len(old), len(new)):
        free_old = [i for i in gap_old if i not in taken_old]
        free_new = [j for j in gap_new if j not in taken_new]
        take(_alike_in_order(old, new, free_old, free_new), in_place=True)
    take(_moved_and_changed(old, new, *left()), in_place=False)
    return sorted(pairs, key=lambda pair: pair.new)


def _same_in_order(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Equal paragraphs that follow each other in both versions (patience diff, Bram Cohen)."""
    stack = [(0, len(old), 0, len(new))]
    while stack:
        start, end, from_, to = stack.pop()
        while start < end and from_ < to and old[start] == new[from_]:
            yield start, from_
            start, from_ = start + 1, from_ + 1
        while start < end and from_ < to and old[end - 1] == new[to - 1]:
            end, to = end - 1, to - 1
            yield end, to
        if start == end or from_ == to:
            continue
        anchors = _unique_in_order(old[start:end], new[from_:to])
        if not anchors:
            yield from _repeated(old, new, (start, end, from_, to))
            continue
        at_old, at_new = start, from_
        for i, j in anchors:
            yield start + i, from_ + j
            stack.append((at_old, start + i, at_new, from_ + j))
            at_old, at_new = start + i + 1, from_ + j + 1
        stack.append((at_old, end, at_new, to))


def _unique_in_order(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """The most of those that stand once in each and in the same order: what was moved is left."""
    counts_old, counts_new = Counter(old), Counter(new)
    places = {key: j for j, key in enumerate(new) if counts_new[key] == 1}
    ends: list[int] = []
    chain: list[tuple[int, int, int]] = []  # old, new, index of the one before in the chain
    tops: list[int] = []
    for i, key in enumerate(old):
        if counts_old[key] != 1 or key not in places:
            continue
        j = places[key]
        at = bisect_left(ends, j)
        chain.append((i, j, tops[at - 1] if at else -1))
        ends[at : at + 1] = [j]
        tops[at : at + 1] = [len(chain) - 1]
    found: list[tuple[int, int]] = []
    here = tops[-1] if tops else -1
    while here >= 0:
        i, j, here = chain[here]
        found.append((i, j))
    return found[::-1]


def _repeated(
    old: Sequence[str], new: Sequence[str], within: tuple[int, int, int, int]
) -> Iterator[tuple[int, int]]:
    start, end, from_, to = within
    if (end - start) * (to - from_) > _MOST_CELLS:
        return
    for block in Indel.opcodes(old[start:end], new[from_:to]):
        if block.tag == "equal":
            for step in range(block.src_end - block.src_start):
                yield start + block.src_start + step, from_ + block.dest_start + step


def _moved(
    old: Sequence[str], new: Sequence[str], left_old: Sequence[int], left_new: Sequence[int]
) -> Iterator[tuple[int, int]]:
    places: defaultdict[str, deque[int]] = defaultdict(deque)
    for j in left_new:
        if len(new[j]) >= _LEAST_MOVED_CHARS:
            places[new[j]].append(j)
    for i in left_old:
        if places.get(old[i]):
            yield i, places[old[i]].popleft()


def _gaps(
    anchors: Sequence[tuple[int, int]], count_old: int, count_new: int
) -> Iterator[tuple[range, range]]:
    at_old = at_new = 0
    for i, j in (*sorted(anchors), (count_old, count_new)):
        if i > at_old and j > at_new:
            yield range(at_old, i), range(at_new, j)
        at_old, at_new = i + 1, j + 1


def _alike_in_order(
    old: Sequence[str], new: Sequence[str], left_old: Sequence[int], left_new: Sequence[int]
) -> Iterator[tuple[int, int]]:
    """Pairs of a gap, the likest first, none of which crosses another."""
    if not left_old or not left_new:
        return
    scored: list[tuple[float, int, int]] = []
    for at, i in enumerate(left_old):
        middle = at * len(left_new) // len(left_old)
        for j in left_new[max(0, middle - _BAND) : middle + _BAND + 1]:
            score = _likeness(old[i], new[j], ALIKE)
            if score:
                scored.append((-score, i, j))
    kept: list[tuple[int, int]] = []
    for _, i, j in sorted(scored):
        at = bisect_left(kept, (i, j))
        before_fits = at == 0 or (kept[at - 1][0] < i and kept[at - 1][1] < j)
        after_fits = at == len(kept) or (i < kept[at][0] and j < kept[at][1])
        if before_fits and after_fits:
            insort(kept, (i, j))
    yield from kept


def _moved_and_changed(
    old: Sequence[str], new: Sequence[str], left_old: Sequence[int], left_new: Sequence[int]
) -> Iterator[tuple[int, int]]:
    long_old = [i for i in left_old if len(old[i]) >= _LEAST_ALIKE_CHARS][:_MOST_COMPARED]
    long_new = [j for j in left_new if len(new[j]) >= _LEAST_ALIKE_CHARS][:_MOST_COMPARED]
    scored = sorted(
        (-score, i, j)
        for i in long_old
        for j in long_new
        if (score := _likeness(old[i], new[j], _MOVED_ALIKE))
    )
    used_old: set[int] = set()
    used_new: set[int] = set()
    for _, i, j in scored:
        if i not in used_old and j not in used_new:
            used_old.add(i)
            used_new.add(j)
            yield i, j


def _likeness(one: str, other: str, least: float) -> float:
    """0 to 1; 0 where it is less than `least`."""
    if min(len(one), len(other)) < least / (2 - least) * max(len(one), len(other)):
        return 0.0
    return fuzz.ratio(one, other, score_cutoff=100 * least) / 100


_TOKEN = re.compile(r"\w+|\s+|[^\w\s]")
_MOST_TOKENS = 4_000
"""Longer paragraphs are shown whole, before and after, without their words compared."""


class ChangeKind(StrEnum):
    """What became of a paragraph. MOVED_AWAY stands where a moved one stood before."""

    SAME = "same"
    CHANGED = "changed"
    ADDED = "added"
    REMOVED = "removed"
    MOVED = "moved"
    MOVED_AWAY = "moved_away"


@dataclass(frozen=True, slots=True)
class Change:
    """A paragraph and its places: `old` in the earlier version, `new` in the later one.

    `altered` says that its words changed too; it is so for every CHANGED one.
    """

    kind: ChangeKind
    old: Span | None
    new: Span | None
    altered: bool = False


@dataclass(frozen=True, slots=True)
class Words:
    """A run of words of two versions of a paragraph; equal or not, either may be empty."""

    then: str
    now: str
    equal: bool


def changes_between(old: Document, new: Document) -> tuple[Change, ...]:
    """All paragraphs of both versions, in the order of the new one; what is only in the old one
    stands where it was taken out.
    """
    return tuple(_changes(old, new))


def _changes(old: Document, new: Document) -> Iterator[Change]:
    by_sentence = Format.PDF in (old.format, new.format)
    olds, news = _paragraphs(old, by_sentence), _paragraphs(new, by_sentence)
    old_words = [reading_of(old, span) for span in olds]
    new_words = [reading_of(new, span) for span in news]
    pairs = align(old_words, new_words)
    by_old, by_new = {pair.old: pair for pair in pairs}, {pair.new: pair for pair in pairs}
    upto = _old_before(by_new, len(olds), len(news))
    at = 0
    for j in range(len(news) + 1):
        for i in range(at, upto[j]):
            there = by_old.get(i)
            if there is None:
                yield Change(ChangeKind.REMOVED, olds[i], None, altered=True)
            elif not there.in_place:
                yield Change(ChangeKind.MOVED_AWAY, olds[i], news[there.new])
        at = max(at, upto[j])
        if j == len(news):
            return
        pair = by_new.get(j)
        if pair is None:
            yield Change(ChangeKind.ADDED, None, news[j], altered=True)
            continue
        altered = old_words[pair.old] != new_words[j]
        if not pair.in_place:
            yield Change(ChangeKind.MOVED, olds[pair.old], news[j], altered)
            continue
        at = pair.old + 1
        yield Change(
            ChangeKind.CHANGED if altered else ChangeKind.SAME, olds[pair.old], news[j], altered
        )


def _old_before(by_new: dict[int, Pair], old_count: int, new_count: int) -> list[int]:
    """For each new paragraph how many old ones stand before it: those up to the next in place."""
    upto = [old_count] * (new_count + 1)
    for j in range(new_count - 1, -1, -1):
        pair = by_new.get(j)
        upto[j] = pair.old if pair is not None and pair.in_place else upto[j + 1]
    return upto


def _paragraphs(document: Document, by_sentence: bool) -> list[Span]:
    """The places of what is compared, in order. An empty list for a document that says nothing."""
    found: list[Span] = []
    for units in Pieces(document, DEFAULT.longest).paragraphs():
        pieces = [piece.span for unit in units for piece in unit]
        if by_sentence:
            found += pieces
        else:
            found.append(Span(pieces[0].start, max(piece.end for piece in pieces)))
    return found


def reading_of(document: Document, span: Span) -> str:
    """The words of a paragraph as a reader reads them: on one line, hyphens at line ends mended."""
    return " ".join(LINE_END_HYPHEN.sub("", document.shown(span)).split())


def words_between(old: str, new: str) -> tuple[Words, ...]:
    """Two versions of a paragraph, word by word."""
    before, after = _TOKEN.findall(old), _TOKEN.findall(new)
    if max(len(before), len(after)) > _MOST_TOKENS:
        return (Words(old, new, equal=old == new),)
    runs: list[Words] = []
    for block in Indel.opcodes(before, after):
        then = "".join(before[block.src_start : block.src_end])
        now = "".join(after[block.dest_start : block.dest_end])
        runs.append(Words(then, now, equal=block.tag == "equal"))
    return tuple(_joined(runs))


def _joined(runs: Sequence[Words]) -> Iterator[Words]:
    """Changes that only a space parts as one: a reader compares phrases, not words."""
    held: Words | None = None
    for index, run in enumerate(runs):
        between = run.equal and run.then.isspace() and 0 < index < len(runs) - 1
        is_change = not run.equal or between
        if held is not None and is_change:
            held = Words(held.then + run.then, held.now + run.now, equal=False)
        elif is_change:
            held = Words(run.then, run.now, equal=False)
        else:
            if held is not None:
                yield held
                held = None
            yield run
    if held is not None:
        yield held
