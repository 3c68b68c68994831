"""A judge that is simple enough to work out by hand: the share of the claim's words it finds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from veridical.judging.bearing import similarity_at
from veridical.judging.judge import (
    Case,
    JudgeFailure,
    Judgement,
    OperatingPoint,
    SupportLevel,
)

FULL_FROM = 0.9


@dataclass(frozen=True, slots=True)
class WordJudge:
    """Full support from nine words of ten, partial from one; "not" contradicts; "???" fails."""

    point: OperatingPoint = OperatingPoint.STRICT
    name: str = "words"

    def judge(self, cases: Sequence[Case]) -> list[Judgement | JudgeFailure]:
        return [self._judged(case) for case in cases]

    def _judged(self, case: Case) -> Judgement | JudgeFailure:
        if "???" in case.claim:
            return JudgeFailure("it asks too much")
        words = case.claim.lower().split()
        passage = " ".join(case.sentences).lower().split()
        share = sum(word in passage for word in words) / len(words)
        contradicts = "not" in passage and "not" not in words and share > 0
        support = SupportLevel.NONE if contradicts or not share else SupportLevel.PARTIAL
        if not contradicts and share >= FULL_FROM:
            support = SupportLevel.FULL
        return Judgement(
            support=support,
            similarity=similarity_at(share, FULL_FROM, support),
            probability=share,
            contradiction=0.9 if contradicts else 0.1,
            contradicts=contradicts,
            directness=1.0,
            deciding=(0, len(case.sentences)) if share else None,
        )
