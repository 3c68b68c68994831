"""The values in a model's reply: read as what they can only mean, or not at all."""

from __future__ import annotations

import math
import re
import unicodedata

MOST_SECONDS = 1e7
"""Four months. No recording is longer, and a time beyond it is no time."""

_CLOCK = re.compile(r"(?:([0-9]{1,3}):)?([0-9]{1,3}):([0-5][0-9](?:\.[0-9]{1,6})?)")
_SECONDS = re.compile(r"[0-9]{1,8}(?:\.[0-9]{1,6})?")
_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def tidied(text: str) -> str:
    """One line of it, without controls, marks of direction and halves of surrogate pairs."""
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    kept = (
        character
        for character in " ".join(text.split())
        if character not in _BIDI and unicodedata.category(character) not in ("Cc", "Cs")
    )
    return "".join(kept)


def shortened(text: str, most: int) -> str:
    """Tidied, and cut to `most` characters."""
    line = tidied(text)
    return line if len(line) <= most else line[: most - 1].rstrip() + "\u2026"


def read_number(value: object) -> float | None:
    """A finite number; None for anything else, a number in quotation marks among it."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        read = float(value)
    except OverflowError:
        return None
    return read if math.isfinite(read) else None


def seconds(value: object) -> tuple[float, bool] | None:
    """A second of the recording, and whether it was written as a text: `"90"`, `"1:30"`."""
    read, repaired = read_number(value), False
    if isinstance(value, str):
        read, repaired = _written_seconds(value.strip()), True
    if read is None or not -MOST_SECONDS <= read <= MOST_SECONDS:
        return None
    return read, repaired


def _written_seconds(text: str) -> float | None:
    if _SECONDS.fullmatch(text):
        return float(text)
    clock = _CLOCK.fullmatch(text)
    if clock is None:
        return None
    hours, minutes, rest = clock.groups()
    return int(hours or 0) * 3600 + int(minutes) * 60 + float(rest)
