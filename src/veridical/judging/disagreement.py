"""What speaks against full support, whatever a model says.

A judge that is a model may be wrong, or be talked into anything by what it reads. These checks are
the hard signs of the embedded judge, read from the sentences that the other judge rests on. That
judge holds a conflict against a claim only where they share nearly all else; a model has found them
by their meaning, so here a value that they lack is lacking, and what they deny is denied, however
little else they share. Of the refuted claims that a model saying yes to everything would pass at
the balanced point, that stops about a third.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain

from veridical.judging.alignment_vectors import WordVectors
from veridical.judging.alignment_words import Word, read_words, stem
from veridical.judging.cells import misplaced_values
from veridical.judging.features import read_cases
from veridical.judging.features_conflicts import Conflict, find_conflicts
from veridical.judging.features_hard import HardSigns
from veridical.judging.judge import Case, OperatingPoint
from veridical.judging.points import barred
from veridical.judging.quantifiers import denial_conflicts, quantifier_conflicts
from veridical.judging.rates import per_conflicts, rate_conflicts
from veridical.judging.unread import unread_conflicts
from veridical.matching.embeddings import default_embedder
from veridical.matching.passages import STOP_WORDS
from veridical.text.normalize import fold
from veridical.validation.differences import AlterationKind

_AMOUNTS = frozenset({AlterationKind.NUMBER, AlterationKind.UNIT})
"""Kinds of which one sentence must have the claim's: two make another statement together."""

_VALUES = _AMOUNTS | {AlterationKind.DATE}
"""Kinds that rule full support out at every point, also where nothing stands in their place."""

_OF_NAMES = re.compile(r"(?<![\w.,])[^\W\d_]+-(\d+)(?!\w)")
"""A number that is joined to a word, as in COVID-19."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """How some sentences disagree with a claim: see `HardSigns` for all fields."""

    conflicts: tuple[Conflict, ...] = ()
    reservations: tuple[str, ...] = ()
    contradicted: Conflict | None = None

    def vetoing(self, point: OperatingPoint) -> tuple[Conflict, ...]:
        """The conflicts that rule full support out at a point, as `points.barred` has it.

        Reservations do not: a model that reads well may find a claim in quite other words.
        """
        return tuple(c for c in self.conflicts if c.kind in _VALUES or _is_barred(c, point))

    def against(self, point: OperatingPoint) -> str:
        """All that speaks against raising partial support, in words; empty if nothing does.

        At the strict point reservations do as well: whatever was not full may have been so for one.
        """
        told = [conflict.note for conflict in self.conflicts]
        strict = point is OperatingPoint.STRICT
        return " ".join(dict.fromkeys([*told, *(self.reservations if strict else ())]))


def _is_barred(conflict: Conflict, point: OperatingPoint) -> bool:
    return barred(HardSigns((0, 1), 1.0, conflicts=(conflict,)), point)


def describe(conflicts: Sequence[Conflict]) -> str:
    """Conflicts as plain sentences, for a reader of the notes."""
    return " ".join(conflict.note for conflict in conflicts)


def read_disagreement(case: Case, deciding: tuple[int, int]) -> Disagreement:
    """How a range of a case's sentences disagrees with its claim.

    Neither the claim's context nor the heading is evidence, but a name may stand in the heading or
    elsewhere in the passage, where a pronoun takes its place.
    """
    low, high = deciding
    claim = _claim_words(case.claim)
    sentences = [read_words(sentence) for sentence in case.sentences[low:high]]
    said = tuple(chain.from_iterable(sentences))
    around = [w for text in (case.heading, *case.sentences) for w in read_words(text)]
    following = tuple(chain.from_iterable(map(read_words, case.sentences[high : high + 1])))
    found = [
        *_amounts(claim, sentences),
        *(c for c in find_conflicts(claim, said, around) if c.kind not in _AMOUNTS),
        *denial_conflicts(claim, said, following),
        *quantifier_conflicts(claim, said),
        *rate_conflicts(claim, said, read_words(case.heading)),
        *per_conflicts(claim, said),
        *misplaced_values(case, low, high),
        *unread_conflicts(case.claim, case.sentences[low:high]),
    ]
    (reading,) = read_cases([Case(case.claim, case.sentences[low:high])], _vectors())
    if reading is None:
        return Disagreement(tuple(found))
    signs = reading.signs
    found.extend(c for c in signs.conflicts if c.kind is AlterationKind.WORDING)
    unique = {conflict.note: conflict for conflict in reversed(found)}
    return Disagreement(tuple(reversed(unique.values())), signs.reservations, signs.contradicted)


def _amounts(claim: Sequence[Word], sentences: Sequence[Sequence[Word]]) -> Iterator[Conflict]:
    """Numbers and units of the claim that no sentence has which speaks of the same, and others in
    their place in the sentence that has most of the claim: what a car costs is not the fee.
    """
    measured = {stem(word.unit) for word in claim if word.unit}
    topic = {w.stem for w in claim if w.content and w.number is None} - measured
    shared = [len(topic & {word.stem for word in words}) for words in sentences]
    speaking = [w for w, share in zip(sentences, shared, strict=True) if share]
    yield from _of_amounts(claim, tuple(chain.from_iterable(speaking or sentences)))
    nearest = [w for w, s in zip(sentences, shared, strict=True) if s == max(shared)]
    replaced = [[c for c in _of_amounts(claim, words) if c.said] for words in nearest]
    yield from min(replaced, key=len, default=[])


def _of_amounts(claim: Sequence[Word], said: Sequence[Word]) -> list[Conflict]:
    return [c for c in find_conflicts(claim, said, ()) if c.kind in _AMOUNTS]


def _claim_words(claim: str) -> list[Word]:
    """The words of a claim, with the names that a reader sees in it.

    A capital shows a name, but at the beginning only a second capital does; and a number joined to
    a word is part of a name.
    """
    first, second = (*claim.split(maxsplit=2), "", "")[:2]
    named = first[:1].isupper() and second[:1].isupper() and fold(first) not in STOP_WORDS
    words = read_words(f"that {claim}")[1:] if named else read_words(claim)
    joined = set(_OF_NAMES.findall(claim))
    return [
        replace(word, number=None, unit=None, named=True)
        if word.number is not None and word.text in joined
        else word
        for word in words
    ]


@lru_cache(maxsize=1)
def _vectors() -> WordVectors:
    """Kept for the process: a word is embedded once."""
    return WordVectors(default_embedder())
