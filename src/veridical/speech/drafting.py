"""The contract's budget: what is asked again, what is dropped, and when to stop.

Two generations at most. In each, an item that fails its check is asked for once more and then
dropped. A generation that keeps 2 commendations and 1 recommendation ends the work; without one,
the best of what passed comes out. A reply that cannot be used spends its attempt like any other.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from veridical.errors import ModelError, ModelUnavailable
from veridical.sources.transcript import Transcript
from veridical.speech.evaluation import (
    LEAST_ITEMS,
    MOST_ITEMS,
    EvaluationItem,
    ItemType,
    StructuredEvaluation,
    counted,
)
from veridical.speech.results import History, HistoryEntry, Step
from veridical.validation.timed import TimedQuote, TimedQuoteResult
from veridical.validation.timed_checker import TimedQuoteChecker


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
    """What an author handed in cannot be used; it says why, in words without any text of it.

    Not an error of the run: it uses up an attempt.
    """


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


GENERATIONS = 2
"""How often a whole evaluation is asked for, at most."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Draft:
    """What one generation came to: its opening and closing, and its items that passed, with their
    checks.
    """

    opening: str = ""
    closing: str = ""
    kept: tuple[tuple[EvaluationItem, TimedQuoteResult], ...] = ()

    def count(self, kind: ItemType) -> int:
        """How many items of a kind passed."""
        return sum(item.type is kind for item, _ in self.kept)

    @property
    def is_enough(self) -> bool:
        """Whether the least number of items of each kind passed."""
        return self.worth[0] == sum(LEAST_ITEMS.values())

    @property
    def worth(self) -> tuple[int, int]:
        """How near it comes to being enough, then how many items it has."""
        reached = sum(min(self.count(kind), least) for kind, least in LEAST_ITEMS.items())
        return reached, len(self.kept)

    def filled_up(self, drafts: Sequence[Draft]) -> Draft:
        """The draft with items of others where it has too few of a kind."""
        filled = self
        for item, check in (kept for draft in drafts for kept in draft.kept):
            known = {item.evidence_quote for item, _ in filled.kept}
            if (
                filled.count(item.type) < LEAST_ITEMS[item.type]
                and item.evidence_quote not in known
            ):
                filled = replace(filled, kept=(*filled.kept, (item, check)))
        return filled


class Drafting:
    """One run through the budget."""

    def __init__(self, author: Author, assignment: Assignment, checker: TimedQuoteChecker) -> None:
        self._author = author
        self._assignment = assignment
        self._checker = checker
        self._entries: list[HistoryEntry] = []
        self._drafts: list[Draft] = []
        self._generation = 0
        self._calls = 0
        self._first_try = (0, 0)
        self._errors: list[ModelError] = []
        self.shortfall = ""
        """Why the result is only the best effort; empty where it is not."""

    def run(self) -> Draft:
        """The draft that comes out. Raises ModelError where no reply came at all."""
        while self._generation < GENERATIONS:
            if self._generate():
                return self._drafts[-1]
        if len(self._errors) == GENERATIONS:
            raise self._errors[-1]
        best = max(reversed(self._drafts), key=lambda draft: draft.worth, default=Draft())
        filled = best.filled_up(self._drafts)
        if len(filled.kept) > len(best.kept):
            self._note(Step.FILLED_UP, reason="with items that passed in the other generation")
        counts = " and ".join(counted(filled.count(kind), kind) for kind in ItemType)
        return self.give_up(f"best effort after {GENERATIONS} generations: {counts}", filled)

    def give_up(self, reason: str, draft: Draft | None = None) -> Draft:
        """End with the best effort, and say so in the history and the log."""
        self.shortfall = reason
        self._note(Step.BEST_EFFORT, reason=reason)
        _log.warning("speech evaluation: %s", reason)
        return draft or Draft()

    @property
    def history(self) -> History:
        """What was done so far."""
        tried, passed = self._first_try
        return History(
            entries=tuple(self._entries),
            generations=self._generation,
            calls=self._calls,
            first_try_items=tried,
            first_try_passed=passed,
            best_effort=bool(self.shortfall),
        )

    def _note(
        self,
        step: Step,
        item: int | None = None,
        *,
        check: TimedQuoteResult | None = None,
        reason: str = "",
    ) -> None:
        failed = check.failed_checks if check is not None else ()
        names = tuple(outcome.check.value for outcome in failed)
        reason = reason or "; ".join(outcome.message for outcome in failed)
        self._entries.append(HistoryEntry(self._generation, step, item, names, reason))

    def _generate(self) -> bool:
        """One generation with its retries; whether enough came of it."""
        wrong = (Step.REPLY_REJECTED, Step.FAILED, Step.RETRY_FAILED)
        problems = tuple(dict.fromkeys(e.reason for e in self._entries if e.step in wrong))
        self._generation += 1
        if self._generation > 1:
            self._note(Step.REGENERATED, reason="too few items passed before")
        try:
            self._calls += 1
            evaluation = self._author.write(self._assignment, problems=problems)
        except (Rejected, ModelError) as problem:
            if isinstance(problem, ModelError):
                if not isinstance(problem, ModelUnavailable) and not self._drafts:
                    raise  # asking again would not help, and there is nothing to save
                self._errors.append(problem)
            self._note(Step.REPLY_REJECTED, reason=str(problem))
            return False
        checks = self._check(evaluation.items)
        if self._first_try == (0, 0):
            self._first_try = len(checks), sum(check.passed for check in checks)
        checked = list(zip(evaluation.items, checks, strict=True))
        if misfits := evaluation.shape_problems():
            reason = f"the reply has the wrong shape: {'; '.join(misfits)}"
            self._note(Step.REPLY_REJECTED, reason=reason)
            kept = _within_limits(checked)
        else:
            tried = (self._tried(number, *pair) for number, pair in enumerate(checked, 1))
            kept = [pair for pair in tried if pair is not None]
        self._drafts.append(Draft(evaluation.opening, evaluation.closing, tuple(kept)))
        return not misfits and self._drafts[-1].is_enough

    def _check(self, items: Sequence[EvaluationItem]) -> list[TimedQuoteResult]:
        return self._checker.check_all(quotes_of(items, self._assignment.label))

    def _tried(
        self, number: int, item: EvaluationItem, check: TimedQuoteResult
    ) -> tuple[EvaluationItem, TimedQuoteResult] | None:
        """The item if it passes, else what comes of the one re-prompt, if that passes."""
        self._note(Step.PASSED if check.passed else Step.FAILED, number, check=check)
        if check.passed:
            return item, check
        try:
            again = self._rewrite(item, check)
        except (Rejected, ModelError) as problem:
            self._note(Step.RETRY_FAILED, number, reason=str(problem))
        else:
            result = self._check([again])[0]
            step = Step.RETRY_PASSED if result.passed else Step.RETRY_FAILED
            self._note(step, number, check=result)
            if result.passed:
                return again, result
        self._note(Step.DROPPED, number)
        return None

    def _rewrite(self, item: EvaluationItem, check: TimedQuoteResult) -> EvaluationItem:
        self._calls += 1
        again = self._author.rewrite(self._assignment, item, _advice(check))
        if again.type is not item.type:
            raise Rejected(f"the reply is a {again.type} in place of a {item.type}")
        return again


def _within_limits(
    checked: Sequence[tuple[EvaluationItem, TimedQuoteResult]],
) -> list[tuple[EvaluationItem, TimedQuoteResult]]:
    """What passes of an evaluation of the wrong shape, in case nothing better comes.

    Its attempt is spent all the same, and nothing of it is asked again.
    """
    room = dict(MOST_ITEMS)
    kept = []
    for item, check in checked:
        if check.passed and room[item.type]:
            room[item.type] -= 1
            kept.append((item, check))
    return kept


def quotes_of(items: Sequence[EvaluationItem], label: str | None) -> list[TimedQuote]:
    """The quotes of items, to be checked as words of the speaker with that label."""
    return [TimedQuote(item.evidence_quote, item.evidence_timestamp, label) for item in items]


def _advice(check: TimedQuoteResult) -> tuple[str, ...]:
    advice = tuple(outcome.message for outcome in check.failed_checks)
    if check.correction is None:
        return advice
    seconds = check.correction.seconds
    when = "" if seconds is None else f" at {seconds:g} s"
    return (*advice, f"nearest in what was said: \u201c{check.correction.quote}\u201d{when}")
