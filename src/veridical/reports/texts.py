"""Text of answers and sources on its way into an export: every character seen, none acting."""

from __future__ import annotations

import re
import unicodedata

_BREAKS = re.compile("[\t-\r\x1c-\x1f\x85\u2028\u2029 ]+")
_LINES = re.compile("\r\n?|[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_UNPRINTABLE = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_INVISIBLE = re.compile(
    "[\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]"
)
_DIRECTIONS = frozenset(("LRE", "RLE", "PDF", "LRO", "RLO", "LRI", "RLI", "FSI", "PDI"))


def visible(text: str) -> str:
    """Text whose invisible controls stand there as names, so that none can act.

    Lines are kept, ending in line feeds. Direction controls and invisible characters become
    `[RLO]`, `[U+200B]`; what cannot be printed at all becomes U+FFFD.
    """
    lines = _LINES.sub("\n", text)
    return _UNPRINTABLE.sub("\ufffd", _INVISIBLE.sub(_name, lines))


def one_line(text: str) -> str:
    """Text as `visible` has it, on one line. No-break spaces are kept."""
    return visible(_BREAKS.sub(" ", text)).strip(" ")


def _name(found: re.Match[str]) -> str:
    direction = unicodedata.bidirectional(found[0])
    return f"[{direction if direction in _DIRECTIONS else f'U+{ord(found[0]):04X}'}]"
