"""What stands before a list and ends with a colon: does it only lead in, or state something itself?

"The rules are:" and "Staff may carry over:" say nothing without the list, whose items are judged
with it. "Bribes are allowed:" does, and "The handbook allows the following bribes:" says that it
allows some. Only such forms count: a lead-in that is taken for a claim fails a good answer.
"""

from __future__ import annotations

import re

from veridical.sources.patterns import lazy

_FLAGS = re.VERBOSE | re.IGNORECASE
_ADVERB = r"(?:(?:not|never|always|generally|usually|now|also|only|strictly|fully|both|all)\ )*"
_RULED = r"""(?:
    allowed|permitted|accepted|acceptable|welcome|legal|illegal|forbidden|prohibited|banned|required
    |mandatory|compulsory|obligatory|optional|included|covered
    )"""
_FOLLOWS = r"(?:[,;]?\ (?:as\ follows|namely|that\ is|i\.e\.|for\ example|e\.g\.|here))?"
_POINTS = r"""(?:the\ following|following|these|those|this|that|it|they|there|here|below|what|which
    |who|whoever|all|everything|anything|if|when|where|unless|whether|to)"""
_RULES_ON_SUBJECT = lazy(
    rf"""(?!{_POINTS}\b)(?:(?!\bfollowing\b)[^:;])*?\b(?!(?:that|which|who|what)\b)(?P<noun>[^\W\d_]+)
    \ (?:is|are|was|were|remains?)\ {_ADVERB}{_RULED}{_FOLLOWS}\W*""",
    _FLAGS,
)
"""A subject of its own and what is ruled of it: "Bribes are always allowed"."""

_RULING = r"""(?:
    allows?|permits?|accepts?|forbids?|prohibits?|bans?|grants?|requires?|demands?|may(?:\ not)?
    |must(?:\ not|n['\u2019]t)?|shall(?:\ not)?|cannot|can['\u2019]t
    |(?:is|are)\ (?:not\ )?(?:allowed|permitted|entitled|required|obliged|forbidden)\ to
    |ha(?:s|ve)\ (?:the\ right\ )?to
    )"""
_POINTER = r"(?:the\ following|these|those)\ "
_RULES_ON_OBJECT = lazy(
    rf"""(?!{_POINTS}\b)(?:(?!\bfollowing\b)[^:;])*?\b{_RULING}\ (?:[^\W\d_]+\ ){{0,4}}?
    {_POINTER}(?:[^\W\d_]+\ )?(?P<noun>[^\W\d_]+)\W*""",
    _FLAGS,
)
"""What is ruled of what the list names: "The handbook allows the following bribes"."""

_POINTER_AT_END = lazy(rf"\b{_POINTER}(?=(?:[^\W\d_]+\ )?[^\W\d_]+\W*$)", _FLAGS)
_FOLLOWS_AT_END = lazy(r"[,;]?\ as\ follows\W*$", _FLAGS)
_GENERAL = frozenset(
    """
    addresses amounts answers areas aspects benefits cases categories channels circumstances
    conditions contacts criteria data dates deadlines details documentation documents duties
    employees entitlements evidence examples exceptions factors facts figures forms groups
    guidelines information items kinds limits links measures methods obligations options parts
    people periods persons plans points principles procedure procedures process provisions questions
    rates reasons requirements responsibilities restrictions rights routes rules sections situations
    sources staff stages standards statements steps tasks terms things times topics types ways words
    """.split()
)
"""Nouns that every list may go by: without it they say nothing."""


def states_itself(lead_in: str) -> bool:
    """Whether a lead-in says something whatever the list below it says."""
    found = _RULES_ON_SUBJECT().fullmatch(lead_in) or _RULES_ON_OBJECT().fullmatch(lead_in)
    return found is not None and found["noun"].lower() not in _GENERAL


def without_pointer(lead_in: str) -> str:
    """What a lead-in states, less its words for what follows: "The handbook allows bribes"."""
    return _FOLLOWS_AT_END().sub("", _POINTER_AT_END().sub("", lead_in))
