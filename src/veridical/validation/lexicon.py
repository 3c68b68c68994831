"""Words whose change changes the meaning of a quote. Each list is the one place for its words."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from operator import itemgetter

from veridical.text.lexicon import english, listed, pairs

NEGATIONS = english("negations", "denials")

RESTRICTIONS = english("restrictions")
"""Words that an ellipsis may not take out of the sentence that it keeps."""

OPPOSITES = pairs("opposites")


def by_word(opposed: Iterable[Iterable[str]]) -> dict[str, frozenset[str]]:
    """Words of pairs with all that they are paired with."""
    both = [pair for one, other in opposed for pair in ((one, other), (other, one))]
    found = groupby(sorted(both), key=itemgetter(0))
    return {word: frozenset(other for _, other in others) for word, others in found}


_OPPOSITES_OF = by_word(OPPOSITES | pairs("opposites-in-quotes"))


def opposites_of(word: str) -> frozenset[str]:
    """What may not stand in a quote in place of a word, or of its plural or possessive: its
    partners in `OPPOSITES`, which oppose each other wherever they stand in two sentences, and in
    the list of those that do so only in each other's place.
    """
    return _OPPOSITES_OF.get(word) or _OPPOSITES_OF.get(singular(word), frozenset())


def singular(word: str) -> str:
    """A word without the `s` of a plural or possessive."""
    return word.removesuffix("s")


MODALS = {
    **dict.fromkeys(("may", "can", "might", "could"), "may"),
    **dict.fromkeys(("must", "shall", "will"), "must"),
    **dict.fromkeys(("should", "would"), "should"),
}
"""Words that permit, bind or advise, each with the one that stands for its kind."""

NEGATIVE_PREFIXES = ("un", "in", "im", "il", "ir", "non", "dis", "mis", "anti", "counter", "de")

DENYING_BEFORE_HYPHEN = frozenset({*NEGATIVE_PREFIXES, "ex", "pseudo", "quasi"})
"""What denies a word that it is joined to by a hyphen."""

NOT_DENIED = {
    prefix: tuple(pair.partition("/")[2] for pair in found)
    for prefix, found in groupby(listed("not-denied"), key=lambda pair: pair.partition("/")[0])
}
"""How words go on after a prefix that denies nothing in them: under, include, discuss, ..."""

DENIED_BY_DE = ("activat", "certif", "classif", "commission", "centrali", "regulat")
"""How words go on after `de` where it does deny them, which is seldom."""

NUMBERS = {word: value for value, word in enumerate(listed("numbers"))} | {
    word: 10 * value for value, word in enumerate(listed("tens"), start=2)
}
"""Words that are a number by themselves, each with its value."""

ONES = frozenset(word for word, value in NUMBERS.items() if 0 < value < 10)
TENS = frozenset(word for word, value in NUMBERS.items() if value >= 20)
MAGNITUDES = frozenset("hundred thousand million billion trillion".split())
CARDINALS = MAGNITUDES | NUMBERS.keys() - {"zero"}
"""Words that stand beside each other in one number: two hundred (and) twenty-five."""

NUMBER_WORDS = MAGNITUDES | NUMBERS.keys() | english("counting")

UNITS = english("units")

DATE_WORDS = english("months", "months-cut-short", "weekdays", "dates")

AMBIGUOUS_DATE_WORDS = frozenset({"may", "march", "mar", "sat", "sun", "spring"})
"""Words that are a date only when written with a capital, inside a sentence or beside a number."""

CONFUSABLE = pairs("confusable")
"""Pairs one slip apart that are both words: never taken for a misspelling."""
