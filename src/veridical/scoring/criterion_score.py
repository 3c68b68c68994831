"""What a reviewed criterion comes to: its final verdict, its score, and whether it counts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain

from veridical.errors import ProcessingError
from veridical.scoring.answer import SCORED, CardWarning, CriterionVerdict, WarningCode
from veridical.scoring.checking.events import SAME_MOMENT_SECONDS, moved_by
from veridical.scoring.checking.reasons import quoted
from veridical.scoring.checking.timing import timed_verdict
from veridical.scoring.rubric import Criterion, NotObserved, ScoringRules
from veridical.scoring.scorecard import CriterionReview, CriterionScore, TimingResult
from veridical.scoring.totals import normalized

TIMED_SCORES: Mapping[CriterionVerdict, float] = {
    CriterionVerdict.MET: 1.0,
    CriterionVerdict.PARTIAL: 0.5,
    CriterionVerdict.MISSED: 0.0,
}
"""What a timing criterion scores, on its scale from 0 to 1."""


def score_criterion(
    criterion: Criterion,
    review: CriterionReview,
    rules: ScoringRules,
    timing: TimingResult | None,
) -> tuple[CriterionScore, list[CardWarning]]:
    """A criterion of the scorecard, and warnings of how it came about.

    `timing` is that of a timing criterion, whose verdict and score it decides. A criterion that
    was not observed or does not apply does not count, but one that is required and was not
    observed counts as 0 unless the rules exclude it.

    Raises ProcessingError for a verdict that needs a score on its scale and has none.
    """
    final = review if timing is None else _by_the_clock(review, timing)
    value = _value(criterion, final)
    missing = criterion.required and final.verdict is CriterionVerdict.NOT_OBSERVED
    as_missed = missing and rules.required_not_observed is NotObserved.TREAT_AS_MISSED
    score = CriterionScore(
        review=final,
        title=criterion.title,
        type=criterion.type,
        required=criterion.required,
        weight=criterion.weight,
        scale=criterion.scale,
        normalized=0.0 if as_missed else value,
        counted_as_missed=as_missed,
        timing=timing,
        min_evidence=criterion.evidence.min_evidence,
    )
    told = (_of_the_events(score), _of_the_clock(score), _of_the_denominator(score))
    return score, list(chain.from_iterable(told))


def _by_the_clock(review: CriterionReview, timing: TimingResult) -> CriterionReview:
    """A review whose verdict and score are computed.

    Whether a criterion applies at all is not the clock's to say: where it shows nothing,
    `not_applicable` stays.
    """
    verdict = timed_verdict(timing)
    not_applicable = review.verdict is CriterionVerdict.NOT_APPLICABLE
    if verdict is CriterionVerdict.NOT_OBSERVED and not_applicable:
        return replace(review, score=None)
    return replace(review, verdict=verdict, score=TIMED_SCORES.get(verdict))


def _value(criterion: Criterion, review: CriterionReview) -> float | None:
    if review.verdict not in SCORED:
        return None
    least, greatest = criterion.scale
    score = review.score
    # Said this way round, NaN is refused as well.
    if score is None or not least <= score <= greatest or not math.isfinite(greatest - least):
        raise ProcessingError(
            f"criterion {criterion.id!r} was reviewed as {review.verdict.value} with a score of "
            f"{score}, its scale is {least:g} to {greatest:g}"
        )
    return normalized(score, criterion.scale)


def _of_the_clock(score: CriterionScore) -> Iterator[CardWarning]:
    timing, review = score.timing, score.review
    if timing is None or review.verdict is CriterionVerdict.NOT_APPLICABLE:
        return
    told = review.given_verdict
    if timing.seconds is None:
        yield _warning(
            score, WarningCode.TIMING_NOT_COMPUTED, f"the time was not computed: {timing.reason}"
        )
    elif timing.close_call:
        yield _warning(
            score,
            WarningCode.TIMING_CLOSE_CALL,
            f"it took {timing.seconds:g} s, and the times are not known closely enough to tell on "
            "which side of the limit that is",
        )
    if score.overruled:
        yield _warning(
            score,
            WarningCode.VERDICT_OVERRULED,
            f"said to be {told.value}; by the verified times it is {review.verdict.value}",
        )


def _of_the_events(score: CriterionScore) -> Iterator[CardWarning]:
    for event in score.review.events:
        if event.verified and event.at is not None and moved_by(event) > SAME_MOMENT_SECONDS:
            text = (
                f"event {quoted(event.name)} was claimed for {event.claimed_at:g} s; its words "
                f"were said at {event.at:g} s"
            )
            yield _warning(score, WarningCode.EVENT_MOVED, text)


def _of_the_denominator(score: CriterionScore) -> Iterator[CardWarning]:
    verdict = score.review.verdict
    if verdict is CriterionVerdict.NOT_APPLICABLE:
        code, left_out = WarningCode.SAID_NOT_APPLICABLE, "it is said not to apply"
        if score.required:
            code = WarningCode.REQUIRED_NOT_APPLICABLE
            left_out = "it is required and said not to apply"
        yield _warning(score, code, f"{left_out}; it is left out of the score")
    elif score.required and verdict is CriterionVerdict.NOT_OBSERVED:
        how = "counts as missed" if score.counted_as_missed else "is left out of the score"
        text = f"it is required, was not observed, and {how}"
        yield _warning(score, WarningCode.REQUIRED_NOT_OBSERVED, text)


def _warning(score: CriterionScore, code: WarningCode, text: str) -> CardWarning:
    return CardWarning(code, text, criterion_id=score.review.criterion_id)
