"""Which document is which source of a ledger now, where do the words of its evidence stand in it,
and what became of them?
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import PurePosixPath

from veridical.ledger.entry import Evidence, EvidenceLedger, Source
from veridical.ledger.verification import EvidenceCheck, EvidenceStatus, Location
from veridical.matching.align import Needle
from veridical.matching.locate import Place, locate, locate_near
from veridical.matching.passages import DocumentIndex
from veridical.matching.seeds import SearchPolicy
from veridical.retrieval.chunks import DEFAULT
from veridical.retrieval.lines import Kind
from veridical.retrieval.pieces import Piece, Pieces
from veridical.sources.document import Document, Span
from veridical.text.normalize import fold
from veridical.text.reading import Reading, sentence_spans
from veridical.validation.alterations import compare
from veridical.validation.claims import MAX_QUOTE_CHARS, Claim
from veridical.validation.config import ValidationConfig
from veridical.validation.cuts import cut_alterations
from veridical.validation.differences import NOTHING_CHANGED, Comparison
from veridical.validation.direct import ALTERED_FROM
from veridical.validation.gather import settle_parts, torn
from veridical.validation.settle import Quote, settle, struck_span, verbatim_span


def match_sources(sources: Sequence[Source], documents: Sequence[Document]) -> dict[str, Document]:
    """The document that each source is now, by source id; a missing source has none.

    By name, then by file name in whatever folder, then by text. The last two only where one source
    and one document are left that agree in it: a guess would call the wrong document changed.
    """
    matched: dict[str, Document] = {}
    rules: tuple[tuple[Callable[[Source], Hashable], Callable[[Document], Hashable]], ...] = (
        (lambda source: source.filename, lambda document: document.name),
        (lambda source: file_name(source.filename), lambda document: file_name(document.name)),
        (lambda source: source.sha256, lambda document: document.sha256),
    )
    for of_source, of_document in rules:
        taken = {document.name for document in matched.values()}
        left_sources: defaultdict[Hashable, list[Source]] = defaultdict(list)
        left_documents: defaultdict[Hashable, list[Document]] = defaultdict(list)
        for source in sources:
            if source.id not in matched:
                left_sources[of_source(source)].append(source)
        for document in documents if left_sources else ():
            if document.name not in taken:
                left_documents[of_document(document)].append(document)
        for agreed, candidates in left_sources.items():
            if len(candidates) == len(left_documents[agreed]) == 1:
                matched[candidates[0].id] = left_documents[agreed][0]
    return matched


def file_name(name: str) -> str:
    """The last part of a path, whatever system it was written on."""
    return PurePosixPath(name.replace("\\", "/")).name


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
        first = bisect_right(self._spans, span.start, key=lambda one: one.end)
        last = bisect_left(self._spans, span.end, key=lambda one: one.start) - 1
        if first > last:
            return span
        start, end = self._spans[first].start, self._spans[last].end
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
    shown = document.shown(span)
    return document.text[start : span.end] == words.written and (
        shown == words.shown or shown.split() == words.shown.split()
    )


def begins_or_ends_unseen(document: Document, span: Span) -> bool:
    """Whether its first or last character is never shown, as in a comment or in front matter: what
    is quoted from there on is nothing that a reader sees.
    """
    return any(
        mask.unseen and (mask.start <= span.start or mask.end >= span.end)
        for mask in document.masks.between(span.start, span.end)
    )


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
            batch = wanted[start : start + _BATCH]
            # Longer words are looked for letter for letter, or by their beginning.
            short = [w.shown if len(w.shown) <= MAX_QUOTE_CHARS else "" for w in batch]
            needles = [Needle(fold(shown)) for shown in short]
            if altered:
                places = locate(self._index.folded, needles, policy=_POLICY)
            else:
                places = locate_near(self._index.folded, needles, policy=_EXACT)
            for words, where, needle in zip(batch, places, needles, strict=True):
                best = self._best(words, where, searched=bool(needle.length))
                if altered:
                    found.append(best or self._long(words) or self._elided(words))
                else:
                    found.append(best if best is not None and best.same else None)
        return found

    def _best(self, words: Words, places: Sequence[Place], *, searched: bool) -> Found | None:
        exact = [place for place in places if place.edit_distance == 0]
        if len(exact) >= _MAX_PLACES or not searched:
            # More places than were listed, or words that folding forgets: the text itself knows.
            nearest = self._nearest_written(words)
            if nearest is not None and (nearest.same or not exact):
                return nearest
        looked_at = exact or places[:_MOST_COMPARED]
        found = [self._alone(words, self._compared(words, place)) for place in looked_at]
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
        (begun,) = self.find([Words(head, head, words.start)])
        if begun is None:
            return None
        start = begun.span.start
        end = min(start + len(words.written), len(self.document.text))
        span = Span(start, max(begun.span.end, end))
        comparison = compare(words.shown, self.document.shown(span))
        return self._alone(words, Found(self.document, span, begun.similarity, comparison))

    def _elided(self, words: Words) -> Found | None:
        """Where the parts stand, in order, that an ellipsis parts: as a whole it is altered."""
        quote = Quote(Claim("", words.shown)) if len(words.shown) <= MAX_QUOTE_CHARS else None
        if quote is None or not quote.parts:
            return None
        chain = next(torn(self._index.folded, quote, _POLICY), None)
        if chain is None:
            return None
        match = settle_parts(self.document, chain, quote, _CONFIG).match
        comparison = compare(words.shown, match.shown)
        found = Found(self.document, match.span, match.similarity, comparison)
        return found if match.similarity >= ALTERED_FROM and not found.same else None

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
            return Found(self.document, span, 1.0, NOTHING_CHANGED)
        candidate = settle(self.document, place, Quote(Claim("", words.shown)), _CONFIG)
        comparison = candidate.comparison or NOTHING_CHANGED
        return Found(self.document, candidate.match.span, candidate.match.similarity, comparison)

    def _nearest_written(self, words: Words) -> Found | None:
        text, written = self.document.text, words.written
        found = (
            text.find(written, words.start),
            text.rfind(written, 0, words.start + len(written)),
        )
        starts = (start for start in found if start >= 0 and written)
        nearest = min(starts, key=lambda start: (abs(start - words.start), start), default=None)
        if nearest is None or not stands_at(self.document, words, nearest):
            return None
        span = Span(nearest, nearest + len(words.written))
        return self._alone(words, Found(self.document, span, 1.0, NOTHING_CHANGED))


# What became of each piece of evidence of a ledger: held, moved, altered or orphaned.


_Key = tuple[str, Words]
"""A source id and words that stood in it: entries that rest on the same words share the work."""


class EvidenceChecks:
    """Checks all evidence of a ledger at once: each document is searched once for all words."""

    def __init__(
        self,
        ledger: EvidenceLedger,
        documents: Sequence[Document],
        matched: Mapping[str, Document],
    ) -> None:
        """`matched` holds, by source id, the document that a source is now."""
        self._sources = {source.id: source for source in ledger.sources}
        self._documents = documents
        self._matched = matched
        self._finder = cache(WordFinder)
        keys = dict.fromkeys(self._key(p) for entry in ledger.entries for p in entry.evidence)
        self._held = {key for key in keys if self._is_held(key)}
        left = [key for key in keys if key not in self._held]
        self._own = self._find(left, lambda key, document: matched.get(key[0]) is document)
        # Elsewhere they may stand as they are. What is only like them counts where their own
        # document is missing: it may have a new name.
        lost = [key for key in left if not _same(self._own.get(key))]
        others = self._find(
            lost, lambda key, document: matched.get(key[0]) is not document, altered=False
        )
        missing = [key for key in lost if key not in others and key[0] not in matched]
        self._elsewhere = others | self._find(missing, lambda *_: True)

    def of(self, piece: Evidence) -> EvidenceCheck:
        """What became of one of the ledger's pieces."""
        key = self._key(piece)
        source, own = self._sources[piece.source_id], self._matched.get(piece.source_id)
        found, also = self._own.get(key), self._elsewhere.get(key)
        if found is None or found.same:
            found, also = found or also, None
        status, now, line = EvidenceStatus.ORPHANED, None, None
        if found is not None:
            status = EvidenceStatus.MOVED if found.same else EvidenceStatus.ALTERED
            now = place_of(found.document, found.span)
        elif own is not None and key in self._held:
            status, now = EvidenceStatus.HELD, place_of(own, piece.snippet_span)
        if own is not None and own.sha256 == source.sha256:
            line = own.line_number(piece.snippet_span.start)
        moved_out = found is not None and own is not None and found.document is not own
        comparison = found.comparison if found is not None else NOTHING_CHANGED
        return EvidenceCheck(
            anchor=piece.anchor,
            source_id=source.id,
            status=status,
            snippet=piece.snippet,
            was=Location(source.filename, piece.snippet_span, line, piece.page_number),
            stale=status in (EvidenceStatus.ALTERED, EvidenceStatus.ORPHANED) or moved_out,
            now=now,
            also=None if also is None else place_of(also.document, also.span),
            rules=comparison.rules,
            changes=comparison.alterations,
            diff=comparison.diff,
        )

    def _is_held(self, key: _Key) -> bool:
        source_id, words = key
        document, source = self._matched.get(source_id), self._sources[source_id]
        if document is None or file_name(document.name) != file_name(source.filename):
            return False
        if document.sha256 == source.sha256:
            return reads_at(document, words, words.start)
        return self._finder(document).stands(words)

    def _key(self, piece: Evidence) -> _Key:
        """Where the document has not changed, its words may be part of a sentence: they were."""
        source, document = self._sources[piece.source_id], self._matched.get(piece.source_id)
        changed = document is None or document.sha256 != source.sha256
        start = piece.snippet_span.start
        return source.id, Words(piece.snippet, piece.source_text, start, whole=changed)

    def _find(
        self,
        keys: Sequence[_Key],
        is_wanted: Callable[[_Key, Document], bool],
        *,
        altered: bool = True,
    ) -> dict[_Key, Found]:
        """Where the words stand in the documents in which they are wanted, the first in the order
        given, or, with `altered`, what is most like them.
        """
        best: dict[_Key, Found] = {}
        for document in self._documents if keys else ():
            wanted = [k for k in keys if is_wanted(k, document) and not _same(best.get(k))]
            if not wanted:
                continue
            places = self._finder(document).find([words for _, words in wanted], altered=altered)
            for key, place in zip(wanted, places, strict=True):
                if place is not None and _better(place, best.get(key)):
                    best[key] = place
        return best


def _same(found: Found | None) -> bool:
    return found is not None and found.same


def _better(one: Found, other: Found | None) -> bool:
    return other is None or (one.same, one.similarity) > (other.same, other.similarity)


def place_of(document: Document, span: Span) -> Location:
    """Where a span of a document is, as people look it up."""
    return Location(
        document.name, span, document.line_number(span.start), document.page_at(span.start)
    )
