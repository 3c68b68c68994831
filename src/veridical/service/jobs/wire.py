"""A job as JSON: what its endpoint replies, and what its events tell."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from veridical.store.jobs import Job
from veridical.store.rows import stamp


def job_to_wire(job: Job) -> dict[str, Any]:
    """A job as plain values."""
    return {
        "id": job.id,
        "kind": job.kind.value,
        "subject_id": job.subject_id,
        "state": job.state.value,
        "done": job.done,
        "total": job.total,
        "step": job.step,
        "message": job.message,
        "cancel_asked": job.cancel_asked,
        "times_begun": job.times_begun,
        "revision": job.revision,
        "created_at": stamp(job.created_at),
        "started_at": _time(job.started_at),
        "ended_at": _time(job.ended_at),
    }


def _time(moment: datetime | None) -> str | None:
    return stamp(moment) if moment else None
