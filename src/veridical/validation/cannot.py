"""`cannot` and `can not` are one word to a reader, who writes the one or the other."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from veridical.text.tokens import Token, TokenKind

CANNOT = "cannot"
_PARTED = re.compile(r"[ \t\u00a0]*[ \t\u00a0\n][ \t\u00a0]*")
_CONTRAST = frozenset({"", "only", "just", "merely", "simply", "solely", "alone"})
"""After `can not`, where `not` belongs to what follows: "can not only swim but dive". Where a text
ends there, it may have gone on like that.
"""


def one_cannot(tokens: Sequence[Token], text: str) -> list[Token]:
    """The tokens of a text with `can not` as one, where nothing but a space or a line's end stands
    between the two and it can only mean `cannot`.
    """
    keys = [token.key for token in tokens]
    if ("can", "not") not in pairwise(keys):
        return list(tokens)
    joined: list[Token] = []
    for number, token in enumerate(tokens):
        before = joined[-1] if joined else None
        after = tokens[number + 1].key if number + 1 < len(tokens) else ""
        if (
            before is not None
            and token.key == "not"
            and before.key == "can"
            and _PARTED.fullmatch(text, before.end, token.start)
            and after not in _CONTRAST
        ):
            written = text[before.start : token.end]
            joined[-1] = Token(TokenKind.WORD, written, CANNOT, before.start, token.end)
        else:
            joined.append(token)
    return joined
