"""Does a claim turn a way round: from Hull to York, where the passage says from York to Hull? Or
things that are told apart by a letter: group B above group A?
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from veridical.judging.alignment import Alignment
from veridical.judging.alignment_words import Word

_MOST_NAMED = 4
"""Words of a place that count."""

Way = tuple[frozenset[str], frozenset[str]]
"""The keys of where it begins and of where it ends."""


def turned_way(a: Alignment, standing: Sequence[int]) -> str | None:
    """Where the passage says that it ends, if that is where it begins in the claim, and the other
    way round; None elsewhere.
    """
    said = [a.passage[column] for column in standing]
    ours, theirs = list(_ways(a.claim_all)), list(_ways(said))
    for begin, end in ours:
        here = (begin - end, end - begin)
        if not all(here) or any((one - two, two - one) == here for one, two in theirs):
            continue
        if any((two - one, one - two) == here for one, two in theirs):
            return " ".join(sorted(begin))
    return None


def turned_labels(a: Alignment, standing: Sequence[int]) -> str | None:
    """Two things with letters or numbers behind "than" and in front of it, in the order of the
    passage, where the claim has the other; None elsewhere.
    """
    ours, theirs = _compared(a.claim_all), _compared([a.passage[column] for column in standing])
    if ours is None or theirs is None or ours != theirs[::-1]:
        return None
    return " ".join(theirs[0])


def _compared(words: Sequence[Word]) -> tuple[tuple[str, str], tuple[str, str]] | None:
    """The only labelled thing on either side of "than"; None where there are none."""
    than = next((at for at, word in enumerate(words) if word.key == "than"), None)
    if than is None:
        return None
    sides = [list(_labelled(words[:than])), list(_labelled(words[than + 1 :]))]
    first, second = sides
    return (first[0], second[0]) if len(first) == len(second) == 1 else None


def _labelled(words: Sequence[Word]) -> Iterator[tuple[str, str]]:
    for word, label in pairwise(words):
        if word.content and word.number is None and len(label.key) == 1 and not label.border:
            yield word.stem, label.key


def _ways(words: Sequence[Word]) -> Iterator[Way]:
    """From where to where: what stands behind "from", and behind the "to" that follows."""
    for at, word in enumerate(words):
        if word.key != "from":
            continue
        begin = _until(words, at + 1, {"to", "into"})
        to = at + 1 + len(begin)
        if begin and to < len(words) and words[to].key in ("to", "into"):
            end = _until(words, to + 1, _ENDS)
            yield frozenset(begin), frozenset(end[: len(begin)])


_ENDS = frozenset("and or but by in on at with for from before after when if".split())


def _until(words: Sequence[Word], start: int, ends: frozenset[str] | set[str]) -> list[str]:
    """The keys of the words up to one of some ends, or the next mark."""
    found: list[str] = []
    for at, word in enumerate(words[start : start + _MOST_NAMED + 1]):
        if word.key in ends or (at and word.border):
            break
        found.append(word.key)
    return found
