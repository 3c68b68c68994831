"""`veridical speech evaluate`: an evaluation with its evidence, a page and a script."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from veridical.cli import setup
from veridical.cli.choices import parse_choice, suffix_choice
from veridical.cli.errors import NEGATIVE_RESULT
from veridical.cli.files import check_outputs, encode, write_whole
from veridical.cli.models import chosen_model
from veridical.cli.names import Names
from veridical.cli.terminal import clean, err, out, out_data
from veridical.sources.clock import clock
from veridical.sources.transcript import Precision
from veridical.sources.transcripts.loader import load_transcript
from veridical.speech.generator import EvaluationGenerator
from veridical.speech.results import (
    DeliveryMetrics,
    PublicEvaluation,
    PublicItem,
    SpeechEvaluation,
)
from veridical.speech.script import Script
from veridical.speech.speakers import evaluated_speaker
from veridical.validation.reports.wording import count


class EvaluationFormat(StrEnum):
    """A form of an evaluation. `text` is for people at a terminal."""

    TEXT = "text"
    JSON = "json"
    HTML = "html"


class _Kind(StrEnum):
    """What a file may hold: an evaluation in one of its forms, or the script alone."""

    JSON = "json"
    HTML = "html"
    SCRIPT = "script"


_BY_SUFFIX = {
    ".json": _Kind.JSON,
    ".html": _Kind.HTML,
    ".htm": _Kind.HTML,
    ".txt": _Kind.SCRIPT,
}


def run(
    transcript_path: str,
    *,
    speaker: str | None,
    label: str | None,
    model: str | None,
    base_url: str | None,
    seconds: float | None,
    names: Names,
    title: str | None,
    form: str | None,
    outputs: Sequence[Path],
    with_names: Path | None,
    verbose: bool,
) -> int:
    """Evaluate a speech, print and write the result, and return the exit code."""
    setup.set_up_logging(verbose=verbose)
    wanted = parse_choice(EvaluationFormat, form or EvaluationFormat.TEXT, option="--format")
    kinds = [suffix_choice(_BY_SUFFIX, path) for path in outputs]
    private = [] if with_names is None else [with_names]
    for path in private:
        suffix_choice({".json": _Kind.JSON}, path)
    check_outputs([*outputs, *private], [transcript_path])
    asked = chosen_model(model, base_url)
    finder = names.finder()
    transcript = load_transcript(transcript_path)
    evaluated = evaluated_speaker(transcript, name=speaker, label=label)
    generator = EvaluationGenerator(asked)
    result = generator.generate(transcript, speaker=evaluated.name, label=evaluated.label)
    if evaluated.warning:
        result = replace(result, warnings=(*result.warnings, evaluated.warning))
    public = generator.publish(
        result, names=names.listed, finder=finder, phrase=names.phrase, title=title
    )
    script = generator.render_script(
        result, seconds=seconds, names=names.listed, finder=finder, phrase=names.phrase
    )
    # All are made before the first is written: either all of them are there afterwards or none.
    made = [_made(public, script, kind) for kind in kinds]
    made += [_json(result.evaluation.to_mapping()) for _ in private]
    for path, data in zip([*outputs, *private], made, strict=True):
        write_whole(path, data)
    _print(public, script, wanted, [*outputs, *private])
    return NEGATIVE_RESULT if _is_short(result) else 0


def _is_short(result: SpeechEvaluation) -> bool:
    return bool(result.evaluation.shape_problems())


def _json(data: dict[str, Any]) -> bytes:
    return encode(json.dumps(data, indent=2, ensure_ascii=False) + "\n")


def _made(public: PublicEvaluation, script: Script, kind: _Kind) -> bytes:
    if kind is _Kind.SCRIPT:
        return encode(script.text + "\n")
    if kind is _Kind.JSON:
        from veridical.speech.wire import to_wire

        return _json(to_wire(public, script))
    from veridical.speech.report.html import render_speech_html

    return encode(render_speech_html(public))


def _print(
    public: PublicEvaluation, script: Script, form: EvaluationFormat, outputs: Sequence[Path]
) -> None:
    if form is EvaluationFormat.TEXT:
        out("\n".join(lines(public, script)))
    elif not outputs:
        out_data(_made(public, script, _Kind(form.value)))
    for path in outputs:
        err(f"Written: {path}")
    for warning in public.warnings:
        err(f"veridical: warning: {clean(warning)}")


def lines(public: PublicEvaluation, script: Script) -> list[str]:
    """The evaluation for a reader at a terminal."""
    by = "fixed rules, no model" if public.rule_based else public.author
    told = [
        f"{clean(public.title)}: {_measured(public.metrics)}",
        f"Evaluated by {clean(by)}. {_first_try(public)}",
    ]
    if not public.items:
        told += ["", "No evaluation came out: nothing could be quoted."]
    if public.opening:
        told += ["", clean(public.opening)]
    for number, item in enumerate(public.items, 1):
        told += ["", *_item(number, item)]
    if public.closing:
        told += ["", clean(public.closing)]
    if script.words:
        told += ["", _spoken(script)]
    return told + [f"tone: {v.rule} in {v.field}: {clean(v.sentence)}" for v in public.tone]


def _measured(metrics: DeliveryMetrics) -> str:
    words = count(metrics.words, "word")
    fillers = count(len(metrics.fillers), "filler")
    if metrics.precision is Precision.NONE:
        return f"{words}, {fillers}; no times"
    return (
        f"{clock(metrics.duration_seconds)} min, {words}, {metrics.words_per_minute:.0f} a minute, "
        f"{fillers}, {count(len(metrics.pauses), 'pause')}"
    )


def _spoken(script: Script) -> str:
    told = f"Spoken: {count(script.words, 'word')}, {clock(script.estimated_seconds)} min"
    if script.dropped:
        told += f", {count(len(script.dropped), 'item')} left out"
    return told + ("" if script.fits else f"; too long: {script.note}")


def _first_try(public: PublicEvaluation) -> str:
    history = public.history
    if not history.first_try_items:
        return "Nothing came that could be checked."
    return f"{history.first_try_passed} of {history.first_try_items} items passed at first try" + (
        "; best effort." if history.best_effort else "."
    )


def _item(number: int, item: PublicItem) -> list[str]:
    when = "" if item.start is None else f" ({clock(item.start)})"
    return [
        f"{number}. {item.type.value.capitalize()}: {clean(item.summary)}",
        f"   \u201c{clean(item.evidence_quote)}\u201d{when}",
        f"   {clean(item.explanation)}",
    ]
