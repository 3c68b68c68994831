"""Options that take one of a few words, and suffixes that stand for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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
