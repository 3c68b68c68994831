"""How far reviewers agree with the automatic scores, and with each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from veridical.errors import ValidationError
from veridical.evaluation.review_csv import AUTOMATIC_COLUMNS, Aspect, Label, ReviewedRow
from veridical.scoring.agreement import Agreement, measure_agreement
from veridical.validation.schema_errors import shorten


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A row on which the two raters differ in one aspect, with what they said. `row` is that of the
    first file.
    """

    row: int
    id: str
    aspect: Aspect
    first: Label
    second: Label


@dataclass(frozen=True, slots=True)
class AspectAgreement:
    """Two raters on one aspect. `left_out` rows lack the word of one of them."""

    aspect: Aspect
    agreement: Agreement
    left_out: int


@dataclass(frozen=True, slots=True)
class ReviewAgreement:
    """Two raters on a review, `first` and `second` by name.

    `rows` are those that both have before them; `unmatched` counts those of one file only.
    """

    first: str
    second: str
    rows: int
    unmatched: int
    aspects: tuple[AspectAgreement, ...]
    disagreements: tuple[Disagreement, ...]

    def to_mapping(self) -> dict[str, Any]:
        """As plain data, ready for JSON."""
        aspects = [
            {"aspect": one.aspect.value, "left_out": one.left_out, **one.agreement.to_mapping()}
            for one in self.aspects
        ]
        return {**asdict(self), "aspects": aspects}


_Said = Mapping[Aspect, Label]
_Pair = tuple[ReviewedRow, _Said, _Said]
"""A row, and what either rater says of it."""


def agree_with_automatic(rows: Sequence[ReviewedRow], name: str) -> ReviewAgreement:
    """The reviewer of a file against the automatic scores in it. `name` is the file's.

    The scores know yes and no only: "partly" counts as no, since a score of yes claims the whole.

    Raises ValidationError where nothing was reviewed, or a column of scores is missing;
    MissingExtraError without nltk.
    """
    _require_reviewed(rows, name)
    for aspect, column in AUTOMATIC_COLUMNS.items():
        if not any(aspect in row.automatic for row in rows):
            raise ValidationError(
                f"{name}: column {column} is missing or empty; take it over from the exported file"
            )
    pairs = [(row, _whole(row.human), row.automatic) for row in rows]
    return _measured(pairs, (name, "automatic scores"), unmatched=0)


def agree_with_each_other(
    rows: Sequence[ReviewedRow], name: str, others: Sequence[ReviewedRow], other_name: str
) -> ReviewAgreement:
    """Two reviewers of the same sample, matched by id. The names are those of their files.

    Raises ValidationError where the files have no id in common or hold different automatic scores
    of one id, and are thus of different runs, or where nothing was reviewed in one of them;
    MissingExtraError without nltk.
    """
    _require_reviewed(rows, name)
    _require_reviewed(others, other_name)
    by_id = {row.id: row for row in others}
    both = [(row, by_id[row.id]) for row in rows if row.id in by_id]
    if not both:
        raise ValidationError(f"{name} and {other_name} have no id in common")
    for one, other in both:
        _require_same_run(one, other, name, other_name)
    pairs = [(one, one.human, other.human) for one, other in both]
    unmatched = len(rows) + len(others) - 2 * len(both)
    return _measured(pairs, (name, other_name), unmatched=unmatched)


def _whole(said: _Said) -> _Said:
    return {a: Label.NO if label is Label.PARTLY else label for a, label in said.items()}


def _require_reviewed(rows: Sequence[ReviewedRow], name: str) -> None:
    if not any(row.human for row in rows):
        columns = ", ".join(Aspect)
        raise ValidationError(
            f"{name}: nothing was reviewed yet: the columns {columns} are empty in every row"
        )


def _require_same_run(one: ReviewedRow, other: ReviewedRow, name: str, other_name: str) -> None:
    if any(one.automatic[a] is not other.automatic.get(a, one.automatic[a]) for a in one.automatic):
        raise ValidationError(
            f"id {shorten(one.id)} has other automatic scores in {name} (row {one.row}) than in "
            f"{other_name} (row {other.row}): the two files are of different runs"
        )


def _measured(pairs: Sequence[_Pair], names: tuple[str, str], *, unmatched: int) -> ReviewAgreement:
    aspects: list[AspectAgreement] = []
    differing: list[Disagreement] = []
    for aspect in Aspect:
        said = [(row, first.get(aspect), second.get(aspect)) for row, first, second in pairs]
        both = [(row, a, b) for row, a, b in said if a is not None and b is not None]
        agreement = measure_agreement([(a.value, b.value) for _, a, b in both])
        aspects.append(AspectAgreement(aspect, agreement, len(pairs) - len(both)))
        differing += [
            Disagreement(row.row, row.id, aspect, row.human[aspect], b)
            for row, a, b in both
            if a is not b
        ]
    differing.sort(key=lambda found: found.row)
    return ReviewAgreement(*names, len(pairs), unmatched, tuple(aspects), tuple(differing))
