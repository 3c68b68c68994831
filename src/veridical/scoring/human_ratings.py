"""What people said of the criteria of transcripts, in a CSV file."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from veridical.errors import ValidationError
from veridical.scoring.answer import SCORED, CriterionVerdict
from veridical.validation.schema_errors import shorten

MAX_ROWS = 20_000
"""Ratings that a file may hold."""

_COLUMNS = ("transcript", "criterion_id", "verdict", "score", "rater")
_REQUIRED = ("criterion_id", "verdict")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)")
_MOST_FIELD_CHARS = 10_000
_MOST_NUMBER_CHARS = 40


@dataclass(frozen=True, slots=True)
class HumanRating:
    """What a person said of a criterion. `line` is that of the file, `score` on its scale."""

    line: int
    transcript: str
    criterion_id: str
    verdict: CriterionVerdict
    score: float | None = None
    rater: str = ""

    @property
    def rater_key(self) -> str:
        """Who rated, as raters are told apart: "A" and "a" are one person."""
        return self.rater.casefold()


def read_ratings(text: str, name: str) -> tuple[HumanRating, ...]:
    """The ratings in a CSV file: columns criterion_id, verdict, and optionally transcript, score
    and rater. `name` is the file's, for errors.

    Raises ValidationError that names the line: an unknown or missing column, a verdict that there
    is not, a score that is no number or goes with a verdict that carries none, the same rating
    twice. Raters are told apart without case and outer spaces.
    """
    ratings: list[HumanRating] = []
    first_line: dict[tuple[str, str, str], int] = {}
    for line, row in _rows(text, name):
        rating = _rating(row, line, name)
        key = (rating.transcript, rating.criterion_id, rating.rater_key)
        if key in first_line:
            raise ValidationError(
                f"{name}: line {line}: criterion {shorten(rating.criterion_id)} of this transcript "
                f"and rater was rated on line {first_line[key]} already"
            )
        first_line[key] = line
        ratings.append(rating)
    if not ratings:
        raise ValidationError(f"{name}: there are no ratings in it, only the names of columns")
    return tuple(ratings)


def _rows(text: str, name: str) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows that are not blank, by column, with the number of their line."""
    if "\0" in text:
        raise ValidationError(f"{name} is not CSV: it holds a NUL character")
    reader = csv.reader(io.StringIO(text, newline=""), strict=True, delimiter=_delimiter(text))
    try:
        header = [_column(field) for field in next(reader, [])]
        _require_columns(header, name)
        count = 0
        for row in reader:
            line = reader.line_num
            if not any(field.strip() for field in row):
                continue
            count += 1
            if count > MAX_ROWS:
                raise ValidationError(f"{name}: more than {MAX_ROWS:,} ratings; split the file")
            if len(row) != len(header):
                raise ValidationError(
                    f"{name}: line {line}: {len(row)} fields, the first line names {len(header)}"
                )
            if any(len(field) > _MOST_FIELD_CHARS for field in row):
                raise ValidationError(f"{name}: line {line}: a field is too long")
            yield line, dict(zip(header, map(str.strip, row), strict=True))
    except csv.Error as problem:
        raise ValidationError(f"{name}: line {reader.line_num}: not CSV: {problem}") from None


def _delimiter(text: str) -> str:
    """What stands between the columns: a comma, or what spreadsheets of other countries write."""
    first_line = text.partition("\n")[0]
    return max(",;\t", key=first_line.count)


def _column(field: str) -> str:
    """A column's name, however it is capitalised."""
    return field.strip().casefold().replace(" ", "_")


def _require_columns(header: Sequence[str], name: str) -> None:
    known = ", ".join(_COLUMNS)
    missing = [column for column in _REQUIRED if column not in header]
    if missing:
        raise ValidationError(
            f"{name}: line 1: no column {' and '.join(missing)}; the first line must name the "
            f"columns, of {known}, with commas, semicolons or tabs between them"
        )
    for column in header:
        if column not in _COLUMNS:
            raise ValidationError(
                f"{name}: line 1: unknown column {shorten(column)}; there are {known}"
            )
        if header.count(column) > 1:
            raise ValidationError(f"{name}: line 1: column {column} is there twice")


def _rating(row: Mapping[str, str], line: int, name: str) -> HumanRating:
    try:
        verdict = CriterionVerdict(row["verdict"].casefold())
    except ValueError:
        known = ", ".join(CriterionVerdict)
        raise ValidationError(
            f"{name}: line {line}: verdict {shorten(row['verdict'])} is not one of {known}"
        ) from None
    if not row["criterion_id"]:
        raise ValidationError(f"{name}: line {line}: criterion_id is empty")
    score = _score(row.get("score", ""), line, name)
    if score is not None and verdict not in SCORED:
        raise ValidationError(
            f"{name}: line {line}: score {score:g} with {verdict}, which carries no score; leave "
            "the score empty, or write met, partial or missed"
        )
    return HumanRating(
        line=line,
        transcript=row.get("transcript", ""),
        criterion_id=row["criterion_id"],
        verdict=verdict,
        score=score,
        rater=row.get("rater", ""),
    )


def _score(text: str, line: int, name: str) -> float | None:
    if not text:
        return None
    if len(text) > _MOST_NUMBER_CHARS or not _NUMBER.fullmatch(text):
        raise ValidationError(f"{name}: line {line}: score {shorten(text)} is not a number")
    return float(text)
