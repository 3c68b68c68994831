"""Names that stand together: which words make one run, and what goes with it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from veridical.speech.names.lists import GIVEN_NAMES, WORD_NAMES
from veridical.speech.names.text import NameWord
from veridical.speech.names.vocabulary import is_common
from veridical.speech.names.words import (
    ARTICLES,
    COURTESY,
    NOT_HYPHENED,
    PARTICLES,
    SHOWN_TITLES,
    TITLES,
)

_MOST_BETWEEN = 4
"""Words between which one name may reach: particles and initials."""

_MOST_AROUND = 4
"""Name words on either side that are looked at for telling whether all is a place's name."""

_HYPHEN = re.compile("[-\u2010\u2011]")


def joined_runs(words: Sequence[NameWord], named: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """Runs of name words with nothing but a space, a hyphen, an initial or a particle between."""
    index = 0
    while index < len(words):
        if not named[index]:
            index += 1
            continue
        first = last = index
        while (following := _next_of_run(words, named, last)) is not None:
            last = following
        yield first, last
        index = last + 1


def with_hyphened(words: Sequence[NameWord], named: list[bool]) -> list[bool]:
    """`named`, with the unknown halves of double names: Gwenllian-Mae."""
    for index in range(1, len(words)):
        if named[index - 1] == named[index] or not _HYPHEN.fullmatch(words[index].before):
            continue
        if named[index - 1]:
            named[index] = _second_half(words[index - 1], words[index])
        else:
            named[index - 1] = _first_half(words[index - 1])
    return named


def with_title(words: Sequence[NameWord], first: int) -> int:
    """The first word of a run, or the initials and the form of address before it."""
    while first and _belongs(words, first):
        first -= 1
    return first


def with_article(words: Sequence[NameWord], first: int) -> int:
    """The article directly before `words[first]`, or the word itself."""
    if first and words[first].joined and "-" not in words[first].before:
        return first - 1 if words[first - 1].key in ARTICLES else first
    return first


def around(words: Sequence[NameWord], index: int, parts: frozenset[str]) -> tuple[int, int]:
    """The run of name words around one, for telling whether all of it is a place's name."""
    first = last = index
    while (
        first
        and words[first].joined
        and words[first - 1].key in parts
        and index - first < _MOST_AROUND
    ):
        first -= 1
    while (
        last + 1 < len(words)
        and words[last + 1].joined
        and words[last + 1].key in parts
        and last - index < _MOST_AROUND
    ):
        last += 1
    return first, last


def _next_of_run(words: Sequence[NameWord], named: Sequence[bool], last: int) -> int | None:
    index = last + 1
    while index < len(words) and index - last < _MOST_BETWEEN and not words[index - 1].owner:
        word = words[index]
        if not (word.joined or (word.after_dot and len(words[index - 1].key) == 1)):
            return None
        if named[index]:
            return index
        if not (word.key in PARTICLES or (len(word.key) == 1 and word.capital and word.key != "i")):
            return None
        index += 1
    return None


def _belongs(words: Sequence[NameWord], first: int) -> bool:
    word, previous = words[first], words[first - 1]
    if not (word.joined or word.after_dot) or "-" in word.before or previous.owner:
        return False
    if len(previous.key) == 1:
        return previous.capital and word.after_dot
    if previous.capital:
        return previous.key in TITLES
    return previous.key in SHOWN_TITLES


def _second_half(name: NameWord, word: NameWord) -> bool:
    if len(word.key) < 2 or word.key in NOT_HYPHENED | PARTICLES | COURTESY or is_common(word.key):
        return False
    return word.capital or word.uncased or not name.capital


def _first_half(word: NameWord) -> bool:
    if word.key in GIVEN_NAMES or word.key in WORD_NAMES:
        return True
    return word.capital and len(word.key) > 1 and not is_common(word.key)
