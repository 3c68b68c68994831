"""Quotes that stand outside the repository: where they are, and what is there."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
VARIABLE = "VERIDICAL_SHARED_DATA"
FOLDER = Path(os.environ.get(VARIABLE) or ROOT.parent / "shared" / "data") / "quotes"

PEER_CASES = "peer_cases.jsonl"
HTML_QUOTES = "hypothesis_html_quotes.jsonl"
SELECTORS = "apache_annotator_match.jsonl"
NEWSPAPERS = "bln600_docs.dev.jsonl"
NEWSPAPER_QUOTES = "bln600_quotes.dev.jsonl"

Row = dict[str, Any]


def missing() -> str:
    """Why the tests cannot run; empty where they can."""
    names = (PEER_CASES, HTML_QUOTES, SELECTORS, NEWSPAPERS, NEWSPAPER_QUOTES)
    absent = [name for name in names if not (FOLDER / name).is_file()]
    if not absent:
        return ""
    return (
        f"the shared quotes are not here: {', '.join(absent)} not found. They are looked for in "
        f"../shared/data/quotes beside the repository, or in quotes/ under ${VARIABLE}"
    )


def rows(name: str) -> list[Row]:
    """The rows of one file, in order."""
    with (FOLDER / name).open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def page(name: str) -> str:
    """The text of an HTML page that rows refer to."""
    return (FOLDER / name).read_text("utf-8")
