"""What a language model said of some passages, once its reply has been checked for form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from veridical.judging.judge import SupportLevel
from veridical.judging.schemas import load_schema
from veridical.validation.schema_errors import first_errors

MAX_EXPLANATION_CHARS = 600
_NOT_FOR_SERVERS = ("$schema", "title")


class Unusable(Exception):
    """A reply that has the wrong form. The message holds none of its text."""


@dataclass(frozen=True, slots=True)
class Said:
    """What a model said of one passage. None of it is verified."""

    quote: str
    explanation: str
    support: SupportLevel
    contradicts: bool


def reply_schema() -> dict[str, Any]:
    """The schema that a model is asked to keep to."""
    schema = load_schema("model_judgements")
    return {key: value for key, value in schema.items() if key not in _NOT_FOR_SERVERS}


def parse_reply(data: object, passages: int) -> dict[int, Said]:
    """What was said of each passage, by its number from 1; a passage may be missing.

    Raises Unusable where the reply does not fit its schema, names a passage that was not shown, or
    speaks twice of one.
    """
    problems = first_errors(load_schema("model_judgements"), data)
    if problems or not isinstance(data, Mapping):
        places = ", ".join(dict.fromkeys(f"{p.path} ({p.constraint})" for p in problems))
        raise Unusable(f"it does not fit its schema at {places}")
    said: dict[int, Said] = {}
    for entry in data["judgements"]:
        number = int(entry["passage"])
        if not 1 <= number <= passages:
            raise Unusable("it judges a passage that was not shown")
        if number in said:
            raise Unusable("it judges one passage twice")
        said[number] = _said(entry)
    return said


def _said(entry: Mapping[str, Any]) -> Said:
    explanation = " ".join(entry["explanation"].split())
    if len(explanation) > MAX_EXPLANATION_CHARS:
        explanation = explanation[: MAX_EXPLANATION_CHARS - 1].rstrip() + "\u2026"
    support = SupportLevel(entry["support"])
    return Said(entry["quote"].strip(), explanation, support, entry["contradicts"])
