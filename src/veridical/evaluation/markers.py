"""Bracket-style citations in a response: `[1]`, `[1, 2]`, `[1][2]`, `[1]-[3]`, `[1-3]`.

Read here anew, not with the code that writes or repairs them: what measures an answer shares
nothing with what made it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

MAX_RANGE = 100
"""A longer range is read as its two ends: no response has that many citations."""

_DIGITS = 9
"""Digits that are read of a number. A longer one cites nothing either way."""

_DASH = "[-\u2010-\u2014\u2212]"
_PART = rf"[0-9]+(?:\s?{_DASH}\s?[0-9]+)?"
_GROUP = rf"\[\s*(?:{_PART})(?:\s*[,;]\s*(?:{_PART}))*\s*\]"
_MARKERS = re.compile(rf"(?P<first>{_GROUP})(?:{_DASH}\[\s*(?P<last>[0-9]+)\s*\])?")
_NUMBERS = re.compile(rf"(?P<low>[0-9]+)(?:\s?{_DASH}\s?(?P<high>[0-9]+))?")


@dataclass(frozen=True, slots=True)
class Marker:
    """A marker as it stands in a text, and the numbers that it names, as they are written.

    `start` and `end` are code points of that text, half-open. Numbers count from 1; those that no
    citation has are kept.
    """

    start: int
    end: int
    numbers: tuple[int, ...]


def find_markers(text: str) -> Iterator[Marker]:
    """The markers of a text, in order. Any bracket with nothing but numbers in it is one."""
    for found in _MARKERS.finditer(text):
        numbers = [n for part in _NUMBERS.finditer(found["first"]) for n in _numbers(part)]
        if found["last"]:
            numbers[-1:] = _range(numbers[-1], _number(found["last"]))
        yield Marker(found.start(), found.end(), tuple(dict.fromkeys(numbers)))


def without_markers(text: str) -> str:
    """The text with each marker, and the spaces before it, taken out."""
    parts, at = [], 0
    for marker in find_markers(text):
        parts.append(text[at : marker.start].rstrip(" \t\xa0"))
        at = marker.end
    return "".join(parts) + text[at:]


def _numbers(part: re.Match[str]) -> list[int]:
    low = _number(part["low"])
    return [low] if part["high"] is None else _range(low, _number(part["high"]))


def _range(low: int, high: int) -> list[int]:
    return list(range(low, high + 1)) if 0 <= high - low < MAX_RANGE else [low, high]


def _number(digits: str) -> int:
    return int(digits) if len(digits.lstrip("0")) <= _DIGITS else 10**_DIGITS
