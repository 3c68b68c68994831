"""A published evaluation in the form of the shipped schema `speech_evaluation`."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from veridical.speech.results import (
    DeliveryMetrics,
    History,
    PublicEvaluation,
    PublicItem,
    PublicLine,
)
from veridical.speech.script import Script


def to_wire(public: PublicEvaluation, script: Script) -> dict[str, Any]:
    """The evaluation and its script as plain data, ready for JSON.

    `transcript` is there where the evaluation was published with it.
    """
    transcript = {"transcript": [_line(line) for line in public.lines]} if public.lines else {}
    return {
        "title": public.title,
        "speaker": public.speaker,
        "author": {"name": public.author, "rule_based": public.rule_based},
        "evaluation": {
            "opening": public.opening,
            "items": [_item(item) for item in public.items],
            "closing": public.closing,
        },
        "evidence": [_evidence(item) for item in public.items],
        "script": {
            "text": script.text,
            "words": script.words,
            "estimated_seconds": script.estimated_seconds,
            "fits": script.fits,
            "dropped_items": [index + 1 for index in script.dropped],
        },
        "metrics": _metrics(public.metrics),
        "history": _history(public.history),
        "tone": [{**asdict(v), "rule": v.rule.value} for v in public.tone],
        "redaction": {"phrase": public.phrase, "count": public.redactions},
        "warnings": list(public.warnings),
        **transcript,
    }


def _line(line: PublicLine) -> dict[str, Any]:
    return {
        "start_seconds": line.start,
        "end_seconds": line.end,
        "speaker": line.speaker,
        "text": line.text,
    }


def _item(item: PublicItem) -> dict[str, Any]:
    return {
        "type": item.type.value,
        "summary": item.summary,
        "evidence_quote": item.evidence_quote,
        "evidence_timestamp": item.evidence_timestamp,
        "explanation": item.explanation,
    }


def _evidence(item: PublicItem) -> dict[str, Any]:
    return {
        "start_seconds": item.start,
        "end_seconds": item.end,
        "precision": item.precision.value,
        "redacted": item.redacted,
        "receipt": asdict(item.receipt),
    }


def _metrics(metrics: DeliveryMetrics) -> dict[str, Any]:
    return {
        "duration_seconds": round(metrics.duration_seconds, 3),
        "start_seconds": metrics.start,
        "end_seconds": metrics.end,
        "words": metrics.words,
        "words_per_minute": round(metrics.words_per_minute, 1),
        "fillers": [{"word": f.word, "seconds": f.seconds} for f in metrics.fillers],
        "pauses": [{"start_seconds": p.start, "end_seconds": p.end} for p in metrics.pauses],
        "pace": [
            {
                "start_seconds": window.start,
                "end_seconds": window.end,
                "words_per_minute": round(window.words_per_minute, 1),
            }
            for window in metrics.pace
        ],
        "precision": metrics.precision.value,
        "notes": list(metrics.notes),
    }


def _history(history: History) -> dict[str, Any]:
    return {
        "generations": history.generations,
        "calls": history.calls,
        "first_try_passed": history.first_try_passed,
        "first_try_items": history.first_try_items,
        "best_effort": history.best_effort,
        "entries": [
            {**asdict(entry), "step": entry.step.value, "checks": list(entry.checks)}
            for entry in history.entries
        ],
    }
