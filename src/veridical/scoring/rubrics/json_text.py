"""The tokens of a JSON text.

YAML readers do not read all of JSON: not its escaped surrogate pairs, long names or tabs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from veridical.scoring.rubrics.problems import Unreadable
from veridical.scoring.rubrics.tree import Scalar, Token, TokenKind, number_of

_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\]]|[^\s{}\[\]:,"]+')
_WORDS: dict[str, Scalar] = {"true": True, "false": False, "null": None}
_BRACKETS: dict[str, TokenKind] = {"{": "{", "}": "}", "[": "[", "]": "]"}
_NO_NUMBERS = ("NaN", "Infinity", "-Infinity")


def check_json(text: str) -> None:
    """Raises Unreadable where a text is not JSON."""
    # Numbers are left as they are: Python's limits on them are no rule of JSON. What is nested too
    # deeply is refused by who reads the tokens, at its place.
    as_it_is: Any = str
    try:
        with suppress(RecursionError):
            json.loads(text, parse_int=as_it_is, parse_float=as_it_is)
    except json.JSONDecodeError as problem:
        raise Unreadable(problem.pos, f"not valid JSON: {problem.msg}") from None


def json_tokens(text: str) -> Iterator[Token]:
    """The tokens of what `check_json` has passed. Raises Unreadable for a number that is none."""
    for found in _TOKEN.finditer(text):
        written, offset = found[0], found.start()
        if written in _BRACKETS:
            yield Token(_BRACKETS[written], offset)
        elif written.startswith('"'):
            value: str = json.loads(written)
            yield Token("scalar", offset, value, value)
        elif written in _WORDS:
            yield Token("scalar", offset, _WORDS[written], written)
        elif written in _NO_NUMBERS:
            raise Unreadable(offset, f"{written} is not a finite number")
        else:
            yield Token("scalar", offset, number_of(written, offset), written)
