"""The contract's budget: what is asked again, what is dropped, and when to stop.

Two generations at most. In each, an item that fails its check, has the wrong shape or breaks a rule
of tone is asked for once more; then it is dropped, or loses the sentences that break the rule. A
generation that keeps 2 commendations and 1 recommendation ends the work; without one,
the best of what passed comes out. A reply that cannot be used spends its attempt like any other.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

from veridical.errors import ModelError, ModelUnavailable
from veridical.models.deadline import OutOfTime
from veridical.sources.transcript import Transcript
from veridical.speech.evaluation import (
    LEAST_ITEMS,
    MOST_ITEMS,
    EvaluationItem,
    ItemType,
    Misfit,
    Rejected,
    Written,
    counted,
)
from veridical.speech.results import History, HistoryEntry, Step, ToneViolation
from veridical.speech.tone import check_frame, check_item, stripped_frame, stripped_item
from veridical.validation.timed import TimedQuote, TimedQuoteChecker, TimedQuoteResult


@dataclass(frozen=True, slots=True)
class Assignment:
    """The speech to evaluate.

    `label` is the transcript's label of the speaker who is evaluated, None for all that was said;
    `speaker` is the name that the evaluation may use, if any.
    """

    transcript: Transcript
    label: str | None = None
    speaker: str | None = None


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

    def write(self, assignment: Assignment, *, problems: Sequence[str] = ()) -> Written:
        """A whole evaluation. `problems` says what was wrong with the one before, if there was one.

        Raises Rejected, or ModelError where a model cannot be reached or used.
        """
        ...

    def rewrite(
        self, assignment: Assignment, item: EvaluationItem | Misfit, problems: Sequence[str]
    ) -> EvaluationItem:
        """Another item of the same type in place of one that failed for the `problems`.

        Raises as `write` does.
        """
        ...

    def reword(
        self, assignment: Assignment, frame: tuple[str, str], problems: Sequence[str]
    ) -> tuple[str, str]:
        """Another opening and closing in place of these. Raises as `write` does."""
        ...


GENERATIONS = 2
"""How often a whole evaluation is asked for, at most."""

_log = logging.getLogger(__name__)

Kept = tuple[EvaluationItem, TimedQuoteResult]
"""An item whose evidence passed, and its check."""


@dataclass(frozen=True, slots=True)
class Draft:
    """What one generation came to: its opening and closing, and its items that passed, with their
    checks.
    """

    opening: str = ""
    closing: str = ""
    kept: tuple[Kept, ...] = ()

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
        self.timed_out = False
        """Whether the author's time is over: it is asked nothing more."""
        self.shortfall = ""
        """Why the result is only the best effort; empty where it is not."""

    def run(self) -> Draft:
        """The draft that comes out. Raises ModelError where no reply came at all."""
        while self._generation < GENERATIONS and not self.timed_out:
            if self._generate():
                return self._framed(self._drafts[-1])
        if len(self._errors) == GENERATIONS and not self.timed_out:
            raise self._errors[-1]
        best = max(reversed(self._drafts), key=lambda draft: draft.worth, default=Draft())
        filled = best.filled_up(self._drafts)
        if len(filled.kept) > len(best.kept):
            self._note(Step.FILLED_UP, reason="with items that passed in the other generation")
        counts = " and ".join(counted(filled.count(kind), kind) for kind in ItemType)
        after = "1 generation" if self._generation == 1 else f"{self._generation} generations"
        told = f"best effort after {after}: {counts}"
        if not filled.kept:
            told = "; ".join((told, *self._hindrances()))
        return self.give_up(told, self._framed(filled))

    def _hindrances(self) -> Iterator[str]:
        """Why nothing was kept, each reason once, without any words of the speech."""
        rejected = (e.reason for e in self._entries if e.step is Step.REPLY_REJECTED)
        yield from dict.fromkeys(rejected)
        checks = dict.fromkeys(check for e in self._entries for check in e.checks)
        if checks:
            yield f"items fail: {', '.join(checks)}"

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
        checks: tuple[str, ...] = (),
        reason: str = "",
    ) -> None:
        self._entries.append(HistoryEntry(self._generation, step, item, checks, reason))

    def _generate(self) -> bool:
        """One generation with its retries; whether enough came of it."""
        wrong = (Step.REPLY_REJECTED, Step.FAILED, Step.RETRY_FAILED)
        problems = tuple(dict.fromkeys(e.reason for e in self._entries if e.step in wrong))
        self._generation += 1
        if self._generation > 1:
            self._note(Step.REGENERATED, reason="too few items passed before")
        try:
            self._calls += 1
            written = self._author.write(self._assignment, problems=problems)
        except (Rejected, ModelError) as problem:
            if isinstance(problem, ModelError):
                if not isinstance(problem, ModelUnavailable) and not self._drafts:
                    raise  # asking again would not help, and there is nothing to save
                self._errors.append(problem)
            self.timed_out = isinstance(problem, OutOfTime)
            self._note(Step.REPLY_REJECTED, reason=str(problem))
            return False
        if written.repairs:
            self._note(Step.REPLY_REPAIRED, reason="; ".join(written.repairs))
        tries = self._tries(written.items)
        if self._first_try == (0, 0):
            passed = sum(each.check is not None and each.check.passed for each in tries)
            self._first_try = len(tries), passed
        surplus = _surplus(tries)
        kept = [self._settled(each) for each in tries if each.number not in surplus]
        for number, kind in surplus.items():
            self._note(Step.DROPPED, number, reason=f"more than {MOST_ITEMS[kind]} {kind}s")
        draft = Draft(written.opening, written.closing, tuple(filter(None, kept)))
        self._drafts.append(draft)
        return draft.is_enough

    def _tries(self, items: Sequence[EvaluationItem | Misfit]) -> list[_Try]:
        """The items with their numbers and checks; those of no kind are given one that is short."""
        sound = [item for item in items if isinstance(item, EvaluationItem)]
        checks = iter(self._check(sound))
        kinds = Counter(item.type for item in items if item.type is not None)
        tries = []
        for number, item in enumerate(items, 1):
            if isinstance(item, EvaluationItem):
                tries.append(_Try(number, item.type, item, next(checks)))
                continue
            kind = item.type
            if kind is None:
                bounds = (LEAST_ITEMS, MOST_ITEMS)
                kind = min(
                    ItemType, key=lambda kind: [kinds[kind] >= many[kind] for many in bounds]
                )
                kinds[kind] += 1
            tries.append(_Try(number, kind, replace(item, type=kind)))
        return tries

    def _check(self, items: Sequence[EvaluationItem]) -> list[TimedQuoteResult]:
        return self._checker.check_all(quotes_of(items, self._assignment.label))

    def _settled(self, each: _Try) -> Kept | None:
        """The item if it passes, else what comes of the one re-prompt.

        Where both rest on their words but break a rule of tone, what breaks it is left out.
        """
        if each.is_good:
            self._note(Step.PASSED, each.number)
            return each.kept
        self._note(Step.FAILED, each.number, *each.failure)
        sound = [each] if each.kept else []
        try:
            self._calls += 1
            item = self._author.rewrite(self._assignment, each.item, each.advice)
        except (Rejected, ModelError) as problem:
            self._note_failure(each.number, problem)
        else:
            wrong = Misfit(None, each.type, f"the reply is a {item.type} in place of a {each.type}")
            again = (
                replace(each, item=item, check=self._check([item])[0])
                if item.type is each.type
                else replace(each, item=wrong, check=None)
            )
            step = Step.RETRY_PASSED if again.is_good else Step.RETRY_FAILED
            self._note(step, again.number, *again.failure)
            if again.is_good:
                return again.kept
            sound = [again, *sound] if again.kept else sound
        for one in sound:
            if one.kept and (left := stripped_item(one.kept[0])) is not None:
                step = Step.PASSED if left == one.item else Step.STRIPPED
                self._note(step, one.number, reason=tone_told(one.tone))
                return left, one.kept[1]
        self._note(Step.DROPPED, each.number)
        return None

    def _framed(self, draft: Draft) -> Draft:
        """The draft with an opening and a closing that break no rule of tone.

        They are asked for once more; what breaks a rule after that is left out.
        """
        frame = (draft.opening, draft.closing)
        broken = check_frame(*frame)
        if not broken:
            return draft
        self._note(Step.FAILED, None, ("tone",), tone_told(broken))
        try:
            self._calls += 1
            frame = self._author.reword(self._assignment, frame, tone_advice(broken))
        except (Rejected, ModelError) as problem:
            self._note_failure(None, problem)
        else:
            broken = check_frame(*frame)
            step = Step.RETRY_FAILED if broken else Step.RETRY_PASSED
            self._note(step, None, ("tone",) if broken else (), tone_told(broken))
        if broken:
            self._note(Step.STRIPPED, reason=tone_told(broken))
        opening, closing = map(stripped_frame, frame)
        return replace(draft, opening=opening, closing=closing)

    def _note_failure(self, item: int | None, problem: Rejected | ModelError) -> None:
        """Note a re-prompt that nothing came of."""
        self.timed_out |= isinstance(problem, OutOfTime)
        self._note(Step.RETRY_FAILED, item, reason=str(problem))


@dataclass(frozen=True)
class _Try:
    """An item of a reply: its number from 1, the type that it should have, and its check."""

    number: int
    type: ItemType
    item: EvaluationItem | Misfit
    check: TimedQuoteResult | None = None

    @property
    def kept(self) -> Kept | None:
        """The item with its check, where that passed."""
        if isinstance(self.item, Misfit) or self.check is None or not self.check.passed:
            return None
        return self.item, self.check

    @cached_property
    def tone(self) -> tuple[ToneViolation, ...]:
        """What breaks a rule of tone in it."""
        return () if isinstance(self.item, Misfit) else check_item(self.item)

    @property
    def is_good(self) -> bool:
        """Whether nothing of it has to be asked again."""
        return self.kept is not None and not self.tone

    @property
    def failure(self) -> tuple[tuple[str, ...], str]:
        """The checks that it fails, and why in words; empty where it is good."""
        if isinstance(self.item, Misfit):
            return ("shape",), self.item.reason
        if self.check is not None and (failed := self.check.failed_checks):
            return (
                tuple(outcome.check.value for outcome in failed),
                "; ".join(outcome.message for outcome in failed),
            )
        return ("tone",) if self.tone else (), tone_told(self.tone)

    @property
    def advice(self) -> tuple[str, ...]:
        """What to tell who wrote it."""
        shape = (self.item.reason,) if isinstance(self.item, Misfit) else ()
        return (*shape, *(_advice(self.check) if self.check else ()), *tone_advice(self.tone))


def tone_told(violations: Sequence[ToneViolation]) -> str:
    """The rules that are broken, and where, without the words."""
    return "; ".join(f"tone: {each.rule} in {each.field}" for each in violations)


def tone_advice(violations: Sequence[ToneViolation]) -> tuple[str, ...]:
    """What to tell who broke rules of tone."""
    return tuple(
        f"against the rule of tone \u201c{each.rule}\u201d, in {each.field}: {each.sentence}"
        for each in violations
    )


def _surplus(tries: Sequence[_Try]) -> dict[int, ItemType]:
    """The numbers of the items beyond the most of their kind, those that pass counted first."""
    surplus: dict[int, ItemType] = {}
    for kind, most in MOST_ITEMS.items():
        those = sorted((t for t in tries if t.type is kind), key=lambda t: t.kept is None)
        surplus |= dict.fromkeys((each.number for each in those[most:]), kind)
    return surplus


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
