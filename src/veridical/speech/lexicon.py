"""The words that the rules of speech go by: the lists of `lists/`, and what a word is by them.

Words are compared by keys: lower case, without apostrophes; names without accents too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib import resources

from veridical.validation.lexicon import CARDINALS


@cache
def _lists() -> dict[str, frozenset[str]]:
    """Every list by its name, which stands in square brackets above its words."""
    found: dict[str, list[str]] = {}
    folder = resources.files(__package__).joinpath("lists")
    for file in folder.iterdir():
        if not file.name.endswith(".txt"):
            continue
        for line in file.read_text("utf-8").splitlines():
            if line.startswith("["):
                words = found.setdefault(line.strip("[]"), [])
            elif line and not line.startswith("#"):
                words += line.split()
    return {name: frozenset(words) for name, words in found.items()}


@cache
def listed(*names: str) -> frozenset[str]:
    """The words of some lists together. Raises KeyError where there is no such list."""
    return frozenset().union(*(_lists()[name] for name in names))


def any_of(*names: str) -> str:
    """A pattern of any word of some lists; one word of them may begin another."""
    words = sorted(listed(*names), key=lambda word: (-len(word), word))
    return f"(?:{'|'.join(re.escape(word.replace('_', ' ')) for word in words)})"


IMPERATIVES = listed("imperatives")
"""Verbs with which one asks somebody to do something."""

_TELLS_ENGLISH = listed("english")
"""Words that stand in every English speech and, most of them, in no other language."""

_LEAST_SHARE = 1 / 10
_TOO_FEW_TO_TELL = 12


def reads_as_english(keys: Sequence[str], language: str | None = None) -> bool:
    """Whether rules about English words apply: by the named language, else by its common words."""
    if language:
        name = language.strip().casefold()
        return name == "english" or name.replace("_", "-").split("-")[0] in ("en", "eng")
    if len(keys) < _TOO_FEW_TO_TELL:
        return all(key.isascii() for key in keys)
    return sum(key in _TELLS_ENGLISH for key in keys) >= _LEAST_SHARE * len(keys)


_EVERYDAY = listed("everyday", "never-names", "after-names", "motion") | CARDINALS
_EVERYDAY_TOO = listed("everyday-surnames")
_NATIONALS = listed("nationals")
_STEMS = {
    "ies": ("y",),
    "ied": ("y",),
    "ing": ("", "e"),
    "ed": ("", "e"),
    "er": ("", "e"),
    "est": ("", "e"),
    "es": ("", "e"),
    "ly": ("", "l"),
    "s": ("",),
    "y": ("",),
}
"""What may stand in the place of a regular ending: `tries`, `danced`, `quickly`."""
_LEAST_STEM = 3


@lru_cache(maxsize=16 * 1024)
def is_common(key: str) -> bool:
    """Whether a word, or what it is an inflection of, is an everyday word of English."""
    return key in _EVERYDAY or key in _EVERYDAY_TOO or any(map(_is_stem, _stems(key)))


def is_national(key: str) -> bool:
    """Whether a word is a nationality, a language or a faith."""
    return key in _NATIONALS


def _stems(key: str) -> Sequence[str]:
    """What a regular ending may stand behind: `tries`, `danced`, `stopping`, `quickly`."""
    ending = next((ending for ending in _STEMS if key.endswith(ending)), None)
    if ending is None:
        return ()
    stem = key.removesuffix(ending)
    undoubled = [stem[:-1]] if stem[-2:-1] == stem[-1:] else []
    return [*(stem + instead for instead in _STEMS[ending]), *undoubled]


def _is_stem(stem: str) -> bool:
    return len(stem) >= _LEAST_STEM and stem in _EVERYDAY
