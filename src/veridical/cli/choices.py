"""What is chosen by one of a few words or a suffix, and the time that a result bears."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from veridical.errors import ConfigurationError, OutputError

Choice = TypeVar("Choice", bound=StrEnum)


class Form(StrEnum):
    """A form in which a result is told. `text` and `table` are for people at a terminal."""

    TEXT = "text"
    TABLE = "table"
    JSON = "json"
    HTML = "html"
    MARKDOWN = "markdown"
    JUNIT = "junit"
    SARIF = "sarif"
    REPORT = "report"
    GITHUB = "github"
    PDF = "pdf"


_SUFFIXES = {
    ".json": Form.JSON,
    ".jsonl": Form.JSON,
    ".md": Form.MARKDOWN,
    ".markdown": Form.MARKDOWN,
    ".html": Form.HTML,
    ".htm": Form.HTML,
    ".xml": Form.JUNIT,
    ".sarif": Form.SARIF,
    ".pdf": Form.PDF,
}


def by_suffix(suffixes: str, text: Form = Form.TABLE) -> dict[str, Form]:
    """What each of some suffixes asks for, in their order; `.txt` for `text`."""
    return {suffix: _SUFFIXES.get(suffix, text) for suffix in suffixes.split()}


TEXT_OR_JSON = (Form.TEXT, Form.JSON)
TABLE_OR_JSON = (Form.TABLE, Form.JSON)


def parse_choice(choices: Iterable[Choice], name: str, *, option: str = "--format") -> Choice:
    """The choice of that name, in any case. Raises ConfigurationError that lists the names."""
    known = {choice.value: choice for choice in choices}
    if name.lower() not in known:
        raise ConfigurationError(f"{option} {name!r} is not one of {', '.join(known)}")
    return known[name.lower()]


def suffix_choice(suffixes: Mapping[str, Choice], path: Path) -> Choice:
    """What the suffix of a file asks for. Raises OutputError that lists the suffixes."""
    try:
        return suffixes[path.suffix.lower()]
    except KeyError:
        raise OutputError(
            f"cannot tell the format of {path} from its suffix; known are {', '.join(suffixes)}"
        ) from None


_EPOCH_VARIABLE = "SOURCE_DATE_EPOCH"
_MOST_EPOCH = 253_402_300_799
"""The last second of the year 9999."""


def given_moment() -> datetime | None:
    """The time that `SOURCE_DATE_EPOCH` names, in seconds since 1970, for builds that repeat.

    Raises ConfigurationError for what is no such number.
    Source: https://reproducible-builds.org/specs/source-date-epoch/
    """
    given = os.environ.get(_EPOCH_VARIABLE, "").strip()
    if not given:
        return None
    if not re.fullmatch(r"[0-9]{1,12}", given) or int(given) > _MOST_EPOCH:
        raise ConfigurationError(
            f"{_EPOCH_VARIABLE} is {given[:40]!r}; it must be whole seconds since 1970, up to "
            f"{_MOST_EPOCH}, or not set"
        )
    return datetime.fromtimestamp(int(given), UTC)
