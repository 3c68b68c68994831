"""What a person should look at before a scorecard is relied on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from veridical.scoring.answer import CardWarning, WarningCode
from veridical.scoring.scorecard import (
    CriterionScore,
    HumanReview,
    ReviewItem,
    SectionScore,
    Status,
)

CONFIDENT_FROM = 0.6
"""Confidence below which a verdict is to be looked at."""

_REASONS: Mapping[WarningCode, str] = {
    WarningCode.VERDICT_OVERRULED: "the verified times say something else than the scorer",
    WarningCode.VERDICT_WITHOUT_EVIDENCE: "a verdict was taken back for want of evidence",
    WarningCode.EVIDENCE_NOT_VERIFIED: "some evidence is not in the transcript as cited",
    WarningCode.EVIDENCE_CORRECTED: "some evidence stands elsewhere than cited",
    WarningCode.EVIDENCE_IN_DOUBT: "some evidence is not plainly said where it stands",
    WarningCode.EVIDENCE_PARAPHRASED: "some evidence is said in other words than cited",
    WarningCode.EVIDENCE_TOO_LONG: "some evidence is longer than it should be",
    WarningCode.EVENT_NOT_VERIFIED: "an event was cited that no verified words show",
    WarningCode.EVENT_MOVED: "an event was cited for another second than its words have",
    WarningCode.EVENT_TAKEN_OVER: "the time rests on words that were cited for something else",
    WarningCode.TIMING_NOT_COMPUTED: "the time could not be computed",
    WarningCode.TIMING_CLOSE_CALL: "the time is too close to a limit to be sure",
    WarningCode.REQUIRED_NOT_OBSERVED: "it is required and was not observed",
    WarningCode.REQUIRED_NOT_APPLICABLE: "it is required and said not to apply",
    WarningCode.SAID_NOT_APPLICABLE: "it is said not to apply, which nothing can bear out",
    WarningCode.LITTLE_SCORED: "less than half of it was scored",
    WarningCode.SCORE_ADJUSTED: "the score that was given was not possible",
    WarningCode.MISSING_CRITERION: "the scorer said nothing of it",
    WarningCode.DUPLICATE_CRITERION: "the scorer answered it more than once",
    WarningCode.UNKNOWN_CRITERION: "the scorer answered something that was not asked",
    WarningCode.REPLY_REPAIRED: "the scorer's reply did not have the right form",
    WarningCode.SCORER_WARNING: "the scorer warns of something itself",
    WarningCode.INVENTED_UNIT: "a unit is named that is not in the transcript",
    WarningCode.INVENTED_TIME: "a time is named that is not in the transcript",
    WarningCode.INVENTED_SPEAKER: "a speaker is named who is not in the transcript",
    WarningCode.NEAR_CUE: "words come close to a cue without being one",
    WarningCode.TRANSCRIPT_SHORTENED: "the scorer was not shown the whole transcript",
}
"""Warnings that call for a person, in plain words; in the order in which reasons are told."""


def find_concerns(sections: Iterable[SectionScore], warnings: Iterable[CardWarning]) -> HumanReview:
    """The items of a scorecard that call for a person, in the order of its sections.

    What is said of a criterion that the section does not have is the section's.
    """
    codes: dict[tuple[str | None, str | None], set[WarningCode]] = {}
    for warning in warnings:
        codes.setdefault((warning.section_id, warning.criterion_id), set()).add(warning.code)
    return HumanReview(tuple(item for section in sections for item in _of_section(section, codes)))


def _of_section(
    section: SectionScore, codes: Mapping[tuple[str | None, str | None], set[WarningCode]]
) -> Iterator[ReviewItem]:
    known = {score.review.criterion_id for score in section.criteria}
    own = set[WarningCode]()
    for (section_id, criterion_id), found in codes.items():
        if section_id == section.section_id and criterion_id not in known:
            own |= found
    reasons = [f"it is incomplete: {section.failure}"] * (section.status is Status.INCOMPLETE)
    if reasons or not own.isdisjoint(_REASONS):
        yield ReviewItem(section.section_id, None, (*reasons, *_told(own)))
    for score in section.criteria:
        criterion_id = score.review.criterion_id
        told = (*_told(codes.get((section.section_id, criterion_id), set())), *_doubts(score))
        if told:
            yield ReviewItem(section.section_id, criterion_id, told)


def _told(codes: set[WarningCode]) -> tuple[str, ...]:
    return tuple(reason for code, reason in _REASONS.items() if code in codes)


def _doubts(score: CriterionScore) -> Iterator[str]:
    confidence = score.review.confidence
    if confidence is not None and confidence < CONFIDENT_FROM:
        yield f"the scorer is not sure: confidence {confidence:.0%}"
