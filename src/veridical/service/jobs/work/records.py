"""The work of jobs that make a record: of each kind one function, which keeps the result."""

from __future__ import annotations

from collections.abc import Callable

from veridical.errors import ProcessingError
from veridical.evaluation.chat import InProcessChat
from veridical.scoring.answer import SectionScorer
from veridical.scoring.journal import KeptScorer
from veridical.service.jobs.work.doing import Doing
from veridical.service.jobs.work.kept import KeptChat, KeptModel
from veridical.service.records.results import (
    checked_speech,
    evaluated,
    evaluated_speech,
    scored,
    validated,
)
from veridical.store.records import Record, RecordKind


def validate(doing: Doing) -> None:
    """Check the quotes."""
    record = _record(doing, RecordKind.VALIDATION)
    outcome = validated(
        doing.shelf,
        record.request,
        record.created_at,
        lambda done, total: doing.tell(done, total, "checking quotes"),
    )
    doing.shelf.records.finish(record.id, outcome.result, outcome.summary)


def evaluate_speech(doing: Doing) -> None:
    """Evaluate the speech, or check the evaluation that was given."""
    record = _record(doing, RecordKind.SPEECH)
    if record.request["evaluation"] is not None:
        doing.tell(0, 1, "checking the evaluation")
        outcome = checked_speech(record.request)
    else:
        doing.tell(0, 1, "evaluating the speech")
        model = doing.settings.model
        kept = None if model is None else KeptModel(model, doing.steps)
        outcome = evaluated_speech(record.request, model=kept)
    doing.tell(1, 1, "keeping the result")
    doing.shelf.records.finish(record.id, outcome.result, outcome.summary)


def score(doing: Doing) -> None:
    """Score the transcript section by section."""
    record = _record(doing, RecordKind.SCORECARD)

    def once(section_id: str, ask: Callable[[], str]) -> str:
        return doing.steps.once(f"section-{section_id}", ask)

    def keeping(scorer: SectionScorer) -> SectionScorer:
        return scorer if scorer.rule_based else KeptScorer(scorer, once)

    outcome = scored(
        record.request,
        record.created_at,
        model=doing.settings.model,
        keeping=keeping,
        progress=lambda done, total: doing.tell(done, total, "scoring sections"),
    )
    doing.shelf.records.finish(record.id, outcome.result, outcome.summary)


def evaluate(doing: Doing) -> None:
    """Ask the questions of the workspace's documents, one after the other."""
    record = _record(doing, RecordKind.EVALUATION)
    corpus = doing.corpora.of(doing.shelf)
    corpus.answerer.prepare()
    kept = None if doing.settings.model is None else KeptChat(corpus.answerer, doing.steps)
    outcome = evaluated(
        record.request,
        kept or InProcessChat(corpus.answerer),
        record.created_at,
        target=f"in process: {corpus.answerer.name}",
        judge=corpus.builder.judge if record.request["judged"] else None,
        progress=lambda done, total: doing.tell(done, total, "asking questions"),
        settled=None if kept is None else kept.settled,
    )
    doing.shelf.records.finish(record.id, outcome.result, outcome.summary)


def _record(doing: Doing, kind: RecordKind) -> Record:
    """The record of a job. Raises ProcessingError where it was deleted in between."""
    record = doing.shelf.records.get(kind, doing.job.subject_id)
    if record is None:
        raise ProcessingError("what this job was to do was deleted")
    return record
