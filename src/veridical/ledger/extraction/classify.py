"""What kind of claim a sentence is, how much hangs on it, and whether it wants a source.

Type, the first that holds: `definition` (it says what a term means), `policy` (it binds, permits or
says who decides), `numeric` (it gives an amount, a date or a rate), `fact`.

Importance: `critical` for obligations, prohibitions and entitlements, money, deadlines, law,
medicine and safety, and for what answers the question in its own words; else `minor` for examples
and asides; else `material`.

A citation is required of every claim but minor ones and conclusions ("In short, ..."), which repeat
what was said before; of those too, if they give an amount.
"""

from __future__ import annotations

from veridical.ledger.entry import ClaimType, Importance
from veridical.ledger.extraction.words import (
    AMOUNT,
    ASIDE,
    CONCLUSION,
    COUNT,
    DEADLINE,
    DEFINITION,
    GRAVE,
    MONEY,
    OBLIGATION,
    PERMISSION,
    words_of,
)

_ASKED_SHARE = 0.6
"""The share of the question's words that a claim must have to answer it directly."""

_STEM_CHARS = 5
_FEWEST_ASKED = 2
_STOP_WORDS = frozenset(
    """
    a an the of to in on at for from with by and or but is are was were be been do does did have has
    had can could may might must shall should will would i you we they he she it my our your their
    its me us how what when where which who why whether many much long often there this that these
    those if as any some get gets per about tell please
    """.split()
)


def claim_type(statement: str) -> ClaimType:
    """The type of a claim, by the rule above."""
    if DEFINITION().match(statement):
        return ClaimType.DEFINITION
    if OBLIGATION().search(statement) or PERMISSION().search(statement):
        return ClaimType.POLICY
    return ClaimType.NUMERIC if _counts(statement) else ClaimType.FACT


def importance(statement: str, asked: frozenset[str]) -> Importance:
    """How much hangs on a claim; `asked` are the `stems` of the question."""
    for pattern in (OBLIGATION, MONEY, DEADLINE, GRAVE):
        if pattern().search(statement):
            return Importance.CRITICAL
    if len(asked) >= _FEWEST_ASKED and answers(statement, asked):
        return Importance.CRITICAL
    return Importance.MINOR if is_aside(statement) else Importance.MATERIAL


def answers(statement: str, asked: frozenset[str]) -> bool:
    """Whether a claim has most of the words of the question."""
    return len(asked & stems(statement)) >= _ASKED_SHARE * len(asked)


def is_aside(statement: str) -> bool:
    """Whether a claim is an example, a side remark, or stands in parentheses."""
    bare = statement.strip().rstrip(".")
    in_parentheses = bare.startswith("(") and bare.endswith(")") and bare.count("(") == 1
    return in_parentheses or ASIDE().match(statement) is not None


def requires_citation(statement: str, weight: Importance) -> bool:
    """Whether a claim should point to a source, by the rule above."""
    if _counts(statement):
        return True
    return weight is not Importance.MINOR and CONCLUSION().match(statement) is None


def _counts(statement: str) -> bool:
    return AMOUNT().search(statement) is not None or COUNT().search(statement) is not None


def stems(text: str) -> frozenset[str]:
    """The beginnings of the words that carry the meaning of a text."""
    return frozenset(word[:_STEM_CHARS] for word in words_of(text) if word not in _STOP_WORDS)
