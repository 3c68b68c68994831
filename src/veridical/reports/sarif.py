"""SARIF 2.1.0, which code hosts and editors show beside the lines of a file.

Columns and offsets count Unicode code points.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import quote

from veridical.sources.document import Document, Format, Span

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
LINED = (Format.MARKDOWN, Format.HTML, Format.PLAIN_TEXT)
"""The formats whose lines are lines of a file."""

_DRIVE = re.compile(r"[A-Za-z]:/")
_SURROGATE = re.compile("[\ud800-\udfff]")


class Rule(NamedTuple):
    """What a result breaks: its id and name, what it means, how bad it is, and what to do."""

    id: str
    name: str
    text: str
    level: str
    help: str = ""


def render_run(
    rules: Sequence[Rule],
    *,
    artifacts: Sequence[Any],
    results: Sequence[Any],
    notifications: Sequence[Any],
    completed: bool,
    driver: Mapping[str, Any] | None = None,
    bases: Mapping[str, Any] | None = None,
) -> str:
    """One run as SARIF JSON. `driver` is what is told of the tool beyond its name and rules,
    `bases` are folders that addresses are relative to.
    """
    rows = list(map(_rule, rules))
    run = {
        "tool": {"driver": {"name": "Veridical", **(driver or {}), "rules": rows}},
        "columnKind": "unicodeCodePoints",
        **({"originalUriBaseIds": bases} if bases else {}),
        "artifacts": artifacts,
        "invocations": [
            {"executionSuccessful": completed, "toolExecutionNotifications": notifications}
        ],
        "results": results,
    }
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(_printable(log), ensure_ascii=False, indent=2) + "\n"


def _rule(rule: Rule) -> dict[str, Any]:
    made: dict[str, Any] = {
        "id": rule.id,
        "name": rule.name,
        "shortDescription": {"text": rule.text},
    }
    if rule.help:
        made |= {"fullDescription": {"text": rule.help}, "help": {"text": rule.help}}
    made["defaultConfiguration"] = {"level": rule.level}
    return made | ({"properties": {"tags": ["citation", "evidence"]}} if rule.help else {})


def _printable(value: Any) -> Any:
    """The same data without lone surrogates, which UTF-8 cannot hold."""
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, Mapping):
        return {key: _printable(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_printable(inner) for inner in value]
    return value


def notification(level: str, text: str, code: str | None = None) -> dict[str, Any]:
    """What is told of the run rather than of a place."""
    named = {"descriptor": {"id": code}} if code else {}
    return {"level": level, **named, "message": message(text)}


def message(text: str) -> dict[str, str]:
    """A message without what a viewer would take for a link: SARIF reads `[text](target)` so."""
    return {"text": text.replace("](", "] (")}


def artifact_uri(name: str) -> str:
    """The name of a document as a URI: relative as the name is, absolute for an absolute path."""
    path = _SURROGATE.sub("\ufffd", name).replace("\\", "/")
    if _DRIVE.match(path):
        path = "/" + path
    encoded = quote(path, safe="/")
    if encoded.startswith("/"):
        return "file:///" + encoded.lstrip("/")
    return encoded or "unnamed"


def region(document: Document, span: Span, most_chars: int | None = None) -> dict[str, Any]:
    """A place in a document whose text is its file, with the words there, or so many characters
    of them.
    """
    start_line, start_column = document.position(span.start)
    end_line, end_column = document.position(span.end)
    return {
        "startLine": start_line,
        "startColumn": start_column,
        "endLine": end_line,
        "endColumn": end_column,
        "charOffset": span.start,
        "charLength": len(span),
        "snippet": {"text": document.text[span.start : span.end][:most_chars]},
    }
