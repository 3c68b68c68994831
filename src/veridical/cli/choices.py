"""Options that take one of a few words, and suffixes that stand for them."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from veridical.errors import ConfigurationError, OutputError

Choice = TypeVar("Choice", bound=StrEnum)


def parse_choice(choices: type[Choice], name: str, *, option: str) -> Choice:
    """The choice of that name, in any case. Raises ConfigurationError that lists the names."""
    try:
        return choices(name.lower())
    except ValueError:
        known = ", ".join(choices)
        raise ConfigurationError(f"{option} {name!r} is not one of {known}") from None


def suffix_choice(suffixes: Mapping[str, Choice], path: Path) -> Choice:
    """What the suffix of a file asks for. Raises OutputError that lists the suffixes."""
    try:
        return suffixes[path.suffix.lower()]
    except KeyError:
        raise OutputError(
            f"cannot tell the format of {path} from its suffix; known are {', '.join(suffixes)}"
        ) from None
