"""The JSON Schemas of labelled rows, model replies and calibrations."""

from __future__ import annotations

from veridical.schema_parts import (
    FLAG,
    INTEGER,
    POSITION,
    TEXT,
    Loader,
    Schema,
    array,
    choice,
    headed,
    nullable,
    number,
    record,
    reply,
    text,
    told,
)


def _labelled_row() -> Schema:
    from veridical.judging.datasets import Label

    key = {"type": ["string", "integer"], "minLength": 1, "maxLength": 200}
    of_one = {"type": ["string", "integer", "null"]}
    row = {
        "id": told(key, "Unique in the file"),
        "claim": told(text(10_000, least=1), "What is said to be true"),
        "evidence?": told(
            nullable(array(text(200_000), 200)),
            "The passages that the label was given on, together; empty for the document",
        ),
        "document?": told(
            nullable(text(5_000_000)), "Where the claim is looked for if there is no evidence"
        ),
        "label": told(
            choice(Label),
            "What a person said of it; only `supported` means that all of it is borne out",
        ),
        "claim_context?": told(nullable(text(20_000)), "Words that pronouns of the claim refer to"),
        "article?": told(of_one, "Rows of one article belong together"),
        "question?": told(of_one, "Rows of one question belong together"),
        "group?": told(of_one, "Rows of one group belong together"),
    }
    return headed("A labelled row: one line of a JSONL file", record(row))


def _model_judgements() -> Schema:
    from veridical.judging.judge import SupportLevel

    judgement = {
        "passage": told(INTEGER, "Number of the passage"),
        "quote": told(
            TEXT,
            "The words of the passage that decide, copied letter by letter; empty if none do",
        ),
        "explanation": told(TEXT, "One sentence: what the words say about the claim"),
        "support": told(
            choice(SupportLevel),
            "full only if the passage states or clearly implies every part of the claim",
        ),
        "contradicts": told(FLAG, "Whether the passage says that the claim is false"),
    }
    judgements = reply({"judgements": told(array(reply(judgement)), "One for each passage")})
    return headed("What a model says of a claim and some passages", judgements)


def _judge_calibration() -> Schema:
    threshold = number(exclusiveMinimum=0, maximum=1)
    thresholds = reply(dict.fromkeys(("strict", "balanced", "lenient"), threshold))
    calibration = {
        "format": {"const": "veridical-calibration-1"},
        "judge": told(text(500, least=1), "Name of the judge that it belongs to"),
        "slope": told(
            number(exclusiveMinimum=0, maximum=100), "What the judge's log-odds are multiplied by"
        ),
        "intercept": told(number(-100, 100), "What is then added to them"),
        "thresholds": {
            **thresholds,
            "description": (
                "Calibrated probability from which support is full, at each operating point"
            ),
        },
        "fitted_on": record({"rows": POSITION, "supported": POSITION}),
    }
    title = "A judge's probabilities and thresholds, fitted to someone's own labelled rows"
    return headed(title, record(calibration))


load_schema = Loader(_labelled_row, _model_judgements, _judge_calibration)
