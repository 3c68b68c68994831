"""The terms that a text is found by: folded words without their endings, numbers, bigrams."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from veridical.sources.patterns import UNSPACED
from veridical.text.normalize import fold

_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_HANGUL = "\uac00-\ud7a3\u1100-\u11ff"
_NO_SPACES = re.compile(f"[{UNSPACED}{_HANGUL}]+")
_VOWELS = frozenset("aeiouy")
_SHORTEST = 3


def terms(text: str) -> list[str]:
    """The terms of a text, in order, repeated as often as they occur.

    Runs of a script without spaces are cut into overlapping pairs of characters, so is Korean,
    whose particles are written onto the word.
    """
    if "," in text:
        text = _THOUSANDS.sub("", text)
    folded = fold(text)
    if folded.isascii():
        return [stem(word) for word in folded.split()]
    if not _NO_SPACES.search(folded):
        return [stem(word) if word.isascii() else word for word in folded.split()]
    found: list[str] = []
    for word in folded.split():
        if word.isascii():
            found.append(stem(word))
        else:
            at = 0
            for run in _NO_SPACES.finditer(word):
                if at < run.start():
                    found.append(word[at : run.start()])
                # Folding takes syllables of Hangul apart.
                pairs = unicodedata.normalize("NFC", run[0])
                found += [pairs[at : at + 2] for at in range(max(1, len(pairs) - 1))]
                at = run.end()
            if at < len(word):
                found.append(word[at:])
    return found


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """A word without the endings that its English forms differ in; other words mostly as they are.

    Light on purpose: "reports", "reported" and "reporting" meet, "reporter" stays apart.
    """
    word = _singular(word)
    for ending in ("ing", "ed"):
        kept = word.removesuffix(ending)
        if len(word) > len(kept) >= _SHORTEST and not _VOWELS.isdisjoint(kept):
            is_doubled = kept[-1] == kept[-2] and kept[-1] not in "lsz"
            word = kept[:-1] if is_doubled else kept
            break
    if len(word) > _SHORTEST + 2:
        word = word.removesuffix("ly")
    if len(word) > _SHORTEST:
        word = word.removesuffix("e")
    if len(word) > _SHORTEST and word.endswith("y"):
        word = word[:-1] + "i"
    return word


def _singular(word: str) -> str:
    """Harman, How effective is suffixing?, JASIS 42(1), 1991: the S stemmer, with more plurals."""
    if len(word) <= _SHORTEST:
        return word
    if word.endswith("ies") and len(word) > _SHORTEST + 1:
        return word[:-3] + "y"
    if word.endswith(("ses", "xes", "zes", "hes")) and len(word) > _SHORTEST + 1:
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word
