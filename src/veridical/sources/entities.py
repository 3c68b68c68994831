"""Character references (`&amp;`, `&#8212;`, `&copy`), resolved as browsers do."""

from __future__ import annotations

import html
import re
from functools import lru_cache
from html.entities import html5

from veridical.sources.patterns import lazy

REFERENCE = r"&(?:#(?:[0-9]++|[xX][0-9a-fA-F]++);?|[a-zA-Z][a-zA-Z0-9]{1,31}+;?)"
"""Pattern of whatever may be a character reference; `resolve` decides."""

_REFERENCE = lazy(REFERENCE)
_LONGEST_BARE = max(len(name) for name in html5 if not name.endswith(";"))
_MAX_DIGITS = 7
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


@lru_cache(maxsize=4096)
def resolve(token: str) -> tuple[int, str] | None:
    """What a reference stands for: how many code points of `token` it takes, and what is shown.

    The old names also count without their semicolon, and before other letters ("&copy2024" is
    "©2024"). Returns None where `token` is no reference and stands for itself.
    """
    if token[1] == "#":
        digits = token.rstrip(";").lstrip("&#xX").lstrip("0")
        return len(token), _REPLACEMENT if len(digits) > _MAX_DIGITS else html.unescape(token)
    name = token[1:]
    if name in html5:
        return len(token), html5[name]
    for length in range(min(len(name), _LONGEST_BARE), 1, -1):
        if name[:length] in html5:
            return length + 1, html5[name[:length]]
    return None


def unescape(text: str) -> str:
    """`text` with its character references resolved, in linear time whatever the text."""

    def replacement(found: re.Match[str]) -> str:
        resolved = resolve(found[0])
        return found[0] if resolved is None else resolved[1] + found[0][resolved[0] :]

    return _REFERENCE().sub(replacement, text) if "&" in text else text
