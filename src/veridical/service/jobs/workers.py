"""The workers of this process: they do jobs from beginning to end, and say how each ended."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Protocol, TypeVar

from veridical.errors import StoreError, StoreUnavailable, VeridicalError
from veridical.service.corpora import Corpora
from veridical.service.observing.logs import stack_of
from veridical.service.settings import ServiceSettings
from veridical.store.jobs import Job, JobBoard, JobKind, JobState, OpenJob
from veridical.store.store import Shelf, Store

T = TypeVar("T")


class CancelledError(Exception):
    """The job was asked to end early."""


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


_HOMES = {
    JobKind.INGEST: ("jobs.work.files", "ingest"),
    JobKind.LEDGER: ("jobs.work.ledger", "work"),
    JobKind.EXPORT: ("jobs.work.files", "export"),
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


_log = logging.getLogger(__name__)

MOST_BEGINNINGS = 5
"""How often a job is begun: one that ends its process each time would end all others, too."""

DATABASE_PAUSE_SECONDS = 0.5
_MOST_MESSAGE_CHARS = 2_000
_PLACE_SECONDS = 0.2
_LEAVE_SECONDS = 2.0
"""Within this time those who do a job have noticed that they are to leave it."""

DEFECT = (
    "Something unexpected went wrong here. This is a defect of the service; its log tells where."
)
BEGUN_TOO_OFTEN = (
    f"It was begun {MOST_BEGINNINGS} times, and each time the service ended before it did. Its "
    "input may be more than this machine can take: make it smaller, or try again later."
)
CANCELLED = "It was cancelled."

StepsOf = Callable[[Run], Steps]
Registry = Callable[[JobKind], Work]
"""Finds the work of a kind of job."""

Ending = tuple[JobState, str]
"""How a job ended, and what there is to say of it."""


class Workers:
    """Those who work on jobs in this process. `is_free` is called whenever one of them is again."""

    def __init__(
        self,
        settings: ServiceSettings,
        store: Store,
        corpora: Corpora,
        registry: Registry,
        *,
        is_free: Callable[[], None],
    ) -> None:
        self._settings = settings
        self._store = store
        self._board = store.job_board
        self._corpora = corpora
        self._registry = registry
        self._is_free = is_free
        self._runs: dict[str, Run] = {}
        self._lock = threading.Lock()
        # DBOS counts what it has handed over a moment late, and may hand over one too many.
        self._places = threading.Semaphore(max(settings.workers, 1))
        self._stopped = threading.Event()

    @property
    def runs(self) -> Mapping[str, Run]:
        """The jobs under way, by their ids."""
        with self._lock:
            return dict(self._runs)

    def open(self) -> None:
        """Begin jobs as they are handed over: from the start, and again after `stop`."""
        self._stopped.clear()

    def work_on(self, job_id: str, steps_of: StepsOf) -> None:
        """Do a job to its end. One that is over already, or is at work here, is left alone.

        Raises StoppedError where it is to go on later.
        """
        run = Run(job_id, self._board)
        with self._lock:
            if self._stopped.is_set() or self._runs.setdefault(job_id, run) is not run:
                raise StoppedError
        try:
            with self._place(run):
                self._from_start_to_end(run, steps_of)
        finally:
            with self._lock:
                del self._runs[job_id]
            self._is_free()

    def stop(self, seconds: float) -> tuple[str, ...]:
        """Begin nothing more, wait so long for what is under way, and leave the rest behind.

        The ids of the jobs that are left.
        """
        with self._lock:
            self._stopped.set()
        self._wait_until_idle(seconds)
        left = self.runs
        for run in left.values():
            run.stop()
        self._wait_until_idle(_LEAVE_SECONDS)
        return tuple(left)

    def _wait_until_idle(self, seconds: float) -> None:
        ends = time.monotonic() + seconds
        while self._runs and time.monotonic() < ends:
            time.sleep(0.02)

    @contextmanager
    def _place(self, run: Run) -> Iterator[None]:
        """One of the places of this process, as soon as one is free."""
        while not self._places.acquire(timeout=_PLACE_SECONDS):
            run.wait(0)
        try:
            yield
        finally:
            self._places.release()

    def _from_start_to_end(self, run: Run, steps_of: StepsOf) -> None:
        found = self._patiently(run, lambda: self._board.begin(run.job_id))
        if found is not None:
            state, told = self._ending(found, run, steps_of)
            self._patiently(run, lambda: self._board.end(run.job_id, state, told))

    def _ending(self, found: OpenJob, run: Run, steps_of: StepsOf) -> Ending:
        """Do the work, and say how it ended; the database may go and come back meanwhile."""
        job = found.job
        if job.times_begun > MOST_BEGINNINGS:
            return JobState.FAILED, BEGUN_TOO_OFTEN
        while True:
            try:
                self._do(found, run, steps_of)
            except CancelledError:
                return JobState.CANCELLED, CANCELLED
            except StoreUnavailable:
                self._wait(run)
            except VeridicalError as problem:
                return JobState.FAILED, str(problem)[:_MOST_MESSAGE_CHARS]
            except StoppedError:
                raise
            except Exception as problem:  # noqa: BLE001 - a defect fails its job, not the service
                _log.error(
                    "job %s (%s) ended with an unexpected %s\n%s",
                    job.id, job.kind, type(problem).__name__, stack_of(problem),
                )  # fmt: skip
                return JobState.FAILED, DEFECT
            else:
                return JobState.DONE, ""

    def _do(self, found: OpenJob, run: Run, steps_of: StepsOf) -> None:
        doing = Doing(
            job=found.job,
            shelf=self._store.shelf(found.workspace),
            corpora=self._corpora,
            settings=self._settings,
            steps=steps_of(run),
            tell=run.tell,
        )
        work = self._registry(found.job.kind)
        run.do(lambda: work(doing))

    def _patiently(self, run: Run, ask: Callable[[], T]) -> T:
        """What the database says, as soon as it can be reached. StoppedError if it comes later."""
        while True:
            try:
                return ask()
            except StoreUnavailable:
                self._wait(run)

    def _wait(self, run: Run) -> None:
        """Wait until the database answers."""
        _log.warning("job %s waits for the database", run.job_id)
        while True:
            run.wait(DATABASE_PAUSE_SECONDS)
            try:
                return self._store.ping()
            except StoreUnavailable:
                continue
