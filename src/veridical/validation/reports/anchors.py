"""The fragments by which a page names its claims."""

from __future__ import annotations

import re
from collections.abc import Sequence

_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


class Anchors:
    """A fragment for each claim: its own id where that can be one, so that links stay good.

    The page's own fragments hold a colon, which no claim's does but for the numbered ones.
    """

    def __init__(self, claim_ids: Sequence[str]) -> None:
        self.ids = tuple(claim_ids)
        taken: set[str] = set()
        of: list[str] = []
        for number, name in enumerate(claim_ids, 1):
            plain = _PLAIN.fullmatch(name) is not None and name not in taken
            taken.add(name)
            of.append(name if plain else f"claim:{number}")
        self.of = tuple(of)
