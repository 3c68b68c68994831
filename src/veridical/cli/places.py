"""Which file a command was given in which place, and whether two of them are swapped."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from enum import StrEnum
from itertools import permutations
from pathlib import Path
from typing import Any

import click

from veridical.errors import VeridicalError

_KEY = "veridical.places"
_YAML_RUBRIC = [re.compile(rf"(?m)^{field}:") for field in ("template", "sections")]


class Kind(StrEnum):
    """What a file holds, as it is told in messages."""

    TRANSCRIPT = "a transcript"
    EVALUATION = "an evaluation"
    RUBRIC = "a rubric"
    SCORECARD = "a scorecard"
    RATINGS = "a file of ratings"
    CLAIMS = "a claims file"
    LEDGER = "a ledger"
    ANSWER = "an answer"
    DOCUMENTS = "a source"


_FIELDS = (
    (Kind.EVALUATION, {"evaluation", "evidence"}),
    (Kind.SCORECARD, {"schemaVersion", "overall", "sections"}),
    (Kind.RUBRIC, {"template", "sections"}),
    (Kind.LEDGER, {"ledger_id", "entries"}),
    (Kind.CLAIMS, {"claims"}),
)
"""Fields that no other kind of our files has, those of more fields first."""

_ALWAYS_TOLD = {kind for kind, _ in _FIELDS}
"""Kinds that a file which shows no kind cannot be of."""


def expect(*places: tuple[str, Kind, str | Sequence[str]]) -> None:
    """Remember, should the command fail, what it takes: name, kind and paths of each place."""
    click.get_current_context().meta[_KEY] = [
        (name, kind, path)
        for name, kind, paths in places
        for path in ([paths] if isinstance(paths, str) else paths)
    ]


def swapped() -> str:
    """That two files stand in each other's places, and which goes where; empty if none do."""
    from veridical.cli.files import STANDARD_INPUT
    from veridical.scoring.rubrics.file import shipped_names

    context = click.get_current_context(silent=True)
    given = [] if context is None else context.meta.get(_KEY, [])
    kinds = {path: _kind_of(path) for _, _, path in given}
    if not all(it in (STANDARD_INPUT, *shipped_names()) or _exists(it) for it in kinds):
        return ""
    for (name, kind, path), (other, wanted, there) in permutations(given, 2):
        fits = kinds[there] is kind or (kinds[there] is None and kind not in _ALWAYS_TOLD)
        if kinds[path] is wanted is not kind and fits:
            return (
                f"the files are swapped: {path} is {wanted}. "
                f"Give {there} as {name} and {path} as {other}."
            )
    return ""


def _exists(path: str) -> bool:
    try:
        return Path(path).exists()
    except (OSError, ValueError):
        return False


def _kind_of(path: str) -> Kind | None:
    """What a file surely is; None where that cannot be told from what it holds."""
    from veridical.cli.files import STANDARD_INPUT, read_bytes
    from veridical.scoring.rubrics.file import shipped_names
    from veridical.sources.sniff import sniff_binary

    if path == STANDARD_INPUT or not _exists(path):
        return Kind.RUBRIC if path in shipped_names() else None
    if Path(path).is_dir():
        return Kind.DOCUMENTS
    try:
        data = read_bytes(path)
        if sniff_binary(data, path, ""):
            return Kind.DOCUMENTS
        return _kind_of_text(data.decode("utf-8-sig"), path)
    except (VeridicalError, UnicodeDecodeError):
        return None


def _kind_of_text(text: str, path: str) -> Kind | None:
    from veridical.sources.document import DEFAULT_LIMITS
    from veridical.sources.sniff import is_captions
    from veridical.sources.transcripts.lines import begins_with_time
    from veridical.sources.transcripts.loader import clear_transcript

    if is_captions(text) or begins_with_time(text):
        return Kind.TRANSCRIPT
    try:
        data: Any = json.loads(text)
    except (ValueError, RecursionError):
        return Kind.RUBRIC if all(field.search(text) for field in _YAML_RUBRIC) else None
    if isinstance(data, list):
        data = {"items": data}
    if not isinstance(data, dict):
        return None
    for kind, fields in _FIELDS:
        if fields <= data.keys():
            return kind
    first = next((item for item in data.get("items") or () if isinstance(item, dict)), {})
    if "evidence_quote" in first:
        return Kind.EVALUATION
    if "quote" in first and not data.keys() - {"items"}:
        return Kind.CLAIMS
    is_transcript = clear_transcript(text, path, size_bytes=0, limits=DEFAULT_LIMITS) is not None
    return Kind.TRANSCRIPT if is_transcript else None
