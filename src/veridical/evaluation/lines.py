"""A line of a JSON Lines file, read strictly: by its schema, with errors that name the line."""

from __future__ import annotations

from typing import Any

from veridical.errors import ValidationError
from veridical.evaluation.schemas import EvaluationSchemaName, load_schema
from veridical.ledger.canonical import parse_file
from veridical.validation.schema_errors import first_errors


def parse_line(line: bytes, schema: EvaluationSchemaName, *, at: str) -> dict[str, Any]:
    """The object in a line; `at` names the file and the line in errors.

    Raises ValidationError for what is not JSON, or does not fit the schema.
    """
    try:
        data = parse_file(line, what=at)
    except ValidationError as problem:
        told = str(problem)
        raise ValidationError(told if told.startswith(at) else f"{at}: {told}") from None
    problems = first_errors(load_schema(schema), data)
    if problems:
        raise ValidationError(
            f"{at}: " + "; ".join(problem.describe() for problem in problems),
            {"path": problems[0].path, "value": problems[0].value},
        )
    return data
