"""What stands right beside a quote and must not be cut off: a "not", the rest of a spoken number.

Written numbers and words that are cut in two are found by `validation.cuts`; these are the cuts
between whole words that only speech has.
"""

from __future__ import annotations

import re
import unicodedata

from veridical.text.tokens import word_key
from veridical.validation.lexicon import CARDINALS, NEGATIONS

_INTERJECTIONS = frozenset({"no", "non", "nein", "ne", "ni"})
"""Denials that deny nothing when a stop follows them: "No, we have a fire"."""

_FILLERS = frozenset("uh um er erm ah eh hm hmm mm well like so repeat".split())
_MOST_FILLERS = 3
_LOOKALIKES = str.maketrans("\u0430\u0435\u043e\u0440\u0441\u0445\u0443\u0456\u0442", "aeopcxyit")
_ZERO_IN_WORD = re.compile(r"(?<=[^\W\d_])0(?=[^\W\d_])")
_LAST_WORD = re.compile(r"([^\W_]+(?:['\u2019][^\W_]+)?)([\W_]*)\Z")
_ENDS = re.compile(r"(?<!\.)[.?!](?!\.)")
_NUMBERS = CARDINALS | {"zero", "oh", "niner"}
_JOINERS = frozenset({"point", "decimal", "dash"})
_SIGNS = frozenset({"minus"})
_WORDS_BEFORE = re.compile(r"(?:([^\W_]+)[ -]+)?([^\W_]+)(?:[ \t\n]+|-)\Z")
_WORDS_AFTER = re.compile(r"\A(?:[ \t\n]+|-)([^\W_]+)(?:[ -]+([^\W_]+))?")
_FIRST = re.compile(r"\A\W*([^\W_]+)")
_LAST = re.compile(r"([^\W_]+)\W*\Z")


def negation_before(text: str) -> str | None:
    """The negation that a text ends in, but for fillers, commas and dashes; None where none is.

    A letter that only looks like another one, or is not seen at all, hides none.
    """
    text = _plain(text)
    for _ in range(_MOST_FILLERS + 1):
        found = _LAST_WORD.search(text)
        if found is None or _ENDS.search(found[2]):
            return None
        key = word_key(found[1])
        if key in NEGATIONS and (key not in _INTERJECTIONS or not found[2].strip()):
            return found[1]
        if key not in _FILLERS and found[1].casefold() != "i":
            return None
        text = text[: found.start()]
    return None


def number_beside(before: str, said: str, after: str) -> str | None:
    """The word beside `said` that is part of its first or last number; None where there is none.

    "two five" is one number, as are "2 5", "two point five", "minus 5" and "3 of 10".
    """
    first, last = _FIRST.search(said), _LAST.search(said)
    left, right = _WORDS_BEFORE.search(before), _WORDS_AFTER.search(after)
    if left and first and _goes_on(left[2], left[1]) and _is_number(first[1]):
        return left[2]
    if left and first and left[2].casefold() in _SIGNS and _is_number(first[1]):
        return left[2]
    if right and last and _is_number(last[1]) and _goes_on(right[1], right[2]):
        return right[1]
    return None


def _goes_on(word: str, beyond: str | None) -> bool:
    """Whether a number goes on with a word, `beyond` being the one on its far side."""
    joins = word.casefold() in _JOINERS or word.casefold() == "of"
    return _is_number(word) or (joins and beyond is not None and _is_number(beyond))


def _is_number(word: str) -> bool:
    return word.isdecimal() or word.casefold() in _NUMBERS


def _plain(text: str) -> str:
    kept = "".join(c for c in text if unicodedata.category(c) != "Cf")
    return _ZERO_IN_WORD.sub("o", kept.translate(_LOOKALIKES))
