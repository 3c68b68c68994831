"""What was paid for in a job, kept as steps of its workflow. Imports DBOS."""

from __future__ import annotations

import contextvars
import json
import threading
from collections.abc import Callable, Iterator

from dbos import DBOS

from veridical.errors import ModelUnavailable

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
