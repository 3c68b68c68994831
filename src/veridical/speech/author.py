"""Who writes an evaluation: a language model, or fixed rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from veridical.sources.transcript import Transcript
from veridical.speech.evaluation import EvaluationItem, StructuredEvaluation


@dataclass(frozen=True, slots=True)
class Assignment:
    """The speech to evaluate.

    `label` is the transcript's label of the speaker who is evaluated, None for all that was said;
    `speaker` is the name that the evaluation may use, if any.
    """

    transcript: Transcript
    label: str | None = None
    speaker: str | None = None


class Rejected(Exception):
    """What an author handed in cannot be used; `reason` says why, in words without any text of it.

    Not an error of the run: it uses up an attempt.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Author(Protocol):
    """Writes evaluations. What it writes is checked, whoever it is."""

    @property
    def name(self) -> str:
        """How results name it."""
        ...

    @property
    def rule_based(self) -> bool:
        """Whether it follows fixed rules, without a model."""
        ...

    def write(
        self, assignment: Assignment, *, problems: Sequence[str] = ()
    ) -> StructuredEvaluation:
        """A whole evaluation. `problems` says what was wrong with the one before, if there was one.

        Raises Rejected, or ModelError where a model cannot be reached or used.
        """
        ...

    def rewrite(
        self, assignment: Assignment, item: EvaluationItem, problems: Sequence[str]
    ) -> EvaluationItem:
        """Another item in place of one that failed for the `problems`. Raises as `write` does."""
        ...
