"""The JSON Schemas of ledgers, their verification and checks of answers, as files."""

from __future__ import annotations

import json
from functools import lru_cache
from importlib import resources
from typing import Any, Literal

LedgerSchemaName = Literal["evidence_ledger", "ledger_verification", "answer_check"]


@lru_cache
def load_schema(name: LedgerSchemaName) -> dict[str, Any]:
    """One of the shipped schemas, parsed. Do not change what is returned."""
    text = resources.files(__name__).joinpath(f"{name}.schema.json").read_text("utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema
