"""The work of jobs that make a record: of each kind one function, which keeps the result.

A result is made of the request, as `records.inputs` made that, in its wire form and with a small
summary for lists. The same request gives the same result, but for measured times.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from veridical.errors import ProcessingError
from veridical.evaluation.chat import InProcessChat
from veridical.evaluation.questions import RECORDS
from veridical.evaluation.results import run_to_bytes
from veridical.evaluation.run import EvalQuestion
from veridical.evaluation.runner import run_questions
from veridical.evaluation.summary import check_gates, parse_gates, summarise
from veridical.scoring.checking.evidence import DEFAULT_TOLERANCE_SECONDS
from veridical.scoring.journal import KeptScorer
from veridical.scoring.rubrics.wire import rubric_from_mapping
from veridical.scoring.scorer import SectionState, prepare, run_sections
from veridical.scoring.wire import scorecard_to_wire
from veridical.service.jobs.work.kept import KeptChat, KeptModel
from veridical.service.jobs.workers import Doing
from veridical.service.records.hearing import heard
from veridical.service.records.inputs import read_documents, read_transcript, speech_of
from veridical.speech.checking import check_evaluation, read_evaluation
from veridical.speech.generator import EvaluationGenerator
from veridical.speech.span import between, likely_stretch
from veridical.speech.wire import to_wire as speech_to_wire
from veridical.store.records import Record, RecordKind
from veridical.store.store import Shelf
from veridical.validation.claims import parse_claims
from veridical.validation.config import ValidationConfig
from veridical.validation.results import ValidationReport
from veridical.validation.validator import Validator
from veridical.validation.wire import to_wire as validation_to_wire


def validation_report(
    shelf: Shelf,
    request: Mapping[str, Any],
    progress: Callable[[int, int], None] | None = None,
) -> ValidationReport:
    """The report of a validation, made anew from what was given."""
    config = ValidationConfig.from_mapping(request["config"])
    claims = parse_claims(request["claims"], max_claims=config.performance_limits.max_claims)
    validator = Validator(read_documents(shelf, request), config)
    return validator.validate(claims, strict=request["strict"], progress=progress)


def validate(doing: Doing) -> None:
    """Check the quotes: a result of the schema `evidence_validation`."""
    record = _record(doing, RecordKind.VALIDATION)
    report = validation_report(
        doing.shelf,
        record.request,
        lambda done, total: doing.tell(done, total, "checking quotes"),
    )
    result = validation_to_wire(report, now=record.created_at)
    doing.shelf.records.finish(record.id, result, dict(result["validation_summary"]))


_MODEL_SECONDS = 600.0
"""Nobody waits for a job as at a terminal: a slow model of one's own may come to its end."""


def evaluate_speech(doing: Doing) -> None:
    """Evaluate the speech, or check the evaluation that was given: a result of the schema
    `speech_evaluation` or `speech_check`.
    """
    record = heard(doing, _record(doing, RecordKind.SPEECH))
    if record.request["evaluation"] is not None:
        doing.tell(0, 1, "checking the evaluation")
        result, summary = _checked(record.request)
    else:
        doing.tell(0, 1, "evaluating the speech")
        result, summary = _evaluated(doing, record.request)
    doing.tell(1, 1, "keeping the result")
    doing.shelf.records.finish(record.id, result, summary)


def _checked(request: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    transcript, chosen = speech_of(request, read_transcript(request["transcript"]))
    evaluation = read_evaluation(request["evaluation"])
    result = check_evaluation(evaluation, transcript, label=chosen.label).to_mapping()
    return result, {"mode": "check", "items": result["total"], "passed": result["passed"]}


def _evaluated(doing: Doing, request: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    transcript, chosen = speech_of(request, read_transcript(request["transcript"]))
    found_seconds = None
    if request.get("from_seconds") is None and request.get("to_seconds") is None:
        likely = likely_stretch(transcript, chosen.name)
        if likely is not None:
            found_seconds = [likely.start, likely.end]
            transcript, chosen = between(transcript, chosen, *found_seconds)
            chosen = replace(chosen, warning=likely.warning)
    model = doing.settings.model
    generator = EvaluationGenerator(
        None if model is None else KeptModel(model, doing.steps), timeout_seconds=_MODEL_SECONDS
    )
    found = generator.generate(transcript, speaker=chosen.name, label=chosen.label)
    if chosen.warning:
        found = replace(found, warnings=(*found.warnings, chosen.warning))
    names, phrase = tuple(request["names"]), request["phrase"]
    public = generator.publish(
        found, names=names, phrase=phrase, title=request["title"], with_transcript=True
    )
    script = generator.render_script(found, seconds=request["seconds"], names=names, phrase=phrase)
    summary = {
        "mode": "evaluate",
        "items": len(public.items),
        "words": public.metrics.words,
        "duration_seconds": round(public.metrics.duration_seconds, 3),
        "author": public.author,
        "warnings": len(public.warnings),
        "found_seconds": found_seconds,
    }
    return speech_to_wire(public, script), summary


def score(doing: Doing) -> None:
    """Score the transcript section by section: a result of the schema `scorecard`."""
    record = heard(doing, _record(doing, RecordKind.SCORECARD))
    request, tolerance = record.request, record.request["tolerance_seconds"]
    run = prepare(
        read_transcript(request["transcript"]),
        rubric_from_mapping(request["rubric"]),
        model=doing.settings.model,
        supplemental=request["supplemental"],
        tolerance_seconds=DEFAULT_TOLERANCE_SECONDS if tolerance is None else tolerance,
        timeout_seconds=_MODEL_SECONDS,
    )
    over, total = 0, len(run.rubric.sections)

    def on_change(_section: object, state: SectionState) -> None:
        nonlocal over
        over += state in (SectionState.DONE, SectionState.INCOMPLETE)
        doing.tell(over, total, "scoring sections")

    def once(section_id: str, ask: Callable[[], str]) -> str:
        return doing.steps.once(f"section-{section_id}", ask)

    scorer = run.scorer if run.scorer.rule_based else KeptScorer(run.scorer, once)
    outcomes = run_sections(scorer, run.rubric.sections, run.concurrency, on_change=on_change)
    card = run.scorecard(outcomes, created_at=record.created_at.isoformat(timespec="seconds"))
    summary = {
        "rubric": card.template.name or card.template.id,
        "score": card.overall.score,
        "status": card.overall.status.value,
        "scored_weight": card.overall.scored_weight,
        "sections": total,
        "to_review": len(card.human_review.items),
    }
    doing.shelf.records.finish(record.id, scorecard_to_wire(card), summary)


def evaluate(doing: Doing) -> None:
    """Ask the questions of the workspace's documents, one after the other: a result with `run` (of
    the schema `evaluation_run`), `results` (each of the schema `evaluation_result`) and `bounds`.
    """
    record = _record(doing, RecordKind.EVALUATION)
    corpus = doing.corpora.of(doing.shelf)
    corpus.answerer.prepare()
    kept = None if doing.settings.model is None else KeptChat(corpus.answerer, doing.steps)
    questions = [RECORDS.read(EvalQuestion, one) for one in record.request["questions"]]
    done = 0

    def on_result(_result: object) -> None:
        nonlocal done
        done += 1
        doing.tell(done, len(questions), "asking questions")

    run = run_questions(
        questions,
        kept or InProcessChat(corpus.answerer),
        judge=corpus.builder.judge if record.request["judged"] else None,
        on_result=on_result,
        target=f"in process: {corpus.answerer.name}",
        started_at=record.created_at.isoformat(timespec="seconds"),
    )
    run = run if kept is None else kept.settled(run)
    measured, asked = summarise(run), record.request["fail_under"]
    gates = check_gates(parse_gates(asked), measured) if asked else ()
    bounds = [{"name": g.gate.name, "holds": g.holds, "told": g.told} for g in gates]
    head, *results = map(json.loads, run_to_bytes(run).splitlines())
    result = {"run": head, "results": results, "bounds": bounds}
    summary = {**measured.to_mapping(), "bounds": bounds, "questions_sha256": run.questions_sha256}
    doing.shelf.records.finish(record.id, result, summary)


def _record(doing: Doing, kind: RecordKind) -> Record:
    """The record of a job. Raises ProcessingError where it was deleted in between."""
    record = doing.shelf.records.get(kind, doing.job.subject_id)
    if record is None:
        raise ProcessingError("what this job was to do was deleted")
    return record
