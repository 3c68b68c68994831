"""A published evaluation read back from the form of the shipped schema `speech_evaluation`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from veridical.errors import ValidationError
from veridical.sources.span import Span
from veridical.sources.transcript import Precision
from veridical.speech.evaluation import ItemType
from veridical.speech.results import (
    DeliveryMetrics,
    Filler,
    History,
    HistoryEntry,
    PaceWindow,
    Pause,
    PublicEvaluation,
    PublicItem,
    PublicLine,
    Receipt,
    Step,
    ToneRule,
    ToneViolation,
)
from veridical.speech.schemas import load_schema
from veridical.validation.schema_errors import first_errors

_NOWHERE = Span(0, 0)
"""Where a filler stands in the raw text is not published."""


def from_wire(data: Mapping[str, Any]) -> PublicEvaluation:
    """What `wire.to_wire` was given, but for numbers that it rounds and the places of fillers.

    Raises ValidationError that names what does not fit the schema.
    """
    problems = first_errors(load_schema("speech_evaluation"), data)
    if problems:
        raise ValidationError(
            "the evaluation does not fit its schema: "
            + "; ".join(problem.describe() for problem in problems)
        )
    evaluation, evidence = data["evaluation"], data["evidence"]
    if len(evaluation["items"]) != len(evidence):
        raise ValidationError("the evaluation does not have one evidence for each item")
    return PublicEvaluation(
        opening=evaluation["opening"],
        items=tuple(map(_item, evaluation["items"], evidence)),
        closing=evaluation["closing"],
        metrics=_metrics(data["metrics"]),
        author=data["author"]["name"],
        rule_based=data["author"]["rule_based"],
        title=data["title"],
        speaker=data["speaker"],
        history=_history(data["history"]),
        tone=tuple(
            ToneViolation(ToneRule(t["rule"]), t["field"], t["sentence"]) for t in data["tone"]
        ),
        warnings=tuple(data["warnings"]),
        redactions=data["redaction"]["count"],
        phrase=data["redaction"]["phrase"],
        lines=tuple(
            PublicLine(line["start_seconds"], line["end_seconds"], line["speaker"], line["text"])
            for line in data.get("transcript", ())
        ),
    )


def _item(item: Mapping[str, Any], evidence: Mapping[str, Any]) -> PublicItem:
    return PublicItem(
        type=ItemType(item["type"]),
        summary=item["summary"],
        evidence_quote=item["evidence_quote"],
        evidence_timestamp=item["evidence_timestamp"],
        explanation=item["explanation"],
        start=evidence["start_seconds"],
        end=evidence["end_seconds"],
        precision=Precision(evidence["precision"]),
        receipt=Receipt(**evidence["receipt"]),
        redacted=evidence["redacted"],
    )


def _metrics(data: Mapping[str, Any]) -> DeliveryMetrics:
    return DeliveryMetrics(
        start=data["start_seconds"],
        end=data["end_seconds"],
        words=data["words"],
        words_per_minute=data["words_per_minute"],
        fillers=tuple(Filler(f["word"], f["seconds"], _NOWHERE) for f in data["fillers"]),
        pauses=tuple(Pause(p["start_seconds"], p["end_seconds"]) for p in data["pauses"]),
        pace=tuple(
            PaceWindow(w["start_seconds"], w["end_seconds"], w["words_per_minute"])
            for w in data["pace"]
        ),
        precision=Precision(data["precision"]),
        notes=tuple(data["notes"]),
    )


def _history(data: Mapping[str, Any]) -> History:
    return History(
        entries=tuple(
            HistoryEntry(
                entry["generation"],
                Step(entry["step"]),
                entry["item"],
                tuple(entry["checks"]),
                entry["reason"],
            )
            for entry in data["entries"]
        ),
        generations=data["generations"],
        calls=data["calls"],
        first_try_items=data["first_try_items"],
        first_try_passed=data["first_try_passed"],
        best_effort=data["best_effort"],
    )
