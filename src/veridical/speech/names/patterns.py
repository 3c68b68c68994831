"""Where a text says that a word is a person's name: introductions, thanks, titles, reported speech.

`claims` gives the places. An unknown word is taken for a name only behind words that announce one;
known given names are taken wherever they do not belong to a place or an organisation. Every rule
looks at a bounded number of words, so a text takes linear time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from veridical.speech.names.announced import LOWER_CALLED, behind_place, is_announced
from veridical.speech.names.extent import extent, is_initial, nameable
from veridical.speech.names.guards import stays
from veridical.speech.names.lists import (
    GIVEN_NAMES,
    PLACE_NAMES_OF_PEOPLE,
    SURNAMES,
    THING_LIKE,
    WORD_NAMES,
)
from veridical.speech.names.phrases import MENTIONED, PRESENTED, ends_phrase
from veridical.speech.names.places import INSTITUTIONS, LOCATIVES, MOTION, SURNAMES_TOO
from veridical.speech.names.text import NameWord
from veridical.speech.names.vocabulary import is_common, is_national
from veridical.speech.names.words import (
    AFTER_ADDRESS,
    DATE_NAMES,
    NO_INITIALS,
    NOT_NAME_ENDINGS,
    NOT_NAMES,
    ORDINARY,
    OWNED,
    ROLES,
    SPEECH_VERBS,
    TITLES,
    WRITTEN_WITH_CAPITALS,
)

_AMBIGUOUS = WORD_NAMES | PLACE_NAMES_OF_PEOPLE
_BEFORE_THINGS = LOCATIVES | frozenset("the a an this our at of on".split())
"""What stands before the names of places and things."""

_CONJUNCTIONS = frozenset(("and", "und", "et", "y"))


def claims(words: Sequence[NameWord]) -> list[tuple[int, int]]:
    """The names of people, each as its first and last word's index, in order, not overlapping."""
    found: list[tuple[int, int]] = []
    index = 0
    while index < len(words):
        last = _claim(words, index, found)
        if last is None:
            index += 1
        else:
            found.append((index, last))
            index = last + 1
    return found


def people(words: Sequence[NameWord]) -> Iterator[int]:
    """The indices of the words that `claims` takes for names."""
    for first, last in claims(words):
        yield from range(first, last + 1)


def _claim(words: Sequence[NameWord], index: int, found: Sequence[tuple[int, int]]) -> int | None:
    """The last word of the name that starts at `index`; None where none does."""
    word = words[index]
    initial = is_initial(words, index)
    if len(word.key) < 2 and not initial:
        return None
    if is_announced(words, index):
        last = extent(words, index, announced=True)
        return None if _institutional(words, index, last) else last
    if len(word.key) < 2:
        last = extent(words, index, announced=True)
        named = _initials_name(words, index, last) and not stays(words, index, last)
        return last if named else None
    if word.key in GIVEN_NAMES or _said_so(words, index, found):
        last = extent(words, index, announced=False)
        return None if stays(words, index, last) else last
    return None


def _initials_name(words: Sequence[NameWord], first: int, last: int) -> bool:
    """Whether initials and a surname: two of any ("J. R. R. Tolkien"), one of one that we know."""
    at = first
    while at <= last and len(words[at].key) == 1:
        at += 1
    if at > last or at == first or not all(w.after_dot for w in words[first + 1 : at + 1]):
        return False
    if at - first == 1:
        return words[at].key in SURNAMES - ORDINARY
    return f"{words[first].key} {words[first + 1].key}" not in NO_INITIALS


def _said_so(words: Sequence[NameWord], index: int, found: Sequence[tuple[int, int]]) -> bool:
    """Whether what follows or stands around makes a name of a capitalised word."""
    word = words[index]
    follows = words[index + 1] if index + 1 < len(words) else None
    if not word.capital:
        named = follows is not None and follows.joined and follows.key in SURNAMES - ORDINARY
        if word.key in WORD_NAMES and named:
            return True
        return word.key in LOWER_CALLED and _coupled(words, index, found)
    if word.key in NOT_NAMES:
        return False
    if word.owner:
        return follows is not None and follows.key in OWNED and _stands_alone(words, index)
    if word.opens and word.after.strip() == "," and follows and follows.key in AFTER_ADDRESS:
        return _unknown(word) and not word.key.endswith(("ly", *NOT_NAME_ENDINGS))
    if follows is not None and follows.joined:
        if follows.key in SPEECH_VERBS and not follows.capital:
            return _speaks(word)
        if _surname_follows(word, follows):
            return True
    return (
        _mentioned(words, index)
        or _coupled(words, index, found)
        or _listed(words, index, found)
        or _full_name(words, index)
    )


def _full_name(words: Sequence[NameWord], index: int) -> bool:
    """Whether two unknown words with capitals stand in a sentence, and not where places do."""
    if index + 1 >= len(words) or not _stands_alone(words, index):
        return False
    follows = words[index + 1]
    return follows.joined and follows.capital and _unknown(follows)


def _stands_alone(words: Sequence[NameWord], index: int) -> bool:
    """Whether an unknown word with a capital stands in a sentence, and not where places do."""
    word, previous = words[index], words[index - 1]
    if not index or word.opens or previous.capital or not _unknown(word):
        return False
    if previous.key in _BEFORE_THINGS or behind_place(words, index):
        return False
    return not (previous.key == "to" and index > 1 and words[index - 2].key in MOTION)


def _unknown(word: NameWord) -> bool:
    key = word.key
    if key in ROLES or key in WRITTEN_WITH_CAPITALS:
        return False
    return nameable(word) and not (is_common(key) or is_national(key))


def _mentioned(words: Sequence[NameWord], index: int) -> bool:
    """Whether a word with a capital, a name and something else too, stands where names do."""
    word = words[index]
    if word.opens or not word.joined or word.key in DATE_NAMES:
        return False
    if word.key in WORD_NAMES and ends_phrase(MENTIONED, words, index - 1):
        return True
    return word.key in _AMBIGUOUS and ends_phrase(PRESENTED, words, index - 1)


def _speaks(word: NameWord) -> bool:
    if word.key in _AMBIGUOUS:
        return True
    if not nameable(word) or word.key in ORDINARY:
        return False
    return not word.opens or (_unknown(word) and not word.key.endswith("s"))


def _surname_follows(word: NameWord, follows: NameWord) -> bool:
    """Whether a word that can be a name has a surname: "Mark Davis", "Grace Hopper"."""
    if not follows.capital or follows.opens:
        return False
    if follows.key in INSTITUTIONS:
        return False
    if follows.key in SURNAMES:
        return nameable(word) and (word.key in WORD_NAMES or not word.opens)
    return word.key in WORD_NAMES - THING_LIKE and not word.opens and nameable(follows)


def _coupled(words: Sequence[NameWord], index: int, found: Sequence[tuple[int, int]]) -> bool:
    """Whether it is coupled by "and" with a name that was found: "Maria and Zbigniew"."""
    if index < 2 or not found or found[-1][1] != index - 2:
        return False
    word, conjunction = words[index], words[index - 1]
    joined = word.joined and conjunction.joined and conjunction.key in _CONJUNCTIONS
    return joined and nameable(word) and word.key not in DATE_NAMES


def _listed(words: Sequence[NameWord], index: int, found: Sequence[tuple[int, int]]) -> bool:
    """Whether it stands in a list behind a name that was found: "Maria, Xiulan and Tom"."""
    if not found or found[-1][1] != index - 1 or index + 1 >= len(words):
        return False
    word, follows = words[index], words[index + 1]
    goes_on = word.after.strip() == "," or (follows.joined and follows.key in _CONJUNCTIONS)
    return word.before.strip() == "," and goes_on and nameable(word) and word.key not in DATE_NAMES


def _institutional(words: Sequence[NameWord], first: int, last: int) -> bool:
    """Whether what was announced goes on as an organisation: "thanks to Maria Lopez Hospital"."""
    if first == last and words[first].key in INSTITUTIONS and words[first - 1].key not in TITLES:
        return True
    return stays(words, first, last) and not (words[last].key in SURNAMES_TOO and last > first)
