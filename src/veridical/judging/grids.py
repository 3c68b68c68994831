"""A table as a judge sees it: names of rows, names of columns, and what stands where they meet."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from veridical.judging.alignment_words import Word, read_words
from veridical.retrieval.tables.layout import Table

_UNIT_IN_TITLE = re.compile(r"\(([^()]{1,20})\)|\bin (\w{1,20})$")

Place = tuple[int, int]
"""A row and a column of a table."""


@dataclass(frozen=True)
class Grid:
    """A table as names of columns, names of rows, and the cells beside these.

    `corner` is the title over the names of the rows, `sentences` the sentence of each row.
    """

    corner: str
    columns: tuple[str, ...]
    rows: tuple[str, ...]
    cells: tuple[tuple[tuple[Word, ...], ...], ...]
    texts: tuple[tuple[str, ...], ...]
    sentences: tuple[int, ...]

    @cached_property
    def numbers(self) -> list[tuple[Word, Place]]:
        """The numbers of all cells, with where they stand."""
        return [
            (word, place)
            for place in product(range(len(self.rows)), range(len(self.columns)))
            for word in self.at(place)
            if word.number is not None
        ]

    @cached_property
    def wordings(self) -> dict[str, list[Place]]:
        """The cells of words without a number, by the first of these."""
        found: dict[str, list[Place]] = {}
        for place in product(range(len(self.rows)), range(len(self.columns))):
            words = self.at(place)
            if any(w.content for w in words) and all(w.number is None for w in words):
                found.setdefault(words[0].key, []).append(place)
        return found

    def column_name(self, column: int) -> str:
        """The title of a column but for the unit of what stands below it."""
        title = self.columns[column]
        return _UNIT_IN_TITLE.sub("", title) if self._has_unit(column) else title

    def _has_unit(self, column: int) -> bool:
        unit = _unit_of(self.columns[column])
        return bool(unit) and read_words(f"1 {unit}")[0].unit is not None

    def at(self, place: Place) -> tuple[Word, ...]:
        """The words of a cell."""
        return self.cells[place[0]][place[1]]


def read_grid(table: Table) -> Grid | None:
    """The grid of a table; None where its cells cannot be told to be those of their columns."""
    found = list(table.cells.items())
    titles = table.titles
    if not titles and _has_head_unmarked([row for _, row in found]):
        (_, titles), *found = found
    width = len(titles) or max((len(row) for _, row in found), default=0)
    found = [(at, row) for at, row in found if len(row) == width]
    if width < 2 or not found:
        return None
    rows = [row for _, row in found]
    titles = titles or ("",) * width
    units = [_unit_of(title) for title in titles]
    cells = tuple(
        tuple(_words(cell, unit) for cell, unit in zip(row[1:], units[1:], strict=True))
        for row in rows
    )
    return Grid(
        corner=titles[0],
        columns=titles[1:],
        rows=tuple(row[0] for row in rows),
        cells=cells,
        texts=tuple(row[1:] for row in rows),
        sentences=tuple(at for at, _ in found),
    )


def _has_head_unmarked(rows: Sequence[Sequence[str]]) -> bool:
    return len(rows) > 1 and not _has_digit(rows[0]) and any(map(_has_digit, rows[1:]))


def _has_digit(row: Sequence[str]) -> bool:
    return any(character.isdigit() for cell in row for character in cell)


def _unit_of(title: str) -> str:
    found = _UNIT_IN_TITLE.search(title)
    return (found[1] or found[2]) if found else ""


def _words(cell: str, unit: str) -> tuple[Word, ...]:
    """The words of a cell; a bare number counts what the title of its column says."""
    words = read_words(cell)
    if unit and len(words) == 1 and words[0].number is not None and words[0].unit is None:
        return read_words(f"{cell} {unit}")[:1]
    return words
