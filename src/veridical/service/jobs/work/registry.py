"""Which work belongs to which kind of job."""

from __future__ import annotations

from importlib import import_module

from veridical.service.jobs.work.doing import Work
from veridical.store.jobs import JobKind

_HOMES = {
    JobKind.INGEST: "ingest",
    JobKind.LEDGER: "ledger",
    JobKind.EXPORT: "export",
    JobKind.VALIDATION: "validation",
    JobKind.SPEECH: "speech",
    JobKind.SCORECARD: "scorecard",
    JobKind.EVALUATION: "evaluation",
}


def work_of(kind: JobKind) -> Work:
    """The work of a kind: `work` of its module, imported when it is first needed."""
    module = import_module(f"veridical.service.jobs.work.{_HOMES[kind]}")
    work: Work = module.work
    return work
