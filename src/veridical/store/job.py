"""A piece of long work: what is to be done, how far it is, how it ended."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class JobKind(StrEnum):
    """What there is to do."""

    INGEST = "ingest"  # subject: an upload
    LEDGER = "ledger"  # subject: an inquiry
    EXPORT = "export"  # subject: an export file
    VALIDATION = "validation"  # subject: a record, here and below
    SPEECH = "speech"
    SCORECARD = "scorecard"
    EVALUATION = "evaluation"


class JobState(StrEnum):
    """How far it is. The last three are for good."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def is_over(self) -> bool:
        """Whether nothing more will happen."""
        return self in (JobState.DONE, JobState.FAILED, JobState.CANCELLED)


@dataclass(frozen=True, slots=True)
class Job:
    """A piece of work. `done` of `total` steps; `step` says what is being done, in a few words that
    hold no text of a document. `message` says why it failed. `revision` grows with every change of
    the row. `times_begun` counts processes that took it up.
    """

    id: str
    kind: JobKind
    subject_id: str
    state: JobState
    done: int
    total: int
    step: str
    message: str
    cancel_asked: bool
    times_begun: int
    revision: int
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None


@dataclass(frozen=True, slots=True)
class OpenJob:
    """A job that is not over, with where it belongs: what whoever works on jobs sees."""

    job: Job
    workspace: str


@dataclass(frozen=True, slots=True)
class InLine:
    """A job that is not over, as far as it takes to say whose turn it is."""

    id: str
    kind: JobKind
    workspace_id: str
