"""The sentences, table rows and headings of a document, by the places of what stands in them."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cached_property

from veridical.retrieval.chunks import DEFAULT
from veridical.retrieval.lines import Kind
from veridical.retrieval.pieces import Piece, Pieces
from veridical.sources.document import Document
from veridical.sources.span import Span
from veridical.text.reading import Reading, sentence_spans

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
