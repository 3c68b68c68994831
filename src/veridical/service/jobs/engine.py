"""Works on jobs, so that a process that is killed loses none and does none twice."""

from __future__ import annotations

import logging
import threading
import time
from contextlib import ExitStack
from enum import StrEnum
from typing import TYPE_CHECKING

from veridical.errors import StoreError, VeridicalError
from veridical.service.corpora import Corpora
from veridical.service.jobs.place import JobsPlace, jobs_place
from veridical.service.jobs.watching import JobWatch
from veridical.service.jobs.workers import Registry, Workers, work_of
from veridical.service.observing.logs import stack_of
from veridical.service.settings import ServiceSettings
from veridical.store.store import Store

if TYPE_CHECKING:
    from veridical.service.jobs.reconcile import QueueWakeup

_log = logging.getLogger(__name__)

LOOK_SECONDS = 1.0
"""How often the jobs are compared with the workflows: a look costs two short queries."""

LISTEN_SECONDS = 0.05
"""How long the server is left alone to begin to listen: importing DBOS takes most of a second, in
which every reply would wait for the processor.
"""

SWEEP_SECONDS = 3_600.0
"""How often what nobody needs any more is taken away, beside once at the start."""

_RETRY_SECONDS = 1.0
_STOP_SECONDS = 10.0
"""What ending takes beside waiting for jobs; a thread that takes longer is left behind."""


class EngineState(StrEnum):
    """How far it is."""

    STARTING = "starting"
    READY = "ready"
    FAILED = "failed"
    STOPPED = "stopped"


class JobEngine:
    """DBOS over the service's database. Several processes over one PostgreSQL share the work.

    One at a time in a process. `watch` tells listeners of changes; `registry` finds the work of a
    kind. `corpora` are those of the service, made here where none are given.
    """

    def __init__(
        self,
        settings: ServiceSettings,
        store: Store,
        corpora: Corpora | None = None,
        *,
        registry: Registry = work_of,
    ) -> None:
        self._settings = settings
        self._store = store
        self._called = threading.Event()
        self._pool = Workers(
            settings,
            store,
            corpora or Corpora(model=settings.model),
            registry,
            is_free=self._called.set,
        )
        self._workers = max(settings.workers, 1)
        self._queued = 0
        self.watch = JobWatch(store.job_board)
        self.state = EngineState.STARTING
        """How far it is; `/ready` tells it."""
        self.message = ""
        """Why it failed, or what it waits for; else empty."""
        self._thread: threading.Thread | None = None
        self._ending = threading.Event()
        self._stop_seconds = 0.0

    def start(self) -> None:
        """Begin, in the background; returns at once. What was left behind is taken up again."""
        # DBOS imports this in the thread. While it is half imported, a query with a list of values
        # in any other thread ends in an AttributeError: SQLAlchemy asks its mapper about each.
        import sqlalchemy.orm  # noqa: F401

        self._pool.open()
        self.watch.open()
        self.state = EngineState.STARTING
        self._ending.clear()
        self._thread = threading.Thread(target=self._run, daemon=True, name="veridical-jobs")
        self._thread.start()

    def stop(self, seconds: float = 10.0) -> None:
        """Take up nothing more, and wait so long for what is under way; the rest goes on later."""
        self.watch.close()
        self._stop_seconds = seconds
        self._ending.set()
        self._called.set()
        if self._thread is not None:
            self._thread.join(seconds + _STOP_SECONDS)
        self.state = EngineState.STOPPED

    def wake(self, job_id: str) -> None:  # noqa: ARG002  # whose turn it is does not depend on it
        """A job was written: begin it soon. Calling it late, twice or never loses nothing."""
        self._called.set()

    def _run(self) -> None:
        """The life of the engine, in its thread: launch DBOS, look after the jobs, end."""
        self._ending.wait(LISTEN_SECONDS)
        while not self._ending.is_set():
            try:
                with ExitStack() as stack:
                    self._work(stack)
            except StoreError as problem:  # the database may come back
                self.message = str(problem)
                _log.warning("jobs wait for the database: %s", problem)
                self._ending.wait(_RETRY_SECONDS)
            except VeridicalError as problem:
                self._fail(str(problem))
                return
            except Exception as problem:  # noqa: BLE001 - the service goes on without jobs, and says so
                _log.error("jobs cannot be worked on: %s", stack_of(problem))
                self._fail(f"Jobs cannot be worked on ({type(problem).__name__}).")
                return

    def _fail(self, message: str) -> None:
        self.message = message
        self.state = EngineState.FAILED
        _log.error("jobs cannot be worked on: %s", message)

    def _work(self, stack: ExitStack) -> None:
        from veridical.service.jobs.launch import dbos_launched
        from veridical.service.jobs.reconcile import QueueWakeup, at_work, work_off_queue

        place = stack.enter_context(jobs_place(self._settings.database))
        place.presence.enter()
        stack.callback(place.presence.leave)
        stack.enter_context(dbos_launched(place))
        stack.enter_context(at_work(self._pool))
        wakeup = QueueWakeup(lambda: bool(self._pool.runs) or self._queued > 0)
        taking = work_off_queue(self._workers, wakeup)
        self.state, self.message = EngineState.READY, ""
        try:
            self._look_after(place, wakeup)
        finally:
            wakeup.set()
            taking.join()
            self._wind_up(place)

    def _look_after(self, place: JobsPlace, wakeup: QueueWakeup) -> None:
        """Put jobs into the queue as they are written, and look again and again for others."""
        from veridical.service.jobs.reconcile import Reconciler

        reconciler = Reconciler(self._store.job_board, place.presence, self._workers)
        next_sweep = time.monotonic()
        while not self._ending.is_set():
            self._called.clear()
            try:
                self._store.ping()  # DBOS itself would wait for its database, however long
                with place.database.errors():
                    self._queued = reconciler.look(self._pool.runs)
                if self._queued:
                    wakeup.ring()
                if time.monotonic() >= next_sweep:
                    _log.info("taken away: %s", self._store.sweep())
                    next_sweep = time.monotonic() + SWEEP_SECONDS
            except StoreError as problem:
                _log.warning("jobs cannot be looked after for now: %s", problem)
            self._called.wait(LOOK_SECONDS)

    def _wind_up(self, place: JobsPlace) -> None:
        """Let jobs come to their end, and hand those that do not to whoever comes next."""
        from veridical.service.jobs.reconcile import put_back

        left = self._pool.stop(self._stop_seconds)
        try:
            self._store.ping()
            with place.database.errors():
                for job_id in left:
                    put_back(job_id, place.presence.executor_id)
        except StoreError:  # then they find out by themselves
            _log.warning("%d jobs are left as they are: the database does not answer", len(left))
