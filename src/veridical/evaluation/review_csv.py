"""The manual review as a table: what the reviewer is shown, and what they said."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from veridical.errors import ValidationError
from veridical.evaluation.quotes import read_lines
from veridical.evaluation.run import ChatError, QuestionResult
from veridical.text.spreadsheet import guard, unguard
from veridical.validation.schema_errors import shorten

# CSV that people open in spreadsheet programs: written so that they run nothing, read as they
# save it.


MAX_CELL_CHARS = 32_767
"""Characters that a cell of Excel holds; it spills the rest into other cells."""

MAX_ROWS = 20_000
"""Rows that a file may hold."""

_SEPARATORS = ",;\t"


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


def from_csv(data: bytes, name: str) -> Iterator[Row]:
    """The rows that are not blank, with the columns that are read; others are the reader's own.

    Understood are commas, semicolons and tabs; UTF-8 and, with a mark, UTF-16; what Excel calls
    plain CSV, if the columns that must be there hold ASCII; names of columns in any case and
    order; rows without the empty cells at their end. `name` is the file's, for errors.

    Raises ValidationError that names the row.
    """
    text, is_certain = _decoded(data, name)
    reader = csv.reader(io.StringIO(text, newline=""), strict=True, delimiter=_separator(text))
    number = 0
    try:
        header = [_column(cell) for cell in next(reader, [])]
        _check_header(header, name)
        for number, cells in enumerate(reader, start=2):
            if not any(cell.strip() for cell in cells):
                continue
            if number > MAX_ROWS + 1:
                raise ValidationError(f"{name}: more than {MAX_ROWS:,} rows; split the file")
            row = _row(number, header, cells, name)
            if not is_certain:
                _require_ascii(row, name)
            yield row
    except csv.Error as problem:
        raise ValidationError(f"{name}: after row {max(number, 1)}: not CSV: {problem}") from None


def _decoded(data: bytes, name: str) -> tuple[str, bool]:
    """The text of a file, and whether its encoding is certain."""
    is_wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    try:
        text, is_certain = data.decode("utf-16" if is_wide else "utf-8-sig"), True
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


def _check_header(header: Sequence[str], name: str) -> None:
    missing = [column for column in _REQUIRED if column not in header]
    if missing:
        raise ValidationError(
            f"{name}: row 1: no column {' and '.join(missing)}; the first row must name the "
            "columns, with commas, semicolons or tabs between them"
        )
    for column in _READ:
        if header.count(column) > 1:
            raise ValidationError(f"{name}: row 1: column {column} is there twice")


def _row(number: int, header: Sequence[str], cells: Sequence[str], name: str) -> Row:
    if any(cell.strip() for cell in cells[len(header) :]):
        raise ValidationError(
            f"{name}: row {number}: {len(cells)} cells, but row 1 names {len(header)} columns"
        )
    padded = [*cells, *[""] * (len(header) - len(cells))]
    pairs = zip(header, padded, strict=False)
    return Row(number, {column: unguard(cell).strip() for column, cell in pairs if column in _READ})


def _require_ascii(row: Row, name: str) -> None:
    for column in _REQUIRED:
        if not row[column].isascii():
            raise ValidationError(
                f"{name}: row {row.number}, column {column}: cannot be read with certainty, the "
                "file is not UTF-8; save it as CSV UTF-8"
            )


class Aspect(StrEnum):
    """What the reviewer judges; the names of the columns."""

    GROUNDEDNESS = "groundedness"
    CITATION = "citation"
    CORRECTNESS = "correctness"


class Label(StrEnum):
    """What the reviewer may say of each."""

    YES = "yes"
    PARTLY = "partly"
    NO = "no"


AUTOMATIC_COLUMNS = MappingProxyType(
    {
        Aspect.GROUNDEDNESS: "automatic_grounded_ok",
        Aspect.CITATION: "automatic_citation_ok",
        Aspect.CORRECTNESS: "automatic_correct",
    }
)

COLUMNS = (
    "id", "question", "answerable", "answer", "citations", "quotes",
    *(aspect.value for aspect in Aspect), "notes", *AUTOMATIC_COLUMNS.values(),
)  # fmt: skip
"""The columns as they are written. The automatic scores stand last, where they sway the least."""

_READ = ("id", *(aspect.value for aspect in Aspect), *AUTOMATIC_COLUMNS.values())
_REQUIRED = ("id", *(aspect.value for aspect in Aspect))

_SAID = {
    **dict.fromkeys(("yes", "y", "true", "1"), Label.YES),
    **dict.fromkeys(("partly", "partially", "partial"), Label.PARTLY),
    **dict.fromkeys(("no", "n", "false", "0"), Label.NO),
}


@dataclass(frozen=True, slots=True)
class ReviewedRow:
    """A row of a reviewed file; `row` counts as a spreadsheet does, the names of columns being 1.

    `human` lacks what was not judged, `automatic` what has no column or no score any more.
    """

    row: int
    id: str
    human: Mapping[Aspect, Label]
    automatic: Mapping[Aspect, Label]


def review_to_bytes(sample: Sequence[QuestionResult]) -> bytes:
    """The sample as CSV (RFC 4180) for spreadsheets, with the columns for the reviewer empty.

    In UTF-8 with a byte order mark, without which Excel reads another encoding. Cells that a
    spreadsheet would take for formulas are guarded, texts longer than a cell are cut and say so,
    and characters that no text holds (NUL and other controls, half surrogate pairs) become U+FFFD.
    """
    lines = io.StringIO(newline="")
    writer = csv.writer(lines, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for cells in map(_cells, sample):
        writer.writerow([guard(_fitting(cells.get(column, ""))) for column in COLUMNS])
    return lines.getvalue().encode("utf-8-sig")


def _cells(result: QuestionResult) -> dict[str, str]:
    question, response, scores = result.question, result.response, result.scores
    if isinstance(response, ChatError) or scores is None:
        raise ValidationError(f"{shorten(question.id)} has no response that could be reviewed")
    sources = [
        f"[{number}] {' · '.join(filter(None, (c.title, c.section, c.doc_id)))}\n{c.text}"
        for number, c in enumerate(response.citations, start=1)
    ]
    quotes = [line.quote for line in read_lines(response.answer) if line.quote is not None]
    return {
        "id": question.id,
        "question": question.question,
        "answerable": _word(question.answerable),
        "answer": response.answer,
        "citations": "\n\n".join(sources),
        "quotes": "\n".join(f'"{quote.text}" [{quote.number}]' for quote in quotes),
        AUTOMATIC_COLUMNS[Aspect.GROUNDEDNESS]: _word(scores.grounded_ok),
        AUTOMATIC_COLUMNS[Aspect.CITATION]: _word(scores.citation_ok),
        AUTOMATIC_COLUMNS[Aspect.CORRECTNESS]: _word(scores.correct),
    }


def _word(value: bool) -> str:
    return (Label.YES if value else Label.NO).value


def review_from_bytes(data: bytes, name: str) -> tuple[ReviewedRow, ...]:
    """The rows of a reviewed file as a spreadsheet program saved it. `name` is for errors.

    Labels are read in any case, and as the y, true and 1 that programs make of them.

    Raises ValidationError that names the row and the column: a label that there is not, no id, an
    id twice, and what `from_csv` refuses.
    """
    rows: list[ReviewedRow] = []
    first: dict[str, int] = {}
    for row in from_csv(data, name):
        key = row["id"]
        if not key:
            raise ValidationError(f"{name}: row {row.number}, column id: it is empty")
        if key in first:
            raise ValidationError(
                f"{name}: row {row.number}, column id: {shorten(key)} is in row "
                f"{first[key]} already"
            )
        first[key] = row.number
        rows.append(_reviewed(row, name))
    if not rows:
        raise ValidationError(f"{name}: there are no rows in it, only the names of columns")
    return tuple(rows)


def _reviewed(row: Row, name: str) -> ReviewedRow:
    human, automatic = {}, {}
    for aspect in Aspect:
        if label := _label(row, aspect.value, tuple(Label), name):
            human[aspect] = label
        column = AUTOMATIC_COLUMNS[aspect]
        if column in row and (score := _label(row, column, (Label.YES, Label.NO), name)):
            automatic[aspect] = score
    return ReviewedRow(row.number, row["id"], human, automatic)


def _label(row: Row, column: str, allowed: Sequence[Label], name: str) -> Label | None:
    """What a cell says; None if it is empty."""
    cell = row[column]
    if not cell:
        return None
    label = _SAID.get(cell.casefold())
    if label not in allowed:
        known = ", ".join(allowed)
        raise ValidationError(
            f"{name}: row {row.number} (id {shorten(row['id'])}), column {column}: "
            f"{shorten(cell)} is not one of {known}; leave it empty where nothing was judged"
        )
    return label
