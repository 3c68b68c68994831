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

from veridical.answering.generative.wording import (
    LIGHT,
    LOOSE,
    NUMBERS,
    STRICT,
    rewritten,
    root,
)

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
    parts = [_merged(tuple(_terms(part))) for part in _CLAUSE.split(sentence)]
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
            key = root(token.removesuffix("'s"))
            yield Term(key, Kind.CONTENT, "of" if owner else relation, bound, owner)
            if not owner:
                relation = bound = ""


def _merged(terms: Terms) -> Terms:
    """Terms with "not ... unless" read as "only", and "may not", "may only" without "may"."""
    keys = [term.key for term in terms]
    if keys.count("NOT") == 1 and keys.count("UNLESS") == 1:
        only = Term("ONLY", Kind.SIGN, "unless")
        terms = tuple(only if t.key == "UNLESS" else t for t in terms if t.key != "NOT")
    is_only = any(term.key == "ONLY" for term in terms)
    return tuple(
        term
        for at, term in enumerate(terms)
        if term.key != "MAY" or not (is_only or (at and terms[at - 1].key == "NOT"))
    )


@lru_cache(maxsize=1 << 13)
def keys_of(texts: tuple[str, ...]) -> frozenset[str]:
    """The words in some texts that carry meaning."""
    terms = [term for text in texts for part in clauses_of(text) for term in part]
    words = {term.key for term in terms if term.kind is not Kind.SIGN}
    return frozenset(words | {t.key.partition("=")[2] for t in terms if t.key.startswith("PER=")})
