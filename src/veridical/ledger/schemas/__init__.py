"""The JSON Schemas of ledgers, their verification, checks and extraction, as files."""

from __future__ import annotations

import json
from functools import cache, lru_cache
from importlib import resources
from typing import TYPE_CHECKING, Any, Literal

from veridical.validation.schema_errors import first_errors, refused

if TYPE_CHECKING:
    from jsonschema_rs import Draft7Validator

LedgerSchemaName = Literal["evidence_ledger", "ledger_verification", "answer_check"]


@lru_cache
def load_schema(name: LedgerSchemaName | Literal["extraction_reply"]) -> dict[str, Any]:
    """A shipped schema, or that of a model's reply, parsed. Do not change what is returned."""
    text = resources.files(__name__).joinpath(f"{name}.schema.json").read_text("utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema


def require_ledger(data: object) -> None:
    """Raises ValidationError where data does not fit the schema of ledgers."""
    try:
        if _validator().is_valid(data):
            return
    except (ValueError, TypeError, OverflowError, RecursionError):
        pass  # Not JSON at all: said in words below.
    problems = first_errors(load_schema("evidence_ledger"), data)
    raise refused("the ledger does not fit its schema", problems)


@cache
def _validator() -> Draft7Validator:
    """Made once: most files fit. The schema uses only what drafts 7 and 2020-12 read alike."""
    from jsonschema_rs import Draft7Validator

    return Draft7Validator(load_schema("evidence_ledger"))
