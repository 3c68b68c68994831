"""Does a stretch that a claim leaves out pick out some, name times, a part or a bound?"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from veridical.judging.alignment import Alignment


@dataclass(frozen=True, slots=True)
class Gap:
    """Columns of one sentence that hold no word of the claim, with those of the last word before
    and the next behind that hold one; None where there is none.
    """

    columns: tuple[int, ...]
    before: int | None
    behind: int | None


def restricts(a: Alignment, gap: Gap, *, past: bool) -> bool:
    """Whether what a stretch says makes the sentence say less than without it; `past` is of the
    claim.
    """
    return (
        _picks_out(a, gap, past=past)
        or _names_part(a, gap)
        or _needs_both(a, gap)
        or (not past and (_names_times(a, gap) or _bounds(a, gap)))
    )


def _bounds(a: Alignment, gap: Gap) -> bool:
    """Whether it bounds what is meant by a number: "for distances under 600 km"."""
    words = [a.passage[column] for column in gap.columns]
    return any(
        word.key in _BOUNDS and any(one.number is not None for one in words[at : at + 3])
        for at, word in enumerate(words, start=1)
    ) and words[0].key in _BOUNDS | {"for", "of", "with"}


_BOUNDS = frozenset("under over above below exceeding beyond".split())


def _picks_out(a: Alignment, gap: Gap, *, past: bool) -> bool:
    """Whether it says which of all are meant: "every order that ...", "orders that ..."."""
    first = gap.columns[0]
    if gap.before is None or gap.before + 1 != first or a.passage[first].border:
        return False
    if a.passage[first].key not in _PICKS:
        return False
    for column in range(gap.before - 1, max(gap.before - _MOST_IN_FRONT, -1), -1):
        word, following = a.passage[column], a.passage[column + 1]
        if following.border or a.sentence_at[column] != a.sentence_at[first]:
            break
        if word.key.endswith("s") and word.key not in _DEFINITE:
            break  # most likely a verb, as in "it accepts orders that ..."
        if word.key in _UNIVERSAL:
            return True
        if word.key in _ARTICLES and column and a.passage[column - 1].key == "for":
            return not past  # "is reduced for a breakfast that is included"
        if word.key in _DEFINITE or word.number is not None:
            return False
    return not past and a.passage[gap.before].key.endswith("s")


_PICKS = frozenset("who whose whom that which".split())
_UNIVERSAL = frozenset("every each any all no".split())
_DEFINITE = frozenset("the a an this that these those its his her their our your my some".split())
_ARTICLES = frozenset("a an".split())
_MOST_IN_FRONT = 6
"""Words in front of a noun among which its article stands."""


def _names_times(a: Alignment, gap: Gap) -> bool:
    """Whether it says on which days or in which season, and the claim on none: what is done then
    is not always done.
    """
    if any(word.key in _TIMES for word in a.claim_all):
        return False
    words = [a.passage[column] for column in gap.columns]
    return any(
        word.key in _ON and any(one.key in _TIMES for one in words[at : at + 2])
        for at, word in enumerate(words, start=1)
    ) or any(
        word.key in _DURING and any(one.text.lower() in _ENDS for one in words[at : at + 2])
        for at, word in enumerate(words, start=1)
    )


_DURING = frozenset("in for during".split())
_ENDS = frozenset("first last next".split())
"""In the first 48 hours."""

_ON = frozenset("on at in during".split())
_TIMES = frozenset(
    """
    mondays tuesdays wednesdays thursdays fridays saturdays sundays weekdays weekends holidays days
    winter summer spring autumn
    """.split()
)


def _names_part(a: Alignment, gap: Gap) -> bool:
    """Whether it says that only a part is meant: "half of the cost"."""
    if gap.behind is None or any(word.key in _SHARES for word in a.claim_all):
        return False
    words = [a.passage[column] for column in gap.columns]
    return any(
        word.key in _SHARES and following.key == "of" and at + 4 >= len(words)
        for at, (word, following) in enumerate(pairwise(words))
    )


def _needs_both(a: Alignment, gap: Gap) -> bool:
    """Whether it adds to a condition: "if the other is in breach and does not remedy it"."""
    first = gap.columns[0]
    if gap.behind is not None or a.passage[first].key != "and":
        return False
    ours = {word.key for word in a.claim_all}
    for column in range(first - 1, -1, -1):
        word = a.passage[column]
        if word.key in _IFS or word.border or a.sentence_at[column] != a.sentence_at[first]:
            return word.key in _IFS and word.key in ours
    return False


_IFS = frozenset("if when where whenever provided once".split())
_SHARES = frozenset("half third quarter part parts most some few many majority".split())
