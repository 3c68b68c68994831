"""Whether the words before say that a name comes: "thank you, ...", "my brother ...", "I'm ..."."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.speech.names.extent import NO_PEOPLE, nameable
from veridical.speech.names.lists import SURNAMES, VERB_LIKE, WORD_NAMES
from veridical.speech.names.phrases import CALLS, INTRODUCTIONS, ends_phrase
from veridical.speech.names.places import INSTITUTIONS, PLACE_NOUNS, SURNAMES_TOO
from veridical.speech.names.text import NameWord
from veridical.speech.names.vocabulary import is_common, is_national
from veridical.speech.names.words import (
    ADHERENTS,
    AFTER_CALL,
    AFTER_CALL_OF_A_VERB,
    ANNOUNCED,
    CALLED,
    CALLED_VERBS,
    CALLERS,
    CLOSE,
    COURTESY,
    DETERMINERS,
    ELDERS,
    GROUPS,
    KIN,
    NAMING_VERBS,
    NOT_NAMES,
    ORDINARY,
    PARTICLES,
    PEOPLE,
    PETS,
    POSSESSIVES,
    ROLES,
    SHOWN_TITLES,
    SPEECH_VERBS,
    TITLES,
    TOLD,
)

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
    if not index or (word.opens and not word.after_dot) or not _near(word):
        return False
    previous = words[index - 1]
    if previous.key in TITLES and (
        previous.capital or previous.key in SHOWN_TITLES or word.key in SURNAMES - ORDINARY
    ):
        return not _courtesy_alone(words, index) and _titled(previous, word)
    if word.key in NOT_NAMES or word.key in PARTICLES:
        return False
    if _introduced(words, index):
        return nameable(word) if word.capital else _shown_lower(word)
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


def _near(word: NameWord) -> bool:
    """Whether nothing but a space, a comma or a dash stands before."""
    return (
        word.joined or word.after_dot or word.before.strip() in {",", "\u2013", "\u2014", "-", ":"}
    )


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


def _shown_lower(word: NameWord) -> bool:
    return word.key in WORD_NAMES or (word.key not in ORDINARY and len(word.key) > 1)


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
