"""Names that a model brings in by itself: in what it wrote, and not in the talk."""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from veridical.speech.names.extent import NO_PEOPLE
from veridical.speech.names.guards import is_everyday, stays
from veridical.speech.names.lists import GIVEN_NAMES
from veridical.speech.names.text import NameWord, name_words
from veridical.speech.names.vocabulary import is_common, is_national
from veridical.speech.names.words import (
    ADHERENTS,
    DATE_NAMES,
    MAY_FOLLOW_NAMES,
    NOT_NAME_ENDINGS,
    SPEECH_VERBS,
    WRITTEN_WITH_CAPITALS,
)

_LEAST = 2
_WORDY_ENDINGS = (*NOT_NAME_ENDINGS, "ing", "ly", "ty", "ism", "ance", "ence", "wise")
_PAUSE = re.compile(r"[,!?]")


def invented_names(texts: Sequence[str], talk: str) -> tuple[str, ...]:
    """The words of `texts` (an evaluation's own) that read as names and do not stand in `talk`.

    An unknown word with a capital counts in the middle of a sentence; at its start, where what
    follows says so. Where the talk is written without capitals, what stands in it counts too.
    """
    said_words = name_words(talk)
    cased = any(not word.uncased for word in said_words)
    said = frozenset(word.key for word in said_words) if cased else frozenset()
    read = [name_words(text) for text in texts]
    lower = {word.key for words in read for word in words if not word.capital}
    known = said | lower
    found: dict[str, None] = {}
    for words, text in zip(read, texts, strict=True):
        for index, word in enumerate(words):
            if (
                _may_be_name(word, known)
                and not stays(words, index, index)
                and (not word.opens or _begins_as_name(words, index, known))
            ):
                found.setdefault(text[word.start : word.end])
    return tuple(found)


def _may_be_name(word: NameWord, known: AbstractSet[str]) -> bool:
    key = word.key
    if not word.capital or len(key) < _LEAST or key in known:
        return False
    if key in GIVEN_NAMES:
        return True
    return not (
        word.acronym
        or is_common(key)
        or key in NO_PEOPLE
        or key in WRITTEN_WITH_CAPITALS
        or key in ADHERENTS
        or key in DATE_NAMES
        or (word.opens and is_everyday(key))
        or is_national(key)
    )


def _begins_as_name(words: Sequence[NameWord], index: int, known: AbstractSet[str]) -> bool:
    """Whether a word that begins a sentence goes on as a name does: "Gwenllian would be proud"."""
    word = words[index]
    if word.key.endswith(_WORDY_ENDINGS):
        return False
    if word.owner:
        return True
    if index + 1 >= len(words):
        return False
    follows = words[index + 1]
    if _PAUSE.match(word.after):
        return True
    if not follows.joined:
        return False
    if follows.capital:
        return _may_be_name(follows, known)
    return follows.key in SPEECH_VERBS or follows.key in MAY_FOLLOW_NAMES
