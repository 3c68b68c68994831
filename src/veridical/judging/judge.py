"""What every judge is to us: claims with passages in, one judgement a passage out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol, runtime_checkable

from veridical.retrieval.tables.layout import Table


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
    `directness` is 1 where the passage says it in the claim's own words, 0.5 where it must be
    inferred. `deciding` is the range of `Case.sentences`, half-open, that the judgement rests on;
    None where no sentence bears on the claim. `notes` is a plain sentence for the reader.
    """

    support: SupportLevel
    similarity: float
    probability: float
    contradiction: float
    contradicts: bool
    directness: float
    deciding: tuple[int, int] | None
    notes: str = ""


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
