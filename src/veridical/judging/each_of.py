"""Does a claim take what each pays, or one group of many, for all?

"Groups of ten or more pay 11 euros a person" says nothing of what a group pays in all, nor of all
groups; and what holds of bags larger than A4 does not hold of bags of A4.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from veridical.judging.alignment import Alignment
from veridical.judging.alignment_words import Word, same_quantity
from veridical.judging.narrowing import MONTHS
from veridical.judging.tenses import is_past

_EACH = frozenset("a an per each every".split())
_ALONE = frozenset("each apiece".split())
_ONES = frozenset(
    """
    person head passenger kilometre mile adult child employee guest visitor participant member user
    student patient customer room unit item bag piece copy key page seat ticket vehicle car team
    household
    """.split()
)
"""What something may be counted by."""

_WITHIN = 3
"""Words behind a number among which stands what it is for."""

_ABOVE = frozenset(
    """
    more larger bigger greater higher longer older heavier taller wider over above exceeding exceed
    exceeds beyond
    """.split()
)
_BELOW = frozenset(
    "less fewer smaller lower shorter younger lighter narrower under below up most maximum".split()
)
_MOST_COUNTED = 4


def said_of_each(a: Alignment, standing: Sequence[int]) -> str | None:
    """What a number of the claim is for each of, where the claim leaves that out."""
    ours = {word.key for word in a.claim_all}
    if ours & {"per", "each", "every", "apiece"}:
        return None
    said = [a.passage[column] for column in standing]
    numbers = [word for word in a.claim_all if word.number is not None]
    for at, word in enumerate(said):
        if word.number is None or not any(same_quantity(one, word) for one in numbers):
            continue
        behind = said[at + 1 : at + 2 + _WITHIN]
        if behind[:1] and behind[0].key in _ALONE and not behind[0].border:
            return behind[0].text
        for each, one in pairwise(behind):
            if each.border or each.number is not None:
                break
            if each.key in _EACH and one.key in _ONES and (one.key not in ours or each.key != "a"):
                return f"{each.text} {one.text}"
    return None


def compared_with(a: Alignment, standing: Sequence[int]) -> str | None:
    """The comparison with a thing of the claim, where the claim does not compare, or the other way
    round: larger than A4.
    """
    ours = {word.key for word in a.claim_all}
    said = [(column, a.passage[column]) for column in standing]
    for (_, word), (_, than), (column, thing) in zip(said, said[1:], said[2:], strict=False):
        if than.key != "than" or not a.is_held[column] or thing.number is not None:
            continue
        if not any(character.isdigit() for character in thing.key):
            continue  # "better than group B" compares, but bounds nothing
        if (word.key in _ABOVE and not ours & _ABOVE) or (word.key in _BELOW and not ours & _BELOW):
            return f"{word.text} than {thing.text}"
    return None


def said_of_large(a: Alignment, standing: Sequence[int]) -> str | None:
    """Of how many at least or at most the things are that the claim speaks of: groups of ten or
    more; None where the passage does not say, or the claim does too.
    """
    for column, number in _counted(a, standing):
        if not a.is_held[column] or not a.passage[column].key.endswith("s"):
            continue
        stem = a.passage[column].stem
        if any(c != column and a.passage[c].stem == stem for c in standing):
            continue  # "and all journeys outside Europe"
        if not any(same_quantity(number, word) for word in a.claim_all if word.number is not None):
            return f"{a.passage[column].text} of {number.text}"
    return None


def said_of_days(a: Alignment, standing: Sequence[int]) -> str | None:
    """The days of a month on which it is so, where a claim of what is says it of the month."""
    if is_past(a.claim_all):
        return None
    said = [a.passage[column] for column in standing]
    whole = {word.key for word in _months(a.claim_all) if word.key not in _dated(a.claim_all)}
    dated = _dated(said)
    return next((dated[key] for key in sorted(whole) if key in dated), None)


def _months(words: Sequence[Word]) -> Iterator[Word]:
    yield from (word for word in words if word.key in MONTHS)


def _dated(words: Sequence[Word]) -> dict[str, str]:
    """The months that have a day beside them, each with that: 31 December, March 3."""
    found: dict[str, str] = {}
    for one, other in pairwise(words):
        month, day = (one, other) if one.key in MONTHS else (other, one)
        is_day = day.number is not None and day.number <= _LAST_DAY and not other.border
        if month.key in MONTHS and is_day:
            found.setdefault(month.key, f"{one.text} {other.text}")
    return found


_LAST_DAY = 31


def _counted(a: Alignment, standing: Sequence[int]) -> Iterator[tuple[int, Word]]:
    """Each thing with the number behind it that bounds how many it is of."""
    for one, other in pairwise(standing):
        if a.passage[other].key != "of" or a.passage[other].border:
            continue
        words = [a.passage[c] for c in standing if other < c <= other + _MOST_COUNTED]
        number = next((word for word in words if word.number is not None), None)
        if number is not None and any(word.key in _ABOVE | _BELOW | {"least"} for word in words):
            yield one, number
