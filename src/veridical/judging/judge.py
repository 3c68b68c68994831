"""What every judge is to us: claims with passages in, one judgement a passage out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import islice
from typing import Protocol, runtime_checkable

from veridical.retrieval.tables.layout import Table

UNRELATED = "No sentence of the passage bears on the claim."
ELSEWHERE = "Another passage bears on the claim more."
"""Notes that say no more of a passage than that it decides nothing: no ledger repeats them."""


class SupportLevel(StrEnum):
    """How far a passage bears a claim out."""

    FULL = "full"
    PARTIAL = "partial"
    NONE = "none"


class OperatingPoint(StrEnum):
    """How much it takes for `SupportLevel.FULL`: chosen by the rate of false passes."""

    STRICT = "strict"
    BALANCED = "balanced"
    LENIENT = "lenient"


@dataclass(frozen=True, slots=True)
class Case:
    """A claim and one passage that may bear it out, both as a reader sees them.

    `sentences` are the passage, in order. `context` holds the words that pronouns and ellipses of
    the claim refer to, `heading` the titles above the passage; both may be empty and neither is
    evidence by itself. `tables` tells which of the sentences are rows, and what their cells are.
    """

    claim: str
    sentences: tuple[str, ...]
    context: str = ""
    heading: str = ""
    tables: tuple[Table, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a judge says of one case. All numbers lie between 0 and 1.

    `similarity` is on the scale of the verdict rules: above 0.85 if and only if `support` is FULL.
    `probability` is the calibrated probability that the passage bears the whole claim out, and
    `contradiction` that it says the opposite; `contradicts` is the judge's decision on the latter.
    `directness` is 1 where the passage says it in the claim's own words and 0.5 where it must be
    inferred, or between them how surely it is said. `deciding` is the range of `Case.sentences`,
    half-open, that the judgement rests on, also where they support nothing; None where no sentence
    bears on the claim. `notes` is a plain sentence for the reader. `barred` says that something
    other than the probability keeps the claim from full support, as a veto does; None where the
    judge does not tell.
    """

    support: SupportLevel
    similarity: float
    probability: float
    contradiction: float
    contradicts: bool
    directness: float
    deciding: tuple[int, int] | None
    notes: str = ""
    barred: bool | None = None


@dataclass(frozen=True, slots=True)
class JudgeFailure:
    """A case that could not be judged, and why: never a verdict, never a score."""

    reason: str


@runtime_checkable
class Judge(Protocol):
    """Judges cases. May be called from several threads at once."""

    @property
    def name(self) -> str:
        """How ledgers name it, with its version or model."""
        ...

    @property
    def point(self) -> OperatingPoint:
        """The operating point that it decides at."""
        ...

    def judge(self, cases: Sequence[Case]) -> list[Judgement | JudgeFailure]:
        """One judgement a case, in their order. The same cases give the same judgements."""
        ...


@runtime_checkable
class JointJudge(Judge, Protocol):
    """A judge that reads the passages of a claim together: what "it" means, or the second half of
    what a claim says, may stand in another one.
    """

    def judge_together(
        self, groups: Sequence[Sequence[Case]]
    ) -> list[list[Judgement | JudgeFailure]]:
        """One judgement a case, as `Judge.judge`; the cases of a group share their claim."""
        ...


class JudgesTogether:
    """`Judge.judge` of a joint judge: each case is a group of its own."""

    __slots__ = ()

    def judge(self: JointJudge, cases: Sequence[Case]) -> list[Judgement | JudgeFailure]:
        """See `Judge.judge`."""
        return [one for group in self.judge_together([[case] for case in cases]) for one in group]


def judge_groups(
    judge: Judge, groups: Sequence[Sequence[Case]]
) -> list[list[Judgement | JudgeFailure]]:
    """What a judge says of the passages of each claim: together where it can, else one by one.

    A judge that gives fewer judgements than cases has failed on the rest; one that gives more, on
    all of them, as none can be said to belong to its case.
    """
    if isinstance(judge, JointJudge):
        together = [*judge.judge_together(groups)]
        if len(together) > len(groups):
            return [[_TOO_MANY] * len(group) for group in groups]
        together += [[] for _ in range(len(groups) - len(together))]
        return [_filled(given, len(group)) for given, group in zip(together, groups, strict=True)]
    given = _filled(judge.judge([c for g in groups for c in g]), sum(map(len, groups)))
    left = iter(given)
    return [list(islice(left, len(group))) for group in groups]


def _filled(
    given: Sequence[Judgement | JudgeFailure], wanted: int
) -> list[Judgement | JudgeFailure]:
    if len(given) > wanted:
        return [_TOO_MANY] * wanted
    return [*given, *[_TOO_FEW] * (wanted - len(given))]


_TOO_FEW = JudgeFailure("the judge gave fewer judgements than it was given cases")
_TOO_MANY = JudgeFailure("the judge gave more judgements than it was given cases")
