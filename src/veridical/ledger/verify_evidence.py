"""What became of each piece of evidence of a ledger: held, moved, altered or orphaned."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache

from veridical.ledger.entry import Evidence, EvidenceLedger, Source
from veridical.ledger.verification import (
    Change,
    EvidenceCheck,
    EvidenceStatus,
    Location,
    WordDiff,
)
from veridical.ledger.verify_find import Found, WordFinder, Words, reads_at
from veridical.ledger.verify_sources import file_name
from veridical.sources.document import Document
from veridical.sources.span import Span
from veridical.validation.differences import Comparison

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
        left = [key for key in keys if not self._is_held(key)]
        self._held = keys.keys() - set(left)
        self._own = self._find_at_home(left)
        lost = [key for key in left if not _same(self._own.get(key))]
        self._elsewhere = self._find_elsewhere(lost)

    def of(self, piece: Evidence) -> EvidenceCheck:
        """What became of one of the ledger's pieces."""
        key = self._key(piece)
        source = self._sources[piece.source_id]
        own, elsewhere = self._own.get(key), self._elsewhere.get(key)
        if key in self._held:
            now = place_of(self._matched[source.id], piece.snippet_span)
            return self._check(piece, EvidenceStatus.HELD, now=now)
        if own is not None and own.same:
            return self._check(piece, EvidenceStatus.MOVED, own)
        if own is not None:
            return self._check(piece, EvidenceStatus.ALTERED, own, also=elsewhere)
        if elsewhere is None:
            return self._check(piece, EvidenceStatus.ORPHANED)
        status = EvidenceStatus.MOVED if elsewhere.same else EvidenceStatus.ALTERED
        return self._check(piece, status, elsewhere)

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

    def _find_at_home(self, keys: Sequence[_Key]) -> dict[_Key, Found]:
        """Where the words stand in the document that they come from, or what is most like them."""
        by_source: defaultdict[str, list[_Key]] = defaultdict(list)
        for key in keys:
            if key[0] in self._matched:
                by_source[key[0]].append(key)
        found: dict[_Key, Found] = {}
        for source_id, group in by_source.items():
            finder = self._finder(self._matched[source_id])
            places = finder.find([words for _, words in group])
            found |= {key: at for key, at in zip(group, places, strict=True) if at is not None}
        return found

    def _find_elsewhere(self, keys: Sequence[_Key]) -> dict[_Key, Found]:
        """Where the words stand in other documents, the first in the order given.

        What is only like them counts where their own document is missing: it may have a new name.
        """
        found = self._find_in_others(keys, altered=False)
        missing = [key for key in keys if key not in found and key[0] not in self._matched]
        return found | self._find_in_others(missing, altered=True)

    def _find_in_others(self, keys: Sequence[_Key], *, altered: bool) -> dict[_Key, Found]:
        best: dict[_Key, Found] = {}
        for document in self._documents if keys else ():
            wanted = [
                key
                for key in keys
                if self._matched.get(key[0]) is not document and not _same(best.get(key))
            ]
            if not wanted:
                continue
            places = self._finder(document).find([words for _, words in wanted], altered=altered)
            for key, place in zip(wanted, places, strict=True):
                if place is not None and _better(place, best.get(key)):
                    best[key] = place
        return best

    def _check(
        self,
        piece: Evidence,
        status: EvidenceStatus,
        found: Found | None = None,
        *,
        now: Location | None = None,
        also: Found | None = None,
    ) -> EvidenceCheck:
        source = self._sources[piece.source_id]
        own = self._matched.get(source.id)
        gone = status in (EvidenceStatus.ALTERED, EvidenceStatus.ORPHANED)
        moved_out = found is not None and own is not None and found.document is not own
        comparison = found.comparison if found is not None else None
        return EvidenceCheck(
            anchor=piece.anchor,
            source_id=source.id,
            status=status,
            snippet=piece.snippet,
            was=self._place_then(piece, source, own),
            stale=gone or moved_out,
            now=now if found is None else place_of(found.document, found.span),
            also=None if also is None else place_of(also.document, also.span),
            rules=comparison.rules if comparison else (),
            changes=changes_of(comparison) if comparison else (),
            diff=diff_of(comparison) if comparison else (),
        )

    def _place_then(self, piece: Evidence, source: Source, own: Document | None) -> Location:
        line = None
        if own is not None and own.sha256 == source.sha256:
            line = own.line_number(piece.snippet_span.start)
        return Location(source.filename, piece.snippet_span, line, piece.page_number)


def _same(found: Found | None) -> bool:
    return found is not None and found.same


def _better(one: Found, other: Found | None) -> bool:
    return other is None or (one.same, one.similarity) > (other.same, other.similarity)


def place_of(document: Document, span: Span) -> Location:
    """Where a span of a document is, as people look it up."""
    return Location(
        document.name, span, document.line_number(span.start), document.page_at(span.start)
    )


def changes_of(comparison: Comparison) -> tuple[Change, ...]:
    """What was altered, from what the ledger says to what stands in the document."""
    return tuple(Change(a.kind, a.quoted, a.source) for a in comparison.alterations)


def diff_of(comparison: Comparison) -> tuple[WordDiff, ...]:
    """The word diff, from what the ledger says to what stands in the document."""
    return tuple(WordDiff(part.quoted, part.source, part.equal) for part in comparison.diff)
