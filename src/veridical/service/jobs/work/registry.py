"""Which work belongs to which kind of job."""

from __future__ import annotations

from importlib import import_module

from veridical.service.jobs.work.doing import Work
from veridical.store.jobs import JobKind

_HOMES = {
    JobKind.INGEST: ("ingest", "work"),
    JobKind.LEDGER: ("ledger", "work"),
    JobKind.EXPORT: ("export", "work"),
    JobKind.VALIDATION: ("records", "validate"),
    JobKind.SPEECH: ("records", "evaluate_speech"),
    JobKind.SCORECARD: ("records", "score"),
    JobKind.EVALUATION: ("records", "evaluate"),
}


def work_of(kind: JobKind) -> Work:
    """The work of a kind, its module imported when it is first needed."""
    module, name = _HOMES[kind]
    work: Work = getattr(import_module(f"veridical.service.jobs.work.{module}"), name)
    return work
