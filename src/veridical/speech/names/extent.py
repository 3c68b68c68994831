"""How far a name reaches, once it is known where it starts."""

from __future__ import annotations

import re
from collections.abc import Sequence

from veridical.speech.names.lists import (
    GIVEN_NAMES,
    PLACE_NAMES_OF_PEOPLE,
    SURNAMES,
    WORD_NAMES,
)
from veridical.speech.names.text import NameWord
from veridical.speech.names.words import (
    BRANDS,
    DATE_NAMES,
    INSTITUTIONS,
    NOT_HYPHENED,
    NOT_NAME_ENDINGS,
    NOT_NAMES,
    ORDINARY,
    PARTICLES,
    PLACES,
    SURNAMES_TOO,
)

_MOST_WORDS = 5
"""Words of one name: "Maria del Carmen Lopez Garcia"."""

_HYPHEN = re.compile("[-\u2010\u2011]")
_SHORT = 5
"""Letters of a second half in lower case, as in "Hyun-woo"."""


def extent(words: Sequence[NameWord], first: int, *, announced: bool) -> int:
    """The last word of a name: surnames, particles and initials are taken along."""
    last = index = first
    while index + 1 < len(words) and index + 1 - first < _MOST_WORDS and not words[index].owner:
        index += 1
        word = words[index]
        if not (word.joined or (word.after_dot and len(words[index - 1].key) == 1)):
            break
        if word.key in PARTICLES and _leads_on(words, index):
            continue
        if len(word.key) == 1 and word.capital and is_initial(words, index):
            continue
        if not _surname(words[index - 1], word, announced=announced):
            break
        last = index
    return last


def nameable(word: NameWord) -> bool:
    """Whether a capitalised word that is announced as a name can be one."""
    key = word.key
    if key in GIVEN_NAMES or key in WORD_NAMES or key in PLACE_NAMES_OF_PEOPLE:
        return True
    return not (
        word.acronym
        or key in NOT_NAMES
        or key in PLACES
        or key in BRANDS
        or key in INSTITUTIONS - SURNAMES_TOO
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


def _surname(previous: NameWord, word: NameWord, *, announced: bool) -> bool:
    if not word.capital:
        if previous.capital and _HYPHEN.fullmatch(word.before):
            return len(word.key) <= _SHORT and word.key not in NOT_HYPHENED
        return not previous.capital and word.key in SURNAMES - ORDINARY
    if word.opens and len(previous.key) != 1:
        return False
    if word.key in SURNAMES or word.key in GIVEN_NAMES:
        return True
    if word.key in INSTITUTIONS:
        return announced and word.key in SURNAMES_TOO
    return nameable(word) and word.key not in DATE_NAMES and word.key not in PLACES
