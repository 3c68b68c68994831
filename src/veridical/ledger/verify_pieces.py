"""Are the pieces of evidence of a ledger what stands in sources that have not changed?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from veridical.ledger.entry import Evidence, LedgerEntry, Source
from veridical.ledger.seal import Problem
from veridical.ledger.verify_find import Words, is_cut, reads_at
from veridical.ledger.verify_sentences import Sentences
from veridical.retrieval.chunks import chunk_sha256
from veridical.sources.document import Document
from veridical.sources.span import Span
from veridical.text.tokens import is_word_character
from veridical.validation.struck import struck_span


class PieceChecks:
    """Checks pieces against `sources`, and `unchanged`: the documents, by source id, whose text is
    the one that the ledger was built on.
    """

    def __init__(self, sources: Mapping[str, Source], unchanged: Mapping[str, Document]) -> None:
        self._sources = sources
        self._unchanged = unchanged
        self._sentences = cache(lambda source_id: Sentences(unchanged[source_id]))

    def problems(self, entry: LedgerEntry, at: str) -> Iterator[Problem]:
        """What is wrong with the evidence of an entry."""
        for kind, pieces in (("evidence.pieces", entry.evidence), ("near", entry.near)):
            for number, piece in enumerate(pieces):
                where = f"{at}.{kind}[{number}]"
                yield from _by_itself(piece, self._sources[piece.source_id], where)
                document = self._unchanged.get(piece.source_id)
                if document is not None:
                    yield from _in_source(piece, document, where)
                    yield from self._edges(piece, document, where)

    def _edges(self, piece: Evidence, document: Document, at: str) -> Iterator[Problem]:
        """Words cut out of others, as "7 days" of "27 days", and words that are struck through."""
        span = piece.snippet_span
        if span.end > len(document.text) or not len(span):
            return
        if struck_span(document, span) is not None:
            yield Problem(f"{at}.snippet", f"{document.name} shows these words struck through")
        is_part = is_cut(document, span, piece.snippet) or _parts_a_word(document, span)
        if is_part and self._sentences(piece.source_id).around(span) != span:
            yield Problem(f"{at}.snippet", "it begins or ends within a word or a number")


def _by_itself(piece: Evidence, source: Source, at: str) -> Iterator[Problem]:
    inner, outer = piece.snippet_span, piece.chunk_span
    if not outer.start <= inner.start <= inner.end <= outer.end:
        yield Problem(f"{at}.snippet_span", "it reaches out of its chunk")
    if outer.end > source.chars:
        yield Problem(f"{at}.chunk_span", "it reaches out of its document")
    if len(piece.source_text) != len(inner):
        yield Problem(f"{at}.source_text", "it is not as long as its span")
    if not piece.snippet.strip():
        yield Problem(f"{at}.snippet", "it is empty")
    if not piece.chunk_sha256.startswith(piece.anchor):
        yield Problem(f"{at}.anchor", "it is not a prefix of the hash of its chunk")


def _in_source(piece: Evidence, document: Document, at: str) -> Iterator[Problem]:
    words = Words(piece.snippet, piece.source_text, piece.snippet_span.start)
    if not reads_at(document, words, piece.snippet_span.start):
        yield Problem(
            f"{at}.snippet",
            f"{document.name} has not changed, and these words do not stand there: "
            "the ledger is wrong",
        )
    if chunk_sha256(document.shown(piece.chunk_span)) != piece.chunk_sha256:
        yield Problem(f"{at}.chunk_sha256", "the chunk at this place has another hash")
    if piece.page_number != document.page_at(piece.snippet_span.start):
        yield Problem(f"{at}.source.page_number", "the words stand on another page")
    section = document.section_at(piece.chunk_span.start)
    if piece.heading_path != (section.path if section else ()):
        yield Problem(f"{at}.source.heading_path", "the words stand under another heading")


def _parts_a_word(document: Document, span: Span) -> bool:
    """Whether a letter or digit outside the span is one word with the one inside, as shown."""
    inside = document.shown(span)
    before = document.shown(Span(max(0, span.start - 1), span.start))
    after = document.shown(Span(span.end, min(span.end + 1, len(document.text))))
    edges = (before[-1:], inside[:1]), (inside[-1:], after[:1])
    return any(
        one and other and is_word_character(one) and is_word_character(other)
        for one, other in edges
    )
