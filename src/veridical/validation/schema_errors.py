"""What is wrong with a piece of JSON, and where, in words."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from veridical.errors import ValidationError

MOST_SHOWN = 5
_VALUE_CHARS = 60


@dataclass(frozen=True, slots=True)
class SchemaProblem:
    """One place that does not fit: its path (`claims[3].quote`), its value and the rule broken."""

    path: str
    value: str
    constraint: str
    message: str

    def describe(self) -> str:
        """One line for a reader."""
        return f"{self.path}: {self.message}"


def first_errors(schema: Mapping[str, Any], instance: object) -> list[SchemaProblem]:
    """The first places where `instance` does not fit a JSON Schema (draft 7), if any."""
    import jsonschema_rs

    validator = jsonschema_rs.Draft7Validator(dict(schema))
    try:
        errors = list(islice(validator.iter_errors(instance), MOST_SHOWN))
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        reason = "nested too deeply" if "ecursion" in str(error) else f"not JSON data: {error}"
        return [SchemaProblem("(top)", type(instance).__name__, "json", reason)]
    return [_problem(error, instance) for error in errors]


def require_fit(schema: Mapping[str, Any], instance: object, complaint: str) -> None:
    """Raises ValidationError, `complaint` first, where `instance` does not fit a JSON Schema."""
    problems = first_errors(schema, instance)
    if problems:
        raise refused(complaint, problems)


def refused(complaint: str, problems: Sequence[SchemaProblem]) -> ValidationError:
    """The error that tells of problems, with the first of them in its details."""
    first = problems[0]
    return ValidationError(
        f"{complaint}: " + "; ".join(problem.describe() for problem in problems),
        {"path": first.path, "value": first.value, "constraint": first.constraint},
    )


def _problem(error: Any, instance: Any) -> SchemaProblem:
    path = "".join(
        f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.instance_path
    ).lstrip(".")
    for part in error.instance_path:
        instance = instance[part]
    # The library takes NaN and infinity for null, so the value is read from what was given.
    value = shorten(instance)
    constraint = str(error.schema_path[-1]) if error.schema_path else ""
    return SchemaProblem(path or "(top)", value, constraint, _message(error, value, constraint))


def _message(error: Any, value: str, constraint: str) -> str:
    text = str(error.message)
    if value in ("NaN", "Infinity", "-Infinity"):
        return f"{value} is not a number that JSON has"
    if constraint == "additionalProperties":
        return f"unknown: {', '.join(map(shorten, error.kind.unexpected))}"
    if constraint in ("maxLength", "minLength") and isinstance(error.instance, str):
        bound = "at most" if constraint == "maxLength" else "at least"
        limit = text.rsplit(" than ", 1)[-1] if " than " in text else text
        return f"{value} has {len(error.instance):,} characters; it must have {bound} {limit}"
    if constraint == "enum":
        allowed = ", ".join(map(shorten, error.kind.options))
        return f"{value} is not one of {allowed}"
    return text if len(text) <= 3 * _VALUE_CHARS else f"{value} breaks the rule {constraint!r}"


def shorten(value: object) -> str:
    """A value as JSON, cut to a length that fits an error message."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        text = repr(value)
    return text if len(text) <= _VALUE_CHARS else text[:_VALUE_CHARS] + "…"
