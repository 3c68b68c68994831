"""The words of speech as two honest hearers may write them differently.

Case, accents, hyphens, articles and fillers are forgotten, numbers up to twelve are digits, and
short forms are written out: "Uh, fire's under control" is "the fire is under control".
"""

from __future__ import annotations

from functools import lru_cache

from veridical.scoring.offline.heard import Heard, Place
from veridical.scoring.offline.words import ARTICLES, COUNTS, FILLERS
from veridical.text.normalize import fold
from veridical.text.spoken import spoken_tokens
from veridical.text.tokens import word_key
from veridical.validation.spoken_index import SpokenIndex

_DROPPED = ARTICLES | FILLERS
_SHORT_FORMS = {"'re": "are", "'ve": "have", "'ll": "will", "'m": "am", "'s": "is"}


@lru_cache(maxsize=64 * 1024)
def loose_keys(word: str) -> tuple[str, ...]:
    """What a word, as it is written, is compared by: none, one, or one for each of its parts."""
    plain = word.replace("\u2019", "'").replace("\u02bc", "'")
    ending = next((short for short in _SHORT_FORMS if plain.lower().endswith(short)), "")
    parts = fold(plain.removesuffix(plain[len(plain) - len(ending) :]) if ending else plain).split()
    parts += [_SHORT_FORMS[ending]] if ending and parts else []
    return tuple(COUNTS.get(part, part) for part in parts if part not in _DROPPED)


def keys_of(heard: Heard, words: range) -> list[str]:
    """Some words of a transcript, by what they are compared."""
    return [key for at in words for key in loose_keys(heard.text(range(at, at + 1)))]


def word_keys(text: str) -> list[str]:
    """The words of a text as `Heard.words` has them."""
    tokens = spoken_tokens(text)
    pairs = zip(tokens.starts, tokens.ends, strict=True)
    return [word_key(text[start:end]) for start, end in pairs]


def loose_words(text: str) -> list[str]:
    """The words of a text, by what they are compared."""
    tokens = spoken_tokens(text)
    return [
        key
        for start, end in zip(tokens.starts, tokens.ends, strict=True)
        for key in loose_keys(text[start:end])
    ]


class LooseIndex:
    """Finds phrases among the words of a transcript, whichever way both are written."""

    def __init__(self, heard: Heard) -> None:
        self._heard = heard
        self._owners: list[int] = []
        keys: list[str] = []
        for word in range(len(heard.tokens)):
            for key in loose_keys(heard.text(range(word, word + 1))):
                self._owners.append(word)
                keys.append(key)
        self._index = SpokenIndex(" ".join(keys))

    def find(self, phrase: str, most: int) -> list[Place]:
        """The first places of a phrase, at most so many, each of whole words of one turn."""
        found: list[Place] = []
        keys, owners = loose_words(phrase), self._owners
        for at in self._index.find(keys):
            first, last = owners[at], owners[at + len(keys) - 1]
            place = self._heard.place(first, last + 1)
            past = at + len(keys)
            # No word is cut in two: "story" is not in "two-story" by itself.
            starts = at == 0 or owners[at - 1] != owners[at]
            ends = past == len(owners) or owners[past] != owners[past - 1]
            if place is not None and starts and ends:
                found.append(place)
                if len(found) == most:
                    break
        return found
