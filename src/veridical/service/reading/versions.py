"""What became of a document between two versions: what was put in, taken out, changed and moved.

Paragraphs are compared as a reader sees them, so that new line breaks, mark-up and hyphens at line
ends are no change. A PDF does not say where its paragraphs end: it is compared by sentences.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from rapidfuzz.distance import Indel

from veridical.retrieval.chunks import DEFAULT
from veridical.retrieval.pieces import Pieces
from veridical.service.reading.version_alignment import Pair, align
from veridical.sources.document import Document, Format
from veridical.sources.span import Span
from veridical.text.normalize import LINE_END_HYPHEN

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
