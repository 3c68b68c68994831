"""How a job is done, from its beginning to its end, in a thread of its own."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from typing import Protocol, TypeVar

from veridical.errors import ModelUnavailable, StoreUnavailable, VeridicalError
from veridical.service.corpora import Corpora
from veridical.service.observing.logs import stack_of
from veridical.service.settings import ServiceSettings
from veridical.store.jobs import Job, JobKind, JobState, OpenJob
from veridical.store.store import Shelf, Store

T = TypeVar("T")

_log = logging.getLogger(__name__)


class CancelledError(Exception):
    """The job was asked to end early."""


class StoppedError(BaseException):
    """Ends work that is to go on later, here or elsewhere. No `except Exception` holds it up."""


class Steps(Protocol):
    """Remembers what was paid for, so that a job that is begun again does not pay twice."""

    def once(self, name: str, work: Callable[[], str]) -> str:
        """What `work` returned when it was done under this name, or does it now. Names are unique
        within a job; the text is kept with it. Use it for each call of a model.
        """
        ...


@dataclass(frozen=True, slots=True)
class Doing:
    """A job under way. Work must give the same result when it is begun again from the start, write
    what comes of it in one transaction (`Shelf…finish`), and keep nothing elsewhere.
    """

    job: Job
    shelf: Shelf
    corpora: Corpora
    settings: ServiceSettings
    steps: Steps
    tell: Callable[[int, int, str], None]
    """Tells how far it is (done, total, step); raises CancelledError where the job shall end.
    Cheap: call it for every claim or section."""


Work = Callable[[Doing], None]
"""Does a job to its end. What it raises fails the job: a VeridicalError with its message."""

Registry = Callable[[JobKind], Work]
"""Finds the work of a kind of job."""


_HOMES = {
    JobKind.INGEST: ("jobs.work.tasks", "ingest"),
    JobKind.LEDGER: ("jobs.work.tasks", "build_ledger"),
    JobKind.EXPORT: ("jobs.work.tasks", "export"),
    JobKind.VALIDATION: ("records.work", "validate"),
    JobKind.SPEECH: ("records.work", "evaluate_speech"),
    JobKind.SCORECARD: ("records.work", "score"),
    JobKind.EVALUATION: ("records.work", "evaluate"),
}


def work_of(kind: JobKind) -> Work:
    """The work of a kind, its module imported when it is first needed."""
    module, name = _HOMES[kind]
    work: Work = getattr(import_module(f"veridical.service.{module}"), name)
    return work


MODEL_PAUSES = (1.0, 3.0, 9.0)
"""Seconds before a model that was not available is asked again, where it does not say itself."""

LONGEST_PAUSE = 30.0

MOST_BEGINNINGS = 5
"""How often a job is begun: one that ends its process each time would end all others, too."""

DATABASE_PAUSE_SECONDS = 0.5
_LOOK_SECONDS = 0.2
"""How soon a pause ends for a job that was asked to end."""

_MOST_STEP_CHARS = 200
_MOST_MESSAGE_CHARS = 2_000

DEFECT = (
    "Something unexpected went wrong here. This is a defect of the service; its log tells where."
)
BEGUN_TOO_OFTEN = (
    f"It was begun {MOST_BEGINNINGS} times, and each time the service ended before it did. Its "
    "input may be more than this machine can take: make it smaller, or try again later."
)
CANCELLED = "It was cancelled."


class Run:
    """A job under way in this process, begun by whoever makes one, as `worker`. What a run that was
    stopped still writes does no harm, as all that jobs write: only its worker says how a job ends.
    """

    def __init__(self, begun: OpenJob, store: Store, worker: str | None = None) -> None:
        self.begun = begun
        self.worker = worker
        self.is_over = False
        self._store = store
        self._told: tuple[int, int, str] | None = None
        self._telling = threading.Lock()
        self._is_cancelled = False
        self._stopped = threading.Event()

    def stop(self) -> None:
        """Leave it as it is: it goes on later, here or elsewhere."""
        self._stopped.set()

    def cancel(self) -> None:
        """Have it end early."""
        self._is_cancelled = True

    def check(self) -> None:
        """Raises CancelledError or StoppedError where the work is to end."""
        self.require_to_go_on()
        if self._is_cancelled:
            raise CancelledError

    def require_to_go_on(self) -> None:
        """Raises StoppedError where it is left as it is: what fails then fails because of that."""
        if self._stopped.is_set():
            raise StoppedError

    def tell(self, done: int, total: int, step: str) -> None:
        """Note how far it is; it is written soon. Raises as `check` does."""
        self._told = (max(done, 0), max(total, 0), step[:_MOST_STEP_CHARS])
        self.check()

    def write(self) -> None:
        """Write what was told last. Raises StoreError, and has it written the next time then."""
        with self._telling:
            told = self._told
            if told is None or self._stopped.is_set():
                return
            if not self._store.job_board.progress(self.begun.job.id, *told, self.worker):
                self.cancel()
            if self._told is told:
                self._told = None

    def once(self, name: str, work: Callable[[], str]) -> str:
        """As `Steps` says. An error is not kept. Where a model is not available it is asked again
        after a while, a few times.
        """
        self.check()
        job_id, board = self.begun.job.id, self._store.job_board
        kept = self.patiently(lambda: board.kept_step(job_id, name))
        if kept is not None:
            return kept
        made = self._asked(work)
        return self.patiently(lambda: board.keep_step(job_id, name, made))

    def _asked(self, work: Callable[[], str]) -> str:
        for pause in MODEL_PAUSES:
            try:
                return work()
            except ModelUnavailable as problem:
                self._pause(min(problem.retry_after or pause, LONGEST_PAUSE))
        return work()

    def _pause(self, seconds: float) -> None:
        ends = time.monotonic() + seconds
        while (left := ends - time.monotonic()) > 0:
            self.check()
            self._stopped.wait(min(left, _LOOK_SECONDS))
        self.check()

    def patiently(self, ask: Callable[[], T]) -> T:
        """What the database says, as soon as it can be reached. StoppedError if it comes later."""
        while True:
            try:
                return ask()
            except StoreUnavailable:
                self.wait_for_database()

    def wait_for_database(self) -> None:
        """Wait until the database answers, cancelled or not."""
        _log.warning("job %s waits for the database", self.begun.job.id)
        while not self._stopped.wait(DATABASE_PAUSE_SECONDS):
            with suppress(StoreUnavailable):
                return self._store.ping()
        raise StoppedError


@dataclass(frozen=True, slots=True)
class Worker:
    """What it takes to do jobs."""

    settings: ServiceSettings
    store: Store
    corpora: Corpora
    registry: Registry = work_of

    def do(self, run: Run) -> None:
        """Do a job to its end, and say how it ended. One that is stopped is left as it is."""
        try:
            state, message = self._ending(run)
            if state is not JobState.DONE:
                run.require_to_go_on()
            run.patiently(run.write)
            job_id, board = run.begun.job.id, self.store.job_board
            run.patiently(lambda: board.end(job_id, state, message, run.worker))
        except StoppedError:
            pass
        except Exception as problem:  # noqa: BLE001 - whoever takes it up next may have more luck
            _log.error("job %s was left: %s", run.begun.job.id, stack_of(problem))
        finally:
            run.is_over = True

    def _ending(self, run: Run) -> tuple[JobState, str]:
        """Do the work, and say how it ended; the database may go and come back meanwhile."""
        job = run.begun.job
        if job.times_begun > MOST_BEGINNINGS:
            return JobState.FAILED, BEGUN_TOO_OFTEN
        shelf = self.store.shelf(run.begun.workspace)
        doing = Doing(job, shelf, self.corpora, self.settings, run, run.tell)
        while True:
            try:
                run.check()
                self.registry(job.kind)(doing)
            except CancelledError:
                return JobState.CANCELLED, CANCELLED
            except StoreUnavailable:
                run.wait_for_database()
            except VeridicalError as problem:
                return JobState.FAILED, str(problem)[:_MOST_MESSAGE_CHARS]
            except Exception as problem:  # noqa: BLE001 - a defect fails its job, not the service
                _log.error(
                    "job %s (%s) ended with an unexpected %s\n%s",
                    job.id, job.kind, type(problem).__name__, stack_of(problem),
                )  # fmt: skip
                return JobState.FAILED, DEFECT
            else:
                return JobState.DONE, ""
