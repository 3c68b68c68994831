"""Which answers a person should look at: a sample that anyone can draw again."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from itertools import groupby

from veridical.errors import ConfigurationError, ValidationError
from veridical.evaluation.run import EvalRun, Outcome, QuestionResult, what_came_of

DEFAULT_SAMPLE_SIZE = 10
DEFAULT_SEED = 42


def draw_sample(
    run: EvalRun, size: int = DEFAULT_SAMPLE_SIZE, seed: int = DEFAULT_SEED
) -> tuple[QuestionResult, ...]:
    """Responses of a run for manual review, the same for the same run, size and seed everywhere.

    Strata are answerable or not, and right by the automatic scores or not. Each that exists gives
    at least one response where `size` allows, the failed first; the rest goes to the strata in
    proportion to what is left in them, by largest remainder. Inside a stratum, and in the order of
    the sample, the SHA-256 of seed and id decides: chance, but not that of a library's version.

    Questions without a response cannot be reviewed and are left out. Raises ConfigurationError for
    a size below 1, ValidationError where nothing can be reviewed.
    """
    if size < 1:
        raise ConfigurationError(f"a sample has at least 1 answer, not {size}")
    reviewable = [result for result in run.results if result.scores is not None]
    if not reviewable:
        raise ValidationError("there is nothing to review: no question of the run has a response")

    def lot(item: QuestionResult) -> str:
        return hashlib.sha256(f"{seed}\n{item.question.id}".encode()).hexdigest()

    ordered = sorted(reviewable, key=lambda item: (_stratum(item), lot(item)))
    strata = [list(members) for _, members in groupby(ordered, key=_stratum)]
    taken = shares([len(members) for members in strata], size)
    chosen = [
        item for members, count in zip(strata, taken, strict=True) for item in members[:count]
    ]
    return tuple(sorted(chosen, key=lot))


def shares(sizes: Sequence[int], size: int) -> tuple[int, ...]:
    """How many of each stratum a sample of `size` takes; `sizes` are above 0, first things first.

    One of each as far as that goes, then in proportion to what is left of each, by largest
    remainder, of equals the earlier.
    """
    wanted = min(size, sum(sizes))
    if wanted <= len(sizes):
        return tuple(int(at < wanted) for at in range(len(sizes)))
    left = [count - 1 for count in sizes]
    spare, total = wanted - len(sizes), sum(left)
    if not spare:
        return (1,) * len(sizes)
    parts = [divmod(spare * count, total) for count in left]
    by_remainder = sorted(range(len(sizes)), key=lambda at: (-parts[at][1], at))
    rounded_up = set(by_remainder[: spare - sum(whole for whole, _ in parts)])
    return tuple(1 + whole + (at in rounded_up) for at, (whole, _) in enumerate(parts))


def _stratum(item: QuestionResult) -> tuple[bool, bool]:
    """Sorts what failed before what is right, and questions with an answer before those without."""
    return what_came_of(item) is Outcome.RIGHT, not item.question.answerable
