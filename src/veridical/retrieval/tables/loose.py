"""Tables of which only the words are left: in the text of a PDF nothing parts the cells of a row.

A run of short lines without a full stop, of which the first has no figure and all others do, is
read as a table. Its cells are told by capitals in the first line ("Meal Within the country Abroad")
and by figures below ("Dinner $38 $46"), where both give as many and no other reading is likely;
else a row is one cell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from veridical.retrieval.chunks import Chunk
from veridical.retrieval.shown import is_heading, plain_text

_LONGEST_LINE = 120
_LEAST_ROWS = 2
_ENDS = tuple(".!?:;,")
_TITLE = re.compile(r"(?:^|(?<= ))(?=[A-Z])")
_VALUE = re.compile(r"(?<=\S) (?=[$€£]?\d)")
_FIGURE = re.compile(r"[$€£]?\d")
_DIGITS = re.compile(r"\d")
_SHAPES = (
    re.compile(r"[$€£]\d[\d.,]*\w?"),
    re.compile(r"\d[\d.,]* ?%"),
    re.compile(r"\d[\d.,]* (?!(?:to|and|or|up|but|from|than)\b)[a-z]+(?: [a-z]+)?"),
    re.compile(r"\d[\d.,]*"),
)
"""How the value of a cell is put, a number without anything behind it last."""


@dataclass(frozen=True, slots=True)
class LooseTable:
    """Sentence `head` of a chunk names the columns; `cells` has those of the rows below it, as many
    as `titles`, or one.
    """

    head: int
    titles: tuple[str, ...]
    cells: dict[int, tuple[str, ...]]


def loose_tables(chunk: Chunk) -> Iterator[LooseTable]:
    """The tables of a chunk of a PDF."""
    lines = [_line(chunk, index) for index in range(len(chunk.sentences))]
    head = 0
    while head < len(lines):
        last = head
        if _may_be_head(lines, head):
            while last + 1 < len(lines) and lines[last + 1] and not _may_be_head(lines, last + 1):
                last += 1
            if last - head >= _LEAST_ROWS:
                yield _read(lines, head, last)
        head = last + 1


def _line(chunk: Chunk, index: int) -> str:
    """A sentence that may be a line of a table; empty if it may not."""
    text = plain_text(chunk, index)
    is_line = len(text) <= _LONGEST_LINE and not text.endswith(_ENDS)
    return text if is_line and not is_heading(chunk, index) else ""


def _may_be_head(lines: Sequence[str], at: int) -> bool:
    """Whether a line has no figure, and is not what a line of figures belongs to."""
    return bool(lines[at]) and not _DIGITS.search(lines[at]) and not _is_label(lines, at)


def _is_label(lines: Sequence[str], at: int) -> bool:
    """Whether the next line begins with a figure: the name of the row did not fit beside them."""
    if at + 1 >= len(lines) or not lines[at] or _DIGITS.search(lines[at]):
        return False
    return _FIGURE.match(lines[at + 1]) is not None


def _read(lines: Sequence[str], head: int, last: int) -> LooseTable:
    titles = tuple(part.strip() for part in _TITLE.split(lines[head]) if part.strip())
    texts: dict[int, str] = {}
    for at in range(head + 1, last + 1):
        if not _is_label(lines, at):
            texts[at] = " ".join(lines[at - _is_label(lines, at - 1) : at + 1])
    rows = {at: tuple(_VALUE.split(text)) for at, text in texts.items()}
    fitting = [row for row in rows.values() if len(row) == len(titles)]
    if len(titles) < 2 or len(fitting) < _LEAST_ROWS or not _are_columns(fitting):
        titles = (lines[head],)
    cells = {at: row if len(row) == len(titles) else (texts[at],) for at, row in rows.items()}
    return LooseTable(head, titles, cells)


def _are_columns(rows: Sequence[tuple[str, ...]]) -> bool:
    """Whether the cells of rows cannot well be others: names apart from each other, without a
    figure of their own ("Level 2"), and values of one shape in each column, no bare number among
    sums, which may belong to the name.
    """
    names = [row[0] for row in rows]
    if len(set(names)) < len(names) or any(map(_DIGITS.search, names)):
        return False
    shapes = {tuple(map(_shape, row[1:])) for row in rows}
    found = set(shapes.pop())
    return not shapes and None not in found and (len(found) == 1 or len(_SHAPES) - 1 not in found)


def _shape(cell: str) -> int | None:
    """Which of the shapes of a value a cell has; None if it has another."""
    return next((at for at, shape in enumerate(_SHAPES) if shape.fullmatch(cell)), None)
