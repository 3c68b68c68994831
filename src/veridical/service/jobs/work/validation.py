"""The work of a job of the kind `validation`."""

from __future__ import annotations

from veridical.service.jobs.work.doing import Doing
from veridical.service.jobs.work.records import record_of
from veridical.service.records.results import validated
from veridical.store.records import RecordKind


def work(doing: Doing) -> None:
    """Check the quotes, and keep what was found."""
    record = record_of(doing, RecordKind.VALIDATION)
    outcome = validated(
        doing.shelf,
        record.request,
        record.created_at,
        lambda done, total: doing.tell(done, total, "checking quotes"),
    )
    doing.shelf.records.finish(record.id, outcome.result, outcome.summary)
