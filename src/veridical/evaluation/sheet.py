"""CSV that people open in spreadsheet programs: written so that they run nothing, read as they
save it.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from veridical.errors import ValidationError
from veridical.text.spreadsheet import guard, unguard

MAX_CELL_CHARS = 32_767
"""Characters that a cell of Excel holds; it spills the rest into other cells."""

MAX_ROWS = 20_000
"""Rows that a file may hold."""

_SEPARATORS = ",;\t"


def to_csv(columns: Sequence[str], rows: Iterable[Mapping[str, str]]) -> bytes:
    """A table as CSV (RFC 4180); a column that a row lacks is empty.

    In UTF-8 with a byte order mark, without which Excel reads another encoding. Cells that a
    spreadsheet would take for formulas are guarded, texts longer than a cell are cut and say so,
    and characters that no text holds (NUL and other controls, half surrogate pairs) become U+FFFD.
    """
    lines = io.StringIO(newline="")
    writer = csv.writer(lines, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow([guard(_fitting(row.get(column, ""))) for column in columns])
    return lines.getvalue().encode("utf-8-sig")


_UNUSABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]")


def _fitting(text: str) -> str:
    """As much of a text as a guarded cell holds."""
    usable = _UNUSABLE.sub("\ufffd", text)
    added = len(guard(usable)) - len(usable)
    if len(usable) + added <= MAX_CELL_CHARS:
        return usable
    note = f"\n… (cut: {len(text):,} characters in all)"
    added = len(guard(usable[:MAX_CELL_CHARS])) - len(usable[:MAX_CELL_CHARS])
    return usable[: max(0, MAX_CELL_CHARS - added - len(note))] + note


class Row(dict[str, str]):
    """The cells of a row by the names of the columns, without guards and outer white space.

    `number` counts as a spreadsheet does: the names of the columns are row 1.
    """

    def __init__(self, number: int, cells: dict[str, str]) -> None:
        super().__init__(cells)
        self.number = number


def from_csv(
    data: bytes, name: str, known: Collection[str], required: Collection[str]
) -> Iterator[Row]:
    """The rows that are not blank, with their `known` columns; others are the reader's own.

    Understood are commas, semicolons and tabs; UTF-8 and, with a mark, UTF-16; what Excel calls
    plain CSV, if the known columns that are `required` hold ASCII; names of columns in any case and
    order; rows without the empty cells at their end. `name` is the file's, for errors.

    Raises ValidationError that names the row.
    """
    text, is_certain = _decoded(data, name)
    reader = csv.reader(io.StringIO(text, newline=""), strict=True, delimiter=_separator(text))
    number = 0
    try:
        header = [_column(cell) for cell in next(reader, [])]
        _check_header(header, name, known, required)
        for number, cells in enumerate(reader, start=2):
            if not any(cell.strip() for cell in cells):
                continue
            if number > MAX_ROWS + 1:
                raise ValidationError(f"{name}: more than {MAX_ROWS:,} rows; split the file")
            row = _row(number, header, cells, name, known)
            if not is_certain:
                _require_ascii(row, required, name)
            yield row
    except csv.Error as problem:
        raise ValidationError(f"{name}: after row {max(number, 1)}: not CSV: {problem}") from None


def _decoded(data: bytes, name: str) -> tuple[str, bool]:
    """The text of a file, and whether its encoding is certain."""
    try:
        if data.startswith((b"\xff\xfe", b"\xfe\xff")):
            text, is_certain = data.decode("utf-16"), True
        else:
            text, is_certain = data.decode("utf-8-sig"), True
    except UnicodeDecodeError:
        text, is_certain = data.decode("cp1252", "replace"), False
    if "\0" in text:
        raise ValidationError(f"{name} is not CSV: it holds a NUL character; save it as CSV UTF-8")
    return text, is_certain


def _separator(text: str) -> str:
    """What stands between the columns: a comma, or what programs of other countries write."""
    first_line = text.partition("\n")[0]
    return max(_SEPARATORS, key=first_line.count)


def _column(cell: str) -> str:
    return cell.strip().casefold().replace(" ", "_")


def _check_header(
    header: Sequence[str], name: str, known: Collection[str], required: Collection[str]
) -> None:
    missing = [column for column in required if column not in header]
    if missing:
        raise ValidationError(
            f"{name}: row 1: no column {' and '.join(missing)}; the first row must name the "
            "columns, with commas, semicolons or tabs between them"
        )
    for column in known:
        if header.count(column) > 1:
            raise ValidationError(f"{name}: row 1: column {column} is there twice")


def _row(
    number: int, header: Sequence[str], cells: Sequence[str], name: str, known: Collection[str]
) -> Row:
    if any(cell.strip() for cell in cells[len(header) :]):
        raise ValidationError(
            f"{name}: row {number}: {len(cells)} cells, but row 1 names {len(header)} columns"
        )
    padded = [*cells, *[""] * (len(header) - len(cells))]
    pairs = zip(header, padded, strict=False)
    return Row(number, {column: unguard(cell).strip() for column, cell in pairs if column in known})


def _require_ascii(row: Row, required: Collection[str], name: str) -> None:
    for column in required:
        if not row[column].isascii():
            raise ValidationError(
                f"{name}: row {row.number}, column {column}: cannot be read with certainty, the "
                "file is not UTF-8; save it as CSV UTF-8"
            )
