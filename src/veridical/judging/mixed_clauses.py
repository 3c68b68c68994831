"""Does a claim put a time or a place of one clause to what another clause says?

"He was taken to hospital with burns and was released on Monday" holds every word of "He was taken
to hospital on Monday".
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from veridical.judging.alignment import Alignment
from veridical.judging.alignment_words import Word
from veridical.judging.clause_subjects import Clause, clauses_of, tells
from veridical.judging.clauses import AUXILIARIES
from veridical.judging.tenses import may_be_past
from veridical.validation import lexicon

_LEADS = frozenset("before after when while until since because although though".split())
_RELATIVES = frozenset("which who whose".split())
_AND = frozenset("and but".split())
_WHEN = frozenset("this that last next then today now".split())


def mixed_clauses(a: Alignment, standing: Sequence[int]) -> str | None:
    """A word of the passage by which a clause says something else than the claim, which takes a
    word of that clause alone; None where there is none.
    """
    for sentence in sorted({a.sentence_at[column] for column in standing}):
        columns = np.flatnonzero(a.sentence_of == sentence).tolist()
        clauses = list(clauses_of(a, columns))
        found = (
            _next_step(a, clauses) or _aside(a, clauses) or _led(a, columns) or _denied(a, clauses)
        )
        if found is not None:
            return a.passage[found].text
    return None


def _next_step(a: Alignment, clauses: Sequence[Clause]) -> int | None:
    """The verb of "and was released on Monday", where the claim has Monday and not the release."""
    if any(word.key in _AND for word in a.claim_all):
        return None
    for at, clause in enumerate(clauses[1:], start=1):
        if a.passage[clause[0]].key not in _AND:
            continue
        verb = next((c for c in clause[1:] if a.passage[c].key not in AUXILIARIES), None)
        if verb is None or a.is_held[verb] or not may_be_past(a.passage[verb]):
            continue
        before = [column for one in clauses[:at] for column in one]
        if _dates(a, clause, before) and _more_than_one(a, before, clause):
            return verb
    return None


def _aside(a: Alignment, clauses: Sequence[Clause]) -> int | None:
    """A word of ", which had helped in 2022,", where the claim has the year and not the help."""
    for about, aside, rest in zip(clauses, clauses[1:], clauses[2:], strict=False):
        head = a.passage[aside[0]]
        if head.key not in _RELATIVES or not head.border or not a.passage[rest[0]].border:
            continue
        others = [*about, *rest]
        unheld = [c for c in aside if a.passage[c].content and not a.is_held[c]]
        if unheld and _dates(a, aside, others) and _more_than_one(a, rest, aside):
            return unheld[0]
    return None


def _led(a: Alignment, columns: Sequence[int]) -> int | None:
    """The word behind which stands what the claim is about, where it has the time of the rest: "the
    alert was sent at 3.10, before the water came" for "The water came at 3.10".
    """
    row = next((row for row, word in enumerate(a.claim) if word.content), None)
    if row is None or any(word.key in _LEADS for word in a.claim_all):
        return None
    for at, column in enumerate(columns[1:], start=1):
        if a.passage[column].key not in _LEADS:
            continue
        behind = columns[at + 1 :]
        end = next((n for n, c in enumerate(behind) if a.passage[c].border), len(behind))
        led, rest = behind[:end], [*columns[:at], *behind[end:]]
        is_about = a.related[row, led].any() and not a.related[row, rest].any()
        if is_about and _dates(a, columns[:at], led):
            return column
    return None


def _denied(a: Alignment, clauses: Sequence[Clause]) -> int | None:
    """The "not" of a clause, where the claim denies what only a clause without one says: "were not
    told, but many guessed".
    """
    if not any(word.key in lexicon.NEGATIONS for word in a.claim_all):
        return None
    denying = [c for one in clauses if _negation(a, one) is not None for c in one]
    against = (one for one in clauses if a.passage[one[0]].key == "but")
    plain = [c for one in against if _negation(a, one) is None for c in one]
    for clause in clauses:
        at = _negation(a, clause)
        if at is None:
            continue
        verb = next((c for c in clause if c > at and a.passage[c].content), None)
        if verb is not None and not a.is_held[verb] and plain and tells(a, plain, denying):
            return at
    return None


def _negation(a: Alignment, clause: Clause) -> int | None:
    return next((c for c in clause if a.passage[c].key in lexicon.NEGATIONS), None)


def _dates(a: Alignment, clause: Sequence[int], others: Sequence[int]) -> bool:
    """Whether the claim has a time or a number that stands in a clause alone."""
    return any(
        _is_time(word)
        and a.related[row, list(clause)].any()
        and not a.related[row, list(others)].any()
        for row, word in enumerate(a.claim)
    )


def _is_time(word: Word) -> bool:
    return word.number is not None or word.key in _WHEN or word.named


def _more_than_one(a: Alignment, clause: Sequence[int], others: Sequence[int]) -> bool:
    """Whether the claim has a telling word of a clause that the other has not."""
    return tells(a, list(clause), list(others))
