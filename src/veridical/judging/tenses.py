"""Does a passage speak of what is to come, or of what was, where the claim speaks of what is?"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from veridical.judging.alignment import Alignment
from veridical.judging.alignment_words import Word
from veridical.judging.clauses import AUXILIARIES

_BE = frozenset("is are am be been being was were".split())
_WAS = frozenset("was were had did".split())
_IS = frozenset("is are am has have does do".split())
_THEN = {"is": {"was", "were"}, "are": {"was", "were"}, "has": {"had"}, "have": {"had"}}
_COMING = frozenset("will shall wont".split())
_INTENDS = frozenset(
    """
    plan plans planned planning intend intends intended intending aim aims aimed aiming want wants
    wanted hope hopes hoped hoping expect expects expected propose proposes promise promises
    promised try tries tried trying attempt attempts attempted seek seeks sought threaten threatens
    threatened wish wishes wished
    """.split()
)
"""Words behind which "to" tells what has not been done."""

_IRREGULAR = frozenset(
    """
    got went gave took made paid sent held won lost built left met sold bought began became came
    grew fell rose kept said told found wrote drew spoke stood chose broke brought taught caught
    """.split()
)
_LEAST_PAST = 4


def is_past(words: Sequence[Word]) -> bool:
    """Whether a sentence tells what was: by an auxiliary verb, or a verb without one."""
    before = ""
    for word in words:
        if word.key in _WAS:
            return True
        if may_be_past(word) and _is_finite(before):
            return True
        before = word.key if word.content or word.key in _NO_VERB_BEFORE else before
    return False


def is_finite_past(word: Word, before: Word) -> bool:
    """Whether a word tells what was done by what stands in front of it."""
    return may_be_past(word) and _is_finite(before.key)


def may_be_past(word: Word) -> bool:
    """Whether a word has the form of what was done: an ending, or one of some verbs."""
    ended = word.key.endswith("ed") and len(word.key) > _LEAST_PAST
    return (ended or word.key in _IRREGULAR) and word.content


def _is_finite(before: str) -> bool:
    """Whether a form that may be a participle is a verb of its own behind a word."""
    return bool(before) and before not in _NO_VERB_BEFORE


_NO_VERB_BEFORE = _BE | frozenset(
    """
    has have had having get gets getting the a an of to in on at by for with from as must may can
    not all any no their his her its our your my this that these those and or
    """.split()
)


def another_time(a: Alignment, standing: Sequence[int]) -> str | None:
    """The words by which the passage speaks of another time than the claim, or of what somebody
    only means to do; None where there are none.
    """
    said = [a.passage[column] for column in standing]
    best = [a.passage[column] for column in standing if a.in_best[column]]
    return _meant(a, standing) or _gone(a, said) or _to_come(a, said) or _to_come(a, best)


def _meant(a: Alignment, standing: Sequence[int]) -> str | None:
    """Plans to, used to: in front of a word of the claim that has neither."""
    ours = {word.stem for word in a.claim_all}
    for at, (one, other) in enumerate(pairwise(standing)):
        word, following = a.passage[one], a.passage[other]
        if following.key != "to" or following.border or word.stem in ours:
            continue
        used_to = word.key == "used" and not _has_auxiliary(a, standing, at)
        if (word.key in _INTENDS or used_to) and _is_claimed(a, standing[at + 2 : at + 6]):
            return f"{word.text} to"
    return None


def _has_auxiliary(a: Alignment, standing: Sequence[int], at: int) -> bool:
    """Whether a sentence has a verb besides: "devices used to measure it are ..."."""
    sentence = a.sentence_at[standing[at]]
    return any(a.passage[c].key in AUXILIARIES for c in standing if a.sentence_at[c] == sentence)


def _is_claimed(a: Alignment, columns: Sequence[int]) -> bool:
    return any(a.passage[column].content and a.is_held[column] for column in columns)


def _gone(a: Alignment, said: Sequence[Word]) -> str | None:
    """Was, where the claim says is; had, where it says has."""
    ours, theirs = {w.key for w in a.claim_all}, {w.key for w in said}
    if ours & _WAS or theirs & (_IS | _COMING):
        return None
    for now, then in _THEN.items():
        found = next((word for word in said if word.key in then), None)
        if now in ours and found is not None:
            return found.text
    return None


def _to_come(a: Alignment, said: Sequence[Word]) -> str | None:
    """Will, or is to, where the claim tells what was."""
    if not is_past(a.claim_all) or _is_to(a.claim_all) is not None:
        return None
    if (words := _is_to(said)) is not None or is_past(said):
        return words
    return next((word.text for word in said if word.key in _COMING), None)


def _is_to(words: Sequence[Word]) -> str | None:
    """Is to, was to: what is or was planned."""
    for word, following in pairwise(words):
        if word.key in ("is", "are", "was", "were") and following.key == "to":
            return f"{word.text} to"
    return None
