"""All hard signs of a case together: what decides whatever the fitted model says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from veridical.judging.alignment import FIRM, Alignment, Matrix
from veridical.judging.alignment_words import Word, read_words
from veridical.judging.bounds import vague_of_one
from veridical.judging.cells import misplaced_values
from veridical.judging.clauses import standing, without_asides
from veridical.judging.english import is_english
from veridical.judging.features_conflicts import Conflict, find_conflicts, places_of
from veridical.judging.features_contradiction import contradiction
from veridical.judging.features_reservations import (
    find_reservations,
)
from veridical.judging.judge import Case
from veridical.judging.lead_ins import unsaid_of_items
from veridical.judging.rates import has_rate, per_conflicts, rate_conflicts
from veridical.judging.reservation_rules import LEFT_OUT, SAID_OF_OTHERS, Reading, notes
from veridical.judging.stated_cells import stated_by_cell
from veridical.judging.taken_back import heads_what_is_none, taken_back, turned_round
from veridical.judging.turned import changed_places
from veridical.judging.unread import is_read, strange_quantities, unread_conflicts
from veridical.judging.unsaid import missing_words, unsaid
from veridical.judging.verbatim import verbatim_words
from veridical.validation.differences import AlterationKind

_WORTH_A_NEIGHBOUR = 0.08
"""Share of the claim that a neighbouring sentence must add to be part of what decides."""

_MOST_DECIDING = 3
_LEAST_BEARING = 0.12
"""Share of the claim below which no sentence bears on it."""

NEAR = 0.55
"""Share of the claim from which the deciding sentences speak of the same thing: then a difference
in one word is a difference in what is said."""

CLOSE = 0.7
"""Share of the rest of the claim from which another value or a denial is about the same."""

SAME = 0.85
"""Share from which they say the same but for what is missing."""

_VALUES = frozenset({AlterationKind.NUMBER, AlterationKind.UNIT, AlterationKind.DATE})
_FOREIGN = "The text does not read as English: only words that stand there unchanged can count."


@dataclass(frozen=True, slots=True)
class HardSigns:
    """What decides by itself, and the sentences that it was read from.

    `deciding` is a half-open range of `Case.sentences`, None where none bears on the claim.
    `verbatim` says that a sentence holds the claim word for word, `by_cell` that a cell of a table
    states it beside the titles of its row and column: either settles it. `conflicts` forbid full
    support at any operating point, `reservations` (plain sentences) at the strict one.
    `contradicted` is the one conflict by which a sentence says the opposite. `directness` is as in
    `Judgement`.
    """

    deciding: tuple[int, int] | None
    covered: float
    verbatim: bool = False
    by_cell: bool = False
    directness: float = 0.5
    conflicts: tuple[Conflict, ...] = ()
    reservations: tuple[str, ...] = ()
    contradicted: Conflict | None = None
    english: bool = True

    @property
    def settled(self) -> bool:
        """Whether the claim is borne out whatever else there is to say."""
        return self.verbatim or self.by_cell

    @property
    def note(self) -> str:
        """The one thing that a reader should know first; empty where there is nothing."""
        if self.verbatim:
            return "The passage says it word for word."
        if self.by_cell:
            return "A cell of the table says it, under these titles of its row and column."
        if self.contradicted is not None:
            return self.contradicted.note
        if self.conflicts:
            return self.conflicts[0].note
        return self.reservations[0] if self.reservations else ""


def read_hard_signs(case: Case, a: Alignment) -> HardSigns:
    """The hard signs of a case."""
    no_rule = heads_what_is_none(case)
    if no_rule is None and (place := _verbatim_at(case, a)) is not None:
        return HardSigns((place, place + 1), 1.0, verbatim=True, directness=1.0)
    if no_rule is None and (row := _cell_at(case, a)) is not None:
        return HardSigns((row, row + 1), 1.0, by_cell=True, directness=1.0)
    low, high, covered = _deciding(a)
    stands = standing(a, _inside(a, low, high))
    said = [a.passage[i] for i in stands]
    around = [*a.passage, *read_words(case.context), *read_words(case.heading)]
    main = set(without_asides(a, stands))
    denying = [place for place, column in enumerate(stands) if column in main]
    found = find_conflicts(a.claim_all, said, around, denying)
    replaced = [c for c in found if c.said]
    held = a.matched[:, low:high].max(axis=1)
    shares = [_covered_but_for(a, held, [c, *replaced]) for c in found]
    plain = tuple(c for c, near in zip(found, shares, strict=True) if _is_hard(c, near))
    near = _covered_but_for(a, held, replaced)
    if not plain and near >= SAME and (swapped := changed_places(a, stands)) is not None:
        plain = (swapped,)
    often = rate_conflicts(a.claim_all, _where_rates_count(a, stands), read_words(case.heading))
    deciding = case.sentences[low:high]
    conflicts = (
        *unread_conflicts(case.claim, deciding),
        *plain,
        *(c for c in found if c not in plain and _is_value(c)),
        *often,
        *per_conflicts(a.claim_all, said),
        *misplaced_values(case, low, high),
        *_taken_back(case, low, high),
    )
    english = is_english([*a.claim_all, *said])
    known = {word.stem for word in around[len(a.passage) :]}
    reading = Reading(case, a, low, high, stands, known)
    reservations = (
        *([] if english else [_FOREIGN]),
        *(_close_by(a, stands, deciding, known, found, shares) if near >= NEAR else ()),
        *strange_quantities(case.claim, deciding),
        *notes(SAID_OF_OTHERS, reading),
        *(notes(LEFT_OUT, reading) if near >= NEAR else ()),
        *([] if no_rule is None else [f'The passage stands under a title with "{no_rule}".']),
    )
    opposite = contradiction(a, plain, case.sentences, stands) if english else None
    contradicted = None
    if opposite is not None:
        contradicted, sentence = opposite
        low, high = sentence, sentence + 1
    bearing = covered >= _LEAST_BEARING
    return HardSigns(
        (low, high) if bearing or contradicted else None,
        covered,
        directness=_directness(a, known),
        conflicts=conflicts,
        reservations=reservations,
        contradicted=contradicted,
        english=english,
    )


def _close_by(
    a: Alignment,
    stands: Sequence[int],
    deciding: Sequence[str],
    known: set[str],
    found: Sequence[Conflict],
    shares: Sequence[float],
) -> Iterator[str]:
    """Reservations that count where the sentences speak of the same thing."""
    yield from (c.note for c, share in zip(found, shares, strict=True) if share >= NEAR)
    if (words := unsaid(a, stands, known)) is not None:
        yield f"The passage says nothing of {words}."
    yield from find_reservations(a, stands, deciding, known)
    if (vague := vague_of_one(a.claim_all, [a.passage[i] for i in stands])) is not None:
        yield f'Only one of them has "{vague}" as a rough number.'


def _verbatim_at(case: Case, a: Alignment) -> int | None:
    """The first sentence that holds the claim word for word, and that nothing around takes back."""
    known = {word.stem for word in (*read_words(case.context), *read_words(case.heading))}
    return next(
        (
            at
            for at, text in enumerate(case.sentences[: a.sentences])
            if (words := verbatim_words(case.claim, text)) is not None
            and is_read(case.claim, text)
            and taken_back(case, at, at + 1) is None
            and turned_round(case, at, at + 1) is None
            and not _leaves_out(case, a, at, known, words)
            and not any(misplaced_values(case, at, at + 1))
            and unsaid_of_items(case, at, at + 1) is None
        ),
        None,
    )


def _leaves_out(case: Case, a: Alignment, at: int, known: set[str], words: range) -> bool:
    """Whether the claim leaves out what some words of a sentence say."""
    columns = _inside(a, at, at + 1)[words.start : words.stop]
    return any(notes(LEFT_OUT, Reading(case, a, at, at + 1, columns, known)))


def _cell_at(case: Case, a: Alignment) -> int | None:
    """The row of a table that states the claim in one cell, and that nothing around takes back."""
    row = stated_by_cell(case)
    if row is None or row >= a.sentences or not is_english([*a.claim_all, *a.passage]):
        return None
    return None if any(_taken_back(case, row, row + 1)) else row


def _taken_back(case: Case, low: int, high: int) -> Iterator[Conflict]:
    words = taken_back(case, low, high) or turned_round(case, low, high)
    if words is not None:
        yield Conflict(AlterationKind.NEGATION, "", words)


def _is_hard(conflict: Conflict, near: float) -> bool:
    """Whether a conflict is about the same thing, for the share `near` of what else the claim says
    that is covered: where the claim only has something more, that must be nearly all.
    """
    beside = conflict.kind is AlterationKind.NEGATION or (conflict.claimed and conflict.said)
    named = conflict.kind is AlterationKind.NAME
    return near >= (CLOSE if beside and not named else SAME)


def _is_value(conflict: Conflict) -> bool:
    """Whether the claim has a number, a unit or a date which the sentences have not: however far
    they are from the claim, they do not bear that out.
    """
    return conflict.kind in _VALUES and bool(conflict.claimed)


def _where_rates_count(a: Alignment, columns: Sequence[int]) -> list[Word]:
    """The words of the best sentence, if it says how often; of all that some columns are in, if it
    does not.
    """
    best = [w for w, at in zip(a.passage, a.sentence_at, strict=True) if at == a.best_sentence]
    if has_rate(best):
        return best
    sentences = {a.sentence_at[column] for column in columns}
    return [w for w, at in zip(a.passage, a.sentence_at, strict=True) if at in sentences]


def _covered_but_for(a: Alignment, held: Matrix, conflicts: Sequence[Conflict]) -> float:
    """The share of the claim, but for its words of some conflicts, that is `held` (claim,)."""
    rest = a.claim_weight.copy()
    for conflict in conflicts:
        if conflict.claim_at is not None:
            rest[a.rows_at(places_of(a.claim_all, conflict.claim_at))] = 0.0
    return float(rest @ held / max(rest.sum(), 1e-9))


def _deciding(a: Alignment) -> tuple[int, int, float]:
    """The best sentence, with neighbours as long as they add to what is covered."""
    low = a.best_sentence
    high = low + 1
    best = a.matched[:, low]
    covered = float(a.covered(best))
    while high - low < _MOST_DECIDING:
        options = []
        for lower, upper in ((low - 1, high), (low, high + 1)):
            if lower >= 0 and upper <= a.sentences:
                more = np.maximum(best, a.matched[:, lower:upper].max(axis=1))
                options.append((round(float(a.covered(more)), 9), -lower, lower, upper, more))
        if not options:
            break
        gained, _, lower, upper, more = max(options, key=lambda option: option[:2])
        if gained < covered + _WORTH_A_NEIGHBOUR:
            break
        low, high, best, covered = lower, upper, more, gained
    return low, high, covered


def _inside(a: Alignment, low: int, high: int) -> list[int]:
    return np.flatnonzero((a.sentence_of >= low) & (a.sentence_of < high)).tolist()


def _directness(a: Alignment, known: set[str]) -> float:
    """1 where all of the claim's telling words, or forms of them, stand in the passage."""
    stand = bool((a.related.max(axis=1) > 0)[a.claim_weight >= FIRM].all())
    return 1.0 if stand and not missing_words(a, known) else 0.5
