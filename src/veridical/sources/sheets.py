"""Rows of cells as text that can be quoted: CSV here, and what workbooks have in common with it.

A row is a line, its cells with a tab between; a cell is put on one line. Rows and columns without
anything are left out, and where rows are left out a table ends. Citations call a cell by the row
and the column that it has in the file.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping
from io import StringIO

from veridical.sources.document import DEFAULT_LIMITS, Document, Format, SourceLimits
from veridical.sources.parts import TextBuilder
from veridical.sources.sniff import decode

Row = tuple[int, Mapping[int, str]]
"""The number of a row, from 1, and its cells that are not empty by their columns, from 0."""

MOST_COLUMNS = 16_384
_DELIMITERS = ",;\t|"
_TOLD = re.compile(r"(?i)sep=([,;\t|])\r?\n")
_SAMPLE_ROWS = 50


def column_name(column: int) -> str:
    """The letters of a column: 0 is A, 26 is AA."""
    before, letter = divmod(column, 26)
    return (column_name(before - 1) if before else "") + chr(ord("A") + letter)


def add_sheet(builder: TextBuilder, title: str, rows: Iterable[Row]) -> None:
    """Add the rows of a sheet, with its title, if it has one, for a heading."""
    kept = [(number, cells) for number, cells in rows if cells]
    columns = sorted({column for _, cells in kept for column in cells})
    if len(columns) > MOST_COLUMNS:
        raise builder.refuse(f"it has more than {MOST_COLUMNS:,} columns, the limit. Split it.")
    lines: list[tuple[int, str]] = []
    last, is_title = kept[0][0] - 1 if kept else 0, True
    for number, cells in kept:
        if number != last + 1 or (is_title and lines and len(cells) > 1):
            lines.append((0, ""))
            is_title = True
        lines.append((number, "\t".join(cells.get(column, "") for column in columns)))
        last, is_title = number, is_title and len(cells) == 1
    place = f"sheet '{one_line(title)}'" if title else ""
    if place and kept:
        builder.place(place)
        builder.heading(title, 1)
    builder.place(place, (number for number, _ in lines), map(column_name, columns))
    for _, line in lines:
        builder.add(f"{line}\n")
    builder.add("\n")


def read_csv(data: bytes, name: str, *, limits: SourceLimits = DEFAULT_LIMITS) -> Document:
    """The text of a table of values with a comma, semicolon, tab or pipe between."""
    builder = TextBuilder(name, Format.CSV, limits)
    text = decode(data, name)
    csv.field_size_limit(max(csv.field_size_limit(), len(text) + 1))
    told = _TOLD.match(text)  # a line for Excel alone
    try:
        delimiter = told[1] if told else max(_DELIMITERS, key=lambda sign: _fit(text, sign))
        lines = StringIO(text[told.end() :] if told else text, newline="")
        rows = enumerate(csv.reader(lines, delimiter=delimiter), 2 if told else 1)
        add_sheet(builder, "", ((number, _cells(row)) for number, row in rows))
    except csv.Error as error:
        raise builder.refuse(f"it cannot be read as a table ({error}). Save it again.") from None
    return builder.build(data)


def _cells(row: Iterable[str]) -> dict[int, str]:
    return {at: text for at, cell in enumerate(row) if (text := one_line(cell))}


def _fit(text: str, delimiter: str) -> tuple[int, int]:
    """How well a sign parts the rows: how many of the first have as many cells as most of them."""
    widths: list[int] = []
    for row in csv.reader(StringIO(text, newline=""), delimiter=delimiter):
        widths += [len(row)] if any(row) else []
        if len(widths) == _SAMPLE_ROWS:
            break
    many = [width for width in widths if width > 1]
    usual = max(many, key=many.count, default=1)
    return (many.count(usual), usual)


def one_line(cell: str) -> str:
    """A cell without line breaks and tabs."""
    return " ".join(cell.split())
