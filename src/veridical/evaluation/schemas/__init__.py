"""The JSON Schemas of questions, chat responses and runs, as files of the package."""

from __future__ import annotations

import json
from functools import lru_cache
from importlib import resources
from typing import Any, Literal

EvaluationSchemaName = Literal[
    "evaluation_question", "chat_response", "evaluation_run", "evaluation_result"
]


@lru_cache
def load_schema(name: EvaluationSchemaName) -> dict[str, Any]:
    """One of the shipped schemas, parsed. Do not change what is returned."""
    text = resources.files(__name__).joinpath(f"{name}.json").read_text("utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema
