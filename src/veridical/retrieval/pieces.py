"""The stretches of a document that a chunk is never cut inside: sentences, rows, list items."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate

from veridical.retrieval.lines import Block, Breaks, Kind, line_blocks
from veridical.sources.document import SHEETS, Document, Format, Span
from veridical.sources.masks import Mask
from veridical.sources.transcript import Transcript
from veridical.text.reading import Reading, cut_at_spaces, sentence_spans, trimmed

# What a document is made of: headings, table rows, list items and prose, in order.


LONGEST_ROW = 1_000
"""A longer row, in characters, is a page laid out with a table, and is read as prose."""

_BREAKS = {
    **dict.fromkeys((Format.DOCX, Format.PPTX, Format.EPUB, Format.JSON), Breaks.ALWAYS),
    **dict.fromkeys(SHEETS, Breaks.ROWS),
    Format.HTML: Breaks.NEVER,
    Format.MARKDOWN: Breaks.NEVER,
}

_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)")
_DELIMITERS = "|:- \t"
_ITEMS = frozenset({"li", "dt", "dd"})
_LISTS = frozenset({"ul", "ol", "dl", "menu"})
_BESIDE_ROW = " \t\r\n>"


@dataclass(slots=True)
class _Mark:
    """From `at` on, an offset into the source, a new block of this kind; None keeps the kind."""

    at: int
    kind: Kind | None
    opens: bool = False


def blocks(document: Document, reading: Reading) -> Iterator[Block]:
    """The blocks of a document, in order, by their offsets in `reading.text`.

    Every visible character stands in exactly one. No block reaches over an edge of a heading.
    """
    breaks = _BREAKS.get(document.format, Breaks.BY_WIDTH)
    to_reading = _ToReading(document)
    open_block = Block(0, 0, Kind.PROSE)
    for mark in _all_marks(document):
        at = max(open_block.start, to_reading(mark.at))
        yield from _whole(reading.text, open_block, at, breaks=breaks)
        open_block = Block(at, at, mark.kind or open_block.kind, mark.opens)
    yield from _whole(reading.text, open_block, len(reading.text), breaks=breaks)


def _whole(text: str, block: Block, end: int, *, breaks: Breaks) -> Iterator[Block]:
    """What stands from the start of an open block to `end`."""
    content = text[block.start : end].strip()
    if not content:
        return
    if block.kind is Kind.PROSE or (block.kind is Kind.ROW and len(content) > LONGEST_ROW):
        yield from line_blocks(text, block.start, end, breaks=breaks)
    else:
        yield Block(block.start, end, block.kind, block.opens)


class _ToReading:
    """Offsets of the source as offsets of the reading; inside a mask, that of the mask's start."""

    def __init__(self, document: Document) -> None:
        masks = document.masks
        columns = zip(masks.starts, masks.ends, masks.shown, strict=True)
        self._starts, self._ends = masks.starts, masks.ends
        self._lost = list(accumulate((e - s - len(shown) for s, e, shown in columns), initial=0))

    def __call__(self, offset: int) -> int:
        before = bisect_right(self._ends, offset)
        if before < len(self._starts):
            offset = min(offset, self._starts[before])
        return offset - self._lost[before]


def _all_marks(document: Document) -> list[_Mark]:
    """The marks of headings and, outside of these, of tables and lists, in order."""
    headings = [section.heading for section in document.sections]
    starts = [heading.start for heading in headings]
    ends = list(map(min, (heading.end for heading in headings), [*starts[1:], len(document.text)]))
    ranked = [(end, 0, _Mark(end, Kind.PROSE)) for end in ends]
    ranked += [(start, 2, _Mark(start, Kind.HEADING)) for start in starts]
    for mark in _Masked(document).marks():
        heading = bisect_right(starts, mark.at) - 1
        if heading < 0 or mark.at >= ends[heading]:
            ranked.append((mark.at, 1, mark))
    return [mark for _, _, mark in sorted(ranked, key=lambda entry: entry[:2])]


class _Masked:
    """Reads where tables, lists and paragraphs start and end off the masks of a document."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._text = document.text
        self._marks: list[_Mark] = []
        self._in_row = self._opens = False
        self._row = self._row_end = -1

    def marks(self) -> list[_Mark]:
        """The marks in order."""
        for mask in self._document.masks:
            if mask.unseen or mask.start < self._row_end:
                continue
            tag = _TAG.match(self._text, mask.start, mask.end)
            if tag:
                self._tag(mask, tag[2].lower(), closing=bool(tag[1]))
            elif mask.shown == " " and self._text[mask.start : mask.end] == "|":
                self._pipe(mask)
            elif not mask.shown and self._row >= 0:
                self._delimiters(mask)
        return self._marks

    def _tag(self, mask: Mask, name: str, *, closing: bool) -> None:
        kind: Kind | None = None
        opens = False
        if name == "table":
            self._in_row, self._opens, kind = False, not closing, Kind.PROSE
        elif name == "tr":
            self._in_row, kind = not closing, Kind.PROSE if closing else Kind.ROW
            opens, self._opens = self._opens and not closing, self._opens and closing
        elif self._in_row or name == "br" or "\n" not in mask.shown:
            return
        elif name in _ITEMS:
            kind = Kind.PROSE if closing else Kind.ITEM
        elif name in _LISTS:
            kind = Kind.PROSE
        self._marks.append(_Mark(mask.start, kind, opens))

    def _pipe(self, mask: Mask) -> None:
        """A row of a Markdown table: the whole line, which may hold line breaks as HTML."""
        start = self._text.rfind("\n", 0, mask.start) + 1
        end = self._text.find("\n", mask.end)
        self._row_end = len(self._text) if end < 0 else end
        self._row = len(self._marks)
        self._marks += [_Mark(start, Kind.ROW), _Mark(self._row_end, Kind.PROSE)]

    def _delimiters(self, mask: Mask) -> None:
        """The line of dashes that makes the row before it the head of a table."""
        between = self._text[self._row_end : mask.start]
        written = self._text[mask.start : mask.end]
        is_line = "-" in written and not written.strip(_DELIMITERS)
        if is_line and not between.strip(_BESIDE_ROW):
            self._marks[self._row].opens = True
        self._row = -1


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
                row = trimmed(self._text, block.start, block.end)
                table += self._cut(block, [row], table[0].span if table else None)
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

    def _sentences(self, block: Block) -> Iterator[tuple[int, int]]:
        start, end = trimmed(self._text, block.start, block.end)
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
        return [
            Piece(low, high, self._source(low, high), block.kind, head)
            for start, end in bounds
            for low, high in cut_at_spaces(self._text, start, end, self._longest)
        ]

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
