"""What comes of a check that was asked for: the work itself, whoever does it.

Each function takes a request as `record_inputs` made it and gives the result in its wire form, with
a small summary for lists. The same request gives the same result, but for measured times.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from veridical.evaluation.chat import ChatClient
from veridical.evaluation.gates import check_gates, parse_gates
from veridical.evaluation.questions import RECORDS
from veridical.evaluation.run import EvalQuestion, EvalRun
from veridical.evaluation.runner import run_questions
from veridical.evaluation.summary import summarise
from veridical.judging.judge import Judge
from veridical.models.protocol import LanguageModel
from veridical.scoring.answer import SectionScorer
from veridical.scoring.checking.evidence import DEFAULT_TOLERANCE_SECONDS
from veridical.scoring.rubrics.wire import rubric_from_mapping
from veridical.scoring.running import SectionState, run_sections
from veridical.scoring.scorer import prepare
from veridical.scoring.wire import scorecard_to_wire
from veridical.service.records.documents import read_documents
from veridical.service.records.forms import run_to_wire
from veridical.service.records.transcripts import read_transcript
from veridical.speech.checking import check_evaluation, read_evaluation
from veridical.speech.generator import EvaluationGenerator
from veridical.speech.speakers import evaluated_speaker
from veridical.speech.wire import to_wire as speech_to_wire
from veridical.store.shelf import Shelf
from veridical.validation.claims import parse_claims
from veridical.validation.config import ValidationConfig
from veridical.validation.results import ValidationReport
from veridical.validation.validator import Validator
from veridical.validation.wire import to_wire as validation_to_wire

Progress = Callable[[int, int], None]
"""Told how many steps are done, and how many there are."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What `Records.finish` takes."""

    result: dict[str, Any]
    summary: dict[str, Any]


def validation_report(
    shelf: Shelf, request: Mapping[str, Any], progress: Progress | None = None
) -> ValidationReport:
    """The report of a validation, made anew from what was given."""
    config = ValidationConfig.from_mapping(request["config"])
    claims = parse_claims(request["claims"], max_claims=config.performance_limits.max_claims)
    validator = Validator(read_documents(shelf, request), config)
    return validator.validate(claims, strict=request["strict"], progress=progress)


def validated(
    shelf: Shelf, request: Mapping[str, Any], made_at: datetime, progress: Progress | None = None
) -> Outcome:
    """A validation in the form of the schema `evidence_validation`."""
    result = validation_to_wire(validation_report(shelf, request, progress), now=made_at)
    return Outcome(result, dict(result["validation_summary"]))


def evaluated_speech(
    request: Mapping[str, Any],
    *,
    model: LanguageModel | None = None,
) -> Outcome:
    """An evaluation of a speech, in the form of the schema `speech_evaluation`."""
    transcript = read_transcript(request["transcript"])
    chosen = evaluated_speaker(transcript, name=request["speaker"], label=request["label"])
    generator = EvaluationGenerator(model)
    found = generator.generate(transcript, speaker=chosen.name, label=chosen.label)
    if chosen.warning:
        found = replace(found, warnings=(*found.warnings, chosen.warning))
    names, phrase = tuple(request["names"]), request["phrase"]
    public = generator.publish(
        found, names=names, phrase=phrase, title=request["title"], with_transcript=True
    )
    script = generator.render_script(found, seconds=request["seconds"], names=names, phrase=phrase)
    result = speech_to_wire(public, script)
    summary = {
        "mode": "evaluate",
        "items": len(public.items),
        "words": public.metrics.words,
        "duration_seconds": round(public.metrics.duration_seconds, 3),
        "author": public.author,
        "warnings": len(public.warnings),
    }
    return Outcome(result, summary)


def checked_speech(request: Mapping[str, Any]) -> Outcome:
    """The check of an evaluation that was given, in the form of the schema `speech_check`."""
    transcript = read_transcript(request["transcript"])
    report = check_evaluation(
        read_evaluation(request["evaluation"]), transcript, label=request["label"]
    )
    result = report.to_mapping()
    return Outcome(result, {"mode": "check", "items": result["total"], "passed": result["passed"]})


def scored(
    request: Mapping[str, Any],
    made_at: datetime,
    *,
    model: LanguageModel | None = None,
    keeping: Callable[[SectionScorer], SectionScorer] | None = None,
    progress: Progress | None = None,
) -> Outcome:
    """A scorecard, in the form of the schema `scorecard`.

    `keeping` wraps the scorer, so that what a section was answered is not asked for again.
    """
    transcript = read_transcript(request["transcript"])
    tolerance = request["tolerance_seconds"]
    run = prepare(
        transcript,
        rubric_from_mapping(request["rubric"]),
        model=model,
        supplemental=request["supplemental"],
        tolerance_seconds=DEFAULT_TOLERANCE_SECONDS if tolerance is None else tolerance,
    )
    over, total = 0, len(run.rubric.sections)

    def on_change(_section: object, state: SectionState) -> None:
        nonlocal over
        over += state in (SectionState.DONE, SectionState.INCOMPLETE)
        if progress is not None:
            progress(over, total)

    scorer = run.scorer if keeping is None else keeping(run.scorer)
    outcomes = run_sections(scorer, run.rubric.sections, run.concurrency, on_change=on_change)
    card = run.scorecard(outcomes, created_at=made_at.isoformat(timespec="seconds"))
    summary = {
        "rubric": card.template.name or card.template.id,
        "score": card.overall.score,
        "status": card.overall.status.value,
        "scored_weight": card.overall.scored_weight,
        "sections": total,
        "to_review": len(card.human_review.items),
    }
    return Outcome(scorecard_to_wire(card), summary)


def evaluated(
    request: Mapping[str, Any],
    client: ChatClient,
    made_at: datetime,
    *,
    target: str,
    judge: Judge | None = None,
    progress: Progress | None = None,
    settled: Callable[[EvalRun], EvalRun] | None = None,
) -> Outcome:
    """A run of questions: its head of the schema `evaluation_run`, and a result a question.

    `settled` may put right what only the asker knows, such as times of an earlier process.
    """
    questions = [RECORDS.read(EvalQuestion, question) for question in request["questions"]]
    done = 0

    def on_result(_result: object) -> None:
        nonlocal done
        done += 1
        if progress is not None:
            progress(done, len(questions))

    run = run_questions(
        questions,
        client,
        judge=judge,
        on_result=on_result,
        target=target,
        started_at=made_at.isoformat(timespec="seconds"),
    )
    run = run if settled is None else settled(run)
    measured = summarise(run)
    gates = (
        check_gates(parse_gates(request["fail_under"]), measured) if request["fail_under"] else ()
    )
    bounds = [{"name": g.gate.name, "holds": g.holds, "told": g.told} for g in gates]
    summary = {**measured.to_mapping(), "bounds": bounds, "questions_sha256": run.questions_sha256}
    return Outcome({**run_to_wire(run), "bounds": bounds}, summary)
