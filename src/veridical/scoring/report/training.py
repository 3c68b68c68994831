"""What a scorecard teaches: what was heard in each section, in order, and what is to be trained.

Nothing is said without a source: a statement cites words of the recording, and what to train is in
the words of the procedure that the criterion comes from.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import NamedTuple

from veridical.reports.axis import known
from veridical.scoring.report import wording
from veridical.scoring.report.outline import Entry, Part
from veridical.scoring.rubric import CriterionSource
from veridical.scoring.scorecard import SCORED, CheckedEvidence, CriterionScore, CriterionVerdict


class Statement(NamedTuple):
    """A sentence on a criterion, and the words of the recording that it rests on."""

    entry: Entry
    evidence: CheckedEvidence

    @property
    def lead(self) -> str:
        """Who spoke, and when: `1:30, Engine 7`."""
        return wording.said(self.evidence)

    @property
    def meaning(self) -> str:
        """What the words are evidence of: `met: Announces command`."""
        score = self.entry.score
        word = wording.VERDICTS[score.review.verdict].word.lower()
        took = "" if score.timing is None else f" ({wording.timing(score.timing)})"
        return f"{word}: {score.title}{took}"


def narrative(part: Part) -> list[Statement]:
    """What was heard in a section, in the order in which it was said.

    One statement for each criterion with a verdict, on the first of its verified words.
    """
    told = [
        Statement(entry, first)
        for entry in part.entries
        if entry.score.review.verdict in SCORED and (first := _first(entry.score)) is not None
    ]
    return sorted(told, key=lambda one: _second(one.evidence))


def _first(score: CriterionScore) -> CheckedEvidence | None:
    verified = [each for each in score.review.evidence if each.verified]
    return min(verified, key=_second, default=None)


def _second(evidence: CheckedEvidence) -> float:
    start = known(evidence.start)
    return inf if start is None else start


def to_train(score: CriterionScore) -> CriterionSource | None:
    """The words of the procedure that were not kept, or in part only; None for any other."""
    wanting = (CriterionVerdict.MISSED, CriterionVerdict.PARTIAL)
    is_wanting = score.review.verdict in wanting or score.counted_as_missed
    return score.source if is_wanting else None


def lessons(parts: tuple[Part, ...]) -> Iterator[tuple[Entry, CriterionSource]]:
    """All that is to be trained, in the rubric's order."""
    for entry in (entry for part in parts for entry in part.entries):
        if (source := to_train(entry.score)) is not None:
            yield entry, source
