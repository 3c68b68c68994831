"""The tokens in which a recogniser's words are found again in the text of their segment.

Smaller than the tokens of a reader: "well-known" and "don't" are two each, as recognisers also cut
them, and each character of a script without spaces is one. Case, accents and punctuation are gone.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from veridical.sources.patterns import lazy
from veridical.sources.scripts import UNSPACED

_ACCENTS = "\u0300-\u036f"
_ASCII = lazy(r"[a-z0-9]+")
_TOKEN = lazy(rf"(?=[^\W_])[{UNSPACED}]|(?:(?![{UNSPACED}])[^\W_][{_ACCENTS}]*+)+")
_UNSPACED = lazy(rf"[{UNSPACED}]")


@dataclass(frozen=True, slots=True)
class Keys:
    """The tokens of a text: `keys[i]` is compared, and stands at `text[starts[i]:ends[i]]`."""

    keys: list[str]
    starts: list[int]
    ends: list[int]


def keys_of(text: str) -> Keys:
    """The tokens of a text with their places; a token that is nothing but accents is left out."""
    if text.isascii():
        lower = text.lower()
        if lower.isalnum():
            return Keys([lower], [0], [len(text)])
        found = list(_ASCII().finditer(lower))
        keys = [match.group() for match in found]
    else:
        found = [match for match in _TOKEN().finditer(text) if _folded(match.group())]
        keys = [_folded(match.group()) for match in found]
    return Keys(keys, [match.start() for match in found], [match.end() for match in found])


@lru_cache(maxsize=32 * 1024)
def keys_of_word(word: str) -> Keys:
    """The tokens of a word, with the white space around it; the same words come again and again."""
    return keys_of(" ".join(word.split()))


def is_unspaced(character: str) -> bool:
    """Whether words of the character's script are written without spaces."""
    return _UNSPACED().match(character) is not None


def _folded(token: str) -> str:
    if token.isascii():
        return token.lower()
    parts = unicodedata.normalize("NFKD", token.casefold())
    return "".join(part for part in parts if not unicodedata.combining(part))
