"""Names, numbers and dates of a question: what a passage must know to answer it."""

from __future__ import annotations

import re

from veridical.answering.question.words import ASKING_WORDS
from veridical.judging.words import FUNCTION_WORDS

_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_DATE = re.compile(
    rf"\b(?:\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?(?:{_MONTHS})(?:,?\s+\d{{4}})?"
    rf"|(?:{_MONTHS})\s+\d{{1,2}}(?:st|nd|rd|th)?(?:,?\s+\d{{4}})?|(?:{_MONTHS})\s+\d{{4}}"
    r"|\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{2,4})(?![\w.])",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?<![\w.,])[$€£]?\d+(?:[.,:/]\d+)*(?:\s?%)?(?!\w)")
_TOKEN = re.compile(r"[^\W_]+(?:[&'.-][^\W_]+)*")
_ACRONYM = re.compile(
    r"[A-Z](?:[A-Z&-]*[A-Z])+s?|(?=[^\W_]*\d)(?=[^\W_]*[^\W\d_])"
    r"(?!\d+(?:st|nd|rd|th|x|s|h|am|pm|hrs|min|k)$)[^\W_]+|\d{3}k|[a-z]+[A-Z]\w*"
)
_ENDS = ".?!:\u2026"
_CALENDAR = frozenset(
    (_MONTHS + "|monday|tuesday|wednesday|thursday|friday|saturday|sunday|christmas|easter").split(
        "|"
    )
)
_FEW = 3
"""More longer words than these, all with a capital, are those of a title."""


def dates_in(text: str) -> tuple[str, ...]:
    """The dates of a text, as written."""
    return tuple(dict.fromkeys(found[0] for found in _DATE.finditer(text)))


def numbers_in(text: str, dates: tuple[str, ...]) -> tuple[str, ...]:
    """The numbers of a text that stand in none of its dates, as written."""
    for date in dates:
        text = text.replace(date, " ")
    return tuple(dict.fromkeys(found[0] for found in _NUMBER.finditer(text)))


def names_in(text: str) -> tuple[str, ...]:
    """Proper names, a run of capitalised words each, and acronyms, in order.

    The first word of a sentence is a name only as an acronym, or before another name's word.
    """
    tokens = list(_TOKEN.finditer(text))
    if _is_titled(text, tokens):
        return (
            tuple(dict.fromkeys(token[0] for token in tokens if _is_acronym(token[0])))
            if not text.isupper()
            else ()
        )
    names: list[str] = []
    run: list[str] = []
    end = 0
    for token in tokens:
        word = token[0].removesuffix("'s").removesuffix("'S")
        named = _is_acronym(word) or (word[0].isupper() and not _opens(text, token.start()))
        if not named or (word.lower() in _COMMON and word not in SHORT_NAMES):
            _close(run, names)
            continue
        if text[end : token.start()].strip(" "):
            _close(run, names)
        run.append(word)
        end = token.end()
    _close(run, names)
    return tuple(dict.fromkeys(names))


SHORT_NAMES = frozenset({"US", "IT"})
"""Acronyms that are common words but for their capitals."""

_COMMON = FUNCTION_WORDS | ASKING_WORDS | _CALENDAR


def _close(run: list[str], names: list[str]) -> None:
    if run:
        names.append(" ".join(run))
        run.clear()


def _is_acronym(word: str) -> bool:
    return _ACRONYM.fullmatch(word) is not None


def _opens(text: str, start: int) -> bool:
    """Whether a sentence begins at an offset."""
    before = text[:start].rstrip(" \"'(\u201c\u2018[*_-")
    return not before or before[-1] in _ENDS


def _is_titled(text: str, tokens: list[re.Match[str]]) -> bool:
    """Whether the words of a text begin with capitals as those of a title do: small words too, or
    all of several longer ones.
    """
    inside = [
        token[0] for token in tokens
        if token[0][0].isalpha() and not _opens(text, token.start()) and not _is_acronym(token[0])
    ]  # fmt: skip
    small = [word for word in inside if word.lower() in _COMMON - _CALENDAR and len(word) > 1]
    longer = [word for word in inside if word.lower() not in _COMMON]
    return (
        text.isupper()
        or any(word[0].isupper() and word not in SHORT_NAMES for word in small)
        or (len(longer) > _FEW and all(word[0].isupper() for word in longer))
    )
