"""Text on its way into the PDF."""

from __future__ import annotations

import re

from veridical.ledger.export.texts import visible
from veridical.validation.reports.wording import count

MOST_CHARS = 3_000
"""A longer text is cut, and says so."""

# A run without a place to break at that is longer than this does not fit a narrow column.
_LONG_RUN = re.compile(r"[^\s\u200b]{17,}")
_AFTER = re.compile(r"([_/.,;:@&=?+-]+)(?=[^\W_])|(\w{16})(?=\w)")
_WIDE = re.compile("[\u0600-\u06ff\u0900-\u0dff\u1100-\u11ff\u2e80-\uffef\U00010000-\U0010ffff]")


def printable(text: str) -> str:
    """Text as the PDF prints it: controls by name, long runs with places to break, cut if long."""
    cut = len(text) > MOST_CHARS
    more = f" [… {count(len(text) - MOST_CHARS, 'more character')}]" if cut else ""
    return _LONG_RUN.sub(_breakable, visible(text[:MOST_CHARS]).strip()) + more


def _breakable(found: re.Match[str]) -> str:
    """A long run with zero-width spaces; scripts that break or join by their own rules are left."""
    run = found[0]
    if _WIDE.search(run):
        return run
    return _AFTER.sub(lambda piece: f"{piece[0]}\u200b", run)
