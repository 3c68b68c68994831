"""HTML tables in which a cell reaches over several rows or columns, laid out as a reader sees them.

Follows "forming a table" of WHATWG HTML (section 4.9.12), within bounds. What cannot be laid out
for certain (a table in a table, cells that lie on each other, rows below a line that names a part
of the table) has no cells: whose value a cell holds would be a guess.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from veridical.retrieval.shown import collapse
from veridical.sources.document import Document
from veridical.sources.span import Span

_REACH = 50_000
"""Characters of a table before a chunk in which its beginning is looked for."""

_MOST_CELLS = 5_000
_MOST_COLUMNS = 60
_TAG = re.compile(r"<(/?)(table|tr|td|th|thead|tbody|tfoot|caption)(?=[\s/>])", re.IGNORECASE)
_TABLE = re.compile(r"<(/?)table(?=[\s/>])", re.IGNORECASE)
_SPANS = re.compile(r"\b(row|col)span\s*=\s*[\"']?\s*(\d{1,6})", re.IGNORECASE)
_PARTS = frozenset({"thead", "tbody", "tfoot", "caption"})


def spanning_rows(document: Document, low: int, high: int) -> dict[int, tuple[str, ...]] | None:
    """The cells of the rows of the tables in `text[low:high]`, by where their `<tr>` starts.

    None where no cell reaches over another's place, so that each row can be read by itself. A row
    that cannot be laid out is not among them; a line over the whole width has no cells.
    """
    text = document.text
    start = max(0, low - _REACH)
    opened = list(_TABLE.finditer(text, start, low))[-1:]
    if opened and not opened[0][1]:
        start = opened[0].start()
    elif opened:
        start = low
    if not any(int(found[2]) != 1 for found in _SPANS.finditer(text, start, high)):
        return None
    grids: list[_Grid] = []
    depth = 0
    for mask in document.masks.between(start, high):
        tag = None if mask.unseen else _TAG.match(text, mask.start, mask.end)
        if tag is None:
            continue
        name = tag[2].lower()
        if name == "table":
            depth = max(0, depth + (-1 if tag[1] else 1))
            if depth == 1 and not tag[1]:
                grids.append(_Grid(document))
        if grids:
            grids[-1].tag(name, mask.start, mask.end, closing=bool(tag[1]), is_nested=depth > 1)
    rows: dict[int, tuple[str, ...]] = {}
    for grid in grids:
        grid.end(high)
        rows |= grid.readable()
    return rows


@dataclass(slots=True)
class _Row:
    """A row: where its tag starts, its cells by column, and how many were written in it."""

    start: int
    cells: dict[int, str] = field(default_factory=dict)
    written: int = 0
    titles: int = 0


class _Grid:
    """One table, told from its tags in order."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._rows: list[_Row] = []
        self._cell: tuple[int, str, bool] | None = None
        self._hanging: dict[int, tuple[int, str]] = {}
        self._count = 0
        self._is_lost = False

    def tag(self, name: str, start: int, end: int, *, closing: bool, is_nested: bool) -> None:
        """Read a tag of the table."""
        self._is_lost |= is_nested
        if self._is_lost:
            return
        self.end(start)
        if name in _PARTS:
            self._hanging.clear()
        elif name == "tr" and not closing:
            self._begin(start)
        elif name in {"td", "th"} and not closing:
            self._cell = (end, self._document.text[start:end], name == "th")

    def end(self, at: int) -> None:
        """End the cell that is open at `at`, if any."""
        if self._cell is None:
            return
        (start, tag, is_title), self._cell = self._cell, None
        if not self._rows or self._is_lost:
            self._is_lost = True
            return
        spans = {found[1].lower(): int(found[2]) for found in _SPANS.finditer(tag)}
        self._place(
            collapse(self._document.shown(Span(start, max(start, at)))),
            spans.get("row", 1),
            max(1, spans.get("col", 1)),
            is_title=is_title,
        )

    def _begin(self, start: int) -> None:
        row = _Row(start)
        for column, (left, text) in list(self._hanging.items()):
            row.cells[column] = text
            if left == 1:
                del self._hanging[column]
            else:
                self._hanging[column] = (left - 1, text)
        self._rows.append(row)

    def _place(self, text: str, high: int, wide: int, *, is_title: bool) -> None:
        row = self._rows[-1]
        column = 0
        while column in row.cells:
            column += 1
        self._count += wide
        if column + wide > _MOST_COLUMNS or self._count > _MOST_CELLS:
            self._is_lost = True
            return
        for at in range(column, column + wide):
            self._is_lost |= at in row.cells
            row.cells[at] = text
            if high != 1:  # 0 is "to the end of its part of the table"
                self._hanging[at] = (high - 1 if high else -1, text)
        row.written += 1
        row.titles += is_title

    def readable(self) -> dict[int, tuple[str, ...]]:
        """The rows of which each cell has a column of its own, by where they start."""
        found: dict[int, tuple[str, ...]] = {}
        width = max((len(row.cells) for row in self._rows), default=0)
        is_headed = False
        for row in () if self._is_lost else self._rows:
            if row.written == 1 and len(set(row.cells.values())) == 1:
                found[row.start] = ()
                if is_headed:
                    break
                continue
            titles_only = row.titles == row.written
            if len(row.cells) != width or sorted(row.cells) != list(range(width)):
                break
            if titles_only and is_headed:
                return {}
            is_headed = True
            found[row.start] = tuple(row.cells[column] for column in range(width))
        return found
