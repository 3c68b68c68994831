"""Tokens of speech, in which timed quotes are compared and counted.

The rule of the evidence contract: lower case, everything but letters, digits and white space
stripped, a token is what stands between white space. So "don't" is `dont` and "well-known" is
`wellknown`. Letters are those of every language: the marks that are part of a letter stay, and each
character of a script that is written without spaces (Japanese, Chinese, Thai) is a token.
"""

from __future__ import annotations

import re
import string
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from veridical.sources.document import Span
from veridical.sources.patterns import UNSPACED

_RUN = re.compile(r"\S+")
_UNSPACED = re.compile(f"[{UNSPACED}]")


@dataclass(frozen=True, slots=True, eq=False)
class SpokenTokens:
    """The tokens of a text: `keys[i]` is compared, and stands at `text[starts[i]:ends[i]]`."""

    keys: list[str]
    starts: list[int]
    ends: list[int]

    def __len__(self) -> int:
        return len(self.keys)


def spoken_tokens(text: str) -> SpokenTokens:
    """The tokens of a text with their places, which are code points of `text`, half-open.

    A token's place runs from its first letter or digit to its last.
    """
    # Each list is made in one go: eight hours of speech are 70,000 runs.
    found = [_tokens_of_run(run) for run in _RUN.findall(text)]
    at = [run.start() for run in _RUN.finditer(text)]
    return SpokenTokens(
        keys=[key for tokens in found for key, _, _ in tokens],
        starts=[
            run + start for run, tokens in zip(at, found, strict=True) for _, start, _ in tokens
        ],
        ends=[run + end for run, tokens in zip(at, found, strict=True) for _, _, end in tokens],
    )


def spoken_keys(text: str) -> list[str]:
    """The tokens of a text, without their places."""
    return [key for run in text.split() for key, _, _ in _tokens_of_run(run)]


@lru_cache(maxsize=64 * 1024)
def _tokens_of_run(run: str) -> tuple[tuple[str, int, int], ...]:
    """The tokens of a run without white space: one at most, but for scripts without spaces."""
    if run.isascii():
        # Most words are letters with a comma or a full stop at most.
        start = len(run) - len(run.lstrip(string.punctuation))
        word = run[start:].rstrip(string.punctuation)
        if word.isalnum():
            return ((word.lower(), start, start + len(word)),)
        kept = [index for index, character in enumerate(run) if character.isalnum()]
        if not kept:
            return ()
        return (("".join(run[index] for index in kept).lower(), kept[0], kept[-1] + 1),)
    groups = _grouped(run)
    return tuple(
        (key, group[0], group[-1] + 1)
        for group in groups
        if (key := _key("".join(run[index] for index in group)))
    )


def _grouped(run: str) -> list[list[int]]:
    """The indices of the letters and digits of a run, token by token."""
    groups: list[list[int]] = []
    alone = True
    for index, character in enumerate(run):
        if unicodedata.category(character)[0] == "M":
            # A mark belongs to the letter before it.
            if groups and groups[-1][-1] == index - 1:
                groups[-1].append(index)
            continue
        if not character.isalnum():
            continue
        unspaced = _UNSPACED.match(character) is not None
        if unspaced or alone:
            groups.append([index])
        else:
            groups[-1].append(index)
        alone = unspaced
    return groups


def _key(letters: str) -> str:
    # Lower case, not folded: "Maße" is not "Masse". The sigma at a word's end is a sigma.
    lower = unicodedata.normalize("NFC", letters).lower().replace("ς", "σ")
    return unicodedata.normalize("NFC", lower)


_CODES = 0x110000


class SpokenIndex:
    """The tokens of one text, and where each of them stands.

    The text is searched as a string with one character a token.
    """

    def __init__(self, text: str) -> None:
        self._tokens = spoken_tokens(text)
        known = dict.fromkeys(self._tokens.keys)
        # A text with more different tokens than there are characters uses some of them twice, which
        # is why `find` looks at the tokens once more.
        self._codes = {key: chr(number % _CODES) for number, key in enumerate(known)}
        self._text = "".join(map(self._codes.__getitem__, self._tokens.keys))

    def __len__(self) -> int:
        return len(self._tokens)

    def find(self, keys: Sequence[str]) -> Iterator[int]:
        """The index of each token from which `keys` follow one another; overlaps included."""
        wanted = list(keys)
        if not wanted or any(key not in self._codes for key in wanted):
            return
        text, at = "".join(map(self._codes.__getitem__, wanted)), -1
        while (at := self._text.find(text, at + 1)) >= 0:
            if self._tokens.keys[at : at + len(wanted)] == wanted:
                yield at

    def span(self, first: int, count: int) -> Span:
        """The place in the text of `count` tokens from token `first` on, at most to the end."""
        last = min(first + count, len(self)) - 1
        return Span(self._tokens.starts[first], self._tokens.ends[last])

    def first_from(self, offset: int) -> int:
        """The index of the first token that ends after `offset` of the text."""
        return bisect_right(self._tokens.ends, offset)
