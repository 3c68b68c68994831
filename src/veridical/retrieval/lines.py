"""Paragraphs, list items and table rows of text whose structure shows in its lines only.

Lines of most texts are broken wherever they are full, so that a line break says nothing. It does
where the next line starts afresh (a list marker, a row of cells), and where a line ends although
the next word would have had room.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What a block is to a reader."""

    HEADING = "heading"
    ROW = "row"
    ITEM = "item"
    PROSE = "prose"


class Breaks(StrEnum):
    """What a line break says in a format."""

    ALWAYS = "always"
    """It ends a paragraph."""
    BY_WIDTH = "by_width"
    """It ends a paragraph where the line still had room: the text was broken to fit a width."""
    NEVER = "never"
    """It is a space."""
    ROWS = "rows"
    """It ends the row of a table."""


@dataclass(frozen=True, slots=True)
class Block:
    """`Reading.text[start:end]`, white space at its edges included.

    `opens` marks the first row of a table, which names its columns.
    """

    start: int
    end: int
    kind: Kind
    opens: bool = False


_LINE = re.compile(r"[^\S\n]*+([^\n]*+)(?:\n|\Z)")
_MARKER = re.compile(r"[-*+•‣◦▪▫●○■□∙⁃](?=\s|$)")
_WEAK_MARKER = re.compile(r"(?:\(?(?:\d{1,3}|[a-z]|[ivx]{2,5})[.)]|–)(?=\s|$)")
"""Signs that start a list item only where one may be expected: they also stand in sentences."""

_FIRST_NUMBER = re.compile(r"\(?[1a][.)](?=\s|$)")
_CELLS = re.compile(r"\t|\|[^|]++\||(?:\.[ ]?){6}")
"""What parts the cells of a row: tabs, pipes, the leaders of a table of contents."""

_OPEN_END = frozenset(",;-–—(/&")

_NEIGHBOURS = 8
"""Lines before and after whose length tells how wide the text is set."""

_NARROWEST, _WIDEST = 25, 160
"""Text narrower or wider than this, in characters, was not broken to fit a width."""

_FULL = 0.8
"""Share of the width that a line fills, with the word that follows it, if it was broken to fit."""


@dataclass(frozen=True, slots=True)
class _Line:
    """A line without the white space around it, by its offsets in the text."""

    start: int
    end: int

    def __len__(self) -> int:
        return self.end - self.start


def line_blocks(
    text: str, start: int, end: int, *, breaks: Breaks = Breaks.BY_WIDTH
) -> Iterator[Block]:
    """The blocks of `text[start:end]`, in order; an empty line always ends one."""
    run: list[_Line] = []
    listed = False
    for line in _lines(text, start, end):
        if len(line):
            run.append(line)
        elif run:
            listed = yield from _run_blocks(text, run, breaks=breaks, listed=listed)
            run = []


def _lines(text: str, start: int, end: int) -> Iterator[_Line]:
    """The lines of `text[start:end]`, and an empty one after the last."""
    for found in _LINE.finditer(text, start, end):
        first, last = found.span(1)
        yield _Line(first, first + len(text[first:last].rstrip()))


def _run_blocks(
    text: str, run: Sequence[_Line], *, breaks: Breaks, listed: bool
) -> Generator[Block, None, bool]:
    """The blocks of lines without an empty one among them; returns whether the last is an item.

    `listed` says that a list item stands before.
    """
    widths = [len(line) for line in run]
    kind, first, table = Kind.PROSE, -1, False
    for number, line in enumerate(run):
        before = run[number - 1]
        if breaks is Breaks.ROWS or _CELLS.search(text, line.start, line.end):
            if first >= 0:
                yield Block(first, before.end, kind)
            yield Block(line.start, line.end, Kind.ROW, opens=not table)
            first, table, listed = -1, True, False
            continue
        starts = first < 0
        item = _starts_item(text, line, expected=starts or listed)
        if not starts and (
            item
            or breaks is Breaks.ALWAYS
            or (
                breaks is Breaks.BY_WIDTH
                and _is_broken_off(text, before, line, _width(widths, number))
            )
        ):
            yield Block(first, before.end, kind)
            starts = True
        if starts:
            first, kind = line.start, Kind.ITEM if item else Kind.PROSE
            listed, table = item, False
    if first >= 0:
        yield Block(first, run[-1].end, kind)
    return listed


def _starts_item(text: str, line: _Line, *, expected: bool) -> bool:
    """Whether a line starts a list item; `expected` where one may follow what stands before.

    Only the first number of a list interrupts a paragraph (CommonMark 0.31, 5.3): "in section
    12. The" is often broken before its number.
    """
    if _MARKER.match(text, line.start, line.end):
        return True
    weak = _WEAK_MARKER if expected else _FIRST_NUMBER
    return weak.match(text, line.start, line.end) is not None


def _width(widths: Sequence[int], number: int) -> int:
    near = widths[max(0, number - _NEIGHBOURS) : number + _NEIGHBOURS]
    return max(width for width in near if width <= _WIDEST or width == min(near))


def _is_broken_off(text: str, line: _Line, following: _Line, width: int) -> bool:
    """Whether a line ends before the text's width, or with a colon, and the one that follows starts
    afresh.
    """
    if text[following.start].islower() or text[line.end - 1] in _OPEN_END:
        return False
    if len(line) > _WIDEST or width < _NARROWEST or text[line.end - 1] == ":":
        return True
    word = text[following.start : following.end].split(maxsplit=1)[0]
    return len(line) + 1 + len(word) <= _FULL * width
