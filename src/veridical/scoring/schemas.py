"""The JSON Schemas of scoring: of what models reply, of scorecards, and that of rubrics."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from veridical.schema_parts import (
    COUNT,
    DRAFT_2020,
    FLAG,
    INTEGER,
    NULL,
    NUMBER,
    NUMBER_OR_NULL,
    SHA256,
    SHARE,
    TEXT,
    TEXT_OR_NULL,
    TEXTS,
    Loader,
    Schema,
    any_of,
    array,
    choice,
    closed,
    definition,
    headed,
    nullable,
    number,
    text,
    told,
)
from veridical.scoring.rubric import CriterionType, NotObserved
from veridical.scoring.rubrics.schema import TEMPLATE, criterion_source, rubric
from veridical.scoring.scorecard import SCORED, CriterionVerdict, Status, WarningCode
from veridical.sources.transcript import Precision

# --- replies of models ---------------------------------------------------------------------------


def _section_reply() -> Schema:
    evidence = {
        "quote": told(TEXT, "Words of one line of the transcript, letter by letter."),
        "start?": told(NUMBER_OR_NULL, "The second that stands at the start of that line."),
        "speaker?": told(TEXT_OR_NULL, "The speaker's label in that line."),
    }
    event = {
        "name": told(TEXT, "The event's name, as the criterion gives it."),
        "at": told(NUMBER, "The second of a quote of this criterion's evidence that shows it."),
    }
    criterion = {
        "criterionId": told(TEXT, "The id of the criterion."),
        "verdict": choice(CriterionVerdict),
        "score?": told(
            NUMBER_OR_NULL,
            "On the criterion's own scale; null for not_observed and not_applicable.",
        ),
        "confidence?": told(NUMBER_OR_NULL, "From 0 to 1."),
        "rationale?": told(TEXT, "Why, in one or two sentences."),
        "evidence?": array(closed(evidence)),
        "observedEvents?": array(closed(event)),
    }
    section = {
        "sectionId": told(TEXT, "The id of the section."),
        "criteria": told(array(closed(criterion)), "One entry for each criterion of the section."),
        "sectionNotes?": told(TEXT_OR_NULL, "Notes of the evaluator, if there are any."),
        "warnings?": TEXTS,
    }
    title = "The scores of one rubric section, as a model gives them"
    return headed(title, closed(section), draft=DRAFT_2020)


# --- scorecards ----------------------------------------------------------------------------------


def _where(name: str, holds: Any, then: dict[str, Schema], otherwise: dict[str, Schema]) -> Schema:
    """What else must fit, where the property of that name fits or does not."""
    return {
        "if": {"properties": {name: holds}},
        "then": {"properties": then},
        "else": {"properties": otherwise},
    }


def _nulls(names: Iterable[str]) -> dict[str, Schema]:
    return dict.fromkeys(names, NULL)


_VERIFIED = {"const": True}


def _overall() -> Schema:
    return closed(
        {
            "score": told(
                nullable(SHARE),
                "Weighted mean of the sections that have a score; null where none has.",
            ),
            "status": told(
                definition("status"),
                "`incomplete` while any section is, whatever the score of the rest: a part is not "
                "the whole.",
            ),
            "scoredWeight": told(
                SHARE,
                "Share of all weight that stands behind the score: of each section's weight as "
                "much as its criteria that count have of the weight of all its criteria.",
            ),
            "incompleteSections": told(TEXTS, "Ids of the sections that are incomplete."),
        }
    )


def _usage() -> Schema:
    usage = {
        "calls": COUNT,
        "promptTokens": nullable(COUNT),
        "replyTokens": nullable(COUNT),
        "estimatedPromptTokens": told(
            nullable(COUNT), "Our own guess for one call of each section."
        ),
    }
    return told(
        closed(usage),
        "Calls of a model, and tokens as its server counts them; null where it does not.",
    )


def _scored_section() -> Schema:
    return closed(
        {
            "sectionId": TEXT,
            "title": TEXT,
            "weight": number(0),
            "score": told(
                nullable(SHARE), "Weighted mean of the criteria that count; null where none does."
            ),
            "status": definition("status"),
            "criteria": told(
                array(definition("criterion")),
                "In the rubric's order; none where the section was not scored.",
            ),
            "sectionNotes": TEXT,
            "failure": told(TEXT, "Why an incomplete section is incomplete; else empty."),
            "usage": definition("usage"),
            "omitted": told(
                array(closed({"start": NUMBER, "end": NUMBER})),
                "Parts of the recording that the scorer was not shown.",
            ),
        }
    )


def _scored_criterion() -> Schema:
    criterion = {
        "criterionId": TEXT,
        "title": TEXT,
        "type": choice(CriterionType),
        "required": FLAG,
        "weight": number(0),
        "verdict": told(
            definition("verdict"),
            "Rests on verified evidence, or is not_observed; that of a timing criterion is "
            "computed.",
        ),
        "givenVerdict": told(definition("verdict"), "What the scorer said."),
        "score": told(
            NUMBER_OR_NULL, "On the criterion's own scale; null for verdicts that carry none."
        ),
        "scale": closed({"min": NUMBER, "max": NUMBER}),
        "normalizedScore": told(
            nullable(SHARE), "From 0 to 1; null where the criterion does not count."
        ),
        "countedAsMissed": told(FLAG, "It is required, was not observed, and counts as 0."),
        "minEvidence": told(
            COUNT,
            "Verified quotes, at distinct places, that a verdict with a score needs; 0 where "
            "evidence is impossible.",
        ),
        "option": told(TEXT_OR_NULL, "That of an enum criterion."),
        "confidence": nullable(SHARE),
        "rationale": TEXT,
        "evidence": array(definition("evidence")),
        "observedEvents": array(definition("event")),
        "timing": any_of(NULL, definition("timing")),
        "source?": told(criterion_source(), "What of a procedure the criterion comes from."),
    }
    scored = {"enum": [str(each) for each in CriterionVerdict if each in SCORED]}
    return closed(criterion) | _where("verdict", scored, {"score": NUMBER}, {"score": NULL})


def _evidence() -> Schema:
    position = told(
        closed({"start": COUNT, "end": COUNT}),
        "Half-open, in Unicode code points of the transcript's text.",
    )
    claimed = closed({"start": NUMBER_OR_NULL, "speaker": TEXT_OR_NULL})
    evidence = {
        "quote": TEXT,
        "start": told(
            NUMBER_OR_NULL, "When the words were said where verified; else the claimed second."
        ),
        "end": NUMBER_OR_NULL,
        "speaker": told(TEXT_OR_NULL, "Who said them where verified; else who is claimed to have."),
        "verified": told(
            FLAG, "Whether the words stand in the transcript as cited, or at their only place."
        ),
        "fidelity": {"enum": ["verbatim", "paraphrase", None]},
        "matchedText": told(TEXT_OR_NULL, "The transcript's own words at `position`."),
        "position": any_of(NULL, position),
        "claimed": told(claimed, "What was cited."),
        "corrected": told(FLAG, "The claimed second or speaker was wrong, and is replaced."),
        "reason": told(TEXT, "Why it is not verified, or what was corrected."),
    }
    found = {"fidelity": TEXT, "matchedText": TEXT, "position": {"type": "object"}}
    return closed(evidence) | _where("verified", _VERIFIED, found, _nulls([*found, "end"]))


def _event() -> Schema:
    event = {
        "name": TEXT,
        "at": told(NUMBER, "The transcript's second where verified; else the claimed one."),
        "verified": FLAG,
        "claimedAt": NUMBER,
        "latest": told(
            NUMBER_OR_NULL, "The last second at which it may have been, where verified."
        ),
        "evidence": told(nullable(COUNT), "Index of the criterion's evidence that shows it."),
        "reason": TEXT,
    }
    found = {"latest": NUMBER, "evidence": INTEGER}
    return closed(event) | _where("verified", _VERIFIED, found, _nulls(found))


def _timing() -> Schema:
    source = any_of(NULL, definition("source"))
    where = "in this criterion or in another; null where there are none."
    timing = {
        "startEvent": TEXT,
        "endEvent": TEXT,
        "targetSeconds": NUMBER_OR_NULL,
        "maxSeconds": NUMBER_OR_NULL,
        "startedAt": NUMBER_OR_NULL,
        "endedAt": NUMBER_OR_NULL,
        "seconds": told(
            NUMBER_OR_NULL,
            "From the first start event to the first end event at or after it, both verified.",
        ),
        "closeCall": told(
            FLAG,
            "The times are not known closely enough to tell on which side of a limit it falls.",
        ),
        "reason": TEXT,
        "startSource": {"description": f"The words that started the clock, {where}", **source},
        "endSource": {"description": f"The words that stopped the clock, {where}", **source},
    }
    return told(closed(timing), "Computed from verified events, never taken from the scorer.")


def _definitions() -> Schema:
    source = {
        "sectionId": TEXT,
        "criterionId": TEXT,
        "evidence": told(COUNT, "Index of that criterion's evidence."),
    }
    return {
        "status": choice(Status),
        "verdict": choice(CriterionVerdict),
        "usage": _usage(),
        "section": _scored_section(),
        "criterion": _scored_criterion(),
        "evidence": _evidence(),
        "event": _event(),
        "timing": _timing(),
        "source": told(closed(source), "A piece of evidence, by the criterion that cites it."),
    }


def _scorecard_head() -> dict[str, Schema]:
    template = {"id": TEXT, "name": TEXT, "version": TEXT, "description": TEXT, "tags": TEXTS}
    rubric_hash = told(
        text(pattern="^([0-9a-f]{64})?$"),
        "Hash of the rubric's content, however its file was written.",
    )
    scoring = {
        "thresholds": told(
            closed({"pass": SHARE, "needsImprovement": SHARE}),
            "Scores from which a section passes, or only needs improvement.",
        ),
        "requiredNotObservedBehavior": told(
            choice(NotObserved), "What becomes of a required criterion that was not observed."
        ),
    }
    transcript = {
        "name": TEXT,
        "sha256": told(SHA256, "Hash of the transcript's text."),
        "start": NUMBER_OR_NULL,
        "end": NUMBER_OR_NULL,
        "precision": told(choice(Precision), "How closely the times of words are known."),
        "speakers": TEXTS,
    }
    return {
        "schemaVersion": {"const": "1"},
        "template": told(closed(template), TEMPLATE),
        "rubric": closed({"sha256": rubric_hash}),
        "scoring": closed(scoring),
        "transcript": closed(transcript),
    }


def _scorecard() -> Schema:
    warning = {
        "code": choice(WarningCode),
        "message": TEXT,
        "sectionId": TEXT_OR_NULL,
        "criterionId": TEXT_OR_NULL,
    }
    model = {
        "scorer": told(TEXT, "A model's name, or that of the rules."),
        "ruleBased": FLAG,
        "usage": told(definition("usage"), "Sums over all sections."),
    }
    to_look_at = {
        "sectionId": TEXT,
        "criterionId": told(TEXT_OR_NULL, "null for the section as a whole"),
        "reasons": TEXTS,
    }
    ruling = {
        "criterionId": TEXT,
        "machineVerdict": told(definition("verdict"), "What the scorecard says."),
        "verdict": told(
            any_of(NULL, definition("verdict")), "The reviewer's; null takes a ruling back."
        ),
        "reason": TEXT,
        "reviewer": TEXT,
        "at": told(TEXT, "When, in UTC."),
    }
    card = {
        **_scorecard_head(),
        "overall": _overall(),
        "sections": told(array(definition("section")), "In the rubric's order."),
        "warnings": told(
            array(closed(warning)),
            "What a reader must know, in the rubric's order. Ids are null where it is about the "
            "whole.",
        ),
        "modelInfo": told(closed(model), "Who scored."),
        "humanReview": told(
            closed({"required": FLAG, "items": array(closed(to_look_at))}),
            "What a person should look at before the scorecard is relied on.",
        ),
        "createdAt?": told(TEXT, "When it was made, if that was asked for."),
        "rulings?": told(
            array(closed(ruling)), "What reviewers say of criteria; the rest stays as it was."
        ),
    }
    about = (
        "All times are seconds from the start of the recording. Scores of sections and of the "
        "whole are from 0 to 1, rounded to six decimals."
    )
    body = {"description": about, **closed(card)}
    return headed("Scorecard of a transcript against a rubric", body) | {
        "definitions": _definitions()
    }


load_schema = Loader(rubric, _section_reply, _scorecard)
