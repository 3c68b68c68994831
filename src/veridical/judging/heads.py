"""Does a sentence say it of another thing, which only belongs to what the claim speaks of?

"The wife of the president opened it" says nothing of what the president did, nor does "Helen's
brother is a surgeon" tell what Helen is.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from veridical.judging.alignment import Alignment
from veridical.judging.alignment_words import Word
from veridical.judging.clauses import AUXILIARIES, PREPOSITIONS
from veridical.judging.features_reservations import LIGHT

_OF = frozenset("of for with without from against behind beside near under to".split())
_ARTICLES = frozenset("the a an this that these those our their his her its my your all".split())
_SAME = frozenset(
    """
    group team number amount use kind type sort part parts range set series list rest majority all
    each most some many one none both half cost costs expense expenses price fee fees charge charges
    payment purchase members member case cases
    """.split()
)
"""Words that "of" puts before the very thing that is spoken of: the cost of taxis."""

_ENDS_CLAUSE = frozenset("and or but because while whereas that which who when if".split())


def of_another(a: Alignment, standing: Sequence[int]) -> str | None:
    """The words by which the passage says it of another thing; None where it does not.

    `standing` are the columns of the passage that the claim stands on.
    """
    row = _subject(a)
    if row is None:
        return None
    columns = [c for c in standing if a.related[row, c]]
    found = [_head_before(a, c) or _owned(a, c) for c in columns]
    return found[0] if found and all(found) else None


def _subject(a: Alignment) -> int | None:
    """The row of the thing that the claim begins with: a word in front of its verb, behind none of
    the small words that would make it belong to another.
    """
    for row, (word, following) in zip(a.row_of, pairwise(a.claim_all), strict=False):
        if word.key in _ARTICLES:
            continue
        if row is None or word.key in PREPOSITIONS or following.key in _OF:
            return None
        if word.text.endswith(("'s", "’s", "s'", "s’")) and following.key not in AUXILIARIES:
            return None
        if following.key in AUXILIARIES or following.content:
            return row
        return None
    return None


def _head_before(a: Alignment, column: int) -> str | None:
    """The head that a word belongs to by "of" or the like, if the claim has it not."""
    at = column - 1
    while at >= 0 and (a.passage[at].key in _ARTICLES or _is_title(a, at)):
        at -= 1
    if at < 1 or a.passage[at].key not in _OF or not _together(a, at - 1, column):
        return None
    head = a.passage[at - 1]
    if not head.content or head.number is not None or a.is_held[at - 1] or _is_neutral(head):
        return None
    if head.key.endswith(("ed", "ing")) or _verb_before(a, at - 1):
        return None  # "paid for by the firm", "We sent it to the firm, which ..."
    if a.passage[at].key != "of" and (at < 2 or a.passage[at - 2].key not in _ARTICLES):
        return None  # "The insurance pays for lost keys"
    return " ".join(word.text for word in a.passage[at - 1 : column + 1])


def _is_title(a: Alignment, column: int) -> bool:
    """Whether a word is an adjective by its ending: behind "of the" it is no head."""
    return a.passage[column].content and a.passage[column].key.endswith(("al", "ive", "ior", "or"))


def _is_neutral(head: Word) -> bool:
    return head.key in _SAME or head.key in LIGHT


def _verb_before(a: Alignment, column: int) -> bool:
    """Whether a verb stands before a head, which is then no subject."""
    for at in range(column - 1, -1, -1):
        if a.sentence_at[at] != a.sentence_at[column]:
            return False
        word = a.passage[at]
        if word.key in AUXILIARIES:
            return True
        if word.border or word.key in _ENDS_CLAUSE:
            return False
    return False


def _owned(a: Alignment, column: int) -> str | None:
    """What belongs to a word by its "'s", if the claim has it not."""
    word = a.passage[column]
    if not word.text.endswith(("'s", "’s", "s'", "s’")):
        return None
    for at in range(column + 1, min(column + 4, len(a.passage))):
        if a.sentence_at[at] != a.sentence_at[column] or a.passage[at].key in AUXILIARIES:
            return None
        if a.passage[at].content and a.passage[at].number is None:
            if a.is_held[at]:
                continue
            return f"{word.text} {a.passage[at].text}"
    return None


def _together(a: Alignment, first: int, last: int) -> bool:
    """Whether two words stand in one sentence without a mark between."""
    same = a.sentence_at[first] == a.sentence_at[last]
    return same and not any(a.passage[c].border for c in range(first + 1, last + 1))


def of_namesake(a: Alignment, standing: Sequence[int]) -> str | None:
    """The name by which the passage speaks of another of the same family: John Baker, where the
    claim speaks of Tom Baker.
    """
    inside = set(standing)
    for (row, behind), (first, last) in zip(pairwise(a.row_of), pairwise(a.claim_all), strict=True):
        if not (last.named and first.key[:1].isalpha() and first.text[:1].isupper()):
            continue
        if row is None or behind is None or first.key in _ARTICLES:
            continue
        places = [int(c) for c in np.flatnonzero(a.related[behind]) if c in inside]
        if not places or any(a.related[row, c] for c in inside):
            continue
        before = [a.passage[c - 1] for c in places if c]
        if before and all(w.text[:1].isupper() and w.content for w in before):
            return f"{before[0].text} {last.text}"
    return None
