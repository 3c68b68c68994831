"""JSON and JSON Lines: the values of a file behind their keys, each cited by its path.

An object of short values is one line (`name: Leave; days: 25`), so that it can be read as a row;
else each has a line of its own. A key of more than one value is the heading above them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from veridical.sources.document import DEFAULT_LIMITS, Document, Format, SourceLimits
from veridical.sources.parts import TextBuilder
from veridical.sources.sniff import decode

_LONGEST_VALUE = 200
_LONGEST_ROW = 1_000
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class _Object(list[tuple[str, Any]]):
    """The keys, each on one line, and values of an object, in order; a key may come twice."""

    def __init__(self, pairs: Iterable[tuple[str, Any]]) -> None:
        super().__init__((" ".join(key.split()), value) for key, value in pairs)


_DECODER = json.JSONDecoder(
    object_pairs_hook=_Object, parse_float=str, parse_int=str, parse_constant=str
)


def read_json(data: bytes, name: str, *, limits: SourceLimits = DEFAULT_LIMITS) -> Document:
    """The text of a JSON file, or of one with a JSON value on each line."""
    builder = TextBuilder(name, Format.JSON, limits)
    try:
        for start, value in _values(decode(data, name), builder):
            _add(builder, value, f"{start}$", limits.max_nesting)
    except RecursionError:
        raise builder.refuse(
            f"it is nested more than {limits.max_nesting:,} deep. Give a simpler file."
        ) from None
    return builder.build(data)


def _values(text: str, builder: TextBuilder) -> list[tuple[str, Any]]:
    """What stands in the file, with the start of its paths."""
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    try:
        return [("", _DECODER.decode(text))]
    except ValueError as error:
        problem = error
    try:  # a file of lines fails at its second line when it is read as one value
        if len(lines) > 1 and "Extra data" in str(problem):
            return [(f"line {number}, ", _DECODER.decode(line)) for number, line in lines]
    except ValueError as error:
        problem = error
    raise builder.refuse(
        f"it is no JSON ({problem}). Mend it, or give it the suffix .txt to read it as text."
    )


def _add(builder: TextBuilder, value: Any, path: str, left: int, level: int = 1) -> None:
    """Add a value, in which objects and lists may be inside each other `left` deep."""
    if not left:
        raise RecursionError
    if not isinstance(value, list):
        builder.place(path)
        builder.add(f"{_text(value)}\n")
    elif not isinstance(value, _Object):
        for index, one in enumerate(value):
            _add(builder, one, f"{path}[{index}]", left - 1, level)
    else:
        _add_plain(builder, value, path)
        for key, one in value:
            if isinstance(one, list) and one:
                builder.place(_inside(path, key))
                builder.heading(key, min(level, 6))
                _add(builder, one, _inside(path, key), left - 1, level + 1)
        builder.add("\n")


def _add_plain(builder: TextBuilder, value: _Object, path: str) -> None:
    """Add the values of an object that are no objects and lists: the short ones first."""
    plain = [(key, _text(one)) for key, one in value if not isinstance(one, list)]
    plain.sort(key=lambda one: len(one[1]) > _LONGEST_VALUE or "\n" in one[1])
    short = [one for one in plain if len(one[1]) <= _LONGEST_VALUE and "\n" not in one[1]]
    is_row = sum(len(key) + len(text) + 4 for key, text in short) <= _LONGEST_ROW
    for at, (key, text) in enumerate(plain, 1):
        builder.place(_inside(path, key))
        end = "; " if is_row and at < len(short) else "\n"
        builder.add(f"{key}:{' ' if at <= len(short) else end}{text}{end}")


def _text(value: Any) -> str:
    """A value as it is written, words without quotation marks and escapes."""
    text = {None: "null", True: "true", False: "false"}.get(value, value)
    return str(text).replace("\r\n", "\n").replace("\r", "\n")


def _inside(path: str, key: str) -> str:
    quoted = json.dumps(key, ensure_ascii=False)
    return path + (f".{key}" if _NAME.fullmatch(key) else f"[{quoted}]")
