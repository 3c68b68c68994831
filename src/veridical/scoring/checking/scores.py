"""Which score a verdict and a scorer's number come to: bounded, and never kinder than both."""

from __future__ import annotations

import math
from dataclasses import dataclass

from veridical.scoring.answer import SCORED, CriterionVerdict
from veridical.scoring.rubric import Criterion, CriterionType

NEARLY_ALL = 0.01
"""What is partial lies further below the top than this share of the scale."""


@dataclass(frozen=True, slots=True)
class SettledScore:
    """A verdict and the score that goes with it, on the criterion's scale.

    `option` is that of an enum. `adjusted` says what was changed of what the scorer gave, empty
    where nothing was.
    """

    verdict: CriterionVerdict
    score: float | None = None
    option: str | None = None
    adjusted: str = ""


def settle_score(
    criterion: Criterion, verdict: CriterionVerdict, given: float | None
) -> SettledScore:
    """The score of a criterion whose verdict stands.

    A yes or no follows the verdict; a number on a scale is bounded by it; one between two options
    of an enum is the lower one. Where verdict and number contradict each other the lower reading
    counts: what was met with the least score was missed, what was met with no more than half of
    the scale is partial. Verdicts that carry no score get none.
    """
    if given is not None and not math.isfinite(given):
        given = None
    low, high = criterion.scale
    if verdict not in SCORED:
        keeps = given is None or given in (0.0, low)
        told = "" if keeps else f"{_plain(verdict)} carries no score, {given:g} was given"
        return SettledScore(verdict, adjusted=told)
    if criterion.type is CriterionType.TIMING:
        return SettledScore(verdict)
    score, option = _on_scale(criterion, _bounded_by_verdict(criterion, verdict, given))
    settled = verdict
    if low < high and score <= low and (given is not None or verdict is CriterionVerdict.MET):
        settled = CriterionVerdict.MISSED
    elif low < high and score <= (low + high) / 2 and verdict is CriterionVerdict.MET:
        settled = CriterionVerdict.PARTIAL
    return SettledScore(settled, score, option, _told(verdict, settled, given, score))


def bounded_confidence(given: float | None) -> tuple[float | None, bool]:
    """A confidence from 0 to 1, and whether it had to be bounded."""
    if given is None or math.isnan(given):
        return None, given is not None
    bounded = min(1.0, max(0.0, given))
    return bounded, bounded != given


def _bounded_by_verdict(
    criterion: Criterion, verdict: CriterionVerdict, given: float | None
) -> float:
    """The number that counts: the given one as far as the verdict allows it, else the verdict's."""
    low, high = criterion.scale
    middle = (low + high) / 2
    by_verdict = {
        CriterionVerdict.MET: high,
        CriterionVerdict.PARTIAL: middle,
        CriterionVerdict.MISSED: low,
    }[verdict]
    if given is None or verdict is CriterionVerdict.MISSED:
        return by_verdict
    bounded = max(low, min(given, high))
    if criterion.type is CriterionType.BOOLEAN:
        return bounded if bounded <= middle else by_verdict
    top = _on_scale(criterion, bounded)[0] + NEARLY_ALL * (high - low)
    return by_verdict if verdict is CriterionVerdict.PARTIAL and top >= high else bounded


def _on_scale(criterion: Criterion, score: float) -> tuple[float, str | None]:
    """The score itself, or for an enum that of the option at or below it, and the option."""
    if not criterion.options:
        return score, None
    reached = [o for o in criterion.options if o.score <= score or math.isclose(o.score, score)]
    best = max(option.score for option in reached) if reached else criterion.scale[0]
    return next((o.score, o.value) for o in criterion.options if o.score == best)


def _told(
    verdict: CriterionVerdict, settled: CriterionVerdict, given: float | None, score: float
) -> str:
    if settled is not verdict:
        number = "its score" if given is None else f"the score {given:g}"
        return f"{_plain(verdict)} with {number} is read as {_plain(settled)}"
    if given is None or math.isclose(given, score):
        return ""
    return f"the score {given:g} was changed to {score:g}, which {_plain(verdict)} allows"


def _plain(verdict: CriterionVerdict) -> str:
    return verdict.value.replace("_", " ")
