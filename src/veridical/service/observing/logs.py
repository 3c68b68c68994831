"""Log lines that a machine can read, without texts of documents, addresses or secrets.

Messages of errors may quote what they are about: of an unexpected one its type and its place in the
code are logged, not what it says.
"""

from __future__ import annotations

import json
import logging
import traceback
from collections.abc import Mapping
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

ACCESS_LOG = "veridical.access"
_MOST_FRAMES = 12


class LogFormat(StrEnum):
    """How log lines look."""

    TEXT = "text"
    JSON = "json"


def stack_of(error: BaseException) -> str:
    """Where an error happened, innermost last, and of which types it and its causes are."""
    parts: list[str] = []
    current: BaseException | None = error
    while current is not None and len(parts) < _MOST_FRAMES:
        frames = traceback.extract_tb(current.__traceback__)[-_MOST_FRAMES:]
        places = " > ".join(f"{Path(at.filename).name}:{at.lineno} {at.name}" for at in frames)
        parts.append(f"{type(current).__name__} at {places or 'an unknown place'}")
        current = current.__cause__ or current.__context__
    return "; from ".join(parts)


class _Formatter(logging.Formatter):
    """Leaves messages of exceptions out, and gives fields that a record carries in `fields`."""

    def formatException(self, ei: Any) -> str:  # noqa: N802  # the name is logging's
        error = ei[1] if isinstance(ei, tuple) else None
        return "" if error is None else stack_of(error)


class _Text(_Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line = super().format(record)
        fields: Mapping[str, Any] = getattr(record, "fields", {})
        if not fields:
            return line
        return " ".join((line, *(f"{name}={value}" for name, value in fields.items())))


class _Json(_Formatter):
    def format(self, record: logging.LogRecord) -> str:
        entry: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            entry["error"] = self.formatException(record.exc_info)
        return json.dumps(entry, ensure_ascii=False, default=str)


def handler_of(form: LogFormat) -> logging.Handler:
    """A handler for standard error that writes lines of this form."""
    handler = logging.StreamHandler()
    if form is LogFormat.JSON:
        handler.setFormatter(_Json())
    else:
        handler.setFormatter(_Text("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    return handler
