"""What the work of all records begins with."""

from __future__ import annotations

from veridical.errors import ProcessingError
from veridical.service.jobs.work.doing import Doing
from veridical.store.records import Record, RecordKind


def record_of(doing: Doing, kind: RecordKind) -> Record:
    """The record of a job. Raises ProcessingError where it was deleted in between."""
    record = doing.shelf.records.get(kind, doing.job.subject_id)
    if record is None:
        raise ProcessingError("what this job was to do was deleted")
    return record
