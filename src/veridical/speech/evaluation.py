"""The structured evaluation of a speech, as the evidence contract has it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from veridical.codec import Codec
from veridical.errors import ValidationError
from veridical.speech.schemas import load_schema
from veridical.validation.schema_errors import first_errors, require_fit

RECORDS = Codec(values={float: (None, float)})


class ItemType(StrEnum):
    """Praise for what was done well, or advice for next time."""

    COMMENDATION = "commendation"
    RECOMMENDATION = "recommendation"


LEAST_ITEMS = {ItemType.COMMENDATION: 2, ItemType.RECOMMENDATION: 1}
MOST_ITEMS = {ItemType.COMMENDATION: 3, ItemType.RECOMMENDATION: 2}


@dataclass(frozen=True, slots=True)
class EvaluationItem:
    """One commendation or recommendation, and the words that it rests on.

    `evidence_quote` is copied from the transcript; `evidence_timestamp` is when its first word was
    said, in seconds from the start.
    """

    type: ItemType
    summary: str
    evidence_quote: str
    evidence_timestamp: float
    explanation: str

    @classmethod
    def from_mapping(cls, data: object) -> EvaluationItem:
        """An item from plain data. Raises ValidationError that names what does not fit."""
        problems = first_errors(item_schema(), data)
        if problems:
            raise ValidationError("; ".join(problem.describe() for problem in problems))
        return RECORDS.read(cls, data)

    def to_mapping(self) -> dict[str, Any]:
        """The item as plain data, ready for JSON."""
        return RECORDS.write(self)


@dataclass(frozen=True, slots=True)
class StructuredEvaluation:
    """An evaluation: how it opens, its items in the order in which they are said, how it closes."""

    opening: str
    items: tuple[EvaluationItem, ...]
    closing: str

    @classmethod
    def from_mapping(cls, data: object) -> StructuredEvaluation:
        """An evaluation from plain data, of any number of items up to a bound.

        Raises ValidationError that names what does not fit; `shape_problems` tells the rest.
        """
        schema = load_schema("structured_evaluation")
        require_fit(schema, data, "the evaluation does not fit its schema")
        return RECORDS.read(cls, data)

    def to_mapping(self) -> dict[str, Any]:
        """The evaluation as plain data, ready for JSON."""
        return RECORDS.write(self)

    def count(self, kind: ItemType) -> int:
        """How many items are of a kind."""
        return sum(item.type is kind for item in self.items)

    def shape_problems(self) -> tuple[str, ...]:
        """How the numbers of items differ from 2-3 commendations and 1-2 recommendations."""
        return tuple(
            f"{counted(self.count(kind), kind)} where there must be {LEAST_ITEMS[kind]} to "
            f"{MOST_ITEMS[kind]}"
            for kind in ItemType
            if not LEAST_ITEMS[kind] <= self.count(kind) <= MOST_ITEMS[kind]
        )


def counted(number: int, kind: ItemType) -> str:
    """`1 commendation`, `2 commendations`."""
    return f"{number} {kind}" if number == 1 else f"{number} {kind}s"


def item_schema() -> dict[str, Any]:
    """The JSON Schema of one item."""
    schema: dict[str, Any] = load_schema("structured_evaluation")["properties"]["items"]["items"]
    return schema
