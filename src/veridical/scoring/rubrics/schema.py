"""The JSON Schema of rubrics."""

from __future__ import annotations

from typing import Any

from veridical.schema_parts import (
    FLAG,
    Schema,
    array,
    closed,
    definition,
    headed,
    integer,
    number,
    text,
    told,
    told_first,
)
from veridical.scoring.rubric import CriterionType, NotObserved

KEBAB = "^[a-z0-9]+(-[a-z0-9]+)*$"
EVENT = "^[a-z0-9_-]+$"
TEMPLATE = "What the rubric is called, and which version of it this is."


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
            "source?": told(criterion_source(), "What of a procedure it comes from."),
        }
    )


def criterion_source() -> Schema:
    """Where in a procedure a criterion comes from."""
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


def rubric() -> Schema:
    """The whole of a rubric."""
    option = {
        "value": told(_words(100), "Name of the option."),
        "score": told(_SCORE, "The score that stands for it; higher is better."),
    }
    rubric = {
        "template": told(_template(), TEMPLATE),
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
