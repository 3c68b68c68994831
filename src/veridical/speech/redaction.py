"""Taking the names of people out of texts. Only after every check: names are part of the evidence.

All texts of one evaluation go through one `Redactor`, so that a name that was found in one of them
is taken out of all.
"""

from __future__ import annotations

import re
from bisect import bisect_left
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
)
from veridical.speech.names.places import stays
from veridical.speech.names.text import UNSEPARATED, NameWord, name_key, name_keys, name_words

ARTICLES = frozenset(("a", "an", "the"))
SHOWN_TITLES = TITLES - listed("ranks")
OBJECT_VERBS = listed("told")
PLACES = listed("places")

# Names inside what is written without spaces: addresses, handles, tags, words run together.


LEAST_INSIDE = 4
"""Letters of a name that is looked for inside words too."""

_LEAST_REST = 3
_CLEAR = 6
"""Letters of a name that shows at the start or the end of a word, whatever the rest is."""

_LONGEST = 60
"""Letters of a word that is taken apart."""

_PIECE = re.compile(r"\S+")
_HANDLE = re.compile(r"[@#]\w|\w@\w|://|www\.")
_EDGE = "\"'()[]{}<>.,;:!?\u2026\u201c\u201d\u2018\u2019"
_HUMP = re.compile(r"[A-Z][a-z]+")


class Compounds:
    """Finds what holds one of `parts` (keys of names) without being the name itself."""

    def __init__(self, parts: frozenset[str]) -> None:
        self._parts = parts
        self._inside = _any_of(part for part in parts if len(part) >= LEAST_INSIDE)
        self._clear = _any_of(
            part for part in parts if len(part) >= _CLEAR and not is_everyday(part)
        )

    def holds(self, text: str) -> bool:
        """Whether a name of four letters or more stands anywhere in a text, inside words too."""
        return self._inside is not None and self._inside.search(name_key(text)) is not None

    def handles(self, text: str) -> Iterator[tuple[int, int]]:
        """Where addresses, handles and tags with a name in them start and end."""
        if "@" not in text and "#" not in text and "://" not in text and "www." not in text:
            return
        for piece in _PIECE.finditer(text):
            if _HANDLE.search(piece.group()):
                bare = piece.group().strip(_EDGE)
                if self.holds(bare) or any(w.key in self._parts for w in name_words(bare)):
                    start = text.index(bare, piece.start())
                    yield start, start + len(bare)

    def run_together(self, text: str, words: Sequence[NameWord]) -> Iterator[tuple[int, int]]:
        """Where words that are made of names start and end: "mariagarcia", "MariaSpeaks"."""
        for word in words:
            if word.key in self._parts or not LEAST_INSIDE < len(word.key) <= _LONGEST:
                continue
            if self._made_of_names(word.key) or self._humps(text[word.start : word.end]):
                yield word.start, word.end

    def _made_of_names(self, key: str) -> bool:
        if is_common(key) or is_everyday(key) or key in NO_PEOPLE:
            return False
        if key in GIVEN_NAMES or key in SURNAMES:
            return False
        return any(
            self._pair(key[:cut], key[cut:]) or self._pair(key[cut:], key[:cut])
            for cut in range(_LEAST_REST, len(key) - _LEAST_REST + 1)
        )

    def _pair(self, name: str, rest: str) -> bool:
        """Whether one half is a name to take out and the other makes sense beside it."""
        if name not in self._parts or len(name) < LEAST_INSIDE:
            return False
        if rest in self._parts or rest in GIVEN_NAMES or rest in SURNAMES:
            return True
        return self._clear is not None and self._clear.fullmatch(name) is not None

    def _humps(self, written: str) -> bool:
        """Whether a name stands between the humps of "MariaSpeaks"."""
        humps = _HUMP.findall(written)
        return len(humps) > 1 and any(
            len(hump) >= _LEAST_REST and name_key(hump) in self._parts for hump in humps
        )


def _any_of(parts: Iterator[str]) -> re.Pattern[str] | None:
    wanted = sorted(parts)
    return re.compile("|".join(map(re.escape, wanted))) if wanted else None


# Names that stand together: which words make one run, and what goes with it.


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
            named[index] = is_second_half(words[index - 1], words[index])
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


def _first_half(word: NameWord) -> bool:
    if word.key in GIVEN_NAMES or word.key in WORD_NAMES:
        return True
    return word.capital and len(word.key) > 1 and not is_common(word.key)


DEFAULT_PHRASE = "a fellow member"
"""What stands in the place of every name."""

_MOST_PHRASE_CHARS = 60

_MOST_ROUNDS = 200
"""Rounds of redaction. Real texts take one or two."""

_MARKUP = re.compile(r"[<>*_`#\[\]{}|\\~\n\r\t]|https?:")
_PLURALS = ("s", "es")


class _Found(NamedTuple):
    """A name at `text[start:end]` and what takes its place."""

    start: int
    end: int
    phrase: str


_APART = re.compile(r"(\w{1,2})['\u2019\u02bc](\w{3,})|(Mc|Mac)([A-Z]\w{2,})")
_LEAST_JOINED = 4


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
        listed = (names,) if isinstance(names, str) else tuple(names)
        every = (*listed, *found)
        self.phrase = _checked_phrase(phrase)
        self._opening = self.phrase[0].upper() + self.phrase[1:]
        spoken = name_keys(self.phrase)
        self._has_article = bool(spoken) and spoken[0] in ARTICLES
        spared = frozenset(spoken) if spoken == name_keys(DEFAULT_PHRASE) else frozenset()
        own, others = _all_parts([keep or ""]), _all_parts(every) - spared
        apart = [spelling for name in every for spelling in spelled_otherwise(name)]
        others |= {name_keys(spelling)[-1] for spelling in apart}
        self._kept = own | _plurals(own)
        self._listed = _all_parts(listed) - spared
        self._listed |= {
            name_keys(spelling)[-1] for name in listed for spelling in spelled_otherwise(name)
        }
        self._listed |= _plurals(self._listed)
        self._parts = self._kept | others | _plurals(others)
        self._sequences = _sequences((*every, *apart), spared)
        self._unseparated = _unseparated(every, keep or "")
        self._compounds = Compounds(others - self._kept)
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
        return self._compounds.holds(text)

    def _found(self, text: str) -> Iterator[_Found]:
        """The names in a text, in order, not overlapping. What is larger goes first."""
        if not self._parts and self._unseparated is None:
            return
        words = name_words(text)
        whole = [*self._compounds.handles(text), *self._compounds.run_together(text, words)]
        found = [_Found(start, end, self.phrase) for start, end in whole]
        found += self._runs(text, words)
        if self._unseparated is not None:
            found += (_Found(*m.span(), self.phrase) for m in self._unseparated.finditer(text))
        at = 0
        for span in _without_overlaps(found, len(whole)):
            if span.start >= at:
                yield span
                at = span.end

    def _runs(self, text: str, words: Sequence[NameWord]) -> Iterator[_Found]:
        if not any(word.key in self._parts for word in words):
            return
        named = with_hyphened(words, self._named(words))
        for first, last in joined_runs(words, named):
            if any(words[index].key not in self._kept for index in range(first, last + 1)):
                start = with_title(words, first)
                if self._has_article:
                    start = with_article(words, start)
                yield self._replacement(text, words[start], words[last])

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
        return [
            (word.key in self._parts or index in whole)
            and (index in claimed or not stays(words, *around(words, index, self._parts)))
            and (index in whole or index in claimed or self._goes(words, index, cased=cased))
            for index, word in enumerate(words)
        ]

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
        if index and word.joined and words[index - 1].key in OBJECT_VERBS:
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


def _without_overlaps(found: Sequence[_Found], larger: int) -> list[_Found]:
    """In order, without what touches one of the first `larger`: the next round looks again."""
    covered = sorted((span.start, span.end) for span in found[:larger])
    kept = list(found[:larger])
    for span in found[larger:]:
        at = bisect_left(covered, (span.end, 0))
        if not at or covered[at - 1][1] <= span.start:
            kept.append(span)
    return sorted(kept)


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


def _all_parts(names: Iterable[str]) -> frozenset[str]:
    return frozenset(part for name in names for part in _parts(name))


def spelled_otherwise(name: str) -> Iterator[str]:
    """Names as a recogniser may write them: "O Brien" for O'Brien, "Desouza" for De Souza."""
    words = name.split()
    for word in words:
        parts = _APART.fullmatch(word)
        if parts is not None:
            yield f"{parts[1] or parts[3]} {parts[2] or parts[4]}"
    for first, second in pairwise(words):
        if first.casefold() in PARTICLES and len(second) >= _LEAST_JOINED:
            yield first + second.casefold()


def _plurals(parts: frozenset[str]) -> frozenset[str]:
    """A family by its name: the Hendersons."""
    plurals = {
        part + ending
        for part in parts
        if len(part) >= LEAST_INSIDE and not is_everyday(part)
        for ending in _PLURALS
    }
    return frozenset(key for key in plurals if not is_common(key) and key not in PLACES)


def _sequences(
    names: Iterable[str], spared: frozenset[str]
) -> dict[str, tuple[tuple[str, ...], ...]]:
    """Names of several words by their first; those of the phrase's own words alone are none."""
    sequences: dict[str, dict[tuple[str, ...], None]] = {}
    for name in names:
        keys = tuple(word.key for word in name_words(name))
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
