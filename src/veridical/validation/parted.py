"""Differences in tokens that are none in words: words parted otherwise, the numbers of notes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from veridical.text.tokens import Token, TokenKind, written
from veridical.validation import lexicon
from veridical.validation.differences import Rule

_NOTE_MARK = re.compile(r"[^\W\d][\"'\u201d\u2019.,;:!?)]*\s?\[\d{1,3}\]")


def is_note_mark(source: Sequence[Token], text: str) -> bool:
    """Whether the tokens are the number of a note, in brackets after a word, as in "sells[12]"."""
    if len(source) != 1 or source[0].kind is not TokenKind.NUMBER:
        return False
    start = source[0].start
    return any(
        mark.start() < start < mark.end()
        for mark in _NOTE_MARK.finditer(text, max(0, start - 8), source[0].end + 1)
    )


def joined_rule(
    quoted: Sequence[Token], source: Sequence[Token], left: str, right: str
) -> Rule | None:
    """The rule, if two runs are the same letters and only parted differently; else None."""
    if not quoted or not source:
        return None
    tokens = [*quoted, *source]
    if "".join([t.key for t in quoted]) != "".join([t.key for t in source]):
        return None
    if any(t.kind is not TokenKind.WORD or t.key in lexicon.NEGATIONS for t in tokens):
        return None
    if any(t.key in lexicon.NEGATIVE_PREFIXES or t.key in _NEVER_JOINED for t in tokens):
        return None
    one, other = written(quoted, left), written(source, right)
    if "/" in one or "/" in other:
        return None
    # Where no hyphen and no line end parts them, "a typical" and "atypical" are two things.
    if "-" in one or "-" in other:
        return Rule.HYPHENATION
    return Rule.WHITESPACE if "\n" in one or "\n" in other else None


_NEVER_JOINED = frozenset({"a", "re", "co", "may", "the", "pre"})
"""Parts that make another word where they are joined: re-sign, a part, the rapist."""
