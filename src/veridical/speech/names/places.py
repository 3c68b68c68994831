"""Is a word part of the name of a place or an organisation here, or a date?"""

from __future__ import annotations

from collections.abc import Sequence

from veridical.speech.lexicon import listed
from veridical.speech.names.text import NameWord

MOTION = listed("motion")

_REACH = 3
"""Words between a name and the institution that it belongs to: Maria Lopez Senior High School."""

_LOWER_INSTITUTIONS = listed("lower-institutions")
_INSTITUTIONS = listed("institutions", "lower-institutions")
_LOWER_BEFORE_PLACES = listed("lower-before-places")
_BEFORE_PLACES = listed("before-places", "lower-before-places")
_LOCATIVES = listed("locatives")
_PLACES = listed("places")
_NAMES_AND_PLACES = listed("places", "place-names")
_ORGANISATIONS = frozenset(tuple(pair.split("_")) for pair in listed("organisations"))


def stays(words: Sequence[NameWord], first: int, last: int) -> bool:
    """Whether `words[first..last]` belong to the name of a place or an organisation, or a date."""
    return (
        _before_institution(words, last)
        or _after_place_word(words, first)
        or _is_organisation(words, first, last)
        or (first == last and (_is_located(words, first) or _is_date(words, first)))
    )


def _before_institution(words: Sequence[NameWord], last: int) -> bool:
    """Whether "Street", "Hospital" and the like follow."""
    for word in words[last + 1 : last + 1 + _REACH]:
        if not word.joined or word.opens:
            return False
        if not word.capital:
            near = word is words[last + 1] and not words[last].owner and not words[last].capital
            return near and word.key in _LOWER_INSTITUTIONS
        if word.key in _INSTITUTIONS:
            return True
    return False


def _after_place_word(words: Sequence[NameWord], first: int) -> bool:
    """Whether "Mount", "St." or "University of" stand before."""
    for index in range(first, max(0, first - _REACH), -1):
        word, previous = words[index], words[index - 1]
        if not (word.joined or word.after_dot) or (word.opens and not word.after_dot):
            return False
        if previous.key in (_BEFORE_PLACES if previous.capital else _LOWER_BEFORE_PLACES):
            return word.capital or not previous.capital
        if not previous.capital:
            of = index - 3 if previous.key == "and" else index - 1
            if of < 1 or words[of].key != "of":
                return False
            return words[of - 1].capital and words[of - 1].key in _INSTITUTIONS
        if previous.key in listed("never-names"):
            return False
    return False


def _is_organisation(words: Sequence[NameWord], first: int, last: int) -> bool:
    """Whether it is one of two words that name an organisation, with or without "and" between."""
    for index in range(first, last + 1):
        for step in (-1, 1):
            other = index + step
            if 0 <= other + step < len(words) and words[other].key == "and":
                other += step
            if 0 <= other < len(words):
                pair = (words[min(index, other)].key, words[max(index, other)].key)
                if pair in _ORGANISATIONS or (first == last and listed("brands").issuperset(pair)):
                    return True
    following = words[last + 1 : last + 2]
    return any(w.before.strip() == "&" and w.key in listed("partnerships") for w in following)


def _is_located(words: Sequence[NameWord], index: int) -> bool:
    """Whether a name that is a place's too is used of the place."""
    word, previous = words[index], words[index - 1] if index else None
    following = words[index + 1].key if index + 1 < len(words) else ""
    behind = previous is not None and word.joined and not word.opens
    located = behind and previous is not None and previous.key in _LOCATIVES
    in_a_state = word.after.startswith(",") and following in _PLACES
    if word.key not in _NAMES_AND_PLACES:
        return in_a_state and located
    if behind and previous is not None and previous.key in ("to", "for", "of"):
        return in_a_state or (index > 1 and words[index - 2].key in listed("motion", "heads"))
    return in_a_state or located


def _is_date(words: Sequence[NameWord], index: int) -> bool:
    word = words[index]
    if word.key not in listed("dates"):
        return False
    if word.after.strip(" ,")[:1].isdigit() or word.before.strip()[-1:].isdigit():
        return True
    return index > 0 and word.joined and words[index - 1].key in listed("before-dates")
