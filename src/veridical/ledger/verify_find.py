"""Where do words that once stood in a document stand now, and what became of them?"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from veridical.matching.align import Needle
from veridical.matching.index import DocumentIndex
from veridical.matching.locate import Place, locate_damaged, locate_near
from veridical.matching.policy import SearchPolicy
from veridical.retrieval.chunks import DEFAULT
from veridical.retrieval.lines import Kind
from veridical.retrieval.pieces import Piece, Pieces
from veridical.sources.document import Document
from veridical.sources.span import Span
from veridical.text.normalize import fold
from veridical.text.reading import Reading, sentence_spans
from veridical.validation.alterations import compare
from veridical.validation.claims import MAX_QUOTE_CHARS, Claim
from veridical.validation.config import ValidationConfig
from veridical.validation.cuts import cut_alterations
from veridical.validation.differences import Comparison
from veridical.validation.direct import ALTERED_FROM
from veridical.validation.quotes import Quote
from veridical.validation.settle import settle, verbatim_span
from veridical.validation.struck import struck_span

# The sentences, table rows and headings of a document, by the places of what stands in them.


_ENDED = re.compile(r"[.!?\u2026\u3002\uff01\uff1f][\"'\u201d\u2019)\]]*\s+\Z")
_EDGE = 16
"""Characters at the edge of a sentence that show whether it ends there."""


class Sentences:
    """Cuts a document as it is cut into chunks, but list items by their sentences as well."""

    def __init__(self, document: Document) -> None:
        self._document = document

    def around(self, span: Span) -> Span:
        """From where the first sentence that `span` overlaps begins to where the last one ends.

        A full stop and a capital part sentences at the edges of `span` even where the splitter
        takes them for an abbreviation and a name ("Ask HR. Staff may ...").
        """
        first = bisect_right(self._ends, span.start)
        last = bisect_left(self._starts, span.end) - 1
        if first > last:
            return span
        start, end = self._starts[first], self._ends[last]
        return Span(
            span.start if self._is_border(start, span.start, end) else min(span.start, start),
            span.end if self._is_border(start, span.end, end) else max(span.end, end),
        )

    def _is_border(self, start: int, at: int, end: int) -> bool:
        before = self._document.shown(Span(min(max(start, at - _EDGE), at), at))
        after = self._document.shown(Span(at, max(at, min(end, at + _EDGE))))
        gap = after[: len(after) - len(after.lstrip())]
        return _ENDED.search(before + gap) is not None and after.lstrip()[:1].isupper()

    @cached_property
    def _spans(self) -> list[Span]:
        reading = Reading(self._document)
        pieces = Pieces(self._document, DEFAULT.longest).paragraphs()
        return sorted(
            span
            for units in pieces
            for unit in units
            for piece in unit
            for span in _sentences_of(piece, reading)
        )

    @cached_property
    def _starts(self) -> list[int]:
        return [span.start for span in self._spans]

    @cached_property
    def _ends(self) -> list[int]:
        return [span.end for span in self._spans]


def _sentences_of(piece: Piece, reading: Reading) -> Iterator[Span]:
    if piece.kind is not Kind.ITEM:
        yield piece.span
        return
    for start, end in sentence_spans(reading.text[piece.start : piece.end]):
        yield reading.to_source(piece.start + start, piece.start + end)


_BATCH = 1_000
"""Words that are looked for together: bounds memory."""

_MAX_PLACES = 100
_NEIGHBOURHOOD = 48
"""Characters next to a place that are looked at for a word or number cut in two."""

_MOST_COMPARED = 20
"""Inexact places of the same words that are compared as written."""

_LONGEST_COMPARED = 20_000
"""Longer words are looked for letter for letter only: comparing takes time by the square."""

_CONFIG = ValidationConfig()
_POLICY = SearchPolicy(max_places=_MAX_PLACES)
_EXACT = SearchPolicy(max_edit_distance=0, max_places=_MAX_PLACES)
_NOTHING = Comparison((), (), ())


@dataclass(frozen=True, slots=True)
class Words:
    """Words to look for: as a reader saw them, as they were written, and where they began.

    `whole` says that they were whole sentences, rows or list items: where others now stand in the
    same sentence ("It is no longer true that ..."), they no longer say the same.
    """

    shown: str
    written: str
    start: int
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """A place where the words stand, or something like them. `similarity` is 0 to 1."""

    document: Document
    span: Span
    similarity: float
    comparison: Comparison

    @property
    def same(self) -> bool:
        """Whether the same words stand there, but for harmless differences."""
        return not self.comparison.alterations


def stands_at(document: Document, words: Words, start: int) -> bool:
    """Whether the words stand at `start` letter for letter, whole, seen and not struck through."""
    span = Span(start, start + len(words.written))
    return (
        reads_at(document, words, start)
        and struck_span(document, span) is None
        and not is_cut(document, span, words.shown)
    )


def reads_at(document: Document, words: Words, start: int) -> bool:
    """Whether a reader who looks at `start` finds the words there, letter for letter."""
    span = Span(start, start + len(words.written))
    return document.text[start : span.end] == words.written and _alike(
        document.shown(span), words.shown
    )


def begins_or_ends_unseen(document: Document, span: Span) -> bool:
    """Whether its first or last character is never shown, as in a comment or in front matter: what
    is quoted from there on is nothing that a reader sees.
    """
    return any(
        mask.unseen and (mask.start <= span.start or mask.end >= span.end)
        for mask in document.masks.between(span.start, span.end)
    )


def _alike(one: str, other: str) -> bool:
    return one == other or one.split() == other.split()


def is_cut(document: Document, span: Span, shown: str) -> bool:
    """Whether the words are part of other ones there: "5 days" of "15 days"."""
    before = document.shown(Span(max(0, span.start - _NEIGHBOURHOOD), span.start))
    after = document.shown(Span(span.end, min(len(document.text), span.end + _NEIGHBOURHOOD)))
    return bool(cut_alterations(shown, shown, before, after))


class WordFinder:
    """Looks for many words in one document, which is made ready once."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self._sentences = Sentences(document)

    @cached_property
    def _index(self) -> DocumentIndex:
        return DocumentIndex(self.document)

    def stands(self, words: Words) -> bool:
        """Whether the words stand where they began (see `stands_at`), and nothing beside them."""
        if not stands_at(self.document, words, words.start):
            return False
        span = Span(words.start, words.start + len(words.written))
        return self._with_others(words, span) is None

    def find(self, wanted: Sequence[Words], *, altered: bool = True) -> list[Found | None]:
        """For each of the words the place nearest to where they began, in their order.

        Else, with `altered`, the place most like them, if it is like them at all (`ALTERED_FROM`).
        """
        found: list[Found | None] = []
        for start in range(0, len(wanted), _BATCH):
            found.extend(self._batch(wanted[start : start + _BATCH], altered=altered))
        return found

    def _batch(self, wanted: Sequence[Words], *, altered: bool) -> list[Found | None]:
        needles = [Needle(fold(w.shown) if _searchable(w) else "") for w in wanted]
        policy = _POLICY if altered else _EXACT
        places = locate_near(self._index.folded, needles, policy=policy)
        found = [
            self._best(words, where, needle)
            for words, where, needle in zip(wanted, places, needles, strict=True)
        ]
        left = [i for i, one in enumerate(found) if one is None and needles[i].length]
        if altered and left:
            damaged = locate_damaged(self._index.folded, [needles[i] for i in left], policy=_POLICY)
            for i, where in zip(left, damaged, strict=True):
                found[i] = self._best(wanted[i], where, needles[i])
        if altered:
            return [one or self._long(w) for w, one in zip(wanted, found, strict=True)]
        return [one if one is not None and one.same else None for one in found]

    def _best(self, words: Words, places: Sequence[Place], needle: Needle) -> Found | None:
        exact = [place for place in places if place.edit_distance == 0]
        if len(exact) >= _MAX_PLACES or not needle.length:
            # More places than were listed, or words that folding forgets: the text itself knows.
            nearest = self._nearest_written(words)
            if nearest is not None and (nearest.same or not exact):
                return nearest
        found = [self._settled(words, place) for place in exact or places[:_MOST_COMPARED]]
        same = [one for one in found if one.same]
        if same:
            return min(same, key=lambda one: (abs(one.span.start - words.start), one.span))
        like = [one for one in found if one.similarity >= ALTERED_FROM]
        return min(
            like,
            key=lambda one: (-one.similarity, abs(one.span.start - words.start), one.span),
            default=None,
        )

    def _long(self, words: Words) -> Found | None:
        """Where longer words than can be searched begin, compared over their whole length."""
        if not MAX_QUOTE_CHARS < len(words.shown) <= _LONGEST_COMPARED:
            return None
        head = words.shown[:MAX_QUOTE_CHARS].rpartition(" ")[0]
        (begun,) = self._batch([Words(head, head, words.start)], altered=True)
        if begun is None:
            return None
        start = begun.span.start
        end = min(start + len(words.written), len(self.document.text))
        span = Span(start, max(begun.span.end, end))
        comparison = compare(words.shown, self.document.shown(span))
        return self._alone(words, Found(self.document, span, begun.similarity, comparison))

    def _settled(self, words: Words, place: Place) -> Found:
        return self._alone(words, self._compared(words, place))

    def _alone(self, words: Words, found: Found) -> Found:
        """What was found; its whole sentence, where other words stand in that."""
        comparison = self._with_others(words, found.span) if found.same else None
        if comparison is None:
            return found
        span = self._sentences.around(found.span)
        return replace(found, span=span, comparison=comparison)

    def _with_others(self, words: Words, span: Span) -> Comparison | None:
        """How the sentence around the words differs from them; None where it says nothing more."""
        if not words.whole:
            return None
        sentence = self._sentences.around(span)
        before = self.document.shown(Span(sentence.start, span.start))
        after = self.document.shown(Span(span.end, sentence.end))
        if not before.strip() and not after.strip():
            return None
        core = words.shown
        if len(core) > _LONGEST_COMPARED:
            core = f"{core[:MAX_QUOTE_CHARS]} ... {core[-MAX_QUOTE_CHARS:]}"
        comparison = compare(core, f"{before}{core}{after}")
        return comparison if comparison.alterations else None

    def _compared(self, words: Words, place: Place) -> Found:
        span = verbatim_span(self.document, words.written, place.span)
        if span is not None and stands_at(self.document, words, span.start):
            return Found(self.document, span, 1.0, _NOTHING)
        candidate = settle(self.document, place, Quote(Claim("", words.shown)), _CONFIG)
        comparison = candidate.comparison or _NOTHING
        return Found(self.document, candidate.match.span, candidate.match.similarity, comparison)

    def _nearest_written(self, words: Words) -> Found | None:
        starts = (start for start in self._written_starts(words) if start >= 0)
        nearest = min(starts, key=lambda start: (abs(start - words.start), start), default=None)
        if nearest is None or not stands_at(self.document, words, nearest):
            return None
        span = Span(nearest, nearest + len(words.written))
        return self._alone(words, Found(self.document, span, 1.0, _NOTHING))

    def _written_starts(self, words: Words) -> Iterable[int]:
        if not words.written:
            return
        text = self.document.text
        yield text.find(words.written, words.start)
        yield text.rfind(words.written, 0, words.start + len(words.written))


def _searchable(words: Words) -> bool:
    """Longer words are looked for letter for letter, or by their beginning."""
    return 0 < len(words.shown) <= MAX_QUOTE_CHARS
