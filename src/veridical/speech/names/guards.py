"""Is this word here part of a place's or an organisation's name, a date, or an everyday word?"""

from __future__ import annotations

from collections.abc import Sequence

from veridical.speech.names.lists import PLACE_NAMES_OF_PEOPLE, WORD_NAMES
from veridical.speech.names.places import (
    BRANDS,
    INSTITUTIONS,
    LOCATIVES,
    LOWER_INSTITUTIONS,
    LOWER_PLACE_BEFORE,
    MOTION,
    ORGANISATIONS,
    PARTNERSHIPS,
    PLACE_BEFORE,
    PLACES,
)
from veridical.speech.names.text import NameWord
from veridical.speech.names.words import (
    AFTER_ORDINARY,
    DATE_BEFORE,
    DATE_NAMES,
    DETERMINERS,
    NOT_NAMES,
    ORDINARY,
    PLACE_HEADS,
    SPEECH_VERBS,
)

_REACH = 3
"""Words between a name and the institution that it belongs to: Maria Lopez Senior High School."""

_EVERYDAY = ORDINARY | WORD_NAMES | NOT_NAMES


def is_everyday(key: str) -> bool:
    """Whether a word means something of its own, and alone does not say that it is a name."""
    return key in _EVERYDAY


def stays(words: Sequence[NameWord], first: int, last: int) -> bool:
    """Whether `words[first..last]` belong to the name of a place or an organisation, or a date."""
    return (
        _before_institution(words, last)
        or _after_place_word(words, first)
        or _organisation(words, first, last)
        or (first == last and (_located(words, first) or _date(words, first)))
    )


def reads_as_everyday(words: Sequence[NameWord], index: int) -> bool:
    """Whether an everyday word is used as one: in lower case, or as the start of a sentence."""
    word = words[index]
    follows = words[index + 1] if index + 1 < len(words) else None
    next_key = follows.key if follows is not None and follows.joined else ""
    if not word.capital:
        speaks = next_key in SPEECH_VERBS and not (index and words[index - 1].key in DETERMINERS)
        return not speaks
    return word.opens and (word.key in NOT_NAMES or next_key in AFTER_ORDINARY)


def _before_institution(words: Sequence[NameWord], last: int) -> bool:
    for index in range(last + 1, min(len(words), last + 1 + _REACH)):
        word = words[index]
        if not word.joined or word.opens:
            return False
        if not word.capital:
            near = index == last + 1 and not words[last].owner and not words[last].capital
            return near and word.key in LOWER_INSTITUTIONS
        if word.key in INSTITUTIONS:
            return True
    return False


def _after_place_word(words: Sequence[NameWord], first: int) -> bool:
    index = first
    while index and first - index < _REACH:
        word, previous = words[index], words[index - 1]
        if not (word.joined or word.after_dot) or (word.opens and not word.after_dot):
            return False
        if previous.key in (PLACE_BEFORE if previous.capital else LOWER_PLACE_BEFORE):
            return word.capital or not previous.capital
        if previous.key in ("of", "and") and index > 1 and not previous.capital:
            return _institution_of(words, index - 1)
        if not previous.capital or previous.key in NOT_NAMES:
            return False
        index -= 1
    return False


def _institution_of(words: Sequence[NameWord], index: int) -> bool:
    """Whether an `of` (or the `and` of "College of William and Mary") hangs on an institution."""
    if words[index].key == "and":
        index -= 2
    if index < 1 or words[index].key != "of":
        return False
    head = words[index - 1]
    return head.capital and head.key in INSTITUTIONS


def _organisation(words: Sequence[NameWord], first: int, last: int) -> bool:
    """Whether it is one of two words that name an organisation, with or without "and" between."""
    for index in range(first, last + 1):
        for step in (-1, 1):
            other = index + step
            if 0 <= other + step < len(words) and words[other].key == "and":
                other += step
            if 0 <= other < len(words):
                pair = (words[min(index, other)].key, words[max(index, other)].key)
                if pair in ORGANISATIONS or (first == last and BRANDS.issuperset(pair)):
                    return True
    following = words[last + 1] if last + 1 < len(words) else None
    return (
        following is not None and following.key in PARTNERSHIPS and following.before.strip() == "&"
    )


def _located(words: Sequence[NameWord], index: int) -> bool:
    """Whether a name that is a place's too is used of the place."""
    word = words[index]
    follows = words[index + 1] if index + 1 < len(words) else None
    in_a_state = follows is not None and word.after.startswith(",") and follows.key in PLACES
    if word.key not in PLACE_NAMES_OF_PEOPLE and word.key not in PLACES:
        behind = index > 0 and word.joined and words[index - 1].key in LOCATIVES
        return in_a_state and behind and word.key in WORD_NAMES
    if in_a_state:
        return True
    if not index or not word.joined or word.opens:
        return False
    previous = words[index - 1].key
    before = words[index - 2].key if index > 1 else ""
    if previous in ("to", "for", "of"):
        return before in MOTION | PLACE_HEADS
    if previous == "the":
        return False
    return previous in LOCATIVES


def _date(words: Sequence[NameWord], index: int) -> bool:
    word = words[index]
    if word.key not in DATE_NAMES:
        return False
    if word.after.strip(" ,")[:1].isdigit() or word.before.strip()[-1:].isdigit():
        return True
    return index > 0 and word.joined and words[index - 1].key in DATE_BEFORE
