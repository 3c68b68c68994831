"""Words and numbers as every report says them."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor

_BANDS = (
    (85, "high"),
    (70, "good"),
    (50, "moderate"),
    (30, "low"),
    (0, "very low"),
)

SHORT_CHARS = 60


def percent(share: float) -> int:
    """A share from 0 to 1 in whole percent, rounded down: 99.9 % is never called 100 %."""
    return floor(min(1.0, max(0.0, share)) * 100 + 1e-9)


def confidence_word(confidence: float) -> str:
    """The band of a confidence: high, good, moderate, low, very low."""
    whole = percent(confidence)
    return next(word for least, word in _BANDS if whole >= least)


def listing(items: Sequence[str]) -> str:
    """`a, b and c`."""
    return " and ".join(filter(None, (", ".join(items[:-1]), *items[-1:])))


def some(items: Sequence[str], most: int) -> str:
    """`a, b` of so many, and how many more there are: `a, b and 1,234 more`."""
    more = f" and {len(items) - most:,} more" if items[most:] else ""
    return ", ".join(items[:most]) + more


def count(number: int, noun: str) -> str:
    """`1 page`, `1,234 pages`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def first_words(text: str, most_chars: int = SHORT_CHARS) -> str:
    """The beginning of a text on one line."""
    line = " ".join(text[: most_chars * 8].split())
    if len(line) <= most_chars:
        return line
    words, _, cut = line[: most_chars + 1].rpartition(" ")
    return f"{words or cut[:most_chars]}…"
