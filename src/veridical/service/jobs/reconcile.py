"""Brings the workflows of DBOS in line with the jobs of the store, which are what users see.

Imports DBOS. The rules, applied again and again by every process:

 1. A workflow that has ended is taken away, with what was paid for in it.
 2. An open job without a workflow gets one as soon as there is a place for it, in the order of
    `turns`. (Also after 1: where the jobs were restored from a backup and the workflows were not,
    what is open again is done again.)
 3. A workflow whose process is gone goes back into the queue, with its steps.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping, Sequence

import dbos._dbos
from dbos import DBOS, SetWorkflowID, WorkflowStatus

from veridical.service.jobs.bell import QUEUE
from veridical.service.jobs.presence import Presence
from veridical.service.jobs.run import Run
from veridical.service.jobs.turns import Turns
from veridical.service.jobs.workflow import WORKFLOW, do_job
from veridical.store.jobs import JobBoard

_log = logging.getLogger(__name__)

LOST_SECONDS = 5.0
"""How long a workflow must have been ours, but not at work, to be lost: the database went away just
when it was handed over."""

_MOST_WORKFLOWS = 5_000
_QUEUED = "ENQUEUED"
_AT_WORK = "PENDING"


class Reconciler:
    """Applies the rules, one pass at a time, from one thread."""

    def __init__(self, board: JobBoard, presence: Presence, workers: int) -> None:
        self._board = board
        self._presence = presence
        self._turns = Turns(workers)
        self._missed_since: dict[str, float] = {}

    def look(self, runs: Mapping[str, Run]) -> int:
        """One pass; `runs` are the jobs under way here. How many workflows are in the queue.

        Raises StoreError where a database cannot be reached.
        """
        workflows = DBOS.list_workflows(
            name=WORKFLOW, limit=_MOST_WORKFLOWS, load_input=False, load_output=False
        )
        line = self._board.line()
        known = {found.workflow_id for found in workflows}
        self._missed_since = {id_: at for id_, at in self._missed_since.items() if id_ in known}
        ended = [one.workflow_id for one in workflows if one.status not in (_QUEUED, _AT_WORK)]
        if ended:
            DBOS.delete_workflows(ended)
        queued = {one.workflow_id for one in workflows if one.status == _QUEUED}
        new = self._turns.next(line, known, queued | self._at_work_here(workflows))
        for job in new:
            enqueue(job.id)
        again = [found for found in workflows if self._is_left_behind(found, runs)]
        for found in again:
            put_back(found.workflow_id, found.executor_id or "")
            _log.warning("job %s goes on: the process that worked on it is gone", found.workflow_id)
        return len(queued) + len(new) + len(again)

    def _at_work_here(self, workflows: Sequence[WorkflowStatus]) -> set[str]:
        ours = self._presence.executor_id
        return {
            one.workflow_id
            for one in workflows
            if one.status == _AT_WORK and one.executor_id == ours
        }

    def _is_left_behind(self, found: WorkflowStatus, runs: Mapping[str, Run]) -> bool:
        job_id, executor_id = found.workflow_id, found.executor_id or ""
        if found.status != _AT_WORK or executor_id != self._presence.executor_id:
            self._missed_since.pop(job_id, None)
            if job_id in runs:  # we were taken for gone, and whoever has it now goes on with it
                runs[job_id].stop()
            return found.status == _AT_WORK and self._presence.is_gone(executor_id)
        if job_id in runs:
            self._missed_since.pop(job_id, None)
            return False
        since = self._missed_since.setdefault(job_id, time.monotonic())
        return time.monotonic() - since >= LOST_SECONDS


def enqueue(job_id: str) -> None:
    """Put a job into the queue. One that is there, or at work, is not put there again."""
    with SetWorkflowID(job_id):
        DBOS.enqueue_workflow(QUEUE, do_job, job_id)


def put_back(job_id: str, executor_id: str) -> None:
    """Put a job that a process has at work back into the queue, if that process still has it."""
    instance = dbos._dbos._get_dbos_instance()
    instance._sys_db.reenqueue_for_recovery(job_id, [executor_id], QUEUE)
