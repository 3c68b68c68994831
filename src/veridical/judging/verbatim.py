"""Does a sentence hold a claim word for word, and take nothing of it back?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from veridical.judging.alignment import read_keys
from veridical.judging.alignment_words import Word, read_words
from veridical.judging.clauses import AUXILIARIES, PREPOSITIONS
from veridical.judging.features_reservations import CONDITIONS, NOT_IN_FORCE, UNCERTAIN
from veridical.validation import lexicon


def says_verbatim(claim: str, sentence: str) -> bool:
    """Whether a sentence, or one of those in a list item, holds the claim word for word, and takes
    nothing of it back.

    Case, punctuation and the way numbers are written do not matter; function words do, since "to"
    and "from" are among them.
    """
    return verbatim_words(claim, sentence) is not None


def verbatim_words(claim: str, sentence: str) -> range | None:
    """The words of the sentence that `says_verbatim`, by their places in what is given: all, or
    those of one sentence of a list item. None where none does.
    """
    if _holds(claim, sentence):
        return range(len(read_keys(sentence)))
    return next((words for part, words in _parts(claim, sentence) if _holds(claim, part)), None)


def _parts(claim: str, sentence: str) -> Iterator[tuple[str, range]]:
    """The sentences under one sign of a list, with the places of their words. A short one in front,
    as in "- Interns. Meals are paid.", is a title, and a claim of what follows must say it; where
    it says when or for whom, a claim of all the others too.
    """
    parts = _ENDS.split(sentence)
    if sum(len(read_keys(part)) for part in parts) != len(read_keys(sentence)):
        return  # cut in the midst of a number with its unit
    stems = {word.stem for word in read_words(claim)}
    start = 0
    for number, (before, part) in enumerate(pairwise(parts)):
        start += len(read_keys(before))
        title = read_words(_NUMBER.sub("", before)) if number == 0 else read_words(before)
        telling = [word for word in title if word.content]
        is_said = all(word.stem in stems for word in telling)
        if len(telling) <= _MOST_IN_TITLE and not is_said:
            if number == 0 and any(_limits(word) for word in title):
                return
            continue
        yield part, range(start, start + len(read_keys(part)))


def _limits(word: Word) -> bool:
    """Whether a word of a title says when, where or in which case what follows holds."""
    key = word.key
    bound = word.number is not None or word.named
    return bound or key in PREPOSITIONS | CONDITIONS | UNCERTAIN | lexicon.NEGATIONS


_ENDS = re.compile(r"(?<=[a-z)][.!?])\s+(?=[A-Z])")
_NUMBER = re.compile(r"\A\W*\d{1,3}[.)]\s")
_CLAUSE_NUMBER = re.compile(r"\A\W*\d{1,3}(?:\.\d{1,3}){1,3}\.?\s+(?=[A-Z])")
"""The number of a clause, which is no part of it: "5.2 Data are stored in the EU."."""

_MOST_IN_TITLE = 4


def _holds(claim: str, sentence: str) -> bool:
    sentence = _CLAUSE_NUMBER.sub("", sentence)
    keys, said = read_keys(claim), read_keys(sentence)
    if not keys or keys[0] not in said:
        return False
    if sentence.rstrip().endswith("?") != claim.rstrip().endswith("?"):
        return False
    ours, theirs = read_words(claim), read_words(sentence)
    units = [word.unit for word in ours]
    for at in range(len(said) - len(keys) + 1):
        if said[at : at + len(keys)] != keys:
            continue
        if any(u is not None and u != w.unit for u, w in zip(units, theirs[at:], strict=False)):
            continue
        if _stands_free(theirs, at, at + len(keys), set(keys)):
            return True
    return False


def _stands_free(said: Sequence[Word], start: int, end: int, ours: set[str]) -> bool:
    """Whether the words around a place neither narrow nor take back what it says."""
    after = said[end : end + 2]
    rest = {word.key for word in (*said[:start], *said[end:])} - ours
    if len(after) > 1 and after[0].key == "and" and after[1].key in AUXILIARIES:
        # "... and are not paid" denies what follows, unless more stands in front.
        rest -= {word.key for word in said[end:]} & {*lexicon.NEGATIONS, "without"}
    if rest & (CONDITIONS | UNCERTAIN | NOT_IN_FORCE | lexicon.NEGATIONS):
        return False
    opens = not start or said[start - 1].key in _OPENS or said[start].border == ";"
    yearly = {word.key for word in said[end : end + 3]} & {"year", "annum"}
    aside = bool(after and after[0].border and after[0].key in _ASIDES)
    ends = not after or aside or after[0].border in (";", ":") or after[0].key in _GOES_ON
    return opens and (ends or bool(yearly))


_ASIDES = frozenset("which who whose".split())
_OPENS = frozenset("and but that because as then thus while whereas also".split())
_GOES_ON = (
    (PREPOSITIONS - {"of", "for"}) | AUXILIARIES | frozenset("and but because by each".split())
)
"""Words between which a claim is all that is said: "the wife of the president" is no president, and
"10 mg per day" no 10 mg.
"""
