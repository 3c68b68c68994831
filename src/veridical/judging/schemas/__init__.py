"""The JSON Schemas of labelled rows, model replies and calibrations, as files of the package."""

from __future__ import annotations

import json
from functools import lru_cache
from importlib import resources
from typing import Any, Literal

JudgingSchemaName = Literal["labelled_row", "model_judgements", "judge_calibration"]


@lru_cache
def load_schema(name: JudgingSchemaName) -> dict[str, Any]:
    """One of the shipped schemas, parsed. Do not change what is returned."""
    text = resources.files(__name__).joinpath(f"{name}.schema.json").read_text("utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema
