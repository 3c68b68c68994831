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
from veridical.speech.names.places import (
    BODIES,
    BRANDS,
    INSTITUTIONS,
    PLACES,
    SURNAMES_TOO,
    THINGS,
)
from veridical.speech.names.text import NameWord
from veridical.speech.names.vocabulary import is_common
from veridical.speech.names.words import (
    DATE_NAMES,
    NOT_HYPHENED,
    NOT_NAME_ENDINGS,
    NOT_NAMES,
    ORDINARY,
    PARTICLES,
    SPEECH_VERBS,
)

_MOST_WORDS = 5
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
    while index + 1 < len(words) and index + 1 - first < _MOST_WORDS and not words[index].owner:
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
