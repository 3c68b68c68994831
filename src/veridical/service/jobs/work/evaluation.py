"""The work of a job of the kind `evaluation`."""

from __future__ import annotations

from veridical.evaluation.chat import InProcessChat
from veridical.service.jobs.work.doing import Doing
from veridical.service.jobs.work.kept import KeptChat
from veridical.service.jobs.work.records import record_of
from veridical.service.records.results import evaluated
from veridical.store.records import RecordKind


def work(doing: Doing) -> None:
    """Ask the questions of the workspace's documents, one after the other, and keep the run."""
    record = record_of(doing, RecordKind.EVALUATION)
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
