"""Taking the names of people out of texts. Only after every check: names are part of the evidence.

All texts of one evaluation go through one `Redactor`, so that a name that was found in one of them
is taken out of all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from veridical.errors import ConfigurationError, ProcessingError
from veridical.speech.lexicon import is_common, listed
from veridical.speech.names.claims import (
    COURTESY,
    GIVEN_NAMES,
    NO_PEOPLE,
    NUMBERS,
    PARTICLES,
    SURNAMES,
    TITLES,
    WORD_NAMES,
    is_everyday,
    is_second_half,
    people,
    reads_as_everyday,
    stays,
)
from veridical.speech.names.text import UNSEPARATED, NameWord, name_key, name_keys, name_words
from veridical.text.lexicon import english

DEFAULT_PHRASE = "a fellow member"
"""What stands in the place of every name."""

_MOST_PHRASE_CHARS = 60

_MOST_ROUNDS = 200
"""Rounds of redaction. Real texts take one or two."""

_ARTICLES = english("articles")
_SHOWN_TITLES = TITLES - listed("ranks")
"""Titles that go with a name in lower case too."""
_OBJECT_VERBS = listed("told")

_MARKUP = re.compile(r"[<>*_`#\[\]{}|\\~\n\r\t]|https?:")
_APART = re.compile(r"(\w{1,2})['\u2019\u02bc](\w{3,})|(Mc|Mac)([A-Z]\w{2,})")
_HYPHENS = frozenset("-\u2010\u2011")
_PIECE = re.compile(r"\S+")
_HANDLE = re.compile(r"[@#]\w|\w@\w|://|www\.")
_EDGE = "\"'()[]{}<>.,;:!?\u2026\u201c\u201d\u2018\u2019"
_HUMP = re.compile(r"[A-Z][a-z]+")

_LEAST_INSIDE = 4
"""Letters of a name that is looked for inside words too."""
_LEAST_REST = 3
_CLEAR = 6
"""Letters of a name that shows at the start or the end of a word, whatever the rest is."""
_LONGEST = 60
"""Letters of a word that is taken apart."""
_REACH = 4
"""Words of particles and initials between the parts of one name, and of a name on either side."""


_QUOTED = re.compile('[“"]([^“”"]{1,500})[”"]')


class _Found(NamedTuple):
    """A name at `text[start:end]` and what takes its place."""

    start: int
    end: int
    phrase: str


class Redactor:
    """Replaces names, wherever they stand as whole words, by one neutral phrase.

    Case and accents do not matter, and every part of a name counts: "Maria Lopez" takes out
    "José-Maria", "LOPEZ", "Maria's" and "the Lopezes", and addresses, handles and words run
    together that hold one (maria.lopez@example.com, "marialopez"). A run of names is one phrase,
    with the title or the article before it. A name stays in the name of a place or an organisation
    ("St. Mary's Hospital").

    `names` are the user's and count always: with a capital everywhere, in lower case too, unless
    the word is an everyday one ("will"), the text has capitals and nothing says that it is a name.
    `found` are names that a program found: an everyday word among them goes only where it is used
    as a name.

    `keep` is the speaker's own name. Its parts stay, also where somebody else shares one, unless
    they stand together with another's: for the speaker Maria Lopez, "Tom Lopez" goes as a whole.

    Raises ConfigurationError where `phrase` is empty, has markup or more than one line, or holds a
    name. The default phrase is never refused: its words are no names by themselves.
    """

    def __init__(
        self,
        names: Iterable[str],
        *,
        found: Iterable[str] = (),
        keep: str | None = None,
        phrase: str = DEFAULT_PHRASE,
    ) -> None:
        listed_names = (names,) if isinstance(names, str) else tuple(names)
        every = (*listed_names, *found)
        self.phrase = _checked_phrase(phrase)
        self._opening = self.phrase[0].upper() + self.phrase[1:]
        spoken = name_keys(self.phrase)
        self._has_article = bool(spoken) and spoken[0] in _ARTICLES
        spared = frozenset(spoken) if spoken == name_keys(DEFAULT_PHRASE) else frozenset()
        self._kept = _with_plurals(_parts([keep or ""]))
        others = _parts(every) - spared
        self._listed = _with_plurals(_parts(listed_names) - spared)
        self._parts = self._kept | _with_plurals(others)
        self._sequences = _sequences(every, spared)
        self._unseparated = _unseparated(every, keep or "")
        self._others = others - self._kept
        inside = {part for part in self._others if len(part) >= _LEAST_INSIDE}
        self._inside = re.compile("|".join(map(re.escape, sorted(inside))) or r"(?!)")
        if (self._parts - self._kept).intersection(spoken) or self.count(self.phrase):
            raise ConfigurationError(
                "the phrase that stands for names holds one of the names; choose another"
            )

    def redact(self, text: str) -> str:
        """The text without names. Redacting the result again changes nothing."""
        return self.redact_counted(text)[0]

    def redact_counted(self, text: str) -> tuple[str, int]:
        """The text without names, and how many were taken out (a run of names is one).

        Raises ProcessingError where taking names out does not come to an end.
        """
        total = 0
        # What stands around a word decides whether it is a name, and a redaction changes that. A
        # round takes out words, and the phrase brings no word of a name in: the rounds end. The
        # bound is for texts that are made to need a round for every word.
        for _ in range(_MOST_ROUNDS):
            found = list(self._found(text))
            if not found:
                return text, total
            parts: list[str] = []
            at = 0
            for span in found:
                parts += (text[at : span.start], span.phrase)
                at = span.end
            text = "".join((*parts, text[at:]))
            total += len(found)
        raise ProcessingError(
            f"names were still found in a text of {len(text)} characters after {_MOST_ROUNDS} "
            "rounds of redaction; nothing was published. Shorten the text or list fewer names"
        )

    def count(self, text: str) -> int:
        """How many names a text still holds."""
        return sum(1 for _ in self._found(text))

    def holds_part(self, text: str) -> bool:
        """Whether a name of four letters or more stands anywhere in a text, inside words too.

        For file names such as `marialopez.json`, where nothing says where a word ends.
        """
        return self._inside.search(name_key(text)) is not None

    def _found(self, text: str) -> Iterator[_Found]:
        """The names in a text, in order. Those that overlap go as one."""
        if not self._parts and self._unseparated is None:
            return
        words = name_words(text)
        spans = [*self._handles(text), *self._run_together(text, words)]
        if self._unseparated is not None:
            spans += (found.span() for found in self._unseparated.finditer(text))
        found = [*(_Found(*span, self.phrase) for span in spans), *self._runs(text, words)]
        found += (name for quoted in _QUOTED.finditer(text) for name in self._found_in(quoted))
        last: _Found | None = None
        for name in sorted(found):
            if last is not None and name.start < last.end:
                last = last._replace(end=max(last.end, name.end))
                continue
            if last is not None:
                yield last
            last = name
        if last is not None:
            yield last

    def _found_in(self, quoted: re.Match[str]) -> Iterator[_Found]:
        """The names in words that a text quotes: whether they have capitals is their own matter."""
        for name in self._found(quoted[1]):
            yield name._replace(start=quoted.start(1) + name.start, end=quoted.start(1) + name.end)

    # Names inside what is written without spaces: addresses, handles, tags, words run together.

    def _handles(self, text: str) -> Iterator[tuple[int, int]]:
        """Where addresses, handles and tags with a name in them start and end."""
        for piece in _PIECE.finditer(text) if _HANDLE.search(text) else ():
            if _HANDLE.search(piece.group()):
                bare = piece.group().strip(_EDGE)
                if self.holds_part(bare) or not self._others.isdisjoint(name_keys(bare)):
                    start = text.index(bare, piece.start())
                    yield start, start + len(bare)

    def _run_together(self, text: str, words: Sequence[NameWord]) -> Iterator[tuple[int, int]]:
        """Where words that are made of names start and end: "mariagarcia", "MariaSpeaks"."""
        for word in words:
            if word.key in self._parts or not _LEAST_INSIDE < len(word.key) <= _LONGEST:
                continue
            humps = _HUMP.findall(text, word.start, word.end)
            hump = len(humps) > 1 and any(
                len(hump) >= _LEAST_REST and name_key(hump) in self._others for hump in humps
            )
            if hump or self._is_made_of_names(word.key):
                yield word.start, word.end

    def _is_made_of_names(self, key: str) -> bool:
        """Whether a word is a name and another, or begins or ends with one that is long."""
        if not self._inside.search(key) or is_common(key) or is_everyday(key) or key in NO_PEOPLE:
            return False
        known = self._others | GIVEN_NAMES | SURNAMES
        if key in known:
            return False
        halves = [(key[:cut], key[cut:]) for cut in range(_LEAST_REST, len(key) - _LEAST_REST + 1)]
        return any(
            name in self._others
            and len(name) >= _LEAST_INSIDE
            and (rest in known or (len(name) >= _CLEAR and not is_everyday(name)))
            for pair in halves
            for name, rest in (pair, pair[::-1])
        )

    # Names that stand as words.

    def _runs(self, text: str, words: Sequence[NameWord]) -> Iterator[_Found]:
        """Runs of name words, with the title or the article before them."""
        if not any(word.key in self._parts for word in words):
            return
        named = self._named(words)
        index = 0
        while index < len(words):
            if not named[index]:
                index += 1
                continue
            last = _last_of_run(words, named, index)
            if any(word.key not in self._kept for word in words[index : last + 1]):
                first = _first_of_run(words, index, with_article=self._has_article)
                yield self._replacement(text, words[first], words[last])
            index = last + 1

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
        cased = any(word.capital for word in words)
        named = [
            (word.key in self._parts or index in whole)
            and (index in claimed or not stays(words, *self._around(words, index)))
            and (index in whole or index in claimed or self._goes(words, index, cased=cased))
            for index, word in enumerate(words)
        ]
        for index in range(1, len(words)):  # unknown halves of double names: Gwenllian-Mae
            first, second = words[index - 1], words[index]
            if named[index - 1] == named[index] or second.before not in _HYPHENS:
                continue
            if named[index - 1]:
                named[index] = is_second_half(first, second)
            else:
                named[index - 1] = _is_first_half(first)
        return named

    def _around(self, words: Sequence[NameWord], index: int) -> tuple[int, int]:
        """The run of name words around one, for telling whether all of it is a place's name."""
        first = last = index
        while first > max(0, index - _REACH) and words[first].joined:
            if words[first - 1].key not in self._parts:
                break
            first -= 1
        while last < min(len(words) - 1, index + _REACH) and words[last + 1].joined:
            if words[last + 1].key not in self._parts:
                break
            last += 1
        return first, last

    def _goes(self, words: Sequence[NameWord], index: int, *, cased: bool) -> bool:
        """Whether a part of a name that may be an everyday word is a name here."""
        if not is_everyday(words[index].key):
            return True
        if words[index].key in self._listed:
            return self._counts(words, index, cased=cased)
        return not reads_as_everyday(words, index)

    def _counts(self, words: Sequence[NameWord], index: int, *, cased: bool) -> bool:
        """Whether an everyday word that the user listed as a name is one here."""
        word = words[index]
        if word.capital:
            follows = words[index + 1] if index + 1 < len(words) else None
            return not (word.opens and follows and follows.joined and follows.key in NUMBERS)
        if not cased or word.owner or not reads_as_everyday(words, index):
            return True
        if index and word.joined and words[index - 1].key in _OBJECT_VERBS:
            return True
        return any(
            words[middle].key == "and" and words[other].key in self._parts
            for middle, other in ((index - 1, index - 2), (index + 1, index + 2))
            if 0 <= other < len(words)
        )

    def _whole(self, words: Sequence[NameWord]) -> frozenset[int]:
        """The words that stand in the order of a name of several words."""
        found: set[int] = set()
        for index, word in enumerate(words):
            for sequence in self._sequences.get(word.key, ()):
                here = words[index : index + len(sequence)]
                if tuple(w.key for w in here) == sequence and all(w.joined for w in here[1:]):
                    found.update(range(index, index + len(sequence)))
        return frozenset(found)


def _last_of_run(words: Sequence[NameWord], named: Sequence[bool], first: int) -> int:
    """The last word of a run of names, with initials and particles between them."""
    last, index = first, first + 1
    while index < len(words) and index - last < _REACH and not words[index - 1].owner:
        word = words[index]
        initial = len(word.key) == 1 and word.capital and word.key != "i"
        if not (word.joined or (word.after_dot and len(words[index - 1].key) == 1)):
            break
        if named[index]:
            last = index
        elif not initial and word.key not in PARTICLES:
            break
        index += 1
    return last


def _first_of_run(words: Sequence[NameWord], first: int, *, with_article: bool) -> int:
    """The first word of a run with the initials, the titles and the article before it."""
    while first and _goes_with(words[first - 1], words[first]):
        first -= 1
    if with_article and first and words[first].joined and words[first].before not in _HYPHENS:
        return first - 1 if words[first - 1].key in _ARTICLES else first
    return first


def _goes_with(previous: NameWord, word: NameWord) -> bool:
    """Whether a word is an initial or a title of the name behind it."""
    if not (word.joined or word.after_dot) or word.before in _HYPHENS or previous.owner:
        return False
    if len(previous.key) == 1:
        return previous.capital and word.after_dot
    return previous.key in (TITLES if previous.capital else _SHOWN_TITLES)


def _is_first_half(word: NameWord) -> bool:
    if word.key in GIVEN_NAMES or word.key in WORD_NAMES:
        return True
    return word.capital and len(word.key) > 1 and not is_common(word.key)


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


def _parts(names: Iterable[str]) -> frozenset[str]:
    """The words of names that go by themselves: no initials, particles or titles."""
    parts: set[str] = set()
    for name in names:
        words = (key for key in name_keys(name) if len(key) > 1)
        parts.update(key for key in words if key not in PARTICLES and key not in COURTESY)
        parts.update(name_keys(spelling)[-1] for spelling in _spelled_otherwise(name))
    return frozenset(parts)


def _spelled_otherwise(name: str) -> Iterator[str]:
    """Names as a recogniser may write them: "O Brien" for O'Brien, "Desouza" for De Souza."""
    words = name.split()
    for word in words:
        parts = _APART.fullmatch(word)
        if parts is not None:
            yield f"{parts[1] or parts[3]} {parts[2] or parts[4]}"
    for first, second in pairwise(words):
        if first.casefold() in PARTICLES and len(second) >= _LEAST_INSIDE:
            yield first + second.casefold()


def _with_plurals(parts: frozenset[str]) -> frozenset[str]:
    """The parts, and families by their name: the Hendersons."""
    plurals = {
        part + ending
        for part in parts
        if len(part) >= _LEAST_INSIDE and not is_everyday(part)
        for ending in ("s", "es")
    }
    places = listed("places")
    return parts | {key for key in plurals if not is_common(key) and key not in places}


def _sequences(
    names: Iterable[str], spared: frozenset[str]
) -> dict[str, tuple[tuple[str, ...], ...]]:
    """Names of several words by their first; those of the phrase's own words alone are none."""
    sequences: dict[str, dict[tuple[str, ...], None]] = {}
    spelled = (spelling for name in names for spelling in (name, *_spelled_otherwise(name)))
    for spelling in spelled:
        keys = name_keys(spelling)
        if len(keys) > 1 and not spared.issuperset(keys):
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
