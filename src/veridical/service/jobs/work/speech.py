"""The work of a job of the kind `speech`."""

from __future__ import annotations

from veridical.service.jobs.work.doing import Doing
from veridical.service.jobs.work.kept import KeptModel
from veridical.service.jobs.work.records import record_of
from veridical.service.records.results import checked_speech, evaluated_speech
from veridical.store.records import RecordKind


def work(doing: Doing) -> None:
    """Evaluate the speech, or check the evaluation that was given, and keep what came of it."""
    record = record_of(doing, RecordKind.SPEECH)
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
