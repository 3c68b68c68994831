"""The stretches of a document that a chunk is never cut inside: sentences, rows, list items."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from veridical.retrieval.layout import blocks
from veridical.retrieval.lines import Block, Kind
from veridical.sources.document import Document
from veridical.sources.span import Span
from veridical.sources.transcript import Transcript
from veridical.text.reading import Reading, sentence_spans

WHOLE_ITEM = 300
"""A list item up to this many characters is shown whole, a longer one by its sentences."""

_LONG_SPEECH = 300
"""A longer sentence of a recording, in characters, has lost its full stops."""


_NOTE_MARK = re.compile(
    r"(?P<word>[a-z]{3,30}|\))[.!?][\"'\u201d\u2019]?(?P<mark>\d{1,2})(?=\s+[^\W\da-z_]|\s*\Z)"
)
_ABBREVIATED = frozenset({"art", "chap", "fig", "nos", "para", "sec", "vol"})
"""Words that a number follows after their full stop."""

_OPEN_ENDED = _ABBREVIATED | frozenset(
    "abs approx avg ca cf cl excl ext incl max min paras reg resp tel".split()
)
"""Abbreviations that never end a sentence which goes on with a number or a small letter."""

_MEASURES = frozenset("chars dept hr hrs mins mos mths secs wk wks yr yrs".split())
"""Abbreviations that may end a sentence, but not one that goes on with a small letter."""

_NUMBER = re.compile(r"(?:[A-Z]{3} ?|[$€£] ?)?\d")


@dataclass(frozen=True, slots=True)
class Piece:
    """What may be shown as a snippet: a sentence, a table row, a list item or a heading.

    `start` and `end` are offsets into `Reading.text`, `span` its place in `Document.text`. `head`
    is where the first row of its table stands, for all other rows.
    """

    start: int
    end: int
    span: Span
    kind: Kind
    head: Span | None = None


Unit = tuple[Piece, ...]
"""Pieces that stay in one chunk: a list item's sentences, a small table's rows; else one."""


class Pieces:
    """The pieces of one document; none is longer than `longest` characters."""

    def __init__(self, document: Document, longest: int) -> None:
        self._document = document
        self._reading = Reading(document)
        self._text = self._reading.text
        self._longest = longest

    def paragraphs(self) -> Iterator[list[Unit]]:
        """The units of each paragraph, list item, table and heading, in order."""
        table: list[Piece] = []
        for block in blocks(self._document, self._reading):
            if table and (block.kind is not Kind.ROW or block.opens):
                yield self._units(table)
                table = []
            if block.kind is Kind.ROW:
                table += self._cut(block, self._trimmed(block), table[0].span if table else None)
                continue
            pieces = self._cut(block, self._sentences(block), None)
            if pieces:
                yield (
                    [(piece,) for piece in pieces]
                    if block.kind is Kind.PROSE
                    else (self._units(pieces))
                )
        if table:
            yield self._units(table)

    def _units(self, pieces: list[Piece]) -> list[Unit]:
        """All pieces as one unit where they are short enough, else each by itself."""
        if pieces[-1].end - pieces[0].start <= self._longest:
            return [tuple(pieces)]
        return [(piece,) for piece in pieces]

    def _trimmed(self, block: Block) -> Iterator[tuple[int, int]]:
        content = self._text[block.start : block.end]
        start = block.start + len(content) - len(content.lstrip())
        yield start, start + len(content.strip())

    def _sentences(self, block: Block) -> Iterator[tuple[int, int]]:
        ((start, end),) = self._trimmed(block)
        short = block.kind is Kind.ITEM and end - start <= WHOLE_ITEM
        if short or block.kind is Kind.HEADING:
            yield start, end
            return
        for first, last in _rejoined(self._text[start:end]):
            for low, high in self._without_notes(start + first, start + last):
                yield from self._said(low, high)

    def _without_notes(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """A stretch cut before and after each note mark in it ("three days a week.1 Part-time"):
        the mark hides from the splitter that a sentence ends there, and is no part of any.
        """
        for mark in _NOTE_MARK.finditer(self._text, start, end):
            if mark["word"].lower() not in _ABBREVIATED:
                yield start, mark.start("mark")
                yield mark.span("mark")
                start = mark.end()
        if start < end:
            yield start, end

    def _said(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """A sentence; a long one of a recording by the segments that it was recorded in."""
        document = self._document
        if isinstance(document, Transcript) and end - start > _LONG_SPEECH:
            # A transcript is read as it is written: it has no masks.
            for segment in document.segments_in(Span(start, end))[1:]:
                if segment.span.start > start and self._text[start : segment.span.start].strip():
                    yield start, segment.span.start
                    start = segment.span.start
        yield start, end

    def _cut(
        self, block: Block, bounds: Iterable[tuple[int, int]], head: Span | None
    ) -> list[Piece]:
        """The pieces at `bounds`, cut at spaces where they are too long."""
        pieces: list[Piece] = []
        for start, end in bounds:
            at = start
            while at < end:
                stop = end
                if end - at > self._longest:
                    space = self._text.rfind(" ", at + 1, at + self._longest)
                    stop = space if space > at else at + self._longest
                low, high = at, stop
                while low < high and self._text[low].isspace():
                    low += 1
                while low < high and self._text[high - 1].isspace():
                    high -= 1
                if low < high:
                    pieces.append(Piece(low, high, self._source(low, high), block.kind, head))
                at = stop
        return pieces

    def _source(self, start: int, end: int) -> Span:
        """The source span of a piece; what is shown in place of a mask belongs to it whole."""
        span = self._reading.to_source(start, end)
        masks = self._document.masks
        inside = bisect_left(masks.ends, span.end)
        if inside < len(masks) and masks.starts[inside] < span.end:
            return Span(span.start, masks.ends[inside])
        return span


def _rejoined(text: str) -> Iterator[tuple[int, int]]:
    """The sentences of a text; those that the splitter ends after an abbreviation go on."""
    open_start, open_end = -1, -1
    for start, end in sentence_spans(text):
        if open_start >= 0 and _goes_on(text, open_end, start):
            open_end = end
            continue
        if open_start >= 0:
            yield open_start, open_end
        open_start, open_end = start, end
    if open_start >= 0:
        yield open_start, open_end


def _goes_on(text: str, end: int, following: int) -> bool:
    """Whether the sentence that ends at `end` ends in its midst: "approx. 40 euros"."""
    if text[end - 1] != ".":
        return False
    word = _LAST_WORD.search(text, max(0, end - _LONGEST_ABBREVIATION), end)
    key = word[1].lower() if word else ""
    if key in _OPEN_ENDED:
        return text[following].islower() or _NUMBER.match(text, following) is not None
    return key in _MEASURES and text[following].islower()


_LAST_WORD = re.compile(r"(?<![^\W_])([A-Za-z]+)\.\Z")
_LONGEST_ABBREVIATION = 8
