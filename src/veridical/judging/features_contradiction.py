"""When does a sentence contradict a claim? When it says the same of the same, but for one word.

A false accusation is worse than a missed one: "Full-time staff get 27 days" does not contradict
"Part-time staff get 20 days". So everything but the conflict must agree, and nothing may narrow,
bind or date what the sentence says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from veridical.judging.alignment import FIRM, Alignment
from veridical.judging.alignment_words import Word, same_quantity
from veridical.judging.clauses import AUXILIARIES
from veridical.judging.features_conflicts import Conflict, forbids, is_date, places_of
from veridical.judging.features_manner import HEDGES
from veridical.judging.features_reservations import CONDITIONS, LIGHT, condition
from veridical.validation import lexicon
from veridical.validation.differences import AlterationKind

_REST_HELD = 0.9
"""Weighted share of the claim, but for the conflict, that the sentence must say."""

_WEAK_DENIALS = frozenset(
    "hardly barely scarcely rarely seldom unless except excluding without lacks lack fails fail "
    "neither nor none".split()
)
_DECIDABLE = frozenset(
    {AlterationKind.NUMBER, AlterationKind.DATE, AlterationKind.UNIT, AlterationKind.NEGATION}
)


def contradiction(
    alignment: Alignment,
    conflicts: Sequence[Conflict],
    sentences: Sequence[str],
    standing: Sequence[int],
) -> tuple[Conflict, int] | None:
    """The conflict by which a sentence contradicts the claim, and the sentence's index. `standing`
    are the columns of the passage that the claim stands on.
    """
    a, sentence = alignment, alignment.best_sentence
    if not conflicts or sentences[sentence].rstrip().endswith("?"):
        return None
    changes = [_change(a, conflict, standing) for conflict in conflicts]
    if len(changes) > 1 and not _are_changed_ends(a, changes):
        return None
    inside = np.array([column for column in standing if a.in_best[column]], np.int64)
    if not len(inside) or not _begins_anew(a, int(inside[0])):
        return None
    for change in changes:
        if change.kind not in _DECIDABLE or not _is_plain(change):
            return None
        if change.other is not None and not change.columns:
            return None
        if not _in_same_place(a, inside, change) or _said_elsewhere(a, change):
            return None
    if not _same_manner(a, inside) or not _rest_is_held(a, changes, inside):
        return None
    if _is_narrowed(a, inside, changes):
        return None
    return conflicts[0], sentence


@dataclass(frozen=True, slots=True)
class _Change:
    """A conflict with its words: `one` at a place of the claim, `other` in the passage.

    `rows` and `columns` are all that it is about: the former of the claim, the latter, rising, of
    the best sentence.
    """

    kind: AlterationKind
    one: Word | None
    other: Word | None
    claim_at: int | None
    said_at: int | None
    rows: frozenset[int]
    columns: tuple[int, ...]


def _change(a: Alignment, conflict: Conflict, standing: Sequence[int]) -> _Change:
    said = [a.passage[column] for column in standing]
    mine, yours = conflict.claim_at, conflict.said_at
    ours = () if mine is None else places_of(a.claim_all, mine)
    theirs = () if yours is None else sorted(places_of(said, yours))
    return _Change(
        conflict.kind,
        None if mine is None else a.claim_all[mine],
        None if yours is None else said[yours],
        mine,
        yours,
        frozenset(a.rows_at(ours)),
        tuple(standing[place] for place in theirs if a.in_best[standing[place]]),
    )


def _begins_anew(a: Alignment, column: int) -> bool:
    """Whether no clause before a word may bind its own: "in probation staff get 5, and ..."."""
    first = column == 0 or bool(a.sentence_of[column] != a.sentence_of[column - 1])
    return first or a.passage[column].border == ";"


def _are_changed_ends(a: Alignment, changes: Sequence[_Change]) -> bool:
    """Whether two conflicts are the two ends of one time: from January to December."""
    return (
        len(changes) == 2
        and {"from", "to"} <= {word.key for word in a.claim_all}
        and changes[0].said_at != changes[1].said_at
        and all(c.one and c.other and is_date(c.one) and is_date(c.other) for c in changes)
    )


def _is_plain(change: _Change) -> bool:
    """Whether there are two words that exclude each other, or one plain denial."""
    one, other = change.one, change.other
    if one is not None and other is not None:
        return one.number is None or one.unit is not None or other.unit is None
    denial = one or other
    return (
        change.kind is AlterationKind.NEGATION
        and denial is not None
        and denial.key in lexicon.NEGATIONS
        and denial.key not in _WEAK_DENIALS
    )


def _in_same_place(a: Alignment, inside: NDArray[np.int64], change: _Change) -> bool:
    """Whether two opposite words have a neighbour in common; numbers have their unit instead."""
    if change.one is None or change.claim_at is None or change.other is None:
        return True
    if change.one.number is not None:
        return True
    said = [a.passage[column] for column in inside]
    place = inside.tolist().index(change.columns[0])
    return bool(_beside(a.claim_all, change.claim_at) & _beside(said, place))


def _beside(words: Sequence[Word], place: int) -> set[str]:
    """The stems of the content words next to the word at a place."""
    content = [i for i, word in enumerate(words) if word.content or i == place]  # May is both
    at = content.index(place)
    return {words[i].stem for i in (*content[max(0, at - 1) : at], *content[at + 1 : at + 2])}


def _same_manner(a: Alignment, inside: NDArray[np.int64]) -> bool:
    """Whether both commit themselves alike, and neither is bound to something.

    Hedges count up to the last word of the claim: "is kept for 180 days and may be read".
    """
    ours = _plain_keys(a.claim_all)
    theirs = _plain_keys([a.passage[column] for column in inside])
    last = int(np.flatnonzero(a.match[:, inside].max(axis=0) >= FIRM).max(initial=-1))
    hedged = _plain_keys([a.passage[column] for column in inside[: last + 1]]) & HEDGES
    wary = ours & HEDGES
    if forbids([a.passage[column] for column in inside]):  # may, must not
        hedged, wary = hedged - _PERMITS, wary - _PERMITS
    if hedged != wary or (theirs ^ ours) & _TIMES_OF_VALIDITY:
        return False
    return ours & CONDITIONS <= theirs and condition(a, inside.tolist()) is None


def _plain_keys(words: Sequence[Word]) -> set[str]:
    return {word.key for word in words if not is_date(word)}  # the month of May


_PERMITS = frozenset({"may", "can"})
_TIMES_OF_VALIDITY = frozenset(
    "previously formerly before after during until then earlier later once former new old draft "
    "proposed planned example instance".split()
)


def _said_elsewhere(a: Alignment, change: _Change) -> bool:
    """Whether the passage has what the claim says in another place: then it is not so plain."""
    word = change.one
    if word is None or change.other is None:
        return False
    if word.number is not None:
        return any(same_quantity(word, other) for other in a.passage)
    return any(word.stem == other.stem for other in a.passage)


def _rest_is_held(a: Alignment, changes: Sequence[_Change], inside: NDArray[np.int64]) -> bool:
    changed = {row for change in changes for row in change.rows}
    rest = np.zeros(len(a.claim), bool)
    for row in a.rows_at(a.unbound):
        rest[row] = row not in changed and _tells(a.claim[row])
    opposed = all(change.one and change.other for change in changes)
    if rest.sum() < (1 if opposed else 2):
        return False
    firm = a.match[:, inside].max(axis=1) >= FIRM
    weight = a.claim_weight * rest
    return bool(weight @ firm >= _REST_HELD * weight.sum())


def _tells(word: Word) -> bool:
    return word.key not in LIGHT and word.key not in lexicon.NEGATIONS


def _is_narrowed(a: Alignment, inside: NDArray[np.int64], changes: Sequence[_Change]) -> bool:
    """Whether the sentence has content words of its own before or between those of the claim."""
    rest = [r for r in range(len(a.claim)) if not any(r in change.rows for change in changes)]
    found = a.match[rest][:, inside].max(axis=0) >= FIRM
    words = [a.passage[column] for column in inside]
    content = np.array([word.content for word in words])
    last = int(np.flatnonzero(found & content).max(initial=-1))
    aside = _said_besides(words, found & content)
    for place, word in enumerate(words[: last + 1]):
        harmless = not _tells(word) or place in aside
        changed = any(inside[place] in change.columns for change in changes)
        if content[place] and not found[place] and not changed and not harmless:
            return True
    return False


def _said_besides(words: Sequence[Word], found: NDArray[np.bool_]) -> set[int]:
    """The places of words that say something more of the same subject before "and" with another
    verb (helmets "are issued by the store" and must not be bought), and of more subjects in a row
    (books and "software").
    """
    aside: set[int] = set()
    for at in range(1, len(words) - 1):
        if words[at].key not in ("and", "but"):
            continue
        start = next((i for i in range(at - 1, -1, -1) if found[i]), at) + 1
        if words[at + 1].key in AUXILIARIES:
            if 0 < start < at and _is_predicate(words[start - 1 : at]):
                aside.update(range(start, at))
        elif start == at and at + 2 < len(words) and not _is_joined(words[at + 2]):
            aside.add(at + 1)
    return aside


def _is_predicate(words: Sequence[Word]) -> bool:
    """Whether a verb follows the first of some words, and no clause within them narrows it."""
    subject, verb = words[0].key, words[1].key
    if any(word.key in _NARROWS for word in words):
        return False
    return verb in AUXILIARIES or (verb.endswith("s") and not subject.endswith("s"))


_NARROWS = frozenset("who whom whose that which if when where while".split()) | CONDITIONS


def _is_joined(word: Word) -> bool:
    """Whether a word goes on with what the word before it names."""
    return word.content and not word.border and word.key != "up"
