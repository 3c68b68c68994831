"""Where a text says that a word is a person's name: introductions, thanks, titles, reported speech.

`claims` gives the places. An unknown word is taken for a name only behind words that announce one,
and only with a capital; known given names are taken wherever they do not belong to a place or an
organisation. Every rule looks at a bounded number of words, so a text takes linear time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from veridical.speech.names.extent import extent, is_initial, nameable
from veridical.speech.names.guards import stays
from veridical.speech.names.lists import (
    GIVEN_NAMES,
    PLACE_NAMES_OF_PEOPLE,
    SURNAMES,
    THING_LIKE,
    VERB_LIKE,
    WORD_NAMES,
)
from veridical.speech.names.text import NameWord
from veridical.speech.names.words import (
    ANNOUNCED,
    CALLED,
    CALLERS,
    COURTESY,
    DATE_NAMES,
    INSTITUTIONS,
    NATIONAL_ENDINGS,
    NOT_NAMES,
    ORDINARY,
    PARTICLES,
    PEOPLE,
    ROLES,
    SHOWN_TITLES,
    SPEECH_VERBS,
    SURNAMES_TOO,
    TITLES,
    TOLD,
)

_CALLS = """
thank you/thanks/many thanks/thank you so much/thank you very much/thanks so much/thanks a lot
thanks again/thank you again/thank you dear/well done/good job/great job/nice work/good work
congratulations/congrats/bravo/welcome/welcome back/please welcome/sorry/happy birthday/good luck
hi/hello/hey/dear/good morning/good afternoon/good evening/good night/goodbye/bye/hi there
hello again/thank you once again/thanks to/thank you to/over to you/back to you/over to
give it up for/hear it for/applause for/hand for/hands together for/to the stage/handing over to
hand over to/i give you/i present to you/i present/up next/next up/next up is/up next is
the floor is yours/take it away/go ahead/like to thank/want to thank/courtesy of/on behalf of
the name of/presented by/introduced by/hosted by/a shout out to/shout out to/credit to
danke/vielen dank/danke schon/hallo/guten tag/guten abend/guten morgen/willkommen/liebe/lieber
merci/merci beaucoup/bonjour/bonsoir/salut/cher/chere/bienvenue
gracias/muchas gracias/hola/buenos dias/buenas tardes/buenas noches/bienvenido/bienvenida/querido
querida/grazie/ciao/obrigado/obrigada
"""
_INTRODUCTIONS = """
my name is/my names/his name is/her name is/his name was/her name was/whose name is/whose name was
mein name ist/ich heisse/je appelle/me llamo/mi nombre es/mi chiamo/il mio nome e/meu nome e
"""
_PRESENTED = """
i am/im/meet/met/call me/named/with me is/known as/with/ich bin/je suis/soy
"""
_MENTIONED = """
reminded me of/thought of/story of/memory of/picture of/instead of/because of/proud of
afraid of/think of/this is/here is/heres/called/by/and/for/from/to/about
that/when/das ist/like/saw/see/miss/missed/as
"""


def _by_last_word(table: str) -> dict[str, tuple[tuple[str, ...], ...]]:
    """Phrases by their last word, each as its words from last to first."""
    phrases: dict[str, list[tuple[str, ...]]] = {}
    for phrase in table.replace("\n", "/").split("/"):
        if words := phrase.split():
            phrases.setdefault(words[-1], []).append(tuple(reversed(words)))
    return {last: tuple(found) for last, found in phrases.items()}


_CALL = _by_last_word(_CALLS)
_INTRODUCTION = _by_last_word(_INTRODUCTIONS)
_LOWER_CALLED = WORD_NAMES - VERB_LIKE
_AMBIGUOUS = WORD_NAMES | PLACE_NAMES_OF_PEOPLE
_PRESENTS = _by_last_word(_PRESENTED)
_MENTIONS = _by_last_word(_MENTIONED)
_AFTER_CALL = frozenset("and for that so good i we very its it this what your you ladies".split())


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


def _claim(words: Sequence[NameWord], index: int, found: Sequence[tuple[int, int]]) -> int | None:
    """The last word of the name that starts at `index`; None where none does."""
    word = words[index]
    if len(word.key) < 2 and not is_initial(words, index):
        return None
    announced = _announced(words, index)
    if announced:
        last = extent(words, index, announced=True)
        return None if _institutional(words, index, last) else last
    if word.key in GIVEN_NAMES or _said_so(words, index, found):
        last = extent(words, index, announced=False)
        return None if stays(words, index, last) else last
    return None


def _announced(words: Sequence[NameWord], index: int) -> bool:
    """Whether the words before say that a name comes, and this can be one."""
    word = words[index]
    if not index or (word.opens and not word.after_dot) or not _near(word):
        return False
    previous = words[index - 1]
    if previous.key in TITLES and (
        previous.capital or previous.key in SHOWN_TITLES or word.key in SURNAMES - ORDINARY
    ):
        return not _courtesy_alone(words, index) and _titled(previous, word)
    if word.key in NOT_NAMES or word.key in PARTICLES:
        return False
    if _ends_phrase(_INTRODUCTION, words, index - 1):
        return nameable(word) if word.capital else _shown_lower(word)
    if _ends_phrase(_CALL, words, index - 1):
        return _called(words, index)
    if _by_role(words, index):
        return nameable(word) if word.capital else word.key in _LOWER_CALLED
    return word.capital and _told(words, index) and nameable(word)


def _told(words: Sequence[NameWord], index: int) -> bool:
    """Whether somebody is spoken to: "told Tom", "I called Tom", "especially you, Tom"."""
    word, previous = words[index], words[index - 1]
    if not word.joined:
        return previous.key == "you" and word.after[:1] in {",", ".", "!", "?"}
    if previous.key in TOLD:
        return True
    return previous.key in CALLED and index > 1 and words[index - 2].key in CALLERS


def _courtesy_alone(words: Sequence[NameWord], index: int) -> bool:
    """Whether the title before has no name with it, as in "Doctor, Maria" and "Coach. He"."""
    previous, word = words[index - 1], words[index]
    return not (word.joined or (word.after_dot and previous.key in COURTESY | {"rev"}))


def _titled(title: NameWord, word: NameWord) -> bool:
    if word.key in NOT_NAMES or word.key in INSTITUTIONS - SURNAMES_TOO:
        return False
    if word.capital or word.key in SURNAMES:
        return True
    return not title.capital and word.key not in ORDINARY and len(word.key) > 1


def _called(words: Sequence[NameWord], index: int) -> bool:
    word = words[index]
    if word.capital:
        return nameable(word)
    if word.key not in WORD_NAMES - {"may", "art", "drew", "sue", "rose", "chase"}:
        return False
    follows = words[index + 1] if index + 1 < len(words) else None
    if word.key not in VERB_LIKE:
        return follows is None or not follows.joined or follows.key in _AFTER_CALL
    return follows is None or (
        follows.joined and follows.key in _AFTER_CALL - {"your", "this", "it"}
    )


def _shown_lower(word: NameWord) -> bool:
    return word.key in WORD_NAMES or (word.key not in ORDINARY and len(word.key) > 1)


def _by_role(words: Sequence[NameWord], index: int) -> bool:
    """Whether a role stands before: "my brother Tom", "our next speaker is Anna"."""
    word, previous = words[index], words[index - 1]
    if previous.key in ROLES:
        return not (word.joined and previous.capital and word.capital and previous.opens)
    if index < 2 or not word.joined:
        return False
    before = words[index - 2]
    if previous.key in ("is", "was") and word.capital:
        return before.key in ANNOUNCED and not word.key.endswith(NATIONAL_ENDINGS)
    return previous.key in ("named", "called") and before.key in ROLES | PEOPLE


def _said_so(words: Sequence[NameWord], index: int, found: Sequence[tuple[int, int]]) -> bool:
    """Whether what follows or stands around makes a name of a capitalised word."""
    word = words[index]
    follows = words[index + 1] if index + 1 < len(words) else None
    if not word.capital:
        named = follows is not None and follows.joined and follows.key in SURNAMES - ORDINARY
        if word.key in WORD_NAMES and named:
            return True
        return word.key in _LOWER_CALLED and _coupled(words, index, found)
    if word.owner or word.key in NOT_NAMES:
        return False
    if follows is not None and follows.joined:
        if follows.key in SPEECH_VERBS and not follows.capital:
            return _speaks(word)
        if _surname_follows(word, follows):
            return True
    return _mentioned(words, index) or _coupled(words, index, found)


def _mentioned(words: Sequence[NameWord], index: int) -> bool:
    """Whether a word with a capital, a name and something else too, stands where names do."""
    word = words[index]
    if word.opens or not word.joined or word.key in DATE_NAMES:
        return False
    if word.key in WORD_NAMES and _ends_phrase(_MENTIONS, words, index - 1):
        return True
    return word.key in _AMBIGUOUS and _ends_phrase(_PRESENTS, words, index - 1)


def _speaks(word: NameWord) -> bool:
    if word.key in _AMBIGUOUS:
        return True
    if not nameable(word) or word.key in ORDINARY:
        return False
    return not word.opens


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
    joined = word.joined and conjunction.joined and conjunction.key in ("and", "und", "et", "y")
    return joined and nameable(word) and word.key not in DATE_NAMES


def _institutional(words: Sequence[NameWord], first: int, last: int) -> bool:
    """Whether what was announced goes on as an organisation: "thanks to Maria Lopez Hospital"."""
    if first == last and words[first].key in INSTITUTIONS and words[first - 1].key not in TITLES:
        return True
    return stays(words, first, last) and not (words[last].key in SURNAMES_TOO and last > first)


def _near(word: NameWord) -> bool:
    """Whether nothing but a space, a comma or a dash stands before."""
    return (
        word.joined or word.after_dot or word.before.strip() in {",", "\u2013", "\u2014", "-", ":"}
    )


def _ends_phrase(
    phrases: dict[str, tuple[tuple[str, ...], ...]], words: Sequence[NameWord], last: int
) -> bool:
    return any(_backwards(words, last, phrase) for phrase in phrases.get(words[last].key, ()))


def _backwards(words: Sequence[NameWord], last: int, phrase: Sequence[str]) -> bool:
    if last + 1 < len(phrase):
        return False
    return all(words[last - step].key == key for step, key in enumerate(phrase))


def people(words: Sequence[NameWord]) -> Iterator[int]:
    """The indices of the words that `claims` takes for names."""
    for first, last in claims(words):
        yield from range(first, last + 1)
