"""How much of something a text speaks of, and whether it takes back what it tells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from veridical.judging.alignment_words import Word
from veridical.judging.features_conflicts import Conflict
from veridical.validation import lexicon
from veridical.validation.differences import AlterationKind

_FEW, _SOME, _MOST, _ALL = 1, 2, 3, 4
_QUANTIFIERS = {
    **dict.fromkeys("few rarely seldom hardly scarcely barely".split(), _FEW),
    **dict.fromkeys("some several many sometimes occasionally".split(), _SOME),
    **dict.fromkeys("most mostly majority usually generally typically often".split(), _MOST),
    **dict.fromkeys("all every each everyone everybody always".split(), _ALL),
}
_REACH = 2
"""Content words after a quantifier that it may speak of."""

_TAKEN_BACK = frozenset(
    """
    false falsely untrue myth misconception incorrect incorrectly wrong wrongly debunked disproved
    refuted fallacy hoax
    """.split()
)
_HELD_TRUE = frozenset("true correct right case".split())
_POINTING_BACK = frozenset("no that this it".split())
_MOST_WORDS_OF_A_RETORT = 8


def quantifier_conflicts(claim: Sequence[Word], said: Sequence[Word]) -> Iterator[Conflict]:
    """Where the claim speaks of more than the text does: all of what are few, some, or most.

    A claim without a quantifier speaks of all, but only of what the text's quantifier stands
    before; and few are not some.
    """
    ours, theirs = _quantified(claim), _quantified(said)
    if not ours:
        stems = {word.stem for word in claim}
        theirs = [found for found in theirs if stems & found[2]]
    if not theirs:
        return
    least, claimed, _ = max(ours, default=(_ALL, "", set()), key=lambda found: found[0])
    most, shown, _ = max(theirs, key=lambda found: found[0])
    if most < least or (least == _FEW and most != _FEW):
        yield Conflict(AlterationKind.NUMBER, claimed, shown)


def _quantified(words: Sequence[Word]) -> list[tuple[int, str, set[str]]]:
    """The quantifiers: how much, the word, and the stems of what it may speak of."""
    found = []
    for at, word in enumerate(words):
        much = _QUANTIFIERS.get(word.key)
        before = words[at - 1].key if at else ""
        after = words[at + 1 : at + 2]
        if much is None or (after and after[0].number is not None):  # some 300 people
            continue
        if word.key == "most" and before in ("the", "at"):
            continue
        if word.key == "few" and before == "a":
            much = _SOME
        content = [other.stem for other in words[at + 1 :] if other.content]
        found.append((much, word.text, set(content[:_REACH])))
    return found


def denial_conflicts(
    claim: Sequence[Word], said: Sequence[Word], following: Sequence[Word]
) -> Iterator[Conflict]:
    """Where only one side calls what is told false, or the words that follow do."""
    if not _points_back(following):
        following = ()
    ours, theirs = _taken_back(claim), _taken_back(said) or _taken_back(following)
    if bool(ours) != bool(theirs):
        yield Conflict(AlterationKind.NEGATION, ours, theirs)


def _points_back(words: Sequence[Word]) -> bool:
    return bool(words) and words[0].key in _POINTING_BACK and len(words) <= _MOST_WORDS_OF_A_RETORT


def _taken_back(words: Sequence[Word]) -> str:
    """The word by which something is called false; empty if there is none."""
    for word in words:
        if word.key in _TAKEN_BACK:
            return word.text
    for denial, word in pairwise(words):
        if denial.key in lexicon.NEGATIONS and word.key in _HELD_TRUE:
            return f"{denial.text} {word.text}"
    return ""
