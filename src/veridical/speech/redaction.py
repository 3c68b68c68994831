"""Taking the names of people out of texts. Only after every check: names are part of the evidence.

All texts of one evaluation go through one `Redactor`, so that a name that was found in one of them
is taken out of all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from veridical.errors import ConfigurationError
from veridical.speech.names.guards import is_everyday, reads_as_everyday, stays
from veridical.speech.names.patterns import people
from veridical.speech.names.text import UNSEPARATED, NameWord, name_key, name_words
from veridical.speech.names.words import COURTESY, PARTICLES, SHOWN_TITLES, TITLES

DEFAULT_PHRASE = "a fellow member"
"""What stands in the place of every name."""

_MOST_PHRASE_CHARS = 60
_LEAST_INSIDE = 4
"""Letters of a name that is looked for inside words too."""

_MOST_BETWEEN = 4
"""Words between which one name may reach: particles and initials."""

_MARKUP = re.compile(r"[<>*_`#\[\]{}|\\~\n\r\t]|https?:")


class _Found(NamedTuple):
    """A name at `text[start:end]` and what takes its place."""

    start: int
    end: int
    phrase: str


class Redactor:
    """Replaces the given names, wherever they stand as whole words, by one neutral phrase.

    Case and accents do not matter, and every part of a name counts: "Maria Lopez" takes out
    "José-Maria", "LOPEZ" and "Maria's" (but not "Marias"). A run of names is one phrase, with the
    title before it. A name stays in the name of a place or an organisation ("St. Mary's Hospital"),
    and an everyday word ("will") goes only where it is used as a name.

    `keep` is the speaker's own name. Its parts stay, also where somebody else shares one, unless
    they stand together with another's: for the speaker Maria Lopez, "Tom Lopez" goes as a whole.

    Raises ConfigurationError where `phrase` is empty, has markup or more than one line, or holds a
    name.
    """

    def __init__(
        self, names: Iterable[str], *, keep: str | None = None, phrase: str = DEFAULT_PHRASE
    ) -> None:
        listed = (names,) if isinstance(names, str) else tuple(names)
        self.phrase = _checked_phrase(phrase)
        self._opening = self.phrase[0].upper() + self.phrase[1:]
        self._kept = frozenset(_parts(keep or ""))
        self._parts = self._kept.union(*map(_parts, listed))
        self._sequences = _sequences(listed)
        self._unseparated = _unseparated(listed, keep or "")
        if self.count(self.phrase):
            raise ConfigurationError(
                "the phrase that stands for names holds one of the names; choose another"
            )

    def redact(self, text: str) -> str:
        """The text without names. Redacting the result again changes nothing."""
        return self.redact_counted(text)[0]

    def redact_counted(self, text: str) -> tuple[str, int]:
        """The text without names, and how many were taken out (a run of names is one)."""
        total = 0
        # What stands around a word decides whether it is a name, and a redaction changes that.
        # Every round takes a name out, so the rounds end.
        while found := list(self._found(text)):
            text = self._replaced(text, found)
            total += len(found)
        return text, total

    def count(self, text: str) -> int:
        """How many names a text still holds."""
        return sum(1 for _ in self._found(text))

    def holds_part(self, text: str) -> bool:
        """Whether a name of four letters or more stands anywhere in a text, inside words too.

        For file names such as `marialopez.json`, where nothing says where a word ends.
        """
        squeezed = name_key(text)
        return any(
            len(part) >= _LEAST_INSIDE and part in squeezed for part in self._parts - self._kept
        )

    def _found(self, text: str) -> Iterator[_Found]:
        """The names in a text, in order, not overlapping."""
        if self._unseparated is not None and UNSEPARATED.search(text):
            yield from sorted(
                [
                    *self._runs(text),
                    *(_Found(*m.span(), self.phrase) for m in self._unseparated.finditer(text)),
                ]
            )
        else:
            yield from self._runs(text)

    def _runs(self, text: str) -> Iterator[_Found]:
        if not self._parts:
            return
        words = name_words(text)
        if not any(word.key in self._parts for word in words):
            return
        named = self._named(words)
        for first, last in _joined_runs(words, named):
            if any(words[index].key not in self._kept for index in range(first, last + 1)):
                yield self._replacement(text, words[_with_title(words, first)], words[last])

    def _replacement(self, text: str, first: NameWord, last: NameWord) -> _Found:
        opens = first.opens and text[first.start].isupper()
        phrase = self._opening if opens else self.phrase
        following = text[last.end + 1 : last.end + 2]
        if last.owner and not following.isalpha():
            # "James' book": the phrase does not end in s.
            return _Found(first.start, last.end + 1, f"{phrase}{text[last.end]}s")
        return _Found(first.start, last.end, phrase)

    def _named(self, words: Sequence[NameWord]) -> list[bool]:
        """For each word, whether it is part of a name here."""
        claimed = frozenset(people(words))
        whole = self._whole(words)
        return [
            word.key in self._parts
            and (
                index in whole
                or index in claimed
                or not (is_everyday(word.key) and reads_as_everyday(words, index))
            )
            and not (index not in claimed and stays(words, *_around(words, index, self._parts)))
            for index, word in enumerate(words)
        ]

    def _whole(self, words: Sequence[NameWord]) -> frozenset[int]:
        """The words that stand in the order of a name of several words."""
        found: set[int] = set()
        for index, word in enumerate(words):
            for sequence in self._sequences.get(word.key, ()):
                here = words[index : index + len(sequence)]
                if tuple(w.key for w in here) == sequence and all(w.joined for w in here[1:]):
                    found.update(range(index, index + len(sequence)))
        return frozenset(found)

    def _replaced(self, text: str, found: Sequence[_Found]) -> str:
        parts: list[str] = []
        at = 0
        for span in found:
            if span.start < at:
                continue
            parts.append(text[at : span.start])
            parts.append(span.phrase)
            at = span.end
        return "".join([*parts, text[at:]])


def _checked_phrase(phrase: str) -> str:
    trimmed = phrase.strip()
    if not any(character.isalpha() for character in trimmed):
        raise ConfigurationError("the phrase that stands for names must have words")
    if len(trimmed) > _MOST_PHRASE_CHARS or _MARKUP.search(trimmed):
        raise ConfigurationError(
            f"the phrase that stands for names must be plain words on one line, at most "
            f"{_MOST_PHRASE_CHARS} characters"
        )
    return trimmed


def _parts(name: str) -> Iterator[str]:
    """The words of a name that go by themselves: no initials, particles or titles."""
    for word in name_words(name):
        if len(word.key) > 1 and word.key not in PARTICLES and word.key not in COURTESY:
            yield word.key


def _sequences(names: Iterable[str]) -> dict[str, tuple[tuple[str, ...], ...]]:
    sequences: dict[str, dict[tuple[str, ...], None]] = {}
    for name in names:
        keys = tuple(word.key for word in name_words(name))
        if len(keys) > 1:
            sequences.setdefault(keys[0], {})[keys] = None
    return {first: tuple(found) for first, found in sequences.items()}


def _unseparated(names: Iterable[str], keep: str) -> re.Pattern[str] | None:
    """Names of scripts without spaces, where a name is found inside a run of letters."""
    wanted = {
        piece
        for name in names
        for piece in name.split()
        if len(piece) > 1 and UNSEPARATED.search(piece) and piece not in keep
    }
    if not wanted:
        return None
    return re.compile("|".join(map(re.escape, sorted(wanted, key=lambda name: (-len(name), name)))))


def _joined_runs(words: Sequence[NameWord], named: Sequence[bool]) -> Iterator[tuple[int, int]]:
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


def _with_title(words: Sequence[NameWord], first: int) -> int:
    """The first word of a run, or the initials and the form of address before it."""
    while first and _belongs(words, first):
        first -= 1
    return first


def _belongs(words: Sequence[NameWord], first: int) -> bool:
    word, previous = words[first], words[first - 1]
    if not (word.joined or word.after_dot) or "-" in word.before or previous.owner:
        return False
    if len(previous.key) == 1:
        return previous.capital and word.after_dot
    if previous.capital:
        return previous.key in TITLES
    return previous.key in SHOWN_TITLES


def _around(words: Sequence[NameWord], index: int, parts: frozenset[str]) -> tuple[int, int]:
    """The run of name words around one, for telling whether all of it is a place's name."""
    first = last = index
    while first and words[first].joined and words[first - 1].key in parts and index - first < 4:
        first -= 1
    while (
        last + 1 < len(words)
        and words[last + 1].joined
        and words[last + 1].key in parts
        and last - index < 4
    ):
        last += 1
    return first, last
