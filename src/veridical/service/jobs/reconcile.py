"""Brings the workflows of DBOS in line with the jobs of the store, which are what users see.

Imports DBOS. A workflow bears the id of its job, so that a job that is put into the queue twice is
done once; what was paid for in it is kept as its steps. The rules, applied again and again by every
process:

 1. A workflow that has ended is taken away, with what was paid for in it.
 2. An open job without a workflow gets one as soon as there is a place for it, in the order of
    `Turns`. (Also after 1: where the jobs were restored from a backup and the workflows were not,
    what is open again is done again.)
 3. A workflow whose process is gone goes back into the queue, with its steps.
"""

from __future__ import annotations

import contextvars
import json
import logging
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager

import dbos._dbos
import dbos._queue
from dbos import DBOS, SetWorkflowID, WorkflowStatus, error

from veridical.errors import ModelUnavailable
from veridical.service.jobs.place import Presence
from veridical.service.jobs.workers import Run, StoppedError, Workers
from veridical.store.jobs import InLine, JobBoard, JobKind

MODEL_PAUSES = (1.0, 3.0, 9.0)
"""Seconds before a model that was not available is asked again, where it does not say itself."""

LONGEST_PAUSE = 30.0


class _NotKeptError(BaseException):
    """Carries an error past DBOS, which would keep an Exception as the result of the step."""

    def __init__(self, problem: Exception) -> None:
        super().__init__()
        self.problem = problem


class KeptSteps:
    """The steps of one workflow, by their names. Make it in the workflow; use it in any thread.

    DBOS knows a step by its number, and which work comes to be the third may differ from time to
    time. So what has been kept is read at the start, and new steps are numbered behind it.
    `check` raises where the job shall end, `pause` does too, and else waits.
    """

    def __init__(
        self, workflow_id: str, check: Callable[[], None], pause: Callable[[float], None]
    ) -> None:
        self._check = check
        self._pause = pause
        self._numbering = threading.Lock()
        self._context = contextvars.copy_context()
        # In a context without a workflow: inside one, reading its steps would be a step itself.
        recorded = contextvars.Context().run(DBOS.list_workflow_steps, workflow_id)
        self._kept: dict[str, str] = {
            step["function_name"]: json.loads(step["output"])
            for step in recorded
            if step["output"] is not None
        }
        last = max((step["function_id"] for step in recorded), default=0)
        while last and DBOS.reserve_step().step_id < last:
            pass

    def once(self, name: str, work: Callable[[], str]) -> str:
        """What `work` returned when it was done under this name, or does it now.

        An error is not kept. Where a model is not available it is asked again after a while, a few
        times.
        """
        self._check()
        label = json.dumps(name)  # in ASCII, as what is kept: any database takes that
        kept = self._kept.get(label)
        if kept is None:
            kept = self._kept[label] = self._done(label, work)
        return kept

    def _done(self, label: str, work: Callable[[], str]) -> str:
        def ask() -> str:
            try:
                return json.dumps(self._asked(work))
            except Exception as problem:
                raise _NotKeptError(problem) from problem

        with self._numbering:
            step = self._context.copy().run(DBOS.reserve_step)
        try:
            kept = self._context.copy().run(lambda: step.run({"name": label}, ask))
        except _NotKeptError as carried:
            raise carried.problem from None
        return str(json.loads(kept))

    def _asked(self, work: Callable[[], str]) -> str:
        pauses: Iterator[float] = iter(MODEL_PAUSES)
        while True:
            try:
                return work()
            except ModelUnavailable as problem:
                pause = next(pauses, None)
                if pause is None:
                    raise
                self._pause(min(problem.retry_after or pause, LONGEST_PAUSE))


WORKFLOW = "veridical.do_job"

_at_work: list[Workers] = []


@contextmanager
def at_work(workers: Workers) -> Iterator[None]:
    """Have the workflows of this process done by these workers: DBOS keeps no objects, and finds
    them by what they are called.
    """
    _at_work.append(workers)
    try:
        yield
    finally:
        _at_work.remove(workers)


@DBOS.workflow(name=WORKFLOW, max_recovery_attempts=None)
def do_job(job_id: str) -> None:
    """Do a job to its end. Where this process stops before, the workflow stays as it is."""
    if not _at_work:
        raise StoppedError

    def steps_of(run: Run) -> KeptSteps:
        return KeptSteps(job_id, run.check, run.pause)

    try:
        _at_work[-1].work_on(job_id, steps_of)
    except error.DBOSWorkflowConflictIDError:  # another process was taken for the one that has it
        raise StoppedError from None


QUEUE = "veridical-jobs"
IDLE_SECONDS = 1.0
"""How soon a process finds what another one has left to do."""

BUSY_SECONDS = 0.1
"""How soon it takes up the next job where it works on some."""


class QueueWakeup(threading.Event):
    """Set for good when the thread that waits for it is to end; a ring only wakes it."""

    def __init__(self, is_busy: Callable[[], bool]) -> None:
        super().__init__()
        self._is_busy = is_busy
        self._woken = threading.Event()

    def ring(self) -> None:
        """Have it look now."""
        self._woken.set()

    def set(self) -> None:
        """Have it end."""
        super().set()
        self._woken.set()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for a ring, at most `timeout` seconds; whether it is to end."""
        ends = time.monotonic() + (IDLE_SECONDS if timeout is None else timeout)
        while not self._woken.wait(BUSY_SECONDS) and not self._is_busy():
            if time.monotonic() >= ends:
                break
        self._woken.clear()
        return self.is_set()


def work_off_queue(workers: int, wakeup: QueueWakeup) -> threading.Thread:
    """Have jobs taken from the queue, at most `workers` at a time, until `wakeup` is set.

    DBOS has been told to leave the queue alone (`listen_queues`); it is registered all the same,
    so that jobs can be put into it.
    """
    DBOS.register_queue(QUEUE, polling_interval_sec=IDLE_SECONDS, on_conflict="always_update")
    ours = dbos._queue.Queue(
        QUEUE,
        worker_concurrency=workers,
        polling_interval_sec=IDLE_SECONDS,
        token=dbos._queue._INTERNAL_QUEUE_CONSTRUCTION,
    )
    thread = threading.Thread(
        target=dbos._queue.queue_worker_thread,
        args=(wakeup, dbos._dbos._get_dbos_instance(), ours),
        daemon=True,
        name="veridical-jobs-queue",
    )
    thread.start()
    return thread


_Queue = tuple[str, bool]


class Turns:
    """Hands out the places of a process, which are `workers`, as they become free.

    Each workspace has two queues, one of exports and one of everything else. The queue with the
    fewest jobs at work comes first; of several, the one that has waited longest for its turn. So a
    job that is alone in its queue waits for one that is under way, however many others there are.
    Exports leave one place to other work, where there are several.
    """

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._most_exports = max(workers - 1, 1)
        self._number = 0
        self._last_turn: dict[_Queue, int] = {}

    def next(
        self, line: Sequence[InLine], known: Collection[str], taken: Collection[str]
    ) -> list[InLine]:
        """Jobs that are to begin. `line` has all that are not over, as `JobBoard.line` does; those
        that are `known` are not to begin again. Those that are `taken` have places of this process.
        """
        at_work = Counter(_queue(job) for job in line if job.id in known)
        exports = sum(job.id in taken and job.kind is JobKind.EXPORT for job in line)
        free = self._workers - sum(job.id in taken for job in line)
        waiting: dict[_Queue, deque[InLine]] = {}
        for job in line:
            if job.id not in known:
                waiting.setdefault(_queue(job), deque()).append(job)
        self._last_turn = {
            queue: turn
            for queue, turn in self._last_turn.items()
            if at_work[queue] or queue in waiting
        }
        chosen: list[InLine] = []
        while len(chosen) < free:
            usable = [q for q in waiting if not q[1] or exports < self._most_exports]
            if not usable:
                break
            queue = min(usable, key=lambda q: (at_work[q], self._last_turn.get(q, 0)))
            chosen.append(waiting[queue].popleft())
            if not waiting[queue]:
                del waiting[queue]
            self._number += 1
            self._last_turn[queue] = self._number
            at_work[queue] += 1
            exports += queue[1]
        return chosen


def _queue(job: InLine) -> _Queue:
    return job.workspace_id, job.kind is JobKind.EXPORT


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
        ours = self._presence.executor_id
        here = {
            one.workflow_id
            for one in workflows
            if one.status == _AT_WORK and one.executor_id == ours
        }
        new = self._turns.next(line, known, queued | here)
        for job in new:  # one that is there, or at work, is not put there again
            with SetWorkflowID(job.id):
                DBOS.enqueue_workflow(QUEUE, do_job, job.id)
        again = [found for found in workflows if self._is_left_behind(found, runs)]
        for found in again:
            put_back(found.workflow_id, found.executor_id or "")
            _log.warning("job %s goes on: the process that worked on it is gone", found.workflow_id)
        return len(queued) + len(new) + len(again)

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


def put_back(job_id: str, executor_id: str) -> None:
    """Put a job that a process has at work back into the queue, if that process still has it."""
    instance = dbos._dbos._get_dbos_instance()
    instance._sys_db.reenqueue_for_recovery(job_id, [executor_id], QUEUE)
