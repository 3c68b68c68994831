"""The words of a segment are found in its text, or make the text."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from veridical.sources.patterns import lazy
from veridical.sources.transcripts.align import sure_runs
from veridical.sources.transcripts.keys import Keys, is_unspaced, keys_of, keys_of_word
from veridical.sources.transcripts.raw import RawWord

_CONTRACTED = lazy(r"(?i)(?:['\u2019](?:t|s|re|ve|ll|d|m)|n['\u2019]t)(?![^\W_])")
"""The ends of "don't", "it's", "we're"; other words begin with an apostrophe too ("'twas")."""


@dataclass(slots=True)
class PlacedWord:
    """A word and its place in the text of its segment, half-open."""

    start: int
    end: int
    word: RawWord


@dataclass(slots=True)
class Placement:
    """The text of a segment with the words that were found in it.

    `unplaced` are words whose letters are not in the text, or at no place that is sure;
    `uncovered` counts the tokens of the text that no word surely agrees with.
    """

    text: str
    words: list[PlacedWord] = field(default_factory=list)
    unplaced: list[RawWord] = field(default_factory=list)
    uncovered: int = 0


def one_line(text: str) -> str:
    """`text` with each run of white space as one space, and none at its ends."""
    return " ".join(text.split())


def place_words(text: str, words: Sequence[RawWord]) -> Placement:
    """Find `words` in `text` in their order. A word of which any letter differs finds no place."""
    placement = Placement(text)
    if not words:
        return placement
    keys = keys_of(text)
    spoken = [keys_of_word(word.text) for word in words]
    extents, placement.uncovered = _extents(keys, spoken)
    at = 0
    for word, own, extent in zip(words, spoken, extents, strict=True):
        if not own.keys:
            continue  # punctuation or a sign: nothing that could be found, or missed
        if extent is None or extent[0] < at:
            placement.unplaced.append(word)
            continue
        start, end = _as_written(text, one_line(word.text), extent, own.starts[0], at)
        placement.words.append(PlacedWord(start, end, word))
        at = end
    return placement


def _extents(keys: Keys, spoken: Sequence[Keys]) -> tuple[list[tuple[int, int] | None], int]:
    """Where the letters of each word stand, or None; and how many tokens no word agrees with."""
    flat = [key for own in spoken for key in own.keys]
    if flat != keys.keys:
        letters = _Letters(keys, flat)
        return [letters.next(own) for own in spoken], letters.uncovered
    extents: list[tuple[int, int] | None] = []
    token = 0
    for own in spoken:
        following = token + len(own.keys)
        extents.append((keys.starts[token], keys.ends[following - 1]) if own.keys else None)
        token = following
    return extents, 0


class _Letters:
    """Maps the letters of words, one after the other, to places in the text."""

    def __init__(self, keys: Keys, flat: list[str]) -> None:
        self._keys = keys
        text_at = [0, *accumulate(map(len, keys.keys))]
        word_at = [0, *accumulate(map(len, flat))]
        self._text_at = text_at
        self._runs: list[tuple[int, int, int]] = []
        self.uncovered = len(keys.keys)
        for run in sure_runs(keys.keys, flat):
            self.uncovered -= run.left_end - run.left_start
            start, end = word_at[run.right_start], word_at[run.right_end]
            shift = text_at[run.left_start] - start
            if self._runs and self._runs[-1][1:] == (start, shift):
                start = self._runs.pop()[0]
            self._runs.append((start, end, shift))
        self._run = self._at = 0

    def next(self, own: Keys) -> tuple[int, int] | None:
        """Where the letters of the next word stand; None where they are not in the text."""
        start = self._at
        end = self._at = start + sum(map(len, own.keys))
        while self._run < len(self._runs) and self._runs[self._run][1] <= start:
            self._run += 1
        if self._run == len(self._runs):
            return None
        run_start, run_end, shift = self._runs[self._run]
        if start < run_start or end > run_end:
            return None
        first, last = self._offset(start + shift), self._offset(end + shift - 1)
        return None if first is None or last is None else (first, last + 1)

    def _offset(self, letter: int) -> int | None:
        """The place in the text of a letter of the keys; of the last of a token, its very end."""
        token = bisect_right(self._text_at, letter) - 1
        into = letter - self._text_at[token]
        start, end = self._keys.starts[token], self._keys.ends[token]
        if into == len(self._keys.keys[token]) - 1 and into:
            return end - 1
        return start + into if into == 0 or end - start == len(self._keys.keys[token]) else None


def _as_written(
    text: str, word: str, extent: tuple[int, int], lead: int, earliest: int
) -> tuple[int, int]:
    """The place of a word with its punctuation where the text has it too, else of its letters."""
    start, end = extent
    written = start - lead
    if written >= earliest and text.startswith(word, written):
        return written, max(end, written + len(word))
    while end < len(text) and unicodedata.category(text[end]).startswith("M"):
        end += 1
    return start, end


def join_words(words: Sequence[RawWord]) -> Placement:
    """The text that the words make: as they are where they carry their spaces, else joined.

    No space comes between words of a script that is written without.
    """
    placement = Placement("")
    as_they_are = _carry_spaces(words)
    parts: list[str] = []
    at, previous, open_end = 0, "", False
    for word in words:
        text = one_line(word.text)
        if not text:
            continue
        if as_they_are:
            spaced = open_end or word.text[0].isspace()
        else:
            spaced = not (word.glued or _joins(previous, text))
        if parts and spaced:
            parts.append(" ")
            at += 1
        parts.append(text)
        if any(character.isalnum() for character in text):
            placement.words.append(PlacedWord(at, at + len(text), word))
        at += len(text)
        previous, open_end = text[-1], word.text[-1].isspace()
    placement.text = "".join(parts)
    return placement


def _joins(previous: str, text: str) -> bool:
    """Whether `text` follows without a space: a script without any, or the end of a contraction."""
    if not previous:
        return False
    if is_unspaced(previous) and is_unspaced(text[0]):
        return True
    return previous.isalnum() and _CONTRACTED().match(text) is not None


def _carry_spaces(words: Sequence[RawWord]) -> bool:
    """Whether the words have their spaces with them, as Whisper writes those that need one."""
    carrying = needing = 0
    for word in words:
        bare = word.text.strip()
        needing += bool(bare) and not is_unspaced(bare[0])
        carrying += len(bare) < len(word.text)
    return carrying > 0 and carrying * 2 >= needing
