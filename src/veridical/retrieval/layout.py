"""What a document is made of: headings, table rows, list items and prose, in order.

Tables and lists of HTML and tables of Markdown are told by their masks, all else by its lines.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

from veridical.retrieval.lines import Block, Breaks, Kind, line_blocks
from veridical.sources.document import Document, Format
from veridical.sources.masks import Mask
from veridical.text.reading import Reading

LONGEST_ROW = 1_000
"""A longer row, in characters, is a page laid out with a table, and is read as prose."""

_BREAKS = {
    Format.DOCX: Breaks.ALWAYS,
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
