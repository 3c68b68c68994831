"""The manual review as a table: what the reviewer is shown, and what they said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from veridical.errors import ValidationError
from veridical.evaluation.quotes import read_lines
from veridical.evaluation.review import Reviewable
from veridical.evaluation.sheet import Row, from_csv, to_csv
from veridical.validation.schema_errors import shorten


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


def review_to_bytes(sample: Sequence[Reviewable]) -> bytes:
    """The sample as CSV for spreadsheets, with the columns for the reviewer empty."""
    return to_csv(COLUMNS, map(_cells, sample))


def _cells(item: Reviewable) -> dict[str, str]:
    question, response, scores = item.result.question, item.response, item.scores
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
    for row in from_csv(data, name, _READ, _REQUIRED):
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
