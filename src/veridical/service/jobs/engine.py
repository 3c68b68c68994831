"""Works on jobs, so that a process that is killed loses none and pays for nothing twice.

The table of jobs is all that there is. A process that takes a job up writes its name there, and
shows again and again that it lives; whoever sees no sign of it for `LEASE_SECONDS` takes the job
over. Each does so by one statement that names the last sign it saw, so that of several who want a
job, or of one who wants it and its owner who lives after all, one gets it. Nobody compares clocks.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter, deque
from collections.abc import Collection, Mapping, Sequence
from contextlib import ExitStack
from enum import StrEnum
from uuid import uuid4

from veridical.errors import StoreError, VeridicalError
from veridical.service.corpora import Corpora
from veridical.service.jobs.watching import JobWatch
from veridical.service.jobs.workers import Registry, Run, Worker, work_of
from veridical.service.observing.logs import stack_of
from veridical.service.settings import ServiceSettings
from veridical.store.jobs import InLine, JobKind
from veridical.store.store import Store

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
        self, line: Sequence[InLine], known: Collection[str], taken: Mapping[str, JobKind]
    ) -> list[InLine]:
        """Jobs that are to begin. `line` has all that are not over, as `JobBoard.line` does; those
        that are `known` are at work already. Those that are `taken` have places of this process,
        also where they were cancelled and whoever does them has not noticed yet.
        """
        at_work = Counter(_queue(job) for job in line if job.id in known)
        exports = sum(kind is JobKind.EXPORT for kind in taken.values())
        free = self._workers - len(taken)
        waiting: dict[_Queue, deque[InLine]] = {}
        for job in line:
            if job.id not in known:
                waiting.setdefault(_queue(job), deque()).append(job)
        there = at_work.keys() | waiting.keys()
        self._last_turn = {q: turn for q, turn in self._last_turn.items() if q in there}
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

LOOK_SECONDS = 1.0
"""How often a process looks for jobs, and shows that it lives."""

LEASE_SECONDS = 5.0
"""How long there must be no sign of a process until others take up what it had at work."""

PROGRESS_SECONDS = 0.2
"""How often at most the progress of a job is written."""

SWEEP_SECONDS = 60.0
"""How often what nobody needs any more is taken away, beside once at the start."""

_STOP_SECONDS = 10.0
"""What ending takes beside waiting for jobs; a thread that takes longer is left behind."""

_LEAVE_SECONDS = 2.0
"""Within this time those who do a job have noticed that they are to leave it."""


class EngineState(StrEnum):
    """How far it is."""

    STARTING = "starting"
    READY = "ready"
    FAILED = "failed"
    STOPPED = "stopped"


class JobEngine:
    """Does the jobs of the service's database. Several processes over one share the work.

    `watch` tells listeners of changes; `registry` finds the work of a kind. `corpora` are those of
    the service, made here where none are given.
    """

    def __init__(
        self,
        settings: ServiceSettings,
        store: Store,
        corpora: Corpora | None = None,
        *,
        registry: Registry = work_of,
    ) -> None:
        self._store = store
        self._board = store.job_board
        self._worker = Worker(settings, store, corpora or Corpora(model=settings.model), registry)
        self._turns = Turns(max(settings.workers, 1))
        self._name = ""
        self._runs: dict[str, Run] = {}
        self._signs: dict[str, tuple[int, float]] = {}
        self._looked = self._next_look = self._next_sweep = 0.0
        self.watch = JobWatch(store.job_board)
        self.state = EngineState.STARTING
        """How far it is; `/ready` tells it."""
        self.message = ""
        """Why it failed, or what it waits for; else empty."""
        self._thread: threading.Thread | None = None
        self._called = threading.Event()
        self._ending = threading.Event()
        self._ends_at = 0.0

    def start(self) -> None:
        """Begin, in the background; returns at once. What was left behind is taken up again."""
        self.watch.open()
        self.state, self.message = EngineState.STARTING, ""
        self._ending.clear()
        self._name, self._runs, self._signs = uuid4().hex, {}, {}
        self._next_sweep = 0.0
        self._called.set()
        self._thread = threading.Thread(target=self._run, daemon=True, name="veridical-jobs")
        self._thread.start()

    def stop(self, seconds: float = 10.0) -> None:
        """Take up nothing more, and wait so long for what is under way; the rest goes on later."""
        self.watch.close()
        self._ends_at = time.monotonic() + seconds
        self._ending.set()
        self._called.set()
        if self._thread is not None:
            self._thread.join(seconds + _STOP_SECONDS)
        self.state = EngineState.STOPPED

    def wake(self, job_id: str) -> None:  # noqa: ARG002  # whose turn it is does not depend on it
        """A job was written: begin it soon. Calling it late, twice or never loses nothing."""
        self._called.set()

    def _run(self) -> None:
        """The life of the engine, in its thread."""
        try:
            with ExitStack() as stack:
                while not self._is_served(stack):
                    if self._ending.wait(LOOK_SECONDS):
                        return
                while not self._ending.is_set() or (
                    self._runs and time.monotonic() < self._ends_at
                ):
                    if self._called.wait(PROGRESS_SECONDS if self._runs else LOOK_SECONDS):
                        self._called.clear()
                        self._next_look = 0.0
                    self._look_after()
                self._hand_back()
        except VeridicalError as problem:
            self._fail(str(problem))
        except Exception as problem:  # noqa: BLE001 - the service goes on without jobs, and says so
            _log.error("jobs cannot be worked on: %s", stack_of(problem))
            self._fail(f"Jobs cannot be worked on ({type(problem).__name__}).")

    def _is_served(self, stack: ExitStack) -> bool:
        """Tell whoever would replace the database that it is in use; whether that went well."""
        try:
            stack.enter_context(self._board.being_served())
        except StoreError as problem:
            self._wait_for(problem)
            return False
        return True

    def _fail(self, message: str) -> None:
        self.message = message
        self.state = EngineState.FAILED
        _log.error("jobs cannot be worked on: %s", message)

    def _wait_for(self, problem: StoreError) -> None:
        if self.state is EngineState.STARTING:
            self.message = str(problem)
        _log.warning("jobs cannot be looked after for now: %s", problem)

    def _look_after(self) -> None:
        """Write how far jobs are, show that this process lives, and begin what there is to do."""
        self._runs = {key: run for key, run in self._runs.items() if not run.is_over}
        try:
            for run in self._runs.values():
                run.write()
            if time.monotonic() < self._next_look:
                return
            self._next_look = time.monotonic() + LOOK_SECONDS
            self._show_life()
            if not self._ending.is_set():
                self._take_up()
                if time.monotonic() >= self._next_sweep:
                    self._next_sweep = time.monotonic() + SWEEP_SECONDS
                    # Beside: it may take long, and meanwhile others must see that this one lives.
                    threading.Thread(
                        target=self._sweep, daemon=True, name="veridical-sweep"
                    ).start()
        except StoreError as problem:
            # As long as nobody can show that they live, there is nothing to be missed.
            self._signs.clear()
            self._next_look = time.monotonic() + LOOK_SECONDS
            self._wait_for(problem)

    def _show_life(self) -> None:
        if not self._runs and not self._signs:
            return
        # Also where others alone have jobs at work: who must wait to write hears nothing of others.
        kept = self._board.beat(self._name, list(self._runs))
        for job_id, run in self._runs.items():
            if job_id not in kept:  # it is over, or we were taken for gone
                run.stop()
            elif kept[job_id]:
                run.cancel()

    def _take_up(self) -> None:
        line = self._board.line()
        before, self._looked = self._looked, time.monotonic()
        if self._looked - before > LEASE_SECONDS / 2:
            self._signs.clear()  # what kept this process from looking may keep others from beating
        self._signs = {job.id: self._last_sign(job) for job in line if job.worker}
        alive = time.monotonic() - LEASE_SECONDS
        known = {key for key, (_, seen) in self._signs.items() if seen > alive} | set(self._runs)
        taken = {key: run.begun.job.kind for key, run in self._runs.items()}
        for job in self._turns.next(line, known, taken):
            begun = self._board.begin(job.id, self._name, job.beat)
            if begun is None:
                continue
            if job.worker:
                _log.warning("job %s goes on: the process that worked on it is gone", job.id)
            run = self._runs[job.id] = Run(begun, self._store, self._name)
            threading.Thread(
                target=self._do, args=(run,), daemon=True, name="veridical-job"
            ).start()
        self.state, self.message = EngineState.READY, ""

    def _last_sign(self, job: InLine) -> tuple[int, float]:
        """The last sign of life of whoever has a job at work, and when it was seen first."""
        beat, seen = self._signs.get(job.id, (job.beat, time.monotonic()))
        return (beat, seen) if beat == job.beat else (job.beat, time.monotonic())

    def _do(self, run: Run) -> None:
        self._worker.do(run)
        self.wake(run.begun.job.id)

    def _sweep(self) -> None:
        try:
            _log.info("taken away: %s", self._store.sweep())
        except StoreError as problem:
            _log.warning("not all that nobody needs any more is taken away: %s", problem)

    def _hand_back(self) -> None:
        """Leave what is not done yet to whoever comes next."""
        for run in self._runs.values():
            run.stop()
        leave = time.monotonic() + _LEAVE_SECONDS
        while time.monotonic() < leave and not all(run.is_over for run in self._runs.values()):
            time.sleep(0.02)
        left = [job_id for job_id, run in self._runs.items() if not run.is_over]
        try:
            if left:
                self._board.hand_back(self._name, left)
        except StoreError:  # then they find out by themselves
            _log.warning("%d jobs are left as they are", len(left))
