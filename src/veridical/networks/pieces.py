"""Word pieces as those of BERT uncased: the ids that Hugging Face's tokenizer gives, without it.

Source: Wu et al., arXiv:1609.08144 (the longest piece first); `BertNormalizer` of tokenizers 0.23.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from pathlib import Path

from veridical.text.shipped import read_file, unusable

MOST_WORD_CHARS = 100
"""Letters of a word that the tokenizer takes: of a longer one it reads nothing."""

_MOST_WORDS = 200_000
"""Words whose pieces are remembered."""


class _Characters(dict[int, str]):
    """What each character is read as: nothing, a blank, itself in small letters, or a word."""

    def __init__(self, classes: Mapping[str, Iterable[Sequence[int]]]) -> None:
        super().__init__()
        ranges = (range(first, last + 1) for first, last in classes["dropped"])
        self._dropped = frozenset(chain.from_iterable(ranges))
        ranges = (range(first, last + 1) for first, last in classes["apart"])
        self._apart = frozenset(chain.from_iterable(ranges))

    def __missing__(self, code: int) -> str:
        character = chr(code)
        if character in "\t\n\r" or unicodedata.category(character)[0] == "Z":
            read = " "
        elif code in self._dropped:
            read = ""
        else:
            parts = unicodedata.normalize("NFD", character)
            read = "".join(self._part(part) for part in parts if ord(part) not in self._dropped)
        self[code] = read
        return read

    def _part(self, part: str) -> str:
        return f" {part.lower()} " if ord(part) in self._apart else part.lower()


@cache
def _characters() -> _Characters:
    """What the file beside this one says of them: ranges of those that are dropped, and of those
    that are words of their own.
    """
    path = Path(__file__).with_name("characters.json")
    try:
        return _Characters(json.loads(read_file(path)))
    except (ValueError, KeyError) as problem:
        raise unusable(path, "is damaged") from problem


class WordPieces:
    """A tokenizer of `vocabulary`, usable from several threads."""

    def __init__(self, vocabulary: Mapping[str, int]) -> None:
        self._vocabulary = vocabulary
        self._unknown = vocabulary["[UNK]"]
        self._characters = _characters()
        self._words: dict[str, tuple[int, ...]] = {}

    def encode(self, text: str) -> tuple[int, ...]:
        """The ids of a text, without marks at its ends."""
        if len(self._words) > _MOST_WORDS:
            self._words = {}  # not cleared: another thread may be reading the old one
        return tuple(chain.from_iterable(self._of_words(text.translate(self._characters).split())))

    def _of_words(self, words: Sequence[str]) -> Iterator[tuple[int, ...]]:
        known = self._words
        for word in words:
            ids = known.get(word)
            if ids is None:
                ids = known[word] = self._of_word(word)
            yield ids

    def _of_word(self, word: str) -> tuple[int, ...]:
        if len(word) > MOST_WORD_CHARS:
            return (self._unknown,)
        ids: list[int] = []
        start = 0
        while start < len(word):
            mark = "##" if start else ""
            for end in range(len(word), start, -1):
                found = self._vocabulary.get(mark + word[start:end])
                if found is not None:
                    ids.append(found)
                    start = end
                    break
            else:
                return (self._unknown,)
        return tuple(ids)
