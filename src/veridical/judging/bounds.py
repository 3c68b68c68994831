"""On which side of a number is meant: 40 % or more, no less than 40 %, at least 40 %."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.judging.words import Word

_BOUNDS_BEFORE = {
    **dict.fromkeys(("at least", "minimum of", "no less than", "no fewer than", "not less than",
                     "not fewer than", "minimum"), "at least"),
    **dict.fromkeys(("at most", "up to", "maximum of", "no more than", "not more than", "maximum",
                     "not exceed", "cannot exceed", "at the most"), "at most"),
    **dict.fromkeys(("more than", "over", "above", "exceeds", "exceeding", "exceed"), "more than"),
    "plus or minus": "plus or minus",
    **dict.fromkeys(("less than", "fewer than", "under", "below"), "less than"),
}  # fmt: skip
_BOUNDS_AFTER = {
    **dict.fromkeys(("or more", "or longer", "or older", "or over", "or above", "at least"),
                    "at least"),
    **dict.fromkeys(("or less", "or fewer", "or below", "or under", "at most", "at the most"),
                    "at most"),
}  # fmt: skip

_NO_BOUND = tuple(f"{word} over" for word in ("carry", "carried", "carries", "carrying", "rolled"))
_MOST_BEFORE = 3
"""Words of the longest of these before a number."""

_MOST_UNIT = 3
"""Words that may name what is counted, between a number and "or more"."""

_MEASURES = frozenset("size total amount length maximum limit number sum weight height age".split())
_POINTING = frozenset("these those".split())


def bound_of(words: Sequence[Word], at: int) -> str | None:
    """At least, at most, more than or less than, for the number at a place; empty if the number
    itself is meant, and None if it only points to one that was named before: these five days.
    """
    if at and words[at - 1].key in _POINTING:
        return None
    found = _phrase(words, at)
    return found[0] if found is not None else ""


def unbound_places(words: Sequence[Word]) -> list[int]:
    """The places of all words but those that bound a number, which deny and oppose nothing: no
    more than.
    """
    dropped: set[int] = set()
    for at, word in enumerate(words):
        if word.number is not None and (found := _phrase(words, at)) is not None:
            dropped.update(range(found[1], found[2]))
    return [at for at in range(len(words)) if at not in dropped]


def _phrase(words: Sequence[Word], at: int) -> tuple[str, int, int] | None:
    """The bound of the number at a place, and where its words begin and end."""
    end = at
    if at >= 3 and [words[at - 3].key, words[at - 1].key] in (["a", "of"], ["the", "of"]):
        end = at - 3 if words[at - 2].key in _MEASURES else at  # up to a size of 25 megabytes
    before = [word.key for word in words[max(0, end - _MOST_BEFORE) : end]]
    if " ".join(before).endswith(_NO_BOUND):
        return None
    for start in range(len(before)):  # the longest first: "no less than" before "less than"
        bound = _BOUNDS_BEFORE.get(" ".join(before[start:]))
        if bound is not None:
            return bound, end - len(before) + start, end
    for start in range(at + 1, min(at + 2 + _MOST_UNIT, len(words))):
        if words[start].border or words[start].number is not None:
            return None
        for length in (2, 3):
            bound = _BOUNDS_AFTER.get(" ".join(word.key for word in words[start : start + length]))
            following = words[start + length : start + length + 1]
            if bound is not None and not (following and following[0].number is not None):
                return bound, start, start + length
    return None
