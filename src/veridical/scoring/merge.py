"""Reviewed sections become one scorecard: pure, whatever the order in which they came."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from veridical.errors import ProcessingError
from veridical.scoring import totals
from veridical.scoring.answer import CardWarning, SectionFailure, Usage, WarningCode, sum_told
from veridical.scoring.clocks import Clocks
from veridical.scoring.concerns import find_concerns
from veridical.scoring.criterion_score import score_criterion
from veridical.scoring.rubric import Rubric, Section
from veridical.scoring.scorecard import (
    CriterionScore,
    ModelInfo,
    Overall,
    Scorecard,
    ScoredTranscript,
    SectionReview,
    SectionScore,
    Status,
)
from veridical.sources.transcript import Precision, Transcript

SectionOutcome: TypeAlias = SectionReview | SectionFailure

NOT_SCORED = "it was not scored"
"""Why a section is incomplete of which nothing came at all."""

NOTHING_COUNTS = "none of its criteria could be scored"

LITTLE = 0.5
"""The share of the weight of a section's criteria below which its score says little of it."""

_MOST_REPAIRS = 20
"""Repairs of a transcript that a scorecard lists one by one."""


def merge(
    rubric: Rubric,
    transcript: Transcript,
    outcomes: Iterable[SectionOutcome],
    *,
    scorer: str,
    rule_based: bool,
    created_at: str | None = None,
) -> Scorecard:
    """The scorecard of a run: timing across sections, scores, status, and what to look at.

    `outcomes` may come in any order; a section without one is incomplete. A section's score is the
    weighted mean of its criteria that count, from 0 to 1, and the overall score that of the
    sections that have one. While any section is incomplete the overall status is `incomplete`,
    whatever the score of the rest: a part is not the whole, and must not pass for it.

    Raises ProcessingError where the outcomes are not those of this rubric's sections: one twice,
    an unknown one, or a review whose criteria are not the section's.
    """
    of_section = _by_section(rubric, outcomes)
    timed = transcript.precision is not Precision.NONE
    clocks = Clocks(rubric, of_section, timed=timed)
    scored: list[SectionScore] = []
    warnings = list(_repairs(transcript))
    overall_parts: list[tuple[float, float]] = []
    for section in rubric.sections:
        part, mean, told = _section(section, of_section[section.id], rubric, clocks)
        scored.append(part)
        warnings.extend(told)
        if mean is not None:
            overall_parts.append((section.weight, mean))
    in_order = _in_order(rubric, warnings)
    return Scorecard(
        template=rubric.template,
        rubric_sha256=rubric.sha256,
        scoring=rubric.scoring,
        transcript=_scored_transcript(transcript),
        overall=_overall(rubric, scored, overall_parts),
        sections=tuple(scored),
        warnings=in_order,
        model_info=ModelInfo(scorer, rule_based, _sum_usage(part.usage for part in scored)),
        human_review=find_concerns(scored, in_order),
        created_at=created_at,
    )


def _by_section(rubric: Rubric, outcomes: Iterable[SectionOutcome]) -> dict[str, SectionOutcome]:
    """One outcome for every section of the rubric."""
    found: dict[str, SectionOutcome] = {}
    for outcome in outcomes:
        section = rubric.section(outcome.section_id)
        if section is None:
            raise ProcessingError(
                f"a section was scored that is not in the rubric: {outcome.section_id!r}"
            )
        if section.id in found:
            raise ProcessingError(f"section {section.id!r} was scored twice")
        if isinstance(outcome, SectionReview):
            _require_criteria(section, outcome)
        found[section.id] = outcome
    return {s.id: found.get(s.id) or SectionFailure(s.id, NOT_SCORED) for s in rubric.sections}


def _require_criteria(section: Section, review: SectionReview) -> None:
    reviewed = [criterion.criterion_id for criterion in review.criteria]
    if reviewed != [criterion.id for criterion in section.criteria]:
        raise ProcessingError(
            f"the review of section {section.id!r} is not one of its criteria in their order"
        )


def _section(
    section: Section, outcome: SectionOutcome, rubric: Rubric, clocks: Clocks
) -> tuple[SectionScore, float | None, list[CardWarning]]:
    """A section, the mean of its criteria before it is rounded, and all warnings of it."""
    if isinstance(outcome, SectionFailure):
        return _failed(section, outcome), None, [_incomplete(section, outcome.reason)]
    warnings = [replace(w, section_id=section.id) for w in outcome.warnings]
    scores: list[CriterionScore] = []
    for criterion, review in zip(section.criteria, outcome.criteria, strict=True):
        timing, taken_over = clocks.time(section, criterion, review)
        score, told = score_criterion(criterion, review, rubric.scoring, timing)
        scores.append(score)
        warnings.extend(replace(w, section_id=section.id) for w in (*taken_over, *told))
    mean = totals.weighted_mean(
        (score.weight, score.normalized) for score in scores if score.normalized is not None
    )
    if mean is None:
        text = f"the section has no score: {NOTHING_COUNTS}"
        warnings.append(CardWarning(WarningCode.SECTION_WITHOUT_SCORE, text, section.id))
    elif (counted := _share_that_counts(scores)) < LITTLE:
        text = f"only {counted:.0%} of the weight of its criteria was scored"
        warnings.append(CardWarning(WarningCode.LITTLE_SCORED, text, section.id))
    rounded = None if mean is None else totals.rounded(mean)
    return (
        SectionScore(
            section_id=section.id,
            title=section.title,
            weight=section.weight,
            score=rounded,
            status=Status.INCOMPLETE
            if rounded is None
            else totals.status_of(rounded, rubric.scoring),
            criteria=tuple(scores),
            notes=outcome.notes,
            failure=NOTHING_COUNTS if rounded is None else "",
            usage=outcome.usage,
            omitted=outcome.omitted,
        ),
        mean,
        warnings,
    )


def _failed(section: Section, failure: SectionFailure) -> SectionScore:
    """A section of which nothing was said: none of its criteria has a verdict."""
    return SectionScore(
        section_id=section.id,
        title=section.title,
        weight=section.weight,
        score=None,
        status=Status.INCOMPLETE,
        criteria=(),
        failure=failure.reason or NOT_SCORED,
        usage=failure.usage,
    )


def _incomplete(section: Section, reason: str) -> CardWarning:
    text = f"the section is incomplete: {reason or NOT_SCORED}"
    return CardWarning(WarningCode.SECTION_INCOMPLETE, text, section.id)


def _overall(
    rubric: Rubric, sections: Sequence[SectionScore], parts: list[tuple[float, float]]
) -> Overall:
    mean = totals.weighted_mean(parts)
    score = None if mean is None else totals.rounded(mean)
    whole = all(section.status is not Status.INCOMPLETE for section in sections)
    scored = totals.weighted_mean((s.weight, _share_that_counts(s.criteria)) for s in sections)
    return Overall(
        score=score,
        status=totals.status_of(score, rubric.scoring)
        if score is not None and whole
        else Status.INCOMPLETE,
        scored_weight=totals.rounded(scored or 0.0),
    )


def _share_that_counts(criteria: Iterable[CriterionScore]) -> float:
    """How much of the weight of criteria is in the denominator of their score, from 0 to 1."""
    return (
        totals.weighted_mean((c.weight, float(c.normalized is not None)) for c in criteria) or 0.0
    )


def _repairs(transcript: Transcript) -> Iterator[CardWarning]:
    code = WarningCode.TRANSCRIPT_REPAIRED
    for message in transcript.warnings[:_MOST_REPAIRS]:
        yield CardWarning(code, message)
    more = len(transcript.warnings) - _MOST_REPAIRS
    if more > 0:
        yield CardWarning(code, f"the transcript has {more:,} more such warnings")


def _in_order(rubric: Rubric, warnings: Iterable[CardWarning]) -> tuple[CardWarning, ...]:
    """Warnings in the rubric's order, then by code and message, each once.

    Those of the whole come first, those of a criterion that the rubric does not have come last of
    their section.
    """
    place: dict[tuple[str | None, str | None], tuple[int, int]] = {(None, None): (-1, -1)}
    for at, section in enumerate(rubric.sections):
        place[section.id, None] = at, -1
        for inner, criterion in enumerate(section.criteria):
            place[section.id, criterion.id] = at, inner

    def key(warning: CardWarning) -> tuple[tuple[int, int], str, str, str]:
        section = place.get((warning.section_id, None), (len(rubric.sections), -1))
        unknown = section[0], len(place)
        at = place.get((warning.section_id, warning.criterion_id), unknown)
        return at, warning.criterion_id or "", warning.code.value, warning.message

    return tuple(dict.fromkeys(sorted(warnings, key=key)))


def _scored_transcript(transcript: Transcript) -> ScoredTranscript:
    timed = transcript.precision is not Precision.NONE
    return ScoredTranscript(
        name=transcript.name,
        sha256=transcript.sha256,
        start=transcript.start if timed else None,
        end=transcript.end if timed else None,
        precision=transcript.precision.value,
        speakers=transcript.speakers,
    )


def _sum_usage(usages: Iterable[Usage]) -> Usage:
    """What all sections cost."""
    asked = [usage for usage in usages if usage.calls]
    return Usage(
        calls=sum(usage.calls for usage in asked),
        prompt_tokens=sum_told(usage.prompt_tokens for usage in asked),
        reply_tokens=sum_told(usage.reply_tokens for usage in asked),
        estimated_prompt_tokens=sum_told(usage.estimated_prompt_tokens for usage in asked),
    )
