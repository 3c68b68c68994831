"""What a claim shows a reader and no word of it is: marks, pictures, markup, digits without value.

None of it can be judged, and any of it may deny what stands beside it. So it has to stand in the
passage as well, or the passage does not bear the claim out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from veridical.judging.denying_signs import NEGATING_SIGNS
from veridical.judging.features_conflicts import Conflict
from veridical.judging.spelled_out import spelled_out
from veridical.validation.differences import AlterationKind

_BIDI = "\u202a-\u202e\u2066-\u2069"
_STRIKES = "\u0334-\u0338\u20d2\u20d3\u20d8-\u20da\u20dd\u20de\u20e0\u20e4-\u20e6\u20ea\u20eb"
"""Marks that are drawn over a letter or around it: no entry, strokes."""

_NUMERALS = "\u2160-\u2188\u3220-\u325f\u3280-\u32bf\U00010107-\U00010133\U0001f100-\U0001f10c"
_DENYING = re.compile(f"[{re.escape(NEGATING_SIGNS)}]\ufe0f?|\\S?[{_STRIKES}]")
_MARKUP = re.compile(
    r"<!--.*?(?:-->|\Z)|<[?!/]?[^\W\d_][^<>]*>|!\[[^\]]*\]|\[\^[^\]]*\]|\[cite\b[^\]]*\]?"
    r"|\]\([^()]*\)|\]\[[^\[\]]*\]",
    re.DOTALL | re.IGNORECASE,
)
_UNREAD = re.compile(
    f"{_DENYING.pattern}|[{_BIDI}]|[{_NUMERALS}]+"
    "|[$\u20ac\u00a3\u00a5]\\s?(?:\\(\\d[\\d.,]*\\)|\\d[\\d.,]*\\s?%)|(?<=\\d)[\u2150-\u215e\u2189]"
    f"|{_MARKUP.pattern}",
    re.DOTALL | re.IGNORECASE,
)
_MAY_BE_UNREAD = re.compile("[<\\[\\]$]|[^\\x00-\\x9f]")
_MOST_SHOWN = 60

_BEHIND = re.compile(
    r"(?<![\w.,])\d+(?:[.,]\d+)*"
    r"(?:(?P<touching>[^\W\d_]+|-(?!\w)|=)|[ \u00a0](?P<apart>[^\W\d_]{1,3})(?!\w))"
)
"""What stands right behind a number: as one word with it, or as a short one."""

_ORDINALS = frozenset("st nd rd th s am pm er e".split())
_VOWELS = re.compile("[aeiouy]", re.IGNORECASE)


def unread_conflicts(claim: str, sentences: Sequence[str]) -> Iterator[Conflict]:
    """What of a claim is not read and stands in none of some sentences; and what denies in those.

    A text that is quoted with all its marks is read by nobody either, but it is there.
    """
    said = " ".join(sentences)
    if _MAY_BE_UNREAD.search(claim):
        for found in _UNREAD.finditer(claim):
            if found[0] not in said:
                yield Conflict(AlterationKind.NEGATION, _shown(found[0]), "")
    if said.isascii():
        return
    for found in _DENYING.finditer(said):
        if found[0] not in claim:
            yield Conflict(AlterationKind.NEGATION, "", _shown(found[0]))


def is_read(claim: str, sentence: str) -> bool:
    """Whether there is nothing in a claim, or a sentence, that its words do not have."""
    signs = (*unread_conflicts(claim, (sentence,)), *strange_quantities(claim, (sentence,)))
    return not signs


def strange_quantities(claim: str, sentences: Sequence[str]) -> Iterator[str]:
    """Reservations: what stands behind a number, is no unit that is known, and only in the claim,
    or only in the sentences behind a number of the claim's.
    """
    ours, theirs = spelled_out(claim), " ".join(map(spelled_out, sentences))
    for _, token in _strange(ours):
        if token.casefold() not in _words(theirs):
            yield f'The passage does not say "{token}" of a number.'
    for number, token in _strange(theirs):
        if token.casefold() not in _words(ours) and number in _NUMBER.findall(ours):
            yield f'The passage says "{token}" of a number, which the claim does not.'


_WORD = re.compile(r"[^\W\d_]+")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold()))


def _strange(text: str) -> Iterator[tuple[str, str]]:
    """Numbers, each with what stands behind it and is no plain word."""
    for found in _BEHIND.finditer(text):
        token = found["touching"] or found["apart"]
        number = found[0].removesuffix(token).strip()
        if token.casefold() in _ORDINALS:
            continue
        if found["apart"] and _VOWELS.search(token) and token.islower():
            continue
        if found["apart"] and token.istitle() and len(token) > 1:  # 20 May
            continue
        yield number, token


def _shown(text: str) -> str:
    """A text as it can be told in a note: what is not to be seen by its number."""
    plain = " ".join(text.split())
    if not plain.isascii() and not plain.isprintable():
        plain = " ".join(f"U+{ord(c):04X}" for c in plain if not c.isspace())
    return plain if len(plain) <= _MOST_SHOWN else f"{plain[:_MOST_SHOWN]} \u2026"
