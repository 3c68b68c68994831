"""A scorecard as JSON, in the form of the shipped schema `scorecard`, and back."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from veridical.errors import ValidationError
from veridical.ledger.canonical import canonical_bytes, parse_file
from veridical.scoring.answer import (
    SCORED,
    CardWarning,
    CriterionVerdict,
    SectionFailure,
    TimeRange,
    Usage,
    WarningCode,
)
from veridical.scoring.merge import merge
from veridical.scoring.rubric import (
    Criterion,
    CriterionType,
    EnumOption,
    EvidenceRules,
    Grading,
    NotObserved,
    Rubric,
    ScoringRules,
    Section,
    Template,
    TimingTarget,
)
from veridical.scoring.rubrics.rules import WEIGHT_TOLERANCE
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
    SectionReview,
    SectionScore,
    Status,
    TimingResult,
)
from veridical.scoring.wire_write import scorecard_to_wire
from veridical.sources.span import Span
from veridical.sources.transcript import Precision, Segment, Transcript
from veridical.validation.schema_errors import SchemaProblem, first_errors, shorten

if TYPE_CHECKING:
    from jsonschema_rs import Draft7Validator

# A scorecard read back from its file, which may come from anywhere.


# Whether a scorecard that was read says one thing: what follows from other parts is computed
# anew.


_ROUNDING = 1e-9
_KINDNESS = {
    CriterionVerdict.MISSED: 1,
    CriterionVerdict.PARTIAL: 2,
    CriterionVerdict.MET: 3,
}


def find_contradiction(card: Scorecard, wire: Mapping[str, Any]) -> SchemaProblem | None:
    """What no run could have given of a card, and of the plain data that it was read from.

    None where nothing is. Raises OverflowError for numbers whose sums are too large.
    """
    impossible = next(_contradictions(card), None)
    if impossible is not None:
        return impossible
    anew = scorecard_to_wire(_computed_anew(card))
    problem = _difference("sections", wire["sections"], anew["sections"])
    return problem or _difference("", wire, anew)


def _computed_anew(card: Scorecard) -> Scorecard:
    """The card with all that follows from what its criteria were reviewed as put in its place.

    For a card without contradictions. Warnings that tell of the reviews stay as they are, and those
    that follow from them are added where they are missing.
    """
    of_whole = tuple(warning for warning in card.warnings if warning.section_id is None)
    rubric = Rubric(
        card.template,
        tuple(map(_section, card.sections)),
        card.scoring,
        sha256=card.rubric_sha256,
    )
    made = merge(
        rubric,
        _transcript(card.transcript),
        [_outcome(section, card) for section in card.sections],
        scorer=card.model_info.scorer,
        rule_based=card.model_info.rule_based,
        created_at=card.created_at,
    )
    return replace(
        made,
        transcript=card.transcript,
        warnings=tuple(dict.fromkeys((*of_whole, *made.warnings))),
    )


def _transcript(scored: ScoredTranscript) -> Transcript:
    """One without words, that has times where the one that was scored had."""
    times = None if scored.precision == Precision.NONE else 0.0
    return Transcript(scored.name, "", segments=(Segment(Span(0, 0), times, times),))


def _section(section: SectionScore) -> Section:
    criteria = tuple(map(_criterion, section.criteria))
    return Section(section.section_id, section.title, section.weight, criteria)


def _criterion(score: CriterionScore) -> Criterion:
    """What the rubric says of a criterion, as far as its score depends on it."""
    least, greatest = score.scale
    is_graded, is_enum = score.type is CriterionType.GRADED, score.type is CriterionType.ENUM
    return Criterion(
        id=score.review.criterion_id,
        title=score.title,
        type=score.type,
        required=score.required,
        weight=score.weight,
        grading=Grading(least, greatest) if is_graded else None,
        options=(EnumOption("", least), EnumOption("", greatest)) if is_enum else (),
        timing=None if score.timing is None else score.timing.target,
        evidence=EvidenceRules(score.min_evidence),
    )


def _outcome(section: SectionScore, card: Scorecard) -> SectionReview | SectionFailure:
    if not section.criteria:
        return SectionFailure(section.section_id, section.failure, section.usage)
    return SectionReview(
        section.section_id,
        tuple(score.review for score in section.criteria),
        section.notes,
        tuple(w for w in card.warnings if w.section_id == section.section_id),
        section.usage,
        section.omitted,
    )


def _contradictions(card: Scorecard) -> Iterator[SchemaProblem]:
    total = math.fsum(section.weight for section in card.sections)
    if card.sections and abs(total - 1) > WEIGHT_TOLERANCE + _ROUNDING:
        yield _misfit("sections", f"{total:.6g}", "the weights of all sections sum to 1")
    sections, criteria = set[str](), set[str]()
    for number, section in enumerate(card.sections):
        at = f"sections[{number}]"
        if section.section_id in sections:
            yield _misfit(f"{at}.sectionId", section.section_id, "it stands there twice")
        sections.add(section.section_id)
        for inner, score in enumerate(section.criteria):
            path, name = f"{at}.criteria[{inner}]", score.review.criterion_id
            if name in criteria:
                yield _misfit(f"{path}.criterionId", name, "it stands there twice")
            criteria.add(name)
            yield from _of_criterion(score, path)


def _of_criterion(score: CriterionScore, path: str) -> Iterator[SchemaProblem]:
    least, greatest = score.scale
    if not least < greatest or not math.isfinite(greatest - least):
        yield _misfit(f"{path}.scale", [least, greatest], "min must be less than max")
    if (score.timing is not None) is not (score.type is CriterionType.TIMING):
        told = "a timing criterion has a timing, and no other has one"
        yield _misfit(f"{path}.timing", score.type.value, told)
    yield from _of_events(score.review, path)
    if score.timing is None and score.review.verdict in SCORED:
        yield from _of_verdict(score, path)


def _of_verdict(score: CriterionScore, path: str) -> Iterator[SchemaProblem]:
    """What a scored verdict that was not computed must have, as reviews settle it."""
    review, (least, greatest) = score.review, score.scale
    verdict, given = review.verdict, review.given_verdict
    value = least if review.score is None else review.score
    if not least <= value <= greatest:
        told = f"it is off the scale, {least:g} to {greatest:g}"
        yield _misfit(f"{path}.score", value, told)
    as_said = {
        CriterionVerdict.MET: value > least,
        CriterionVerdict.PARTIAL: value < greatest,
        CriterionVerdict.MISSED: value == least,
    }
    if not as_said[verdict]:
        yield _misfit(f"{path}.score", value, f"what is {verdict} has another score")
    if _KINDNESS[verdict] > _KINDNESS.get(given, 0):
        told = f"the scorer said {given}, and a review makes nothing of that better"
        yield _misfit(f"{path}.verdict", verdict.value, told)
    verified = len({item.span for item in review.evidence if item.verified})
    if verified < score.min_evidence:
        told = f"{score.min_evidence} verified quotes are needed for it, there are {verified}"
        yield _misfit(f"{path}.verdict", verdict.value, told)


def _of_events(review: CriterionReview, path: str) -> Iterator[SchemaProblem]:
    """A verified event rests on verified words, and was when they were said."""
    for number, event in enumerate(review.events):
        if not event.verified or event.evidence is None or event.at is None:
            continue
        shown = review.evidence[event.evidence]
        at = f"{path}.observedEvents[{number}]"
        if not shown.verified or shown.start is None:
            yield _misfit(f"{at}.evidence", event.evidence, "those words are not verified")
        elif event.at != shown.start:
            told = f"its words were said at {shown.start:g} s"
            yield _misfit(f"{at}.at", event.at, told)


def _misfit(path: str, value: object, message: str) -> SchemaProblem:
    return SchemaProblem(path, shorten(value), "consistent", message)


def _difference(path: str, given: object, expected: object) -> SchemaProblem | None:
    """Where a card, computed anew, would not be what was read.

    What lies deeper is told first: what lies above follows from it.
    """
    if isinstance(given, dict) and isinstance(expected, dict):
        items = sorted(given.items(), key=lambda item: not isinstance(item[1], dict | list))
        parts = ((f"{path}.{key}", value, expected.get(key)) for key, value in items)
    elif isinstance(given, list) and isinstance(expected, list) and len(given) == len(expected):
        pairs = enumerate(zip(given, expected, strict=True))
        parts = ((f"{path}[{index}]", *pair) for index, pair in pairs)
    else:
        if given == expected:
            return None
        message = f"it follows from other parts that this is {shorten(expected)}"
        return _misfit(path.lstrip("."), given, message)
    return next(filter(None, (_difference(*part) for part in parts)), None)


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
        transcript=_read_transcript(data["transcript"]),
        overall=Overall(
            _number(overall["score"]), Status(overall["status"]), float(overall["scoredWeight"])
        ),
        sections=tuple(
            _read_section(item, f"sections[{index}]") for index, item in enumerate(data["sections"])
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


def _read_transcript(data: Data) -> ScoredTranscript:
    return ScoredTranscript(
        name=data["name"],
        sha256=data["sha256"],
        start=_number(data["start"]),
        end=_number(data["end"]),
        precision=data["precision"],
        speakers=tuple(data["speakers"]),
    )


def _read_section(data: Data, at: str) -> SectionScore:
    return SectionScore(
        section_id=data["sectionId"],
        title=data["title"],
        weight=float(data["weight"]),
        score=_number(data["score"]),
        status=Status(data["status"]),
        criteria=tuple(
            _read_criterion(item, f"{at}.criteria[{index}]")
            for index, item in enumerate(data["criteria"])
        ),
        notes=data["sectionNotes"],
        failure=data["failure"],
        usage=_usage(data["usage"]),
        omitted=tuple(
            TimeRange(float(part["start"]), float(part["end"])) for part in data["omitted"]
        ),
    )


def _read_criterion(data: Data, at: str) -> CriterionScore:
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
        raise _contradiction(f"{at}.end", data["end"], "it lies before the start")
    return Span(data["start"], data["end"])


def _event(data: Data, evidence: int, at: str) -> CheckedEvent:
    index = data["evidence"]
    if index is not None and index >= evidence:
        raise _contradiction(
            f"{at}.evidence", index, f"the criterion has {evidence} items of evidence"
        )
    return CheckedEvent(
        name=data["name"],
        claimed_at=float(data["claimedAt"]),
        verified=data["verified"],
        at=_number(data["at"]) if data["verified"] else None,
        latest=_number(data["latest"]),
        evidence=index,
        reason=data["reason"],
    )


def _contradiction(path: str, value: object, message: str) -> ValidationError:
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


MAX_FILE_BYTES = 64 * 1024 * 1024
"""A larger scorecard is refused."""

__all__ = ["scorecard_from_bytes", "scorecard_from_wire", "scorecard_to_bytes", "scorecard_to_wire"]


def scorecard_to_bytes(card: Scorecard) -> bytes:
    """The bytes of a scorecard's file: UTF-8 JSON, keys sorted. The same card gives the same bytes.

    Raises ValidationError where a text holds half of a surrogate pair, which no UTF-8 file can.
    """
    return canonical_bytes(scorecard_to_wire(card))


def scorecard_from_bytes(data: bytes) -> Scorecard:
    """The scorecard in a file, which may come from anywhere.

    Stricter than `json.loads`: UTF-8, no NaN or infinity, no name twice in one object, a limit of
    size, nothing that the schema does not have, and what follows from other parts of the card must
    agree with them.

    Raises ValidationError that names the path of what does not fit.
    """
    return scorecard_from_wire(parse_file(data, what="the scorecard", most_bytes=MAX_FILE_BYTES))
