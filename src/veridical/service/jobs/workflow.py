"""The workflow of a job, whichever. Imports DBOS.

A workflow bears the id of its job, so that a job that is put into the queue twice is done once.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from dbos import DBOS, error

from veridical.service.jobs.crew import Crew
from veridical.service.jobs.run import Run, StoppedError
from veridical.service.jobs.steps import KeptSteps

WORKFLOW = "veridical.do_job"

_crews: list[Crew] = []


@contextmanager
def at_work(crew: Crew) -> Iterator[None]:
    """Have the workflows of this process done by a crew: DBOS keeps no objects, and finds them by
    what they are called.
    """
    _crews.append(crew)
    try:
        yield
    finally:
        _crews.remove(crew)


@DBOS.workflow(name=WORKFLOW, max_recovery_attempts=None)
def do_job(job_id: str) -> None:
    """Do a job to its end. Where this process stops before, the workflow stays as it is."""
    if not _crews:
        raise StoppedError

    def steps_of(run: Run) -> KeptSteps:
        return KeptSteps(job_id, run.check, run.pause)

    try:
        _crews[-1].work_on(job_id, steps_of)
    except error.DBOSWorkflowConflictIDError:  # another process was taken for the one that has it
        raise StoppedError from None
