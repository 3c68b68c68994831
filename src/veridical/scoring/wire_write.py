"""A scorecard as plain data of the shipped schema `scorecard`."""

from __future__ import annotations

from typing import Any

from veridical.scoring.answer import CardWarning, TimeRange, Usage
from veridical.scoring.rubric import ScoringRules, Template
from veridical.scoring.scorecard import (
    CheckedEvent,
    CheckedEvidence,
    CriterionScore,
    EventSource,
    HumanReview,
    Scorecard,
    ScoredTranscript,
    SectionScore,
    Status,
    TimingResult,
)

SCHEMA_VERSION = "1"


def scorecard_to_wire(card: Scorecard) -> dict[str, Any]:
    """The scorecard as plain data, ready for JSON. Times are seconds, numbers floats."""
    wire: dict[str, Any] = {
        "schemaVersion": SCHEMA_VERSION,
        "template": _template(card.template),
        "rubric": {"sha256": card.rubric_sha256},
        "scoring": _rules(card.scoring),
        "transcript": _transcript(card.transcript),
        "overall": {
            "score": _number(card.overall.score),
            "status": card.overall.status.value,
            "scoredWeight": _number(card.overall.scored_weight),
            "incompleteSections": [
                s.section_id for s in card.sections if s.status is Status.INCOMPLETE
            ],
        },
        "sections": [_section(section) for section in card.sections],
        "warnings": [_warning(warning) for warning in card.warnings],
        "modelInfo": {
            "scorer": card.model_info.scorer,
            "ruleBased": card.model_info.rule_based,
            "usage": _usage(card.model_info.usage),
        },
        "humanReview": _human_review(card.human_review),
    }
    if card.created_at is not None:
        wire["createdAt"] = card.created_at
    return wire


def _template(template: Template) -> dict[str, Any]:
    return {
        "id": template.id,
        "name": template.name,
        "version": template.version,
        "description": template.description,
        "tags": list(template.tags),
    }


def _rules(rules: ScoringRules) -> dict[str, Any]:
    return {
        "thresholds": {
            "pass": _number(rules.pass_threshold),
            "needsImprovement": _number(rules.needs_improvement_threshold),
        },
        "requiredNotObservedBehavior": rules.required_not_observed.value,
    }


def _transcript(transcript: ScoredTranscript) -> dict[str, Any]:
    return {
        "name": transcript.name,
        "sha256": transcript.sha256,
        "start": _number(transcript.start),
        "end": _number(transcript.end),
        "precision": transcript.precision,
        "speakers": list(transcript.speakers),
    }


def _section(section: SectionScore) -> dict[str, Any]:
    return {
        "sectionId": section.section_id,
        "title": section.title,
        "weight": _number(section.weight),
        "score": _number(section.score),
        "status": section.status.value,
        "criteria": [_criterion(score) for score in section.criteria],
        "sectionNotes": section.notes,
        "failure": section.failure,
        "usage": _usage(section.usage),
        "omitted": [_range(part) for part in section.omitted],
    }


def _criterion(score: CriterionScore) -> dict[str, Any]:
    review = score.review
    least, greatest = score.scale
    return {
        "criterionId": review.criterion_id,
        "title": score.title,
        "type": score.type.value,
        "required": score.required,
        "weight": _number(score.weight),
        "verdict": review.verdict.value,
        "givenVerdict": review.given_verdict.value,
        "score": _number(review.score),
        "scale": {"min": _number(least), "max": _number(greatest)},
        "normalizedScore": _number(score.normalized),
        "countedAsMissed": score.counted_as_missed,
        "minEvidence": score.min_evidence,
        "option": review.option,
        "confidence": _number(review.confidence),
        "rationale": review.rationale,
        "evidence": [_evidence(item) for item in review.evidence],
        "observedEvents": [_event(event) for event in review.events],
        "timing": None if score.timing is None else _timing(score.timing),
    }


def _evidence(item: CheckedEvidence) -> dict[str, Any]:
    """`start` and `speaker` are the transcript's where verified; else what was claimed."""
    start, speaker = item.start, item.speaker
    if not item.verified:
        start, speaker = item.claimed_start, item.claimed_speaker
    span = item.span
    return {
        "quote": item.quote,
        "start": _number(start),
        "end": _number(item.end),
        "speaker": speaker,
        "verified": item.verified,
        "fidelity": None if item.fidelity is None else item.fidelity.value,
        "matchedText": item.matched_text,
        "position": None if span is None else {"start": span.start, "end": span.end},
        "claimed": {"start": _number(item.claimed_start), "speaker": item.claimed_speaker},
        "corrected": item.corrected,
        "reason": item.reason,
    }


def _event(event: CheckedEvent) -> dict[str, Any]:
    """`at` is the transcript's second where verified; else the claimed one."""
    return {
        "name": event.name,
        "at": _number(event.at if event.verified else event.claimed_at),
        "verified": event.verified,
        "claimedAt": _number(event.claimed_at),
        "latest": _number(event.latest),
        "evidence": event.evidence,
        "reason": event.reason,
    }


def _timing(timing: TimingResult) -> dict[str, Any]:
    return {
        "startEvent": timing.target.start_event,
        "endEvent": timing.target.end_event,
        "targetSeconds": _number(timing.target.target_seconds),
        "maxSeconds": _number(timing.target.max_seconds),
        "startedAt": _number(timing.started_at),
        "endedAt": _number(timing.ended_at),
        "seconds": _number(timing.seconds),
        "closeCall": timing.close_call,
        "reason": timing.reason,
        "startSource": _source(timing.start_source),
        "endSource": _source(timing.end_source),
    }


def _source(source: EventSource | None) -> dict[str, Any] | None:
    if source is None:
        return None
    return {
        "sectionId": source.section_id,
        "criterionId": source.criterion_id,
        "evidence": source.evidence,
    }


def _usage(usage: Usage) -> dict[str, Any]:
    return {
        "calls": usage.calls,
        "promptTokens": usage.prompt_tokens,
        "replyTokens": usage.reply_tokens,
        "estimatedPromptTokens": usage.estimated_prompt_tokens,
    }


def _range(part: TimeRange) -> dict[str, Any]:
    return {"start": _number(part.start), "end": _number(part.end)}


def _warning(warning: CardWarning) -> dict[str, Any]:
    return {
        "code": warning.code.value,
        "message": warning.message,
        "sectionId": warning.section_id,
        "criterionId": warning.criterion_id,
    }


def _human_review(review: HumanReview) -> dict[str, Any]:
    return {
        "required": review.required,
        "items": [
            {
                "sectionId": item.section_id,
                "criterionId": item.criterion_id,
                "reasons": list(item.reasons),
            }
            for item in review.items
        ],
    }


def _number(value: float | None) -> float | None:
    """Always a float, so that a rubric's `1` and `1.0` give the same bytes; never minus zero."""
    return None if value is None else float(value) + 0.0
