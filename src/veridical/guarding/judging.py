"""From a settled sentence to how it stands to the sources."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.guarding.report import GuardedSentence
from veridical.guarding.settings import Standing
from veridical.guarding.settling import Settled
from veridical.judging.judge import (
    Case,
    Judge,
    JudgeFailure,
    Judgement,
    OperatingPoint,
    judge_groups,
)
from veridical.judging.verdict import Verdict
from veridical.ledger.entry import LedgerEntry
from veridical.ledger.extraction.extractor import SkipReason
from veridical.ledger.extraction.unchecked import may_state
from veridical.sources.span import Span

PROSE_IN_CODE = "code that holds sentences"
LEANS = "it refers to a sentence that was left out"
_MOST_REMEMBERED = 4_000


class RememberingJudge:
    """A judge that does not judge a claim again that it has judged lately."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._known: dict[tuple[Case, ...], list[Judgement | JudgeFailure]] = {}

    @property
    def name(self) -> str:
        """See `Judge.name`."""
        return self._judge.name

    @property
    def point(self) -> OperatingPoint:
        """See `Judge.point`."""
        return self._judge.point

    def judge(self, cases: Sequence[Case]) -> list[Judgement | JudgeFailure]:
        """See `Judge.judge`."""
        return [one for group in self.judge_together([[case] for case in cases]) for one in group]

    def judge_together(
        self, groups: Sequence[Sequence[Case]]
    ) -> list[list[Judgement | JudgeFailure]]:
        """See `JointJudge.judge_together`. What could not be judged is tried again."""
        keys = [tuple(group) for group in groups]
        new = list(dict.fromkeys(key for key in keys if key not in self._known))
        outcomes = dict(zip(new, judge_groups(self._judge, new), strict=True)) if new else {}
        given = [self._known.get(key) or outcomes.get(key, []) for key in keys]
        self._known.update(
            (key, judged)
            for key, judged in outcomes.items()
            if not any(isinstance(one, JudgeFailure) for one in judged)
        )
        while len(self._known) > _MOST_REMEMBERED:
            self._known.pop(next(iter(self._known)), None)
        return given


def judged_sentence(
    answer: str, settled: Settled, entries: tuple[LedgerEntry, ...]
) -> GuardedSentence:
    """The sentence with its claims' entries, and how it stands to the sources."""
    standing, reason = _standing(answer, settled, entries)
    span = Span(settled.start, settled.end)
    if standing is Standing.UNCHECKED and span.start == span.end:
        span = Span(settled.lead, settled.end)
    return GuardedSentence(answer[span.start : span.end], span, entries, standing, reason)


def _standing(
    answer: str, settled: Settled, entries: tuple[LedgerEntry, ...]
) -> tuple[Standing, str]:
    if any(entry.verdict is not Verdict.SUPPORTED for entry in entries):
        return Standing.UNSUPPORTED, ""
    if settled.prose:
        return Standing.UNCHECKED, PROSE_IN_CODE
    for skip in settled.skipped:
        if may_state(answer, skip):
            return Standing.UNCHECKED, skip.reason.value
    if any(skip.reason is SkipReason.REFUSAL for skip in settled.skipped):
        return Standing.REFUSAL, SkipReason.REFUSAL.value
    return (Standing.GROUNDED if entries else Standing.NEUTRAL), ""
