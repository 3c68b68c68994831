"""Where a text says that a word is a person's name: introductions, thanks, titles, reported speech.

`claims` gives the places. An unknown word is taken for a name only behind words that announce one;
known given names are taken wherever they do not belong to a place or an organisation. Every rule
looks at a bounded number of words, so a text takes linear time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from veridical.speech.names.guards import NO_PEOPLE, extent, is_initial, nameable, stays
from veridical.speech.names.lists import (
    GIVEN_NAMES,
    INSTITUTIONS,
    LOCATIVES,
    MOTION,
    PLACE_NAMES_OF_PEOPLE,
    PLACE_NOUNS,
    SURNAMES,
    SURNAMES_TOO,
    THING_LIKE,
    VERB_LIKE,
    WORD_NAMES,
)
from veridical.speech.names.text import NameWord
from veridical.speech.names.words import (
    ADHERENTS,
    AFTER_ADDRESS,
    AFTER_CALL,
    AFTER_CALL_OF_A_VERB,
    ANNOUNCED,
    CALLED,
    CALLED_VERBS,
    CALLERS,
    CLOSE,
    COURTESY,
    DATE_NAMES,
    DETERMINERS,
    ELDERS,
    GROUPS,
    KIN,
    NAMING_VERBS,
    NO_INITIALS,
    NOT_NAME_ENDINGS,
    NOT_NAMES,
    ORDINARY,
    OWNED,
    PARTICLES,
    PEOPLE,
    PETS,
    POSSESSIVES,
    ROLES,
    SHOWN_TITLES,
    SPEECH_VERBS,
    TITLES,
    TOLD,
    WRITTEN_WITH_CAPITALS,
    is_common,
    is_national,
)

# Phrases behind which a name comes, and how they are looked up.


Phrases = dict[str, tuple[tuple[str, ...], ...]]
"""Phrases by their last word, each as its words from last to first."""

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


def _by_last_word(table: str) -> Phrases:
    phrases: dict[str, list[tuple[str, ...]]] = {}
    for phrase in table.replace("\n", "/").split("/"):
        if words := phrase.split():
            phrases.setdefault(words[-1], []).append(tuple(reversed(words)))
    return {last: tuple(found) for last, found in phrases.items()}


CALLS = _by_last_word(_CALLS)
"""Thanks, greetings and handing over: a name follows on the same line."""

INTRODUCTIONS = _by_last_word(_INTRODUCTIONS)
PRESENTED = _by_last_word(_PRESENTED)
MENTIONED = _by_last_word(_MENTIONED)
"""What makes names of words that are names and something else too."""


def ends_phrase(phrases: Phrases, words: Sequence[NameWord], last: int) -> bool:
    """Whether `words[last]` is the last word of one of the phrases."""
    return any(_backwards(words, last, phrase) for phrase in phrases.get(words[last].key, ()))


def _backwards(words: Sequence[NameWord], last: int, phrase: Sequence[str]) -> bool:
    if last + 1 < len(phrase):
        return False
    return all(words[last - step].key == key for step, key in enumerate(phrase))


# Whether the words before say that a name comes: "thank you, ...", "my brother ...", "I'm ...".


LOWER_CALLED = WORD_NAMES - VERB_LIKE
"""Names that are words too, and that are taken for names in lower case where one is announced."""

_NAMED = ROLES | PEOPLE | PETS | GROUPS
_LEAST_UNKNOWN = 3
"""Letters of an unknown word that is taken for a name in a text without capitals."""

_LOOK_BACK = 4
"""Words before a name that may say that it is no person's."""

_PAUSES = frozenset(".!?\u2026,;:\u2013\u2014")


def is_announced(words: Sequence[NameWord], index: int) -> bool:
    """Whether the words before `words[index]` announce a name, and it can be one."""
    word = words[index]
    near = (
        word.joined or word.after_dot or word.before.strip() in {",", "\u2013", "\u2014", "-", ":"}
    )
    if not index or not near or (word.opens and not word.after_dot):
        return False
    previous = words[index - 1]
    if previous.key in TITLES and (
        previous.capital or previous.key in SHOWN_TITLES or word.key in SURNAMES - ORDINARY
    ):
        return not _courtesy_alone(words, index) and _titled(previous, word)
    if word.key in NOT_NAMES or word.key in PARTICLES:
        return False
    if _introduced(words, index):
        if word.capital:
            return nameable(word)
        return word.key in WORD_NAMES or (word.key not in ORDINARY and len(word.key) > 1)
    if _by_role(words, index):
        if word.capital:
            return nameable(word)
        if word.key in LOWER_CALLED or _is_elder(words, index):
            return True
    if ends_phrase(CALLS, words, index - 1) and "\n" not in word.before:
        return _called(words, index)
    if not word.capital:
        return _kin_in_lower_case(words, index)
    if not nameable(word):
        return False
    return _told(words, index) or _presented(words, index) or _addressed(words, index)


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


def _introduced(words: Sequence[NameWord], index: int) -> bool:
    """Whether a name is given: "my name is Tuan", "my best friend's name is Tuan"."""
    if ends_phrase(INTRODUCTIONS, words, index - 1):
        return True
    if index < 3 or words[index - 1].key not in ("is", "was") or words[index - 2].key != "name":
        return False
    named = words[index - 3].key
    return named in _NAMED or named.removesuffix("s") in _NAMED


def _by_role(words: Sequence[NameWord], index: int) -> bool:
    """Whether a role stands before: "my brother Tom", "our next speaker is Anna"."""
    word, previous = words[index], words[index - 1]
    if previous.key in ROLES:
        return not (word.joined and previous.capital and word.capital and previous.opens)
    if index < 2:
        return False
    before = words[index - 2]
    if previous.key in GROUPS:
        return before.key in POSSESSIVES | CLOSE and not is_national(word.key)
    if not word.joined:
        return False
    if previous.key in ("is", "was") and word.capital:
        return before.key in ANNOUNCED and not is_national(word.key)
    if previous.key not in ("named", "called"):
        return False
    if before.key in ("is", "was", "are", "were"):
        return index > 2 and words[index - 3].key in _NAMED | {"he", "she"}
    return before.key in _NAMED


def _is_elder(words: Sequence[NameWord], index: int) -> bool:
    """Whether it is "aunt sue", and not "my aunt": there "will" may be what she will do."""
    if words[index].key not in WORD_NAMES or words[index - 1].key not in ELDERS:
        return False
    return index < 2 or words[index - 2].key not in DETERMINERS | POSSESSIVES


def _called(words: Sequence[NameWord], index: int) -> bool:
    word = words[index]
    if word.capital:
        return nameable(word)
    follows = words[index + 1] if index + 1 < len(words) else None
    if word.key not in WORD_NAMES - CALLED_VERBS:
        ends = follows is None or not follows.joined or follows.key in AFTER_CALL
        return ends and words[index - 1].key not in ("to", "for", "of") and _unknown(word)
    if word.key not in VERB_LIKE:
        return follows is None or not follows.joined or follows.key in AFTER_CALL
    return follows is None or (follows.joined and follows.key in AFTER_CALL_OF_A_VERB)


def _unknown(word: NameWord) -> bool:
    """Whether a word is no English word that we know, in a text without capitals."""
    return (
        word.uncased
        and len(word.key) >= _LEAST_UNKNOWN
        and not is_common(word.key)
        and word.key not in NO_PEOPLE
        and word.key not in SPEECH_VERBS
        and word.key not in CALLED_VERBS
    )


def _kin_in_lower_case(words: Sequence[NameWord], index: int) -> bool:
    """Whether an unknown word follows somebody's relation: "my brother zbyszek"."""
    word, previous = words[index], words[index - 1]
    if index < 2 or not word.joined or previous.key not in KIN or previous.owner:
        return False
    if previous.key in ELDERS and words[index - 2].key not in DETERMINERS:
        return _unknown(word)
    return words[index - 2].key in POSSESSIVES | CLOSE and _unknown(word)


def _told(words: Sequence[NameWord], index: int) -> bool:
    """Whether somebody is spoken to: "told Tom", "I called Tom", "especially you, Tom"."""
    word, previous = words[index], words[index - 1]
    if not word.joined:
        return previous.key == "you" and word.after[:1] in _PAUSES
    if previous.key in TOLD:
        return True
    before = words[index - 2].key if index > 1 else ""
    if previous.key in ("him", "her", "me", "us"):
        return before in NAMING_VERBS and not is_national(word.key)
    return previous.key in CALLED and before in CALLERS


def _presented(words: Sequence[NameWord], index: int) -> bool:
    """Whether somebody is pointed at: "I'm Tadhg", "this is Caoimhe", "it was Gwenllian who"."""
    word, previous = words[index], words[index - 1]
    if not word.joined or is_national(word.key) or word.key in ADHERENTS:
        return False
    before = words[index - 2].key if index > 1 else ""
    follows = words[index + 1] if index + 1 < len(words) else None
    if follows is not None and follows.key == "who":
        return (before, previous.key) in {("it", "was"), ("it", "is")} or previous.key == "its"
    pair = (before, previous.key)
    contracted = previous.key == "im" and previous.end - previous.start > len(previous.key)
    if not contracted and pair not in {("i", "am"), ("this", "is")}:
        return False
    return follows is None or word.after.strip()[:1] in _PAUSES or follows.key in ("and", "from")


def _addressed(words: Sequence[NameWord], index: int) -> bool:
    """Whether commas set a name off: "Can you hear me, Gwenllian?", "Go on, Leofric, tell us"."""
    word, previous = words[index], words[index - 1]
    if word.before.strip() != "," or word.after.strip()[:1] not in _PAUSES:
        return False
    if (previous.capital and not previous.opens) or is_national(word.key):
        return False
    if is_common(word.key) and word.key not in WORD_NAMES:
        return False
    return not behind_place(words, index)


def behind_place(words: Sequence[NameWord], index: int) -> bool:
    """Whether one of the words before says that what is named is no person: "the town, Ardara"."""
    before = words[max(0, index - _LOOK_BACK) : index]
    return any(word.key in PLACE_NOUNS for word in before)


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
        return _patterns_unknown(word) and not word.key.endswith(("ly", *NOT_NAME_ENDINGS))
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
    return follows.joined and follows.capital and _patterns_unknown(follows)


def _stands_alone(words: Sequence[NameWord], index: int) -> bool:
    """Whether an unknown word with a capital stands in a sentence, and not where places do."""
    word, previous = words[index], words[index - 1]
    if not index or word.opens or previous.capital or not _patterns_unknown(word):
        return False
    if previous.key in _BEFORE_THINGS or behind_place(words, index):
        return False
    return not (previous.key == "to" and index > 1 and words[index - 2].key in MOTION)


def _patterns_unknown(word: NameWord) -> bool:
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
    return not word.opens or (_patterns_unknown(word) and not word.key.endswith("s"))


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
