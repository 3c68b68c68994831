"""A scorecard read back from its file, which may come from anywhere."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from veridical.errors import ValidationError
from veridical.scoring.answer import CardWarning, CriterionVerdict, TimeRange, Usage, WarningCode
from veridical.scoring.rubric import (
    CriterionType,
    NotObserved,
    ScoringRules,
    Template,
    TimingTarget,
)
from veridical.scoring.schemas import load_schema
from veridical.scoring.scorecard import (
    CheckedEvent,
    CheckedEvidence,
    CriterionReview,
    CriterionScore,
    EventSource,
    EvidenceFidelity,
    HumanReview,
    ModelInfo,
    Overall,
    ReviewItem,
    Scorecard,
    ScoredTranscript,
    SectionScore,
    Status,
    TimingResult,
)
from veridical.scoring.wire_consistency import find_contradiction
from veridical.sources.span import Span
from veridical.validation.schema_errors import SchemaProblem, first_errors, shorten

if TYPE_CHECKING:
    from jsonschema_rs import Draft7Validator

Data = Mapping[str, Any]


def scorecard_from_wire(data: object) -> Scorecard:
    """The scorecard in plain data of the shipped schema `scorecard`.

    Raises ValidationError that names the path of what does not fit the schema, or contradicts what
    another part of the card says.
    """
    wire = _require_schema(data)
    try:
        card = _card(wire)
        problem = find_contradiction(card, wire)
    except OverflowError:
        raise ValidationError("the scorecard has a number that is too large") from None
    if problem is not None:
        raise _refused("the scorecard contradicts itself", [problem])
    return card


def _require_schema(data: object) -> Data:
    try:
        if isinstance(data, dict) and _validator().is_valid(data):
            return data
    except (ValueError, TypeError, OverflowError, RecursionError):
        pass  # Not JSON at all, or too deep: said in words below.
    problems = first_errors(load_schema("scorecard"), data)
    raise _refused("the scorecard does not fit its schema", problems)


@cache
def _validator() -> Draft7Validator:
    """Made once: most files fit."""
    from jsonschema_rs import Draft7Validator

    return Draft7Validator(load_schema("scorecard"))


def _refused(complaint: str, problems: list[SchemaProblem]) -> ValidationError:
    first = problems[0]
    return ValidationError(
        f"{complaint}: " + "; ".join(problem.describe() for problem in problems),
        {"path": first.path, "value": first.value, "constraint": first.constraint},
    )


def _card(data: Data) -> Scorecard:
    overall, info = data["overall"], data["modelInfo"]
    return Scorecard(
        template=_template(data["template"]),
        rubric_sha256=data["rubric"]["sha256"],
        scoring=_rules(data["scoring"]),
        transcript=_transcript(data["transcript"]),
        overall=Overall(
            _number(overall["score"]), Status(overall["status"]), float(overall["scoredWeight"])
        ),
        sections=tuple(
            _section(item, f"sections[{index}]") for index, item in enumerate(data["sections"])
        ),
        warnings=tuple(_warning(item) for item in data["warnings"]),
        model_info=ModelInfo(info["scorer"], info["ruleBased"], _usage(info["usage"])),
        human_review=HumanReview(
            tuple(
                ReviewItem(item["sectionId"], item["criterionId"], tuple(item["reasons"]))
                for item in data["humanReview"]["items"]
            )
        ),
        created_at=data.get("createdAt"),
    )


def _template(data: Data) -> Template:
    return Template(
        data["id"], data["name"], data["version"], data["description"], tuple(data["tags"])
    )


def _rules(data: Data) -> ScoringRules:
    thresholds = data["thresholds"]
    return ScoringRules(
        float(thresholds["pass"]),
        float(thresholds["needsImprovement"]),
        NotObserved(data["requiredNotObservedBehavior"]),
    )


def _transcript(data: Data) -> ScoredTranscript:
    return ScoredTranscript(
        name=data["name"],
        sha256=data["sha256"],
        start=_number(data["start"]),
        end=_number(data["end"]),
        precision=data["precision"],
        speakers=tuple(data["speakers"]),
    )


def _section(data: Data, at: str) -> SectionScore:
    return SectionScore(
        section_id=data["sectionId"],
        title=data["title"],
        weight=float(data["weight"]),
        score=_number(data["score"]),
        status=Status(data["status"]),
        criteria=tuple(
            _criterion(item, f"{at}.criteria[{index}]")
            for index, item in enumerate(data["criteria"])
        ),
        notes=data["sectionNotes"],
        failure=data["failure"],
        usage=_usage(data["usage"]),
        omitted=tuple(
            TimeRange(float(part["start"]), float(part["end"])) for part in data["omitted"]
        ),
    )


def _criterion(data: Data, at: str) -> CriterionScore:
    evidence = tuple(
        _evidence(item, f"{at}.evidence[{index}]") for index, item in enumerate(data["evidence"])
    )
    review = CriterionReview(
        criterion_id=data["criterionId"],
        verdict=CriterionVerdict(data["verdict"]),
        given_verdict=CriterionVerdict(data["givenVerdict"]),
        score=_number(data["score"]),
        option=data["option"],
        confidence=_number(data["confidence"]),
        rationale=data["rationale"],
        evidence=evidence,
        events=tuple(
            _event(item, len(evidence), f"{at}.observedEvents[{index}]")
            for index, item in enumerate(data["observedEvents"])
        ),
    )
    return CriterionScore(
        review=review,
        title=data["title"],
        type=CriterionType(data["type"]),
        required=data["required"],
        weight=float(data["weight"]),
        scale=(float(data["scale"]["min"]), float(data["scale"]["max"])),
        normalized=_number(data["normalizedScore"]),
        counted_as_missed=data["countedAsMissed"],
        timing=None if data["timing"] is None else _timing(data["timing"]),
        min_evidence=data["minEvidence"],
    )


def _evidence(data: Data, at: str) -> CheckedEvidence:
    verified, fidelity, position = data["verified"], data["fidelity"], data["position"]
    return CheckedEvidence(
        quote=data["quote"],
        verified=verified,
        claimed_start=_number(data["claimed"]["start"]),
        claimed_speaker=data["claimed"]["speaker"],
        fidelity=None if fidelity is None else EvidenceFidelity(fidelity),
        span=None if position is None else _span(position, f"{at}.position"),
        matched_text=data["matchedText"],
        start=_number(data["start"]) if verified else None,
        end=_number(data["end"]),
        speaker=data["speaker"] if verified else None,
        corrected=data["corrected"],
        reason=data["reason"],
    )


def _span(data: Data, at: str) -> Span:
    if data["start"] > data["end"]:
        raise _misfit(f"{at}.end", data["end"], "it lies before the start")
    return Span(data["start"], data["end"])


def _event(data: Data, evidence: int, at: str) -> CheckedEvent:
    index = data["evidence"]
    if index is not None and index >= evidence:
        raise _misfit(f"{at}.evidence", index, f"the criterion has {evidence} items of evidence")
    return CheckedEvent(
        name=data["name"],
        claimed_at=float(data["claimedAt"]),
        verified=data["verified"],
        at=_number(data["at"]) if data["verified"] else None,
        latest=_number(data["latest"]),
        evidence=index,
        reason=data["reason"],
    )


def _misfit(path: str, value: object, message: str) -> ValidationError:
    problem = SchemaProblem(path, shorten(value), "consistent", message)
    return _refused("the scorecard contradicts itself", [problem])


def _timing(data: Data) -> TimingResult:
    return TimingResult(
        target=TimingTarget(
            data["startEvent"],
            data["endEvent"],
            _number(data["targetSeconds"]),
            _number(data["maxSeconds"]),
        ),
        started_at=_number(data["startedAt"]),
        ended_at=_number(data["endedAt"]),
        seconds=_number(data["seconds"]),
        close_call=data["closeCall"],
        reason=data["reason"],
        start_source=_source(data["startSource"]),
        end_source=_source(data["endSource"]),
    )


def _source(data: Data | None) -> EventSource | None:
    if data is None:
        return None
    return EventSource(data["sectionId"], data["criterionId"], data["evidence"])


def _usage(data: Data) -> Usage:
    return Usage(
        calls=data["calls"],
        prompt_tokens=data["promptTokens"],
        reply_tokens=data["replyTokens"],
        estimated_prompt_tokens=data["estimatedPromptTokens"],
    )


def _warning(data: Data) -> CardWarning:
    return CardWarning(
        WarningCode(data["code"]), data["message"], data["sectionId"], data["criterionId"]
    )


def _number(value: float | None) -> float | None:
    return None if value is None else float(value)
