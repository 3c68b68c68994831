"""Lines that name what follows, and state nothing: headings, labels, lines in bold."""

from __future__ import annotations

import re
from collections.abc import Sequence

from veridical.ledger.extraction.bare import is_bare
from veridical.ledger.extraction.words import (
    AMOUNT,
    has_verb,
    is_full_statement,
    is_statement,
    words_of,
)
from veridical.text.signs import SENTENCE_ENDS

_BOLD_LINE = re.compile(
    r"[ \t]*(\*\*|__)(?=\S)[^\r\n*_]{1,200}(?:\1[:\uff1a]?|:\1)[ \t]*(?=\r|\n|\Z)"
)
_RUN_IN = re.compile(r"[ \t]*(\*\*|__)(?=\S)([^\r\n*_.]{1,60})\.\1(?=[ \t]+\S)")
_ENDED = re.compile(rf"[{SENTENCE_ENDS}][)\"'\u201d\u00bb*_]*\s*$")
_ENDED_INSIDE = re.compile(rf"[{SENTENCE_ENDS}][)\"'\u201d\u00bb*_]*(?=\s+(?:[^\w\s]|[A-Z]))")
_VALUE = re.compile(r"[:\uff1a]\s*\S")
_NUMBER = re.compile(r"\A\s*(?:step|section|part)?\s*\d+(?:\.\d+)*[.):]?\s", re.IGNORECASE)
_MOST_TITLE_WORDS = 8
_FEW_WORDS = 3
_LONG_WORD = 4
_LEAST_STATED = 4


def is_title(heading: str) -> bool:
    """Whether a heading is only a title: "Annual leave", not "Annual leave is paid"."""
    words = words_of(heading, 200)
    if heading.rstrip().endswith(("?", ":", "\uff1a")):
        return True
    if len(words) >= _LEAST_STATED and _ENDED.search(heading):
        return False
    if is_full_statement(heading) or _holds_sentence(heading):
        return False
    stated = is_statement(heading) or _VALUE.search(heading)
    return not (stated and AMOUNT().search(_after_number(heading)))


def _holds_sentence(heading: str) -> bool:
    """Whether a sentence ends within a heading: what stands over a line of `-` may be any text."""
    end = max((found.end() for found in _ENDED_INSIDE.finditer(heading)), default=0)
    return len(words_of(heading[:end], _LEAST_STATED)) >= _LEAST_STATED


def _after_number(heading: str) -> str:
    """A heading without the number before it ("3.2 Leave")."""
    return _NUMBER.sub("", heading)


def bold_first_line(text: str, start: int, end: int) -> int | None:
    """Where the first line of a block ends, if it is in bold as a whole."""
    found = _BOLD_LINE.match(text, start, end)
    return found.end() if found else None


def bold_label(text: str, start: int, end: int) -> int | None:
    """Where a label in bold ends that text follows on the same line: "**Leave.** It is paid."."""
    found = _RUN_IN.match(text, start, end)
    if not found or not is_label(found[2], title=False):
        return None
    return found.end()


def states_something(text: str) -> bool:
    """Whether a short text has a verb, an amount, or is a whole sentence."""
    long_enough = len(words_of(text, _LEAST_STATED)) >= _LEAST_STATED
    return bool(
        AMOUNT().search(text) or is_statement(text) or (long_enough and _ENDED.search(text))
    )


def is_stating_row(cells: Sequence[str]) -> bool:
    """Whether a row of a table says something of the first cell, and does not only name it."""
    said = any(states_something(cell) or is_bare(cell) for cell in cells if cell)
    return said or is_full_statement(" ".join(cells))


def is_label(text: str, *, title: bool) -> bool:
    """Whether a block of one line is a label. With `title` it must also look like one."""
    words = words_of(text, _MOST_TITLE_WORDS + 1)
    if not words or len(words) > _MOST_TITLE_WORDS or not text.isascii():
        return False
    bare = text.strip()
    if _ENDED.search(bare) or AMOUNT().search(bare) or has_verb(bare) or ":" in bare:
        return False
    if not title:
        return True
    return len(words) <= _FEW_WORDS or all(
        word[:1].isupper() for word in bare.split() if len(word) >= _LONG_WORD
    )
