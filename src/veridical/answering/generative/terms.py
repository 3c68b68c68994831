"""A sentence as terms that can be held against those of another, word by word.

Ways to say the same are brought to one form first: "$60" and "60 dollars", "is not allowed to" and
"cannot", "not ... unless" and "only when", "March 31" and "31 March". What then differs makes
another rule, or may make one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from types import MappingProxyType

from veridical.judging.words import ORDINALS, stem
from veridical.text.lexicon import any_of, english
from veridical.validation import lexicon

# Ways to say the same in a rule, and the words that make it another rule when they change.


NUMBERS = MappingProxyType(
    {word: str(value) for word, value in lexicon.NUMBERS.items()}
    | {
        f"{ten}{sep}{one}": str(lexicon.NUMBERS[ten] + lexicon.NUMBERS[one])
        for ten in lexicon.TENS
        for one in lexicon.ONES
        for sep in ("-", " ")
    }
)
"""Numbers as words, in digits."""

_ORDINALS = {word: f"{value}th" for word, value in ORDINALS.items() if value <= 10}

_MONTH = any_of("months")

LIGHT = (
    english("articles", "be", "being", "have", "do", "titles", "determiners", "subjects")
    | frozenset(
        """
        them us who which whom whose also so then there here any each every both please own as too
        such well will would up out over complete completed completing completion long
        """.split()
    )
) - {"am", "i", "my"}
"""Words that a sentence may have or not have. ("Up", "out", "over" belong to the verb before.)"""

STRICT = frozenset(
    """
    before after during within outside inside until till by to from without under between through
    against since beyond towards via every
    """.split()
)
"""Prepositions that may not be changed: what happens before, after, by, to, outside."""

LOOSE = frozenset("of on in at for with into about upon per".split())
"""Prepositions that may stand for each other: permitted for, or on, long flights."""

_N = r"\d[\d.,]*"
_TIME = rf"(?:{any_of('periods')}|night|shift|term|semester)"

_REWRITES = tuple(
    (re.compile(pattern), instead)
    for pattern, instead in (
        # Figures.
        (rf"[$]\s?({_N})", r"\1 dollar"),
        (rf"\u20ac\s?({_N})", r"\1 euro"),
        (rf"\u00a3\s?({_N})", r"\1 pound"),
        (r"\s?%|\s?\bper\s?cent\b", " percent"),
        (r"(\d)(?:st|nd|rd|th)\b", r"\1th"),
        (rf"\b({'|'.join(_ORDINALS)})\b", lambda m: _ORDINALS[m[0]]),
        (rf"\b({_MONTH}) (\d{{1,2}})(?:th)?\b(?! [a-z]*days?)", r"\2 \1"),
        (rf"\b(\d{{1,2}})th (?:of )?({_MONTH})\b", r"\1 \2"),
        # How far a number reaches.
        ((r"\b(?:up to|at most|(?:no|not) (?:more|longer|later|higher) than|at the most|"
         r"(?:a |the )?maximum(?: of)?|(?:not|never) exceed(?:ing)?|limited to|capped at|"
         r"as many as)\b"), " ATMOST "),
        ((r"\b(?:at least|(?:no|not) (?:less|fewer|shorter|lower) than|"
         r"(?:a |the )?minimum(?: of)?)\b"), " ATLEAST "),
        ((r"\b(?:(?:more|longer|larger|greater|higher|older|later) than|exceed(?:s|ing)?|"
         r"in excess of|above)\b|\bover (?=\d)"), " MORE "),
        ((r"\b(?:(?:fewer|less|shorter|smaller|lower|younger|earlier) than|below)\b"
         r"|\bunder (?=\d)"), " LESS "),
        # What must, may and may not be.
        (r"^\W*(?:do not|don't|never)\b", " NOT MAY "),
        ((r"\b(?:(?:is|are|be|was|were) )?(?:not|never) (?:be )?"
         r"(?:allowed|permitted|able|entitled)(?: to\b)?"), " NOT MAY "),
        (r"\b(?:cannot|(?:can|may|must|shall) (?:not|never)|can't|mustn't)\b", " NOT MAY "),
        (r"\b(?:(?:is|are|be) )?(?:strictly )?(?:forbidden|prohibited|banned)(?: (?:from|to)\b)?",
         " NOT MAY "),
        ((r"\bneed not\b|\b(?:do|does) not (?:need|have) to\b|\b(?:is|are) not (?:required|obliged|"
         r"necessary|needed)(?: to)?\b"), " NOT MUST "),
        (r"\bonly (?:be )?(?:allowed|permitted)(?: to\b)?", " MAY ONLY "),
        (r"\b(?:is|are|be) (?:only )?(?:allowed|permitted)(?: to\b)?",
         lambda m: " MAY ONLY " if "only" in m[0] else " MAY "),
        (r"\b(?:can|may)\b(?! \d)", " MAY "),
        (r"\b(?:must|shall|has to|have to|(?:is|are) (?:required|obliged) to|needs? to)\b",
         " MUST "),
        (r"\b(?:(?:is|are) )?(?:required?|requires|needs?|needed|necessary|mandatory)\b",
         " MUST "),
        (r"\b(?:should|ought to|might|could)\b", lambda m: f" {m[0].split()[0].upper()} "),
        # What limits and denies.
        ((r"\b(?:unless|except(?:ing)?(?: (?:for|on|in|when|if|where|that))?|other than|"
         r"apart from|excluding)\b"), " UNLESS "),
        (r"\b(?:only|solely|exclusively)\b", " ONLY "),
        (r"\b(?:not|never|no|none|nor|neither|nobody|nothing)\b|n't\b", " NOT "),
        (r"\b(?:if|when|whenever|where|while|provided(?: that)?|as long as|in case)\b", " IF "),
        # Periods.
        ((rf"\b(?:(?:in|per|within) )?(?:a|an|each|every|per|one) (?:calendar |leave )?"
         rf"({_TIME})\b(?!')"), r" PER=\1 "),
        (r"\bevery(?! \d)", " "),
        (r"\b(?:annually|yearly)\b", " PER=year "),
        (r"\b(month|week|quarter|hour)ly\b", r" PER=\1 "),
        (r"\bdaily\b", " PER=day "),
        (r"\bper ([a-z]{3,})\b", r" PER=\1 "),
        (r"\b(?:and/or|or)\b", " OR "),
        (r", (?:which|who|whose)\b", ", and"),  # says something more; without a comma it limits
        (r"\b(?:and|but)\b", lambda m: f" {m[0].upper()} "),
    )
)  # fmt: skip
_WORD_NUMBER = re.compile(rf"\b(?:{'|'.join(sorted(NUMBERS, key=len, reverse=True))})\b")
_TYPOGRAPHY = str.maketrans({"\u2019": "'", "\u2018": "'", "\u2010": "-", "\u2011": "-"})


def rewritten(text: str) -> str:
    """A text in lower case with signs, in capitals, in place of the words that bind and limit."""
    plain = " ".join(text.translate(_TYPOGRAPHY).lower().split())
    plain = _WORD_NUMBER.sub(lambda found: NUMBERS[found[0]], plain)
    for pattern, instead in _REWRITES:
        plain = pattern.sub(instead, plain)
    return plain


# The terms of a sentence.


_MAX_TERMS, _MAX_CHARS = 250, 3_000
"""Length of a sentence that is read; a longer one bears nothing out."""


class Kind(Enum):
    """What a term does in its sentence."""

    CONTENT = "content"
    NUMBER = "number"
    SIGN = "sign"
    """What binds, permits, denies, limits or parts: NOT, MAY, MUST, ONLY, UNLESS, IF, OR, ..."""


@dataclass(frozen=True, slots=True)
class Term:
    """A term. `relation` is the preposition before it, `bound` what is said of how far a number
    reaches ("at most"), or both are empty; `possessive` says that it owns what follows.
    """

    key: str
    kind: Kind
    relation: str = ""
    bound: str = ""
    possessive: bool = False


Terms = tuple[Term, ...]

_TOKEN = re.compile(r"[A-Z]+(?:=\w+)?|\d+(?:[.,:/]\d+)*(?:[a-z]+\b)?|[^\W\d_]+(?:'[a-z]+)?|[;,]")
_BOUNDS = frozenset({"ATMOST", "ATLEAST", "MORE", "LESS"})
_CLAUSE = re.compile(r";|\s[\u2013\u2014]\s")


@lru_cache(maxsize=1 << 13)
def clauses_of(sentence: str) -> tuple[Terms, ...]:
    """The terms of each part of a sentence between semicolons; none of an overlong sentence."""
    if len(sentence) > _MAX_CHARS:
        return ()
    parts = [tuple(_terms(part)) for part in _CLAUSE.split(sentence)]
    return tuple(part for part in parts if part) if sum(map(len, parts)) <= _MAX_TERMS else ()


def _terms(text: str) -> Iterator[Term]:
    relation = bound = ""
    for token in _TOKEN.findall(rewritten(text)):
        if token in _BOUNDS:
            bound = token
        elif token in (";", ","):
            yield Term(",", Kind.SIGN)
        elif token[0].isupper():
            yield Term(token, Kind.SIGN)
        elif token in STRICT or token in LOOSE:
            relation = token if token in STRICT or not relation else relation
        elif token in LIGHT:
            continue
        elif token[0].isdigit() or token in NUMBERS:
            value = NUMBERS.get(token) or token.replace(",", "")
            yield Term(value, Kind.NUMBER, relation, bound)
            bound = ""  # what it counts stands in the same relation
        else:
            owner = token.endswith(("'s", "s'"))
            key = stem(token.removesuffix("'s"))
            yield Term(key, Kind.CONTENT, "of" if owner else relation, bound, owner)
            if not owner:
                relation = bound = ""


@lru_cache(maxsize=1 << 13)
def keys_of(texts: tuple[str, ...]) -> frozenset[str]:
    """The words in some texts that carry meaning."""
    terms = [term for text in texts for part in clauses_of(text) for term in part]
    words = {term.key for term in terms if term.kind is not Kind.SIGN}
    return frozenset(words | {t.key.partition("=")[2] for t in terms if t.key.startswith("PER=")})
