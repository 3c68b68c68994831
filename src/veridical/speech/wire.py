"""A published evaluation in the form of the shipped schema `speech_evaluation`, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from veridical.codec import Codec, Form, arranged
from veridical.errors import ValidationError
from veridical.speech.results import DeliveryMetrics, Filler, PaceWindow, PublicEvaluation, Third
from veridical.speech.schemas import load_schema
from veridical.speech.script import Script
from veridical.validation.schema_errors import require_fit


def to_wire(public: PublicEvaluation, script: Script) -> dict[str, Any]:
    """The evaluation and its script as plain data, ready for JSON.

    `transcript` is there where the evaluation was published with it.
    """
    data = _RECORDS.write(public)
    data["script"] = {
        "text": script.text,
        "words": script.words,
        "estimated_seconds": script.estimated_seconds,
        "fits": script.fits,
        "dropped_items": [index + 1 for index in script.dropped],
    }
    wire: dict[str, Any] = arranged(data, load_schema("speech_evaluation"))
    return wire


def from_wire(data: Mapping[str, Any]) -> PublicEvaluation:
    """What `to_wire` was given, but for numbers that it rounds and the places of fillers.

    Raises ValidationError that names what does not fit the schema.
    """
    schema = load_schema("speech_evaluation")
    require_fit(schema, data, "the evaluation does not fit its schema")
    if len(data["evaluation"]["items"]) != len(data["evidence"]):
        raise ValidationError("the evaluation does not have one evidence for each item")
    return _RECORDS.read(PublicEvaluation, data)


_SAID = ("type", "summary", "evidence_quote", "evidence_timestamp", "explanation")
"""What stands among the items of the evaluation; the rest of an item is its evidence."""


def _evaluation_told(data: dict[str, Any]) -> dict[str, Any]:
    items = data["evaluation"]["items"]
    said = [{name: item[name] for name in _SAID} for item in items]
    rest = [{name: item[name] for name in item if name not in _SAID} for item in items]
    return {**data, "evaluation": {**data["evaluation"], "items": said}, "evidence": rest}


def _evaluation_given(data: Mapping[str, Any]) -> dict[str, Any]:
    pairs = zip(data["evaluation"]["items"], data["evidence"], strict=True)
    items = [{**item, **evidence} for item, evidence in pairs]
    return {**data, "evaluation": {**data["evaluation"], "items": items}}


def _metrics_told(data: dict[str, Any]) -> dict[str, Any]:
    duration = data["end_seconds"] - data["start_seconds"]
    return {"duration_seconds": round(duration, 3), **_pace_told(data)}


def _pace_told(data: dict[str, Any]) -> dict[str, Any]:
    return {**data, "words_per_minute": round(data["words_per_minute"], 1)}


def _third_told(data: dict[str, Any]) -> dict[str, Any]:
    rounded = {name: round(data[name], 3) for name in ("start_seconds", "end_seconds")}
    return {**_pace_told(data), **rounded}


def _filler_told(data: dict[str, Any]) -> dict[str, Any]:
    """Where a filler stands in the raw text is not published."""
    return {"word": data["word"], "seconds": data["seconds"]}


def _filler_given(data: Mapping[str, Any]) -> dict[str, Any]:
    nowhere = {"start_seconds": 0, "end_seconds": 0}
    return {**data, "span": nowhere}


def _key(name: str) -> str:
    """Times are called by their unit."""
    return f"{name}_seconds" if name in ("start", "end") else name


_RECORDS = Codec(
    {
        PublicEvaluation: Form(
            {
                "opening": "evaluation.opening",
                "items": "evaluation.items",
                "closing": "evaluation.closing",
                "author": "author.name",
                "rule_based": "author.rule_based",
                "redactions": "redaction.count",
                "phrase": "redaction.phrase",
                "lines": "transcript",
            },
            optional={"lines"},
            told=_evaluation_told,
            given=_evaluation_given,
        ),
        DeliveryMetrics: Form(optional={"thirds"}, told=_metrics_told),
        PaceWindow: Form(told=_pace_told),
        Third: Form(told=_third_told),
        Filler: Form(told=_filler_told, given=_filler_given),
    },
    spelling=_key,
)
