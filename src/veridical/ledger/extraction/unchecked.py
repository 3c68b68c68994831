"""What reads like a statement in the parts of an answer that no claim is made of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from veridical.ledger.extraction.as_written import is_loaded
from veridical.ledger.extraction.extractor import Skipped, SkipReason
from veridical.ledger.extraction.words import OBLIGATION, is_statement, words_of

_NAMES = frozenset(
    {SkipReason.HEADING, SkipReason.LABEL, SkipReason.COLUMN_TITLES, SkipReason.TERM}
)
_TARGETS = re.compile(
    r"</?[a-zA-Z][a-zA-Z0-9]*(?:\s[^<>]*=[^<>]*)?/?>|\]\([^\s()]*|\bhttps?://\S+|\bwww\.\S+"
    r"|^\s*\[[^\]]*\]:\s*\S+",
    re.MULTILINE,
)
_MANY_WORDS = 5
_MOST_SHOWN = 80


def unchecked(answer: str, skipped: Sequence[Skipped]) -> Iterator[str]:
    """Warnings: of words that markup hides, and of headings that forbid or demand something."""
    hidden = [_plain(answer, one) for one in skipped if one.reason is SkipReason.NOT_SHOWN]
    yield from _told("hidden by markup", [text for text in hidden if _may_state(text)])
    names = [_plain(answer, one) for one in skipped if one.reason in _NAMES]
    stating = [text for text in names if is_statement(text) and OBLIGATION().search(text)]
    yield from _told("heading", stating)


def _plain(answer: str, skip: Skipped) -> str:
    return " ".join(_TARGETS.sub(" ", answer[skip.span.start : skip.span.end]).split())


def _may_state(text: str) -> bool:
    words = words_of(text, _MANY_WORDS)
    return len(words) >= _MANY_WORDS or is_loaded(text)


def _told(what: str, texts: Sequence[str]) -> Iterator[str]:
    if texts:
        first = texts[0] if len(texts[0]) <= _MOST_SHOWN else f"{texts[0][:_MOST_SHOWN]} \u2026"
        more = f" and {len(texts) - 1:,} more" if texts[1:] else ""
        yield f"not checked ({what}): \u201c{first}\u201d{more}"
