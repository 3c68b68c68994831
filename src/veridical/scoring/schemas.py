"""The JSON Schemas of rubrics, of what models reply, and of scorecards."""

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
    integer,
    nullable,
    number,
    text,
    told,
    told_first,
)
from veridical.scoring.rubric import CriterionType, NotObserved
from veridical.scoring.scorecard import SCORED, CriterionVerdict, Status, WarningCode
from veridical.sources.transcript import Precision

KEBAB = "^[a-z0-9]+(-[a-z0-9]+)*$"
EVENT = "^[a-z0-9_-]+$"
_TEMPLATE = "What the rubric is called, and which version of it this is."

# --- rubrics -------------------------------------------------------------------------------------


def _words(most: int) -> Schema:
    """Text that is not blank."""
    return text(most, least=1, pattern="\\S")


_EVENT: dict[str, Any] = {"pattern": EVENT, "maxLength": 100}
_SCORE = number(-1_000_000, 1_000_000)
_SECONDS = number(0, 604_800)
_PROSE = text(5000)


def _id(unique: str) -> Schema:
    kebab = text(pattern=KEBAB, maxLength=100)
    return told(kebab, f"Name for programs, in lower case with hyphens{unique}")


def _template() -> Schema:
    return closed(
        {
            "id": _id(": fireground-radio."),
            "name": told(_words(200), "Name for readers."),
            "version": told(_words(50), 'Version of the rubric, a text in quotes: "1.0".'),
            "description?": told(_PROSE, "What the rubric is for."),
            "tags?": told(array(told(_words(100), "One word."), 50), "Words to find it by."),
        }
    )


def _scoring_rules() -> Schema:
    fails = "Least score that needs improvement; below it, it fails."
    thresholds = {
        "pass?": told(number(0, 1, default=0.8), "Least score that passes."),
        "needsImprovement?": told(number(0, 1, default=0.6), fails),
    }
    return closed(
        {
            "thresholds?": told(closed(thresholds), "Least scores, from 0 to 1."),
            "requiredNotObservedBehavior?": told(
                {
                    "enum": [str(each) for each in NotObserved],
                    "default": str(NotObserved.TREAT_AS_MISSED),
                },
                "What becomes of a required criterion that was not observed: it counts as 0, or "
                "is left out with a warning.",
            ),
        }
    )


def _model_rules() -> Schema:
    return closed(
        {
            "concurrency?": told(
                integer(1, 64, default=5), "Most sections that are asked for at once."
            ),
            "maxRetries?": told(
                integer(0, 10, default=2), "Most attempts after the first, a section."
            ),
            "evidenceQuoteMaxChars?": told(
                integer(20, 2000, default=300),
                "Longest quote that counts as evidence, in characters.",
            ),
        }
    )


def _rubric_section() -> Schema:
    return closed(
        {
            "id": _id(", unique among the sections."),
            "title": told(_words(200), "Title for readers."),
            "description?": told(_PROSE, "What the section is about; a model reads it."),
            "weight": told(
                number(0.001, 1.001),
                "Share of the overall score. All weights sum to 1, give or take 0.001.",
            ),
            "criteria": told(
                array(definition("criterion"), 2000, least=1),
                "What is scored; at most 2,000 in the whole rubric.",
            ),
        }
    )


def _rubric_criterion() -> Schema:
    grading = {
        "minScore": told(_SCORE, "The worst score."),
        "maxScore": told(_SCORE, "The best score, greater than minScore."),
    }
    timing = {
        "startEvent": told(text(**_EVENT), "Event that starts the clock."),
        "endEvent": told(text(**_EVENT), "Event that stops it."),
        "targetSeconds?": told(_SECONDS, "Met up to here, in seconds."),
        "maxSeconds?": told(_SECONDS, "Met in part up to here, in seconds; missed beyond."),
    }
    evidence_rules = {
        "minEvidence?": told(
            integer(0, 20, default=1),
            "Fewest verified quotes, at distinct places; 0 where evidence is impossible.",
        ),
        "requireVerbatimQuote?": told(
            {**FLAG, "default": True},
            "Whether quotes must be the words of the transcript; otherwise words that say the "
            "same will do.",
        ),
    }
    return closed(
        {
            "id": _id(", unique in the whole rubric."),
            "title": told(_words(200), "Title for readers."),
            "description?": told(_PROSE, "What exactly has to be seen; a model reads it."),
            "required?": told(
                {**FLAG, "default": False}, "Whether not observing it counts against the score."
            ),
            "weight?": told(
                number(0.001, 1000, default=1), "Weight against the other criteria of the section."
            ),
            "type": told(
                {"enum": [str(each) for each in CriterionType]},
                "How it is scored: yes or no, on a scale, by named options, or by the clock.",
            ),
            "grading?": told(closed(grading), "The scale; for type graded, and needed there."),
            "enumOptions?": told(
                array(definition("option"), 50, least=2),
                "The options, worst first; for type enum, and needed there. A text stands for its "
                "place, counted from 0.",
            ),
            "timing?": told(
                closed(timing),
                "What the clock runs between; for type timing, and needed there. At least one of "
                "targetSeconds and maxSeconds.",
            ),
            "evidenceRules?": told(closed(evidence_rules), "What a verdict must rest on."),
            "cues?": told({"allOf": [definition("cues")]}, "What offline scoring looks for."),
            "source?": told(_criterion_source(), "What of a procedure it comes from."),
        }
    )


def _criterion_source() -> Schema:
    return closed(
        {
            "document": told(_words(300), "The document's name."),
            "quote": told(_words(2000), "Its words, as they stand there."),
            "page?": told(integer(1, 1_000_000), "The page, where there are pages."),
            "section?": told(text(500), "The heading above."),
        }
    )


def _named_phrases(names: Schema) -> Schema:
    return {
        "type": "object",
        "minProperties": 1,
        "maxProperties": 100,
        "propertyNames": names,
        "additionalProperties": definition("phrases"),
    }


def _words_or(most: int, properties: dict[str, Schema]) -> Schema:
    """A text, or a record that says more."""
    words = {"minLength": 1, "maxLength": most, "pattern": "\\S"}
    return closed(properties, type=["string", "object"], **words)


def _cues() -> Schema:
    by_name = _named_phrases({"pattern": "\\S", "maxLength": 200})
    properties = {
        "met?": told({"allOf": [definition("phrases")]}, "Any of these shows that it was done."),
        "missed?": told(
            {"allOf": [definition("phrases")]}, "Any of these shows that it was not done."
        ),
        "elements?": told(
            by_name, "Parts of a whole, by name; the share of them that was said is the score."
        ),
        "options?": told(by_name, "Phrases by the option of the enum that they show."),
        "events?": told(
            _named_phrases(_EVENT),
            "Phrases by the event that they show, for timing criteria anywhere in the rubric.",
        ),
    }
    phrases = {"minItems": 1, "maxItems": 500, "items": definition("cue"), "minProperties": 1}
    return closed(properties, type=["array", "object"], **phrases)


def _cue() -> Schema:
    label = told(_words(100), "A label, or a pattern of labels.")
    return _words_or(
        300,
        {
            "say": told(_words(300), "The phrase."),
            "by?": told(
                array(label, 50, least=1),
                "Labels of those whose words count; * stands for any characters, ? for one. "
                "Everybody's where it is missing.",
            ),
        },
    )


def _rubric() -> Schema:
    option = {
        "value": told(_words(100), "Name of the option."),
        "score": told(_SCORE, "The score that stands for it; higher is better."),
    }
    rubric = {
        "template": told(_template(), _TEMPLATE),
        "sections": told(
            array(definition("section"), 200, least=1),
            "Sections, in the order of the scorecard. Their weights sum to 1.",
        ),
        "scoring?": told(_scoring_rules(), "How scores become a status."),
        "llm?": told(_model_rules(), "How a model is asked."),
    }
    definitions = {
        "section": told(_rubric_section(), "Criteria that are scored together."),
        "criterion": told(_rubric_criterion(), "One thing that is scored."),
        "option": told(
            _words_or(100, option),
            "An option: its name alone, or with the score that stands for it.",
        ),
        "cues": told(
            _cues(),
            "What offline scoring looks for: a list of phrases that show that it was met, or "
            "lists by what they show.",
        ),
        "phrases": told(
            array(definition("cue"), 500, least=1), "Phrases of which any one will do."
        ),
        "cue": told(_cue(), "A phrase, or a phrase and whose words count."),
    }
    about = (
        "What a transcript is scored against, in YAML or JSON. `veridical score lint` also checks "
        "what a schema cannot say: that weights sum to 1, that ids are unique, and that each "
        "criterion has what its type needs."
    )
    body = told_first(told(closed(rubric), about))
    return headed("Rubric", body) | {"definitions": told_first(definitions)}


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
        "source?": told(_criterion_source(), "What of a procedure the criterion comes from."),
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
        "template": told(closed(template), _TEMPLATE),
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


load_schema = Loader(_rubric, _section_reply, _scorecard)
