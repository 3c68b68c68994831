"""What is wrong with what a form sent, in the words of the form.

The library names the places of what it reads as programs do: `claims[2].quote`, `rubric:3:1`. Who
filled in a form is told the line or the field instead.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_CLAIM = re.compile(r"\bclaims\[(\d+)\]\.quote: ")
_PLACE = re.compile(r"\b(claims|items)\[(\d+)\](?:\.(\w+))?((?:[.\[]\w+\]?)*): ")
_THINGS = {"claims": "quote", "items": "item"}

_TYPES = {
    "string": "text",
    "boolean": "true or false",
    "number": "a number",
    "integer": "a whole number",
    "array": "a list",
    "object": "a JSON object",
    "null": "null",
}

_WORDS = tuple(
    (re.compile(pattern), said)
    for pattern, said in (
        (r"^the claims do not fit their schema: ", "The quotes cannot be used: "),
        (r"^the evaluation does not fit its schema: ", "The evaluation cannot be used: "),
        (r"^(?:rubric: )?rubric:(\d+):\d+: error: ", r"Rubric, line \1: "),
        (r"; rubric:(\d+):\d+: error: ", r"; line \1: "),
        (r"^(rubric|questions|transcript|names): ", lambda found: f"{found[1].capitalize()}: "),
        (r"^(no metric|\w+ needs a number) ", r"Bounds: \1 "),
        (r"\(top\): ", ""),
        (r'"([^"]*)" is a required property', "\u201c\\1\u201d is missing"),
        (r'does not match "\^EV\\d\+\$"', "must be EV and a number, as in EV001"),
        (r'does not match "[^"]*"', "is not written as it must be"),
        (r'is not of type "(\w+)"', lambda found: f"is not {_TYPES.get(found[1], found[1])}"),
        (r", or raise [\w.]+ in the configuration", ""),
    )
)


def in_words(problem: str) -> str:
    """A problem as a form tells it: which line or field of it, and no paths."""
    told = _PLACE.sub(_in_place, problem)
    for pattern, said in _WORDS:
        told = pattern.sub(said, told)
    return told[:1].upper() + told[1:]


def at_lines(problem: str, lines: Sequence[int]) -> str:
    """The same, with the lines on which the quotes stand that were given one a line."""

    def line_of(found: re.Match[str]) -> str:
        number = int(found[1])
        return f"line {lines[number]}: " if number < len(lines) else found[0]

    return _CLAIM.sub(line_of, problem)


def _in_place(found: re.Match[str]) -> str:
    thing = f"{_THINGS[found[1]]} {int(found[2]) + 1}"
    return f"{thing}, \u201c{found[3]}\u201d: " if found[3] else f"{thing}: "
