"""Changes that leave every word in its place, and still say something else.

"You may. Not all do." is not "You may not all do.", 5 mW are not 5 MW, and 5' are not 5".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from veridical.text.lexicon import any_of
from veridical.text.tokens import Token, TokenKind
from veridical.validation.differences import Alteration, AlterationKind

_NEGATION = re.compile(
    rf"\b(?:can\s+not|{any_of('negations')}|nothing|neither|nor|without|unless|except)\b"
    r"|n['\u2019]t\b",
    re.IGNORECASE,
)
_BORDER = re.compile(
    r"[.!?;:\u2026][\"'\u201d\u2019)\]]*\s+[^\W\d]|\n[ \t\r]*\n|\b[Nn][Oo]\s?[,\u2013\u2014-]\s"
)
_BORDER_BEFORE = re.compile(
    r"(?:[.!?;:\u2026][\"'\u201d\u2019)\]]*\s|\n[ \t\r]*\n)[\s\"'\u201c\u2018(\[]*$"
)
_BORDER_AFTER = re.compile(r"[.!?;:\u2026][\"'\u201d\u2019)\]]*\s+[^\W\d]|\s*\n[ \t\r]*\n")
_PAUSE = re.compile(r"\s?[,\u2013\u2014-]\s")
_NEAR = 8

_CASED_UNIT = re.compile(r"\d\s?(m[wavgj]|[kmgt]b(?:ps)?|mhz|mpa|mbit|mohm)\b", re.IGNORECASE)


_PRIME = re.compile(r"(?<=\d)(?:[\"\u2033\u201d]|['\u2032\u2019])(?!\w)")
_OPENING = {'"': re.compile(r"[\"\u201c]"), "'": re.compile(r"(?<![^\W_])['\u2018](?=\w)")}


def subtle_alterations(quoted: str, source: str) -> tuple[Alteration, ...]:
    """What differs between two texts of the same words that a reader would not call the same."""
    return (*_units(quoted, source), *_primes(quoted, source), *_borders(quoted, source))


def _units(quoted: str, source: str) -> list[Alteration]:
    """Units whose capitals make another unit: mW and MW, Mb and MB."""
    if quoted.isupper() or quoted.islower() or source.isupper():
        return []
    pairs = zip(_CASED_UNIT.finditer(quoted), _CASED_UNIT.finditer(source), strict=False)
    return [
        Alteration(AlterationKind.UNIT, one[1], other[1])
        for one, other in pairs
        if one[1] != other[1] and one[1].casefold() == other[1].casefold()
    ]


def _primes(quoted: str, source: str) -> list[Alteration]:
    """Marks of feet and inches, or minutes and seconds, that were changed or left out."""
    one, other = _primes_of(quoted), _primes_of(source)
    return [] if one == other else [Alteration(AlterationKind.UNIT, " ".join(one), " ".join(other))]


def _primes_of(text: str) -> list[str]:
    """Each mark right after a digit, as `'` or `"`, that closes no quotation."""
    found: list[str] = []
    for mark in _PRIME.finditer(text):
        kind = '"' if mark.group() in '"\u2033\u201d' else "'"
        if not _OPENING[kind].search(text, 0, mark.start()):
            found.append(kind)
    return found


def _borders(quoted: str, source: str) -> list[Alteration]:
    """Negations that stand at a border of sentences in one of the texts only."""
    if not (_BORDER.search(quoted) or _BORDER.search(source)):
        return []
    denials = list(_NEGATION.finditer(quoted))
    if not denials:
        return []
    pairs = zip(denials, _NEGATION.finditer(source), strict=False)
    return [
        Alteration(AlterationKind.NEGATION, _around(one), _around(other))
        for one, other in pairs
        if _at_border(one) != _at_border(other)
    ]


def _at_border(found: re.Match[str]) -> tuple[bool, bool]:
    text, start, end = found.string, found.start(), found.end()
    after = text[end : end + _NEAR]
    return (
        _BORDER_BEFORE.search(text[max(0, start - _NEAR) : start]) is not None,
        _BORDER_AFTER.match(after) is not None
        or (found.group().casefold() == "no" and _PAUSE.match(after) is not None),
    )


def _around(found: re.Match[str]) -> str:
    """The words next to a negation, with what stands between them."""
    text = found.string
    low = text.rfind(" ", 0, max(0, found.start() - 2)) + 1
    high = text.find(" ", found.end() + 2)
    return text[low : high if high >= 0 else len(text)]


_FULL_STOP = re.compile(r"[.!?][\"'\u201d\u2019)\]]*\s")
_LINE_BORDER = re.compile(r"[\n|]")
_LONGEST_ABBREVIATION = 3


def run_on_alterations(
    quoted_tokens: Sequence[Token], source_tokens: Sequence[Token], quoted: str, source: str
) -> list[Alteration]:
    """Sentences that the quote runs together, and numbers of two lines that it makes one of.

    The tokens are the same, one for one. What parts two of them in the source (a full stop before a
    capital; a line or cell border between numbers) must part them in the quote, by whatever sign.
    """
    found: list[Alteration] = []
    pairs = zip(pairwise(quoted_tokens), pairwise(source_tokens), strict=True)
    for (one, other), (left, right) in pairs:
        parted = source[left.end : right.start]
        if quoted[one.end : other.start].strip(" \u00a0") or not parted.strip(" "):
            continue
        if left.kind is right.kind is TokenKind.NUMBER and _LINE_BORDER.search(parted):
            kind = AlterationKind.NUMBER
        elif (
            _FULL_STOP.match(parted)
            and right.capitalised
            and len(left.text) > _LONGEST_ABBREVIATION
        ):
            kind = AlterationKind.WORDING
        else:
            continue
        found.append(
            Alteration(kind, quoted[one.start : other.end], source[left.start : right.end])
        )
    return found
