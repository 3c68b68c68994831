"""The JSON Schemas of speech evaluations, as files of the package."""

from __future__ import annotations

import json
from functools import lru_cache
from importlib import resources
from typing import Any, Literal

SpeechSchemaName = Literal[
    "structured_evaluation", "evaluation_to_check", "speech_evaluation", "speech_check"
]


@lru_cache
def load_schema(name: SpeechSchemaName) -> dict[str, Any]:
    """One of the shipped schemas, parsed. Do not change what is returned."""
    text = resources.files(__name__).joinpath(f"{name}.schema.json").read_text("utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema
