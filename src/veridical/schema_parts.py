"""What the JSON Schemas of all packages are put together from.

The order of keywords is part of what `veridical schema` prints: each part keeps its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

Schema = dict[str, Any]

DRAFT_7 = "http://json-schema.org/draft-07/schema#"
DRAFT_2020 = "https://json-schema.org/draft/2020-12/schema"

TEXT: Schema = {"type": "string"}
FLAG: Schema = {"type": "boolean"}
NUMBER: Schema = {"type": "number"}
INTEGER: Schema = {"type": "integer"}
NULL: Schema = {"type": "null"}
COUNT: Schema = {"type": "integer", "minimum": 0}
POSITION: Schema = {"type": "integer", "minimum": 1}
"""Counted from 1."""

SHARE: Schema = {"type": "number", "minimum": 0, "maximum": 1}
TEXTS: Schema = {"type": "array", "items": TEXT}
TEXT_OR_NULL: Schema = {"type": ["string", "null"]}
NUMBER_OR_NULL: Schema = {"type": ["number", "null"]}
SHA256: Schema = {"type": "string", "pattern": "^[0-9a-f]{64}$"}


def headed(title: str, body: Schema, *, draft: str = DRAFT_7) -> Schema:
    """A whole schema."""
    return {"$schema": draft, "title": title, **body}


def record(properties: dict[str, Schema], **more: Any) -> Schema:
    """An object. A name that ends in `?` may be missing."""
    named = {name.removesuffix("?"): part for name, part in properties.items()}
    required = [str(name) for name in properties if not name.endswith("?")]
    needed = {"required": required} if required else {}
    return {"type": "object", **more, **needed, "properties": named}


def closed(properties: dict[str, Schema], **more: Any) -> Schema:
    """An object that has no other properties."""
    return record(properties, **more, additionalProperties=False)


def reply(properties: dict[str, Schema]) -> Schema:
    """A closed object, in the order of keywords in which models have been asked for it."""
    part = record(properties)
    named = part.pop("properties")
    return {**part, "additionalProperties": False, "properties": named}


def text(most: int | None = None, *, least: int | None = None, **more: Any) -> Schema:
    """A string of so many characters."""
    return {"type": "string"} | _given(minLength=least, maxLength=most) | more


def number(least: float | None = None, most: float | None = None, **more: Any) -> Schema:
    """A number in these bounds."""
    return {"type": "number"} | _given(minimum=least, maximum=most) | more


def integer(least: int | None = None, most: int | None = None, **more: Any) -> Schema:
    """A whole number in these bounds."""
    return {"type": "integer"} | _given(minimum=least, maximum=most) | more


def array(items: Schema, most: int | None = None, *, least: int | None = None) -> Schema:
    """A list of so many items."""
    return {"type": "array"} | _given(minItems=least, maxItems=most) | {"items": items}


def choice(values: Iterable[str], **more: Any) -> Schema:
    """One of these texts, such as the values of an enum."""
    return {"type": "string", "enum": [str(value) for value in values], **more}


def nullable(part: Schema) -> Schema:
    """The same, or null."""
    among = {"enum": [*part["enum"], None]} if "enum" in part else {}
    return part | {"type": [part["type"], "null"]} | among


def any_of(*parts: Schema) -> Schema:
    """What fits one of these."""
    return {"anyOf": list(parts)}


def ref(name: str) -> Schema:
    """The part of that name among the schema's own."""
    return {"$ref": f"#/$defs/{name}"}


def definition(name: str) -> Schema:
    """The same where they stand under their name of draft 7."""
    return {"$ref": f"#/definitions/{name}"}


def told(part: Schema, description: str) -> Schema:
    """The same with a description: after the type of a record or list, at the end of others."""
    if part.get("type") in ("object", "array"):
        return {"type": part["type"], "description": description, **part}
    return {**part, "description": description}


def told_first(part: Schema) -> Schema:
    """The same with each description before all else, as some schemas print it."""
    # A property may be called "description" too; what it holds is no text.
    first = {k: v for k, v in part.items() if k == "description" and isinstance(v, str)}
    return first | {k: told_first(v) if isinstance(v, dict) else v for k, v in part.items()}


def _given(**bounds: float | None) -> Schema:
    return {name: bound for name, bound in bounds.items() if bound is not None}


class Loader:
    """Gives some schemas by their names, which are those of the functions that make them.

    Each is made once: do not change what is given.
    """

    def __init__(self, *made: Callable[[], Schema]) -> None:
        self._made = {one.__name__.strip("_"): cache(one) for one in made}
        self.names = tuple(self._made)

    def __call__(self, name: str) -> Schema:
        """The schema of that name."""
        return self._made[name]()
