"""Does a claim give to one what a clause of the sentence says of another?

"Anna thanked the staff and Tom announced the closure" holds every word of "Anna announced the
closure". There is no parser here: a clause counts as one with a subject of its own where it begins
with words that the claim has not, and a verb follows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from veridical.judging.alignment import Alignment
from veridical.judging.alignment_words import Word
from veridical.judging.clauses import AUXILIARIES, PREPOSITIONS
from veridical.judging.tenses import is_finite_past
from veridical.validation import lexicon

_JOINS = frozenset("and but while whereas".split())
_WHO = frozenset("who whose".split())
_WHICH = frozenset("that which".split())
_ARTICLES = frozenset("the a an its his her their our this that these those".split())
_SUBORDINATES = frozenset("if when where since because as although though after before".split())

_LEAST_WEIGHT = 0.3
"""Weight of a claim's word from which it matters in which clause it stands."""

_MOST_SUBJECT = 4
"""Words of a subject, in front of its verb."""

_MOST_PREDICATE = 6
"""Words at the end of a clause among which "is" makes them its predicate."""

_BE = frozenset("is are was were be been being as called named".split())

Clause = list[int]


def done_by_another(a: Alignment, standing: Sequence[int]) -> str | None:
    """The subject of the clause that says it, where the claim names one from another clause of the
    sentence; None where there is none.

    `standing` are the columns of the passage that the claim stands on.
    """
    for sentence in sorted({a.sentence_at[column] for column in standing}):
        columns = np.flatnonzero(a.sentence_of == sentence).tolist()
        clauses = list(clauses_of(a, columns))
        subjects = [_own_subject(a, clause) for clause in clauses]
        for at, clause in enumerate(clauses):
            subject = subjects[at] or (_antecedent(a, clauses[at - 1], clause) if at else [])
            if not subject or a.is_held[subject[-1]]:
                continue
            before = [column for one in clauses[:at] for column in one]
            others = [subjects[later] for later in range(at + 1, len(clauses))]
            if (at and _tells_of_another(a, before, clause)) or any(
                _tells_of_a_later(a, clause, other) for other in others
            ):
                return " ".join(a.passage[column].text for column in subject)
    return None


def said_around(a: Alignment, standing: Sequence[int]) -> str | None:
    """What a sentence is about, where the claim begins with somebody whom it only names in between:
    "The Friends, whose treasurer is Ann, gave 500 euros". None elsewhere.
    """
    row = next((row for row, word in enumerate(a.claim) if word.content), None)
    for sentence in sorted({a.sentence_at[column] for column in standing}):
        columns = np.flatnonzero(a.sentence_of == sentence).tolist()
        for about, aside, rest in _triples(list(clauses_of(a, columns))):
            head, verb = a.passage[aside[0]], a.passage[rest[0]]
            if head.key not in _WHO | _WHICH or not head.border or not verb.border or row is None:
                continue
            named = [c for c in aside if a.related[row, c]]
            outside = [c for c in (*about, *rest) if a.related[row, c]]
            telling = [c for c in about if a.passage[c].content]
            if not named or outside or any(a.is_held[c] for c in telling) or not telling:
                continue
            if a.is_held[rest[0]] or verb.key in AUXILIARIES:
                return " ".join(a.passage[c].text for c in telling)
    return None


def _triples(clauses: Sequence[Clause]) -> Iterator[tuple[Clause, Clause, Clause]]:
    yield from zip(clauses, clauses[1:], clauses[2:], strict=False)


def told_in_short(a: Alignment, standing: Sequence[int]) -> str | None:
    """What a short clause without a verb is about, where the claim takes that clause's word for
    the thing of the clause before: "Admission is 8 euros, children free". None elsewhere.
    """
    for sentence in sorted({a.sentence_at[column] for column in standing}):
        columns = np.flatnonzero(a.sentence_of == sentence).tolist()
        clauses = list(clauses_of(a, columns))
        for at, clause in enumerate(clauses[1:], start=1):
            telling = [c for c in clause if a.passage[c].content]
            if not _is_short(a, clause) or not telling or not a.is_held[telling[-1]]:
                continue
            before = [column for one in clauses[:at] for column in one]
            valued = any(
                a.passage[number].number is not None
                and not a.is_held[number]
                and a.passage[verb].key in _HAS_VALUE
                for verb, number in pairwise(before)
            )
            parted = tells(a, clause, before) and tells(a, before, clause)
            if valued and parted and not a.is_held[telling[0]]:
                return a.passage[telling[0]].text
    return None


def _is_short(a: Alignment, clause: Clause) -> bool:
    """Whether a clause is no more than a thing and its value; "a large firm" says what it is."""
    keys = [a.passage[column].key for column in clause]
    return len(keys) <= _MOST_SHORT and keys[0] not in _ARTICLES and AUXILIARIES.isdisjoint(keys)


_HAS_VALUE = frozenset("is are was were costs cost".split())
_MOST_SHORT = 6
"""Words of a clause without a verb."""


def _tells_of_another(a: Alignment, before: Clause, clause: Clause) -> bool:
    return tells(a, clause, before) and _tells_of_its_own(a, before, clause)


def _tells_of_a_later(a: Alignment, clause: Clause, subject: Clause) -> bool:
    """Whether the claim begins with the subject of a later clause, and goes on with this one."""
    if not subject or not a.is_held[subject[-1]]:
        return False
    opening = {row for row in range(len(a.claim)) if a.place_of[row] < _MOST_SUBJECT}
    named = {row for row in opening if a.related[row, subject[-1]] and a.claim[row].content}
    return (
        bool(named) and not a.related[sorted(named)][:, clause].any() and tells(a, clause, subject)
    )


def clauses_of(a: Alignment, columns: Sequence[int]) -> Iterator[Clause]:
    """A sentence parted at marks, conjunctions and relative pronouns, which stay at their head."""
    clause: Clause = []
    for column in columns:
        word = a.passage[column]
        parts = word.border or word.key in _JOINS or word.key in _WHO or word.key in _WHICH
        if clause and parts:
            yield clause
            clause = []
        clause.append(column)
    yield clause


def _own_subject(a: Alignment, clause: Clause) -> Clause:
    """The words between the head of a clause and its verb; none where it begins otherwise."""
    words = [column for column in clause if a.passage[column].key not in _JOINS]
    subject: Clause = []
    opened = False
    for column in words[: _MOST_SUBJECT + 2]:
        word = a.passage[column]
        # "publicly traded" has no subject: behind a bare small word "traded" is no verb.
        named = opened or (subject and a.passage[subject[-1]].named)
        if subject and _is_verb(word, a.passage[subject[-1]], named=bool(named)):
            return subject
        if word.key in _ARTICLES and not subject:
            opened = True
            continue
        if not (word.content or word.named) or word.key in _NO_SUBJECT or word.key in _SUBORDINATES:
            return []
        subject.append(column)
    return []


_NO_SUBJECT = PREPOSITIONS | _WHO | _WHICH | lexicon.NEGATIONS | frozenset("also then now".split())


def _is_verb(word: Word, before: Word, *, named: bool) -> bool:
    return word.key in AUXILIARIES or (named and is_finite_past(word, before))


def _antecedent(a: Alignment, before: Clause, clause: Clause) -> Clause:
    """The words that "who" stands for, or "that" without a mark, where the clause before ends in
    them; none where it says that its subject is that: "it is a thing that ...".
    """
    head = a.passage[clause[0]]
    if head.key not in _WHO and (head.key not in _WHICH or head.border):
        return []
    last: Clause = []
    for column in reversed(before):
        word = a.passage[column]
        if not (word.named or (word.content and not last)) or word.key in PREPOSITIONS:
            break
        last.insert(0, column)
    is_same = any(a.passage[column].key in _BE for column in before[-_MOST_PREDICATE:])
    return [] if is_same else last


def tells(a: Alignment, clause: Clause, before: Clause) -> bool:
    """Whether the claim has a telling word that this clause alone has."""
    return any(
        a.claim_weight[row] >= _LEAST_WEIGHT
        and a.related[row, clause].any()
        and not a.related[row, before].any()
        for row in range(len(a.claim))
    )


def _tells_of_its_own(a: Alignment, before: Clause, clause: Clause) -> bool:
    """Whether the claim begins with what the clauses before alone have, and they say something of
    it that the claim does not: they are no "in March," or "according to the mayor,".
    """
    opening = a.passage[before[0]]
    if opening.key in PREPOSITIONS or opening.key in _SUBORDINATES:
        return False
    row = next((row for row, word in enumerate(a.claim) if word.content), None)
    if row is None or a.related[row, clause].any():
        return False
    places = [column for column in before if a.related[row, column]]
    return any(
        a.passage[column].content and not a.is_held[column]
        for column in before
        if places and column > places[0]
    )
