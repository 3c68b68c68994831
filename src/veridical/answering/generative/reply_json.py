"""A reply that is JSON although bullets were asked for: some servers know no other form."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from veridical.models.protocol import ModelReply
from veridical.models.replies import ReplyRejected, parse_json_reply

_SOURCES = re.compile(r"sources?|citations?|cites?|refs?|references?|numbers?|ids?", re.IGNORECASE)
_QUOTES = re.compile(r"quot|snippet|excerpt|evidence|verbatim|think|thought|reason", re.IGNORECASE)
_MOST_LINES = 100


def lines_of_json(text: str) -> str | None:
    """The texts of a JSON reply as bullets with their source numbers; None if it is not JSON.

    In an object the numbers under a key such as "sources" go with its texts; quotations are left
    out.
    """
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        value = parse_json_reply(ModelReply(text.strip()))
    except ReplyRejected:
        return None
    lines = [line for line, _ in zip(_lines(value, ""), range(_MOST_LINES), strict=False)]
    return "\n".join(lines) if lines else None


def _lines(value: Any, markers: str) -> Iterator[str]:
    if isinstance(value, str):
        bullet = " ".join(value.split()).lstrip("-*\u2022 ")
        if bullet:
            yield f"- {bullet}{markers}"
    elif isinstance(value, list):
        for member in value:
            yield from _lines(member, markers)
    elif isinstance(value, dict):
        numbers = [n for key, member in value.items() if _SOURCES.fullmatch(key)
                   for n in _numbers(member)]  # fmt: skip
        own = "".join(f" [{number}]" for number in numbers) or markers
        for key, member in value.items():
            if not _SOURCES.fullmatch(key) and not _QUOTES.search(key):
                yield from _lines(member, own)


def _numbers(value: Any) -> Iterator[int]:
    """The numbers in a value: `[1, 2]`, `1`, `"[1]"`, `[{"source": 1}]`."""
    if isinstance(value, int) and not isinstance(value, bool):
        yield value
    elif isinstance(value, str):
        yield from (int(digits) for digits in re.findall(r"(?<!\d)\d{1,3}(?!\d)", value))
    elif isinstance(value, list):
        for member in value[:_MOST_LINES]:
            yield from _numbers(member)
    elif isinstance(value, dict):
        for key, member in value.items():
            if _SOURCES.fullmatch(key):
                yield from _numbers(member)
