"""Finding the names of people in a text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Protocol

from veridical.speech.names.lists import (
    GIVEN_NAMES,
    PLACE_NAMES_OF_PEOPLE,
    SURNAMES,
    WORD_NAMES,
)
from veridical.speech.names.patterns import claims
from veridical.speech.names.text import NameWord, name_words
from veridical.speech.names.words import RADIO, RADIO_SIGNS

_KNOWN = GIVEN_NAMES | WORD_NAMES | PLACE_NAMES_OF_PEOPLE | SURNAMES


_LEAST_RADIO_SIGNS = 2
_PAUSES = frozenset(",.!?")


class NameFinder(Protocol):
    """Finds the names of people. Places and organisations are not names here."""

    def find(self, text: str) -> Sequence[str]:
        """The names in a text, as they are written there, each once."""
        ...


class PatternNames:
    """The embedded default: introductions, thanks, address, and known given names.

    English first, with the commonest forms of German, French and Spanish. It misses unknown names
    that nothing announces, most of all in transcripts without capitals: list those yourself.
    """

    def find(self, text: str) -> tuple[str, ...]:
        """The names in a text, in the order in which they first stand there. Linear in its length.

        A title that goes with a name ("Dr.") is not part of it.
        """
        words = name_words(text)
        everyday = _everyday(words)
        radio = len(RADIO_SIGNS.intersection(word.key for word in words)) >= _LEAST_RADIO_SIGNS
        found = (
            text[words[first].start : words[last].end]
            for first, last in claims(words)
            if first < last
            or not (words[first].key in everyday or (radio and _on_the_radio(words, first)))
        )
        return tuple(dict.fromkeys(found))


def _everyday(words: Sequence[NameWord]) -> frozenset[str]:
    """Unknown words that a text writes in lower case more often than with a capital."""
    if not any(word.capital for word in words):
        return frozenset()
    lower: Counter[str] = Counter()
    for word in words:
        lower[word.key] += -1 if word.capital else 1
    return frozenset(key for key, more in lower.items() if more > 0 and key not in _KNOWN)


def _on_the_radio(words: list[NameWord], index: int) -> bool:
    """Whether a word of radio talk stands by itself ("Roger, ...") or beside another of them."""
    word = words[index]
    if word.key not in RADIO:
        return False
    if (word.opens or not word.joined) and word.after.strip()[:1] in _PAUSES:
        return True
    beside = words[max(0, index - 1) : index] + words[index + 1 : index + 2]
    return any(other.key in RADIO | RADIO_SIGNS for other in beside)


class AllNames:
    """What any of several finders finds."""

    def __init__(self, *finders: NameFinder) -> None:
        self._finders = finders

    def find(self, text: str) -> tuple[str, ...]:
        """The names that they find, in their order."""
        return tuple(dict.fromkeys(name for finder in self._finders for name in finder.find(text)))
