"""The workflow of a job, whichever, and what was paid for in it, kept as its steps. Imports DBOS.

A workflow bears the id of its job, so that a job that is put into the queue twice is done once.
"""

from __future__ import annotations

import contextvars
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from dbos import DBOS, error

from veridical.errors import ModelUnavailable
from veridical.service.jobs.workers import Run, StoppedError, Workers

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
def at_work(crew: Workers) -> Iterator[None]:
    """Have the workflows of this process done by a crew: DBOS keeps no objects, and finds them by
    what they are called.
    """
    _at_work.append(crew)
    try:
        yield
    finally:
        _at_work.remove(crew)


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
