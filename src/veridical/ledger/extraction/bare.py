"""A whole answer in a word: "Yes.", "Not allowed.". What it says stands in the question alone.

A source that has the word somewhere bears nothing out, so it is never judged: it is not checked. A
"yes" before statements is only how they begin; they are judged, and say what there is to say.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from veridical.ledger.extraction.extractor import Skipped, SkipReason
from veridical.sources.patterns import lazy
from veridical.sources.span import Span

_FLAGS = re.VERBOSE | re.IGNORECASE
_END = r"[\W_\ufe0f]*"
_YES_WORD = r"""(?:
    yes|no|yep|yup|yeah|nope|nah|ok|okay|sure(?:\ thing)?|certainly|of\ course
    |absolutely|definitely|right
    |indeed|ja|nein|doch|oui|non|si|s\u00ed|claro|bien\ s\u00fbr
    |\u662f(?:\u7684)?|\u5bf9|\u5c0d|\u306f\u3044|\u3044\u3044\u3048|\u0646\u0639\u0645|\u0644\u0627
    )"""
_VERDICT = r"""(?:
    (?:(?:absolutely|certainly|definitely|of\ course|generally|usually|sometimes|always)\ )?
    (?:not\ )?
    (?:never|always|sometimes|neither|both|exactly|not|at\ all|necessarily|yet|really|so
      |correct|incorrect|right|true|false|wrong|agreed|confirmed|affirmative|negative|possible
      |impossible|allowed|permitted|forbidden|prohibited|required|mandatory|optional|eligible
      |included|covered)
    )"""
_PRONOUN = r"(?:it|that|this|he|she|they|there|you|we|i|one)"
_BE_OR_DO = r"""(?:
    \ (?:is|are|am|does|do|did|was|were|has|have|had|can|may|must|will|would|should|could)
      (?:\ not|n['\u2019]t)?
    |\ (?:cannot|won['\u2019]t|can['\u2019]t)|['\u2019](?:s|re|m)
    )"""
_BEFORE = rf"\W*(?:{_YES_WORD}[\s,.!:;\u2013\u2014-]+)*"
_YES = lazy(rf"{_BEFORE}{_YES_WORD}{_END}", _FLAGS)
_WORD = lazy(rf"{_BEFORE}{_VERDICT}{_END}", _FLAGS)
_POINTING = lazy(rf"{_BEFORE}{_PRONOUN}{_BE_OR_DO}(?:\ {_VERDICT})?{_END}", _FLAGS)
_MOST = 60


def is_yes_or_no(text: str) -> bool:
    """Whether a text is nothing but a "yes" or a "no"."""
    return len(text) <= _MOST and _YES().fullmatch(text) is not None


def is_bare(text: str) -> bool:
    """Whether a text is nothing but a "yes", or a verdict without what it is on."""
    return is_yes_or_no(text) or (len(text) <= _MOST and _WORD().fullmatch(text) is not None)


def points_to_question(text: str) -> bool:
    """Whether a text is on what was said before, in a word: "It is allowed.", "Yes, you may."."""
    return len(text) <= _MOST and _POINTING().fullmatch(text) is not None


def with_openings(
    skipped: Sequence[Skipped], openings: Mapping[Span, SkipReason], last_claim: int
) -> list[Skipped]:
    """What was skipped, bare answers before a claim as what they are there.

    `openings` tells that of those that may be one; `last_claim` is where the last claim begins.
    """
    return [
        replace(one, reason=openings[one.span])
        if one.span in openings and one.span.start < last_claim
        else one
        for one in skipped
    ]
