"""One job at work: its thread, how far it is, and when it must end before its time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from veridical.errors import StoreError
from veridical.service.jobs.work.doing import CancelledError
from veridical.store.jobs import JobBoard

PROGRESS_SECONDS = 0.2
"""How often at most the progress of a job is written."""

LOOK_SECONDS = 1.0
"""How often a job that tells nothing is asked whether it was cancelled."""

_MOST_STEP_CHARS = 200


class StoppedError(BaseException):
    """Ends work that is to go on later, here or elsewhere. No `except Exception` holds it up."""


class Run:
    """A job under way in this process. `work` is done in a thread of its own, which nobody waits
    for once it is to end: what it writes later does no harm, as all that jobs write.
    """

    def __init__(self, job_id: str, board: JobBoard) -> None:
        self.job_id = job_id
        self._board = board
        self._told: tuple[int, int, str] | None = None
        self._cancelled = False
        self._stopped = threading.Event()
        self._wake = threading.Event()
        self._problem: BaseException | None = None
        self._over = False

    def stop(self) -> None:
        """Leave it behind; the workflow stays as it is, to be resumed."""
        self._stopped.set()
        self._wake.set()

    def check(self) -> None:
        """Raises CancelledError or StoppedError where the work is to end."""
        if self._stopped.is_set():
            raise StoppedError
        if self._cancelled:
            raise CancelledError

    def pause(self, seconds: float) -> None:
        """Wait, as long as the work is not to end."""
        ends = time.monotonic() + seconds
        while (left := ends - time.monotonic()) > 0:
            self.check()
            time.sleep(min(left, PROGRESS_SECONDS))
        self.check()

    def wait(self, seconds: float) -> None:
        """Wait, cancelled or not. StoppedError as soon as it is to stop."""
        if self._stopped.wait(seconds):
            raise StoppedError

    def tell(self, done: int, total: int, step: str) -> None:
        """Note how far it is; it is written soon. Raises as `check` does."""
        self._told = (max(done, 0), max(total, 0), step[:_MOST_STEP_CHARS])
        self.check()

    def do(self, work: Callable[[], None]) -> None:
        """Do `work`, and write meanwhile how far it is. Raises what it raises.

        Raises StoppedError as soon as it is to stop, whatever the work is doing.
        """
        self._problem, self._over = None, False
        self._wake.clear()

        def keep_problem() -> None:
            try:
                work()
            except BaseException as problem:  # noqa: BLE001 - raised again by whoever waits
                self._problem = problem
            finally:
                self._over = True
                self._wake.set()

        self.check()
        threading.Thread(target=keep_problem, daemon=True, name="veridical-job").start()
        looked = time.monotonic()
        while not self._over and not self._stopped.is_set():
            if self._told is not None or time.monotonic() - looked >= LOOK_SECONDS:
                self._write()
                looked = time.monotonic()
            self._wake.wait(PROGRESS_SECONDS)
        if self._stopped.is_set():
            raise StoppedError
        self._write()
        if self._problem is not None:
            raise self._problem

    def _write(self) -> None:
        """Write what was told last, and see whether the job was cancelled meanwhile."""
        told, self._told = self._told, None
        try:
            if told is not None:
                goes_on = self._board.progress(self.job_id, *told)
            else:
                found = self._board.get(self.job_id)
                goes_on = found is not None and not (
                    found.job.cancel_asked or found.job.state.is_over
                )
        except StoreError:  # the database is gone for now; the work goes on, and so does the job
            if self._told is None:
                self._told = told
            return
        self._cancelled = self._cancelled or not goes_on
