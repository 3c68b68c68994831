"""The JSON Schema of a model's reply, as a file of the package."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any


@cache
def reply_schema() -> dict[str, Any]:
    """The schema that a model's reply must fit. Do not change what is returned."""
    text = resources.files(__name__).joinpath("extraction_reply.schema.json").read_text("utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema
