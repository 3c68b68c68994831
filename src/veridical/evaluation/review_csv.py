"""The manual review as a table: what the reviewer is shown, and what they said."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import zip_longest
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


_Cells = Mapping[str, str]
"""The cells of a row by the names of the columns, without guards and outer white space."""


def _rows(data: bytes, name: str) -> Iterator[tuple[int, _Cells]]:
    """The rows that are not blank, by number, with the columns that are read; others are the
    reader's own. A row counts as in a spreadsheet: the names of the columns are row 1.

    Understood are commas, semicolons and tabs; UTF-8 and, with a mark, UTF-16; what Excel calls
    plain CSV, if the columns that must be there hold ASCII; names of columns in any case and
    order; rows without the empty cells at their end. `name` is the file's, for errors.

    Raises ValidationError that names the row.
    """
    text, is_certain = _decoded(data, name)
    separator = max(_SEPARATORS, key=text.partition("\n")[0].count)
    reader = csv.reader(io.StringIO(text, newline=""), strict=True, delimiter=separator)
    number = 0
    try:
        header = [cell.strip().casefold().replace(" ", "_") for cell in next(reader, [])]
        _check_header(header, name)
        for number, cells in enumerate(reader, start=2):
            if any(cell.strip() for cell in cells):
                if number > MAX_ROWS + 1:
                    raise ValidationError(f"{name}: more than {MAX_ROWS:,} rows; split the file")
                yield number, _named(header, cells, f"{name}: row {number}", is_certain)
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


def _named(header: Sequence[str], cells: Sequence[str], at: str, is_certain: bool) -> _Cells:
    if any(cell.strip() for cell in cells[len(header) :]):
        raise ValidationError(f"{at}: {len(cells)} cells, but row 1 names {len(header)} columns")
    pairs = zip_longest(header, cells[: len(header)], fillvalue="")
    found = {column: unguard(cell).strip() for column, cell in pairs if column in _READ}
    for column in () if is_certain else _REQUIRED:
        if not found[column].isascii():
            raise ValidationError(
                f"{at}, column {column}: cannot be read with certainty, the file is not UTF-8; "
                "save it as CSV UTF-8"
            )
    return found


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
    id twice, and what is no such table.
    """
    rows: dict[str, ReviewedRow] = {}
    for number, cells in _rows(data, name):
        key, at = cells["id"], f"{name}: row {number}"
        if not key:
            raise ValidationError(f"{at}, column id: it is empty")
        if key in rows:
            raise ValidationError(
                f"{at}, column id: {shorten(key)} is in row {rows[key].row} already"
            )
        rows[key] = _reviewed(number, cells, f"{at} (id {shorten(key)})")
    if not rows:
        raise ValidationError(f"{name}: there are no rows in it, only the names of columns")
    return tuple(rows.values())


def _reviewed(number: int, cells: _Cells, at: str) -> ReviewedRow:
    human, automatic = {}, {}
    for aspect, column in AUTOMATIC_COLUMNS.items():
        if label := _label(cells, aspect.value, tuple(Label), at):
            human[aspect] = label
        if score := _label(cells, column, (Label.YES, Label.NO), at):
            automatic[aspect] = score
    return ReviewedRow(number, cells["id"], human, automatic)


def _label(cells: _Cells, column: str, allowed: Sequence[Label], at: str) -> Label | None:
    """What a cell says; None if it is empty, or there is no such column."""
    cell = cells.get(column, "")
    label = _SAID.get(cell.casefold())
    if cell and label not in allowed:
        raise ValidationError(
            f"{at}, column {column}: {shorten(cell)} is not one of {', '.join(allowed)}; leave it "
            "empty where nothing was judged"
        )
    return label
