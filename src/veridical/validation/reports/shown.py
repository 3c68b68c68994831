"""A document as a reader sees it, in blocks, with the offsets of the written text mapped to it."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import accumulate, pairwise
from typing import NamedTuple

from veridical.sources.document import Document, Format
from veridical.sources.span import Span

LONG_BLOCK_CHARS = 8_000
"""A paragraph without blank lines is cut at a line end about this often: browsers are slow with
paragraphs of a megabyte."""

_GAP = re.compile(r"\r?\n(?:[ \t\r]*+[\n\f])++|\f\n*+")
_LEADING = re.compile(r"(?:[ \t\r]*+[\n\f])++")
_STRUCTURE = r"(?![ \t]|[-*+•>|#][ \t]|\d{1,3}[.)][ \t])"
_PROSE = re.compile(rf"(?:{_STRUCTURE}[^\n\t]{{50,}}+\n)++{_STRUCTURE}[^\n\t]*+")
_COLUMNS = re.compile(r"\S {3,}\S")


class ShownText:
    """What a reader sees of a document, and where each offset of the written text went."""

    def __init__(self, document: Document) -> None:
        masks = document.masks
        pieces: list[str] = []
        at = 0
        for start, end, shown in zip(masks.starts, masks.ends, masks.shown, strict=True):
            pieces += (document.text[at:start], shown)
            at = end
        pieces.append(document.text[at:])
        self.text = "".join(pieces)
        self._starts, self._ends = masks.starts, masks.ends
        growth = accumulate(
            len(shown) - (end - start)
            for start, end, shown in zip(masks.starts, masks.ends, masks.shown, strict=True)
        )
        self._after = array("q", map(int.__add__, masks.ends, growth))
        self.headings = list(self._headings(document))
        self.pages = [(self.offset(page.span.start), page.number) for page in document.pages]

    def _headings(self, document: Document) -> Iterator[tuple[int, int, int]]:
        """(start, end, level) of the headings that show something, none over another."""
        free_from = 0
        for section in document.sections:
            heading = self.span(section.heading)
            if heading.start >= free_from and heading:
                yield heading.start, heading.end, section.level
                free_from = heading.end

    def offset(self, written: int) -> int:
        """Where an offset of the written text lies in `text`.

        A mask is shown where it starts, so that `text[offset(start):offset(end)]` is what
        `Document.shown` gives for the same span.
        """
        index = bisect_left(self._starts, written) - 1
        if index < 0:
            return written
        return self._after[index] + max(0, written - self._ends[index])

    def span(self, written: Span) -> Span:
        """Where a span of the written text lies in `text`."""
        return Span(self.offset(written.start), self.offset(written.end))


class Block(NamedTuple):
    """A paragraph or heading: `text[start:end]`, without the blank lines around it.

    `level` is 0 for a paragraph. `page` is the number of the page that begins here, `gap_end` is
    where the blank space after the block ends. `continued` says that no blank line parts it from
    the block before, `columns` that it is set in columns with spaces, `prose` that its line breaks
    mean nothing and may flow.
    """

    start: int
    end: int
    gap_end: int
    level: int = 0
    page: int | None = None
    continued: bool = False
    columns: bool = False
    prose: bool = False


def blocks(document: Document, shown: ShownText, window: Span) -> Iterator[Block]:
    """The blocks of a part of the shown text, in order. They and their gaps cover it all."""
    flows = document.format is not Format.PDF
    for (at, level, page), (until, _, _) in pairwise(_stops(shown, window)):
        first = True
        for start, end, gap_end, continued in _paragraphs(shown.text, at, until):
            text = "" if level else shown.text[start:end]
            columns = "   " in text and _COLUMNS.search(text) is not None
            prose = flows and not columns and _PROSE.fullmatch(text) is not None
            begins = page if first else None
            yield Block(start, end, gap_end, level, begins, continued, columns, prose)
            first = False


Stop = tuple[int, int, int | None]
"""An offset, the level of the heading that begins there or 0, the page that begins there."""


def _stops(shown: ShownText, window: Span) -> list[Stop]:
    """Where blocks must begin whatever the text looks like; ends with the end of the window."""
    found: dict[int, tuple[int, int | None]] = {window.start: (0, None)}
    for index in range(bisect_left(shown.headings, (window.start,)), len(shown.headings)):
        start, end, level = shown.headings[index]
        if end > window.end:
            break
        found[start] = (level, None)
        found[end] = (0, None)
    for index in range(bisect_left(shown.pages, (window.start,)), len(shown.pages)):
        start, number = shown.pages[index]
        if start >= window.end:
            break
        found[start] = (found.get(start, (0, None))[0], number)
    found[window.end] = (0, None)
    return [(at, *found[at]) for at in sorted(found)]


def _paragraphs(text: str, start: int, end: int) -> Iterator[tuple[int, int, int, bool]]:
    """(start, end, end of the gap after it, continued) of each paragraph of `text[start:end]`."""
    leading = _LEADING.match(text, start, end)
    at = start
    if leading:
        yield start, start, leading.end(), False
        at = leading.end()
    while at < end:
        gap = _GAP.search(text, at, end)
        stop, gap_end = gap.span() if gap else (end, end)
        continued = False
        while cut := text.find("\n", at + LONG_BLOCK_CHARS, stop) + 1:
            yield at, cut, cut, continued
            at, continued = cut, True
        if text[at:stop].isspace():
            stop = at
        yield at, stop, gap_end, continued
        at = gap_end


def windows(places: Iterable[Span], text: str, margin: int) -> list[Span]:
    """The parts of a text within `margin` characters of a place, in order, overlaps joined.

    Each begins and ends at a line end or space, where there is one near.
    """
    merged: list[tuple[int, int]] = []
    for place in sorted(places):
        start = _line_start(text, max(0, place.start - margin), place.start)
        end = _line_end(text, place.end, min(len(text), place.end + margin))
        if merged and start <= merged[-1][1]:
            start, before = merged.pop()
            end = max(end, before)
        merged.append((start, end))
    return [Span(start, end) for start, end in merged]


def _line_start(text: str, least: int, most: int) -> int:
    if least == 0:
        return 0
    line = text.find("\n", least, (least + most) // 2) + 1
    return line or text.find(" ", least, most) + 1 or least


def _line_end(text: str, least: int, most: int) -> int:
    if most == len(text):
        return most
    line = text.rfind("\n", (least + most) // 2, most)
    space = text.rfind(" ", least, most)
    return next((at for at in (line, space) if at >= 0), most)
