"""A scorecard as JSON, in the form of the shipped schema `scorecard`, and back."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from veridical.codec import Codec, Form, arranged, camel
from veridical.errors import ValidationError
from veridical.ledger.canonical import canonical_bytes, parse_file
from veridical.scoring.merge import settled
from veridical.scoring.rubric import CriterionSource, CriterionType, ScoringRules
from veridical.scoring.rubrics.rules import WEIGHT_TOLERANCE
from veridical.scoring.rubrics.wire import SCORING_RULES
from veridical.scoring.schemas import load_schema
from veridical.scoring.scorecard import (
    SCORED,
    CheckedEvent,
    CheckedEvidence,
    CriterionReview,
    CriterionScore,
    CriterionVerdict,
    Scorecard,
    SectionScore,
    Status,
    TimingResult,
)
from veridical.validation.schema_errors import SchemaProblem, first_errors, refused, shorten

if TYPE_CHECKING:
    from jsonschema_rs import Draft7Validator

# What the data of a scorecard's records has otherwise than their fields.


_ENDS = ("min", "max")


def _card_told(data: dict[str, Any]) -> dict[str, Any]:
    """With what follows from the rest."""
    sections, review = data["sections"], data["humanReview"]
    incomplete = [s["sectionId"] for s in sections if s["status"] == Status.INCOMPLETE]
    data["overall"]["incompleteSections"] = incomplete
    data["humanReview"] = {"required": bool(review["items"]), **review}
    return {"schemaVersion": "1", **data}


def _number(value: float) -> float:
    """Always a float, so that a rubric's `1` and `1.0` give the same bytes; never minus zero."""
    return float(value) + 0.0


_RECORDS = Codec(
    {
        Scorecard: Form(
            {"rubric_sha256": "rubric.sha256"}, optional={"created_at", "rulings"}, told=_card_told
        ),
        ScoringRules: SCORING_RULES,
        SectionScore: Form({"notes": "sectionNotes"}),
        CriterionScore: Form(
            {"review": "", "normalized": "normalizedScore"},
            optional={"source"},
            told=lambda data: {**data, "scale": dict(zip(_ENDS, data["scale"], strict=True))},
            given=lambda data: {**data, "scale": tuple(data["scale"][end] for end in _ENDS)},
        ),
        CriterionReview: Form({"events": "observedEvents"}),
        CriterionSource: Form(optional={"page", "section"}),
        CheckedEvidence: Form(
            {
                "span": "position",
                "claimed_start": "claimed.start",
                "claimed_speaker": "claimed.speaker",
            },
            # What is the transcript's where verified; else what was claimed.
            told=lambda data: data if data["verified"] else {**data, **data["claimed"]},
            given=lambda data: (
                data if data["verified"] else {**data, "start": None, "speaker": None}
            ),
        ),
        CheckedEvent: Form(
            told=lambda data: data if data["verified"] else {**data, "at": data["claimedAt"]},
            given=lambda data: data if data["verified"] else {**data, "at": None},
        ),
        TimingResult: Form({"target": ""}),
    },
    spelling=camel,
    values={float: (_number, float)},
)


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
    of_whole = tuple(warning for warning in card.warnings if warning.section_id is None)
    names = {section.section_id for section in card.sections}
    of_sections = tuple(warning for warning in card.warnings if warning.section_id in names)
    anew = settled(replace(card, warnings=of_sections))
    # Those of the whole stand in whatever order they were given.
    told = tuple(dict.fromkeys((*of_whole, *anew.warnings)))
    expected = scorecard_to_wire(replace(anew, warnings=told))
    problem = _difference("sections", wire["sections"], expected["sections"])
    return problem or _difference("", wire, expected)


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
    yield from _of_rulings(card)


def _of_rulings(card: Scorecard) -> Iterator[SchemaProblem]:
    """A ruling is on a criterion of the card, and knows what the scorer said of it."""
    scores = (score for section in card.sections for score in section.criteria)
    verdicts = {score.review.criterion_id: score.review.verdict for score in scores}
    for number, ruling in enumerate(card.rulings):
        if verdicts.get(ruling.criterion_id) is not ruling.machine_verdict:
            path = f"rulings[{number}].machineVerdict"
            yield _misfit(path, ruling.machine_verdict.value, "the card does not say so")


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


def _misplaced(wire: Mapping[str, Any]) -> Iterator[SchemaProblem]:
    """Places of data that fits the schema at which nothing can be."""
    for number, section in enumerate(wire["sections"]):
        for inner, criterion in enumerate(section["criteria"]):
            at, evidence = f"sections[{number}].criteria[{inner}]", criterion["evidence"]
            for index, item in enumerate(evidence):
                place = item["position"]
                if place is not None and place["start"] > place["end"]:
                    end = f"{at}.evidence[{index}].position.end"
                    yield _misfit(end, place["end"], "it lies before the start")
            for index, event in enumerate(criterion["observedEvents"]):
                shown = event["evidence"]
                if shown is not None and shown >= len(evidence):
                    told = f"the criterion has {len(evidence)} items of evidence"
                    yield _misfit(f"{at}.observedEvents[{index}].evidence", shown, told)


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


def scorecard_to_wire(card: Scorecard) -> dict[str, Any]:
    """The scorecard as plain data, ready for JSON. Times are seconds, numbers floats."""
    wire: dict[str, Any] = arranged(_RECORDS.write(card), load_schema("scorecard"))
    return wire


def scorecard_from_wire(data: object) -> Scorecard:
    """The scorecard in plain data of the shipped schema `scorecard`.

    Raises ValidationError that names the path of what does not fit the schema, or contradicts what
    another part of the card says.
    """
    wire = _require_schema(data)
    try:
        problem = next(_misplaced(wire), None)
        if problem is None:
            card = _RECORDS.read(Scorecard, wire)
            problem = find_contradiction(card, wire)
    except OverflowError:
        raise ValidationError("the scorecard has a number that is too large") from None
    if problem is not None:
        raise refused("the scorecard contradicts itself", [problem])
    return card


def _require_schema(data: object) -> Mapping[str, Any]:
    try:
        if isinstance(data, dict) and _validator().is_valid(data):
            return data
    except (ValueError, TypeError, OverflowError, RecursionError):
        pass  # Not JSON at all, or too deep: said in words below.
    problems = first_errors(load_schema("scorecard"), data)
    raise refused("the scorecard does not fit its schema", problems)


@cache
def _validator() -> Draft7Validator:
    """Made once: most files fit."""
    from jsonschema_rs import Draft7Validator

    return Draft7Validator(load_schema("scorecard"))


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
