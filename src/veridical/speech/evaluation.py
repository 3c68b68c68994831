"""The structured evaluation of a speech, as the evidence contract has it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from veridical.codec import Codec
from veridical.errors import ValidationError
from veridical.models.values import seconds
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


# A model's evaluation, read item by item: one that is not usable costs itself, not the whole.


MOST_ITEMS_READ = 50
MAX_FRAME_CHARS = 2_000
"""How much of an opening or a closing is taken; the schema allows no more."""

_ITEM_FIELDS = tuple(item_schema()["properties"])
_FIELDS = frozenset({"opening", "items", "closing"})

_UNKNOWN = "fields that were not asked for are left out"
_CLOCK = "seconds that are written as a text are read as seconds"
_SPELLING = "an item's type is written in another way"


class Rejected(Exception):
    """What an author handed in cannot be used; it says why, in words without any text of it.

    Not an error of the run: it uses up an attempt.
    """


@dataclass(frozen=True, slots=True)
class Misfit:
    """What stands in an item's place and is none: what was given, and the reason.

    `type` is the kind of item that it should be, None where that cannot be told.
    """

    given: object
    type: ItemType | None
    reason: str


@dataclass(frozen=True, slots=True)
class Written:
    """What an author wrote, before anything in it is checked. `repairs` says what was repaired."""

    opening: str
    items: tuple[EvaluationItem | Misfit, ...]
    closing: str
    repairs: tuple[str, ...] = ()


def read_evaluation_reply(data: object) -> Written:
    """The evaluation in a reply that is parsed JSON. Raises Rejected where it holds no items."""
    if not isinstance(data, Mapping):
        raise Rejected("the reply has the wrong shape: it is not an object")
    given = data.get("items")
    if not isinstance(given, list):
        raise Rejected("the reply has the wrong shape: it has no list of items")
    repairs: dict[str, None] = dict.fromkeys([_UNKNOWN] if data.keys() - _FIELDS else [])
    frame = {name: data.get(name) for name in ("opening", "closing")}
    for name, text in frame.items():
        if not isinstance(text, str):
            repairs[f"the {name} is missing"] = None
        elif len(text) > MAX_FRAME_CHARS:
            repairs[f"the {name} is cut after {MAX_FRAME_CHARS:,} characters"] = None
    opening, closing = (
        text[:MAX_FRAME_CHARS] if isinstance(text, str) else "" for text in frame.values()
    )
    if len(given) > MOST_ITEMS_READ:
        repairs[f"of {len(given)} items {MOST_ITEMS_READ} are read"] = None
    items = tuple(read_item(item, repairs) for item in given[:MOST_ITEMS_READ])
    return Written(opening, items, closing, tuple(repairs))


def read_item(data: object, repairs: dict[str, None]) -> EvaluationItem | Misfit:
    """One item, as it can only be meant. What is repaired is noted in `repairs`."""
    if not isinstance(data, Mapping):
        return Misfit(data, None, "the item has the wrong shape: it is not an object")
    item, noted = repaired(data)
    try:
        read = EvaluationItem.from_mapping(item)
    except ValidationError as problem:
        kind = next((kind for kind in ItemType if kind == item.get("type")), None)
        return Misfit(data, kind, f"the item has the wrong shape: {problem}")
    repairs |= dict.fromkeys(noted)
    return read


def repaired(data: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The known fields of an item, as they can only be meant, and what was repaired."""
    item = {name: data[name] for name in _ITEM_FIELDS if name in data}
    noted = [_UNKNOWN] if len(item) < len(data) else []
    written, at = item.get("type"), seconds(item.get("evidence_timestamp"))
    for kind in ItemType:
        if isinstance(written, str) and written != kind and written.strip().casefold() == kind:
            item["type"] = kind.value
            noted.append(_SPELLING)
    if at is not None:
        item["evidence_timestamp"], is_text = at
        noted += [_CLOCK] if is_text else []
    return item, noted
