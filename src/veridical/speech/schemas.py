"""The JSON Schemas of speech evaluations."""

from __future__ import annotations

from veridical.schema_parts import (
    COUNT,
    FLAG,
    INTEGER,
    NULL,
    NUMBER,
    NUMBER_OR_NULL,
    POSITION,
    SHA256,
    TEXT,
    TEXT_OR_NULL,
    TEXTS,
    Loader,
    Schema,
    any_of,
    array,
    choice,
    closed,
    headed,
    integer,
    nullable,
    number,
    record,
    text,
    told,
)
from veridical.sources.transcript import Precision

_OPENING = "How the evaluator begins: one to three sentences."
_CLOSING = "How the evaluator ends: one to three sentences."
_QUOTE = "The speaker's own words, copied from the transcript: 6 to 15 words."
_SPOKEN = "When the first word of the quote was said, in seconds from the start."
_TIMES = {"start_seconds": NUMBER_OR_NULL, "end_seconds": NUMBER_OR_NULL}
_SPELL = {"start_seconds": NUMBER, "end_seconds": NUMBER}
_COUNTED = {"pauses": COUNT, "fillers": COUNT}
_NOT_NEGATIVE = number(0)


def _item(summary: Schema, explanation: Schema, *, optional: str = "") -> dict[str, Schema]:
    from veridical.speech.evaluation import ItemType

    return {
        "type": choice(ItemType),
        f"summary{optional}": summary,
        "evidence_quote": told(text(2000, least=1), _QUOTE),
        "evidence_timestamp": told(_NOT_NEGATIVE, _SPOKEN),
        f"explanation{optional}": explanation,
    }


def _evaluation(frame: Schema, explanation: Schema) -> Schema:
    item = _item(text(500, least=1), explanation)
    return closed(
        {
            "opening": told(frame, _OPENING),
            "items": array(closed(item), 50),
            "closing": told(frame, _CLOSING),
        }
    )


def _structured_evaluation() -> Schema:
    evaluation = _evaluation(text(2000), text(2000, least=1))
    return headed("Structured evaluation of a speech", evaluation)


def _evaluation_to_check() -> Schema:
    item = _item(text(2000), text(10_000), optional="?")
    evaluation = {
        "opening?": text(10_000),
        "items": array(record(item), 1000),
        "closing?": text(10_000),
    }
    title = "Evaluation, or a part of one, whose quotes are to be checked"
    return headed(title, record(evaluation))


def _evidence() -> Schema:
    receipt = {"digest": SHA256, "tokens": integer(1, 1000), "seconds": _NOT_NEGATIVE}
    return closed(
        {
            **_TIMES,
            "precision": choice(Precision),
            "redacted": FLAG,
            "receipt": told(
                closed(receipt),
                "Keyed hash of the raw words, how many they are, and when they start. The key is "
                "made from the raw transcript.",
            ),
        }
    )


def _metrics() -> Schema:
    return closed(
        {
            "duration_seconds": NUMBER,
            **_SPELL,
            "words": COUNT,
            "words_per_minute": NUMBER,
            "fillers": array(closed({"word": TEXT, "seconds": NUMBER_OR_NULL})),
            "pauses": array(closed(_SPELL)),
            "pace": array(closed({**_SPELL, "words_per_minute": NUMBER})),
            "thirds?": array(closed({**_SPELL, "words_per_minute": NUMBER, **_COUNTED}), 3),
            "precision": choice(Precision),
            "notes": TEXTS,
        }
    )


def _history() -> Schema:
    from veridical.speech.results import Step

    entry = {
        "generation": COUNT,
        "step": choice(Step),
        "item": nullable(INTEGER),
        "checks": TEXTS,
        "reason": TEXT,
    }
    return closed(
        {
            "generations": COUNT,
            "calls": COUNT,
            "first_try_passed": COUNT,
            "first_try_items": COUNT,
            "best_effort": FLAG,
            "entries": array(closed(entry)),
        }
    )


def _speech_evaluation() -> Schema:
    script = {
        "text": TEXT,
        "words": COUNT,
        "estimated_seconds": NUMBER,
        "fits": FLAG,
        "dropped_items": array(POSITION),
    }
    line = {**_TIMES, "speaker": TEXT_OR_NULL, "text": TEXT}
    published = {
        "title": TEXT,
        "speaker": TEXT_OR_NULL,
        "author": closed({"name": TEXT, "rule_based": FLAG}),
        "evaluation": _evaluation(TEXT, text(2000)),
        "evidence": told(array(_evidence()), "What proves each item, in order."),
        "script": closed(script),
        "metrics": _metrics(),
        "history": _history(),
        "tone": array(closed({"rule": TEXT, "field": TEXT, "sentence": TEXT})),
        "redaction": closed({"phrase": TEXT, "count": COUNT}),
        "warnings": TEXTS,
        "transcript?": told(
            array(closed(line)),
            "The whole transcript without names, where it was published with it.",
        ),
    }
    return headed("Speech evaluation without names, as published", closed(published))


def _speech_check() -> Schema:
    from veridical.speech.evaluation import ItemType
    from veridical.validation.timed import Outcome, TimedCheck

    check = {"check": choice(TimedCheck), "outcome": choice(Outcome), "message": TEXT}
    occurrence = {
        "start_position": COUNT,
        "end_position": COUNT,
        **_TIMES,
        "precision": choice(Precision),
        "speakers": TEXTS,
        "drift_seconds": NUMBER_OR_NULL,
    }
    item = {
        "number": POSITION,
        "type": choice(ItemType),
        "evidence_quote": TEXT,
        "proven_by_receipt": FLAG,
        "quote": TEXT,
        "passed": FLAG,
        "claimed_seconds": NUMBER_OR_NULL,
        "true_seconds": NUMBER_OR_NULL,
        "drift_seconds": NUMBER_OR_NULL,
        "tokens": COUNT,
        "checks": array(closed(check)),
        "occurrences": array(closed(occurrence)),
        "more_occurrences": FLAG,
        "correction": any_of(NULL, closed({"quote": TEXT, "seconds": NUMBER_OR_NULL})),
    }
    policy = {"min_tokens": POSITION, "max_tokens": POSITION, "tolerance_seconds": _NOT_NEGATIVE}
    result = {
        "transcript": closed({"name": TEXT, "sha256": TEXT, "precision": choice(Precision)}),
        "policy": closed(policy),
        "passed": COUNT,
        "total": COUNT,
        "items": array(closed(item)),
        "shape_warnings": TEXTS,
        "transcript_warnings": TEXTS,
    }
    return headed("Result of checking the evidence of an evaluation", closed(result))


load_schema = Loader(
    _structured_evaluation, _evaluation_to_check, _speech_evaluation, _speech_check
)
