"""Citation markers of a reply: `[1]`, `[1, 2]`, `[1][2]`, `[1]-[3]`, `【1】`, `[^1]`.

How markers are read is `veridical.ledger.markers`. Here replies are first brought into that form,
and afterwards nothing is left in a statement that a reader could take for a marker: those of an
answer are put in by the program that numbers its citations.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from veridical.ledger.entry import Marker, MarkerKind

_LINKED = re.compile(r"\[(?P<list>\^?\d{1,3})\]\([^()\s]{0,500}\)")
_NAMED = re.compile(
    r"[\[\u3010](?:sources?|refs?|references?|docs?|documents?|passages?|quellen?)[ #:]{0,3}"
    r"(?P<list>\d{1,3}(?:\s?[,;&\u2013-]\s?(?:sources?\s)?\d{1,3}){0,20})[\]\u3011]",
    re.IGNORECASE,
)
_APART = re.compile(r"(?<=\d\])[ \t]{1,3}([-\u2010-\u2014\u2212])[ \t]{1,3}(?=\[\d)")
_WORD_AGAIN = re.compile(r"sources?\s|&", re.IGNORECASE)

_LEFT = re.compile(r"[\[\uff3b\u3010]\s*\^?[\d\s,;:&\u2010-\u2014\u2212\u2020-]*[\]\uff3d\u3011]")
"""What could be read as a marker: digits in brackets, or brackets with nothing in them."""

_BRACKETS = str.maketrans("[]\uff3b\uff3d\u3010\u3011", "()()()")


def in_plain_form(reply: str) -> str:
    """A reply with `[1](#source-1)`, `[Source 1]` and `[1] - [3]` as `[1]`, `[1]` and `[1]-[3]`."""
    text = _LINKED.sub(r"[\g<list>]", reply)
    text = _NAMED.sub(lambda found: f"[{_WORD_AGAIN.sub(_comma, found['list'])}]", text)
    return _APART.sub(r"\1", text)


def _comma(found: re.Match[str]) -> str:
    return "," if found[0] == "&" else ""


def source_numbers(markers: Iterable[Marker], sources: int) -> tuple[int, ...]:
    """The numbers from 1 to `sources` that markers point to, in order, each once.

    Whatever else they point to, numbers without a source, file names, anchors, cites nothing: a
    model is shown sources by number alone.
    """
    numbers: dict[int, None] = {}
    for marker in markers:
        value = marker.value.lstrip("^")
        is_number = marker.kind is MarkerKind.NUMBER and value.isascii() and value.isdigit()
        if is_number and 1 <= int(value) <= sources:
            numbers[int(value)] = None
    return tuple(numbers)


def without_markers(text: str) -> str:
    """A text in which nothing looks like a marker: digits in brackets go, other brackets are round.

    `(1)` is no marker and stays.
    """
    return _LEFT.sub("", text).translate(_BRACKETS)
