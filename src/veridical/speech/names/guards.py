"""Is a word here part of a place's or an organisation's name, a date, or an everyday word?

And how far does a name reach, once it is known where it starts?
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from veridical.speech.names.lists import (
    BODIES,
    BRANDS,
    GIVEN_NAMES,
    INSTITUTIONS,
    LOCATIVES,
    LOWER_INSTITUTIONS,
    LOWER_PLACE_BEFORE,
    MOTION,
    ORGANISATIONS,
    PARTNERSHIPS,
    PLACE_BEFORE,
    PLACE_NAMES_OF_PEOPLE,
    PLACES,
    SURNAMES,
    SURNAMES_TOO,
    THINGS,
    WORD_NAMES,
)
from veridical.speech.names.text import NameWord
from veridical.speech.names.words import (
    AFTER_ORDINARY,
    DATE_BEFORE,
    DATE_NAMES,
    DETERMINERS,
    NOT_HYPHENED,
    NOT_NAME_ENDINGS,
    NOT_NAMES,
    ORDINARY,
    PARTICLES,
    PLACE_HEADS,
    SPEECH_VERBS,
    is_common,
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


_MOST_OF_NAME = 5
"""Words of one name: "Maria del Carmen Lopez Garcia"."""

_HYPHEN = re.compile("[-\u2010\u2011]")
_MOST_ACRONYM = 5
"""Letters of what is taken for an abbreviation where all are capitals."""

_LEAST_UNKNOWN = 2

NO_PEOPLE = PLACES | BRANDS | BODIES | THINGS | (INSTITUTIONS - SURNAMES_TOO)

_SHORT = 5
"""Letters of a second half in lower case, as in "Hyun-woo"."""


def extent(words: Sequence[NameWord], first: int, *, announced: bool) -> int:
    """The last word of a name: surnames, particles and initials are taken along."""
    last = index = first
    while index + 1 < len(words) and index + 1 - first < _MOST_OF_NAME and not words[index].owner:
        index += 1
        word = words[index]
        if not (word.joined or (word.after_dot and len(words[index - 1].key) == 1)):
            break
        if word.key in PARTICLES and _leads_on(words, index):
            continue
        if len(word.key) == 1 and word.capital and is_initial(words, index):
            continue
        if not _surname(words, index, announced=announced):
            break
        last = index
    return last


def nameable(word: NameWord) -> bool:
    """Whether a capitalised word that is announced as a name can be one."""
    key = word.key
    if key in GIVEN_NAMES or key in WORD_NAMES or key in PLACE_NAMES_OF_PEOPLE:
        return True
    return not (
        (word.acronym and len(key) <= _MOST_ACRONYM)
        or key in NOT_NAMES
        or key in NO_PEOPLE
        or key.endswith(NOT_NAME_ENDINGS)
    )


def is_initial(words: Sequence[NameWord], index: int) -> bool:
    """Whether it is an initial, as in "J. Smith": before another word with a capital."""
    if not words[index].capital or words[index].key == "i" or index + 1 >= len(words):
        return False
    return words[index + 1].capital and (words[index + 1].joined or words[index + 1].after_dot)


def _leads_on(words: Sequence[NameWord], index: int) -> bool:
    following = words[index + 1 : index + 3]
    return any(word.capital for word in following)


def _surname(words: Sequence[NameWord], index: int, *, announced: bool) -> bool:
    previous, word = words[index - 1], words[index]
    hyphened = _HYPHEN.fullmatch(word.before) is not None
    if not word.capital:
        if hyphened and (previous.capital or word.uncased):
            return len(word.key) <= _SHORT and word.key not in NOT_HYPHENED
        if previous.capital:
            return False
        return word.key in SURNAMES - ORDINARY or _unknown_surname(words, index)
    if word.opens and len(previous.key) != 1:
        return False
    if word.key in SURNAMES or word.key in GIVEN_NAMES or (hyphened and previous.acronym):
        return True
    if word.key in INSTITUTIONS:
        return announced and word.key in SURNAMES_TOO
    if word.key in PLACES:
        return announced
    return nameable(word) and word.key not in DATE_NAMES


def _unknown_surname(words: Sequence[NameWord], index: int) -> bool:
    """Whether an unknown word stands behind a given name in a text without capitals."""
    previous, word = words[index - 1], words[index]
    if previous.key not in GIVEN_NAMES or not word.uncased or len(word.key) <= _LEAST_UNKNOWN:
        return False
    return not (is_common(word.key) or word.key in NO_PEOPLE or word.key in SPEECH_VERBS)
