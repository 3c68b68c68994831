"""Worker processes that shards are shared among, and what is done when one ends or does not end.

A worker says in shared memory what it is at, so that its parent knows what it was that ended it or
keeps it. An end that happens once may have come from outside (an operator, the system's want of
memory), so the shard is only tried again; at the second end at the same place the claims of that
document are checked one by one, and the claim at which the worker ends twice more is a failure.
What takes too long is not waited for twice. Of a document with many such claims the rest fails too,
so that it cannot hold up the others for long.
"""

from __future__ import annotations

import ctypes
import gc
import logging
import multiprocessing
import os
import resource
import signal
import sys
import threading
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, ClassVar, cast

import pyarrow.compute as pc

from veridical.bulk import storage
from veridical.bulk.cutting import Shard
from veridical.bulk.shard import (
    BulkClaim,
    Failure,
    Lessons,
    ShardWorker,
    Stage,
)
from veridical.bulk.tables import CLAIMS, Reason
from veridical.errors import OutputError, ProcessingError, VeridicalError

SAFE_PATH = {"PYTHONSAFEPATH": "1"}
"""In the environment of whatever is started: else modules of the current folder, which may be one
of somebody's data, would be taken for those of Python."""

_MADE_BETWEEN = 20_000
"""Objects that are made before Python looks for those that refer to each other alone."""

_DIE_WITH_PARENT = 1
"""PR_SET_PDEATHSIG of Linux: the signal that the system sends once the parent is gone."""


Cells = Any
"""Numbers that two processes share: a `RawArray` of multiprocessing."""


@dataclass(frozen=True, slots=True)
class Marks:
    """What a worker is at, in five shared numbers: stage, the first and last row and how many rows
    of its claims, and since when (`time.monotonic`, which all processes of a machine share).
    """

    LENGTH: ClassVar = 5

    cells: Cells

    def set(self, stage: Stage, claims: Sequence[BulkClaim]) -> None:
        """Say what comes next."""
        cells = self.cells
        # Whoever reads meanwhile must not take the rows of one for those of another.
        cells[0] = Stage.IDLE
        if claims:
            cells[1], cells[2], cells[3] = claims[0].row, claims[-1].row, len(claims)
            cells[4] = time.monotonic()
            cells[0] = stage

    @property
    def at(self) -> tuple[int, int, int, int] | None:
        """Stage, first row, last row and number of rows; None while nothing is done."""
        stage, first, last, count = (int(self.cells[i]) for i in range(4))
        return None if stage == Stage.IDLE else (stage, first, last, count)

    def seconds(self) -> float:
        """For how long it has been at it."""
        return time.monotonic() - float(self.cells[4]) if self.at else 0.0


Outcome = tuple[int, int] | VeridicalError
"""What came of work: rows that are done, and how many of them are failures; or the error for which
the whole run must stop."""


def serve(link: Connection, cells: Cells, worker: ShardWorker, memory_bytes: int) -> None:
    """Work on what comes over the link until it is closed. Runs in a process of its own."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what an interruption means
    _end_with_parent()
    _bound_memory(memory_bytes)
    # What was imported stays, and little of what a shard makes refers to itself: to look for that
    # as often as Python does by itself takes a twentieth of the time.
    gc.freeze()
    gc.set_threshold(_MADE_BETWEEN)
    marks = Marks(cells)
    try:
        link.send((0, 0))
        while True:
            link.send(_done(worker, marks, *link.recv()))
    except (EOFError, OSError):  # the parent is gone
        return


def _done(worker: ShardWorker, marks: Marks, shard: Shard, lessons: Lessons) -> Outcome:
    try:
        return worker.work(shard, lessons, marks.set)
    except OSError as error:
        # Arrow does not tell at which file, but the part is written last.
        where = error.filename or worker.layout.part_of(shard)
        return OutputError(
            f"{where}: it cannot be written ({storage.why(error)}). "
            "What is done is kept; make room, or mend it, and go on with --resume."
        )
    except Exception as error:  # noqa: BLE001  # the parent must hear of it, to try no further
        strange = f"{worker.layout.part_of(shard)}: {type(error).__name__}: "
        said = f"{'' if isinstance(error, VeridicalError) else strange}{error}"
        return ProcessingError(f"The work cannot go on: {said}")
    finally:
        marks.set(Stage.IDLE, ())


def _end_with_parent() -> None:
    """However the parent ends, nobody must go on: a run that is resumed has workers of its own."""
    if sys.platform == "linux":  # at once, whatever the process is at
        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_outlive, args=(parent.sentinel,), daemon=True).start()


def _outlive(parent: int) -> None:
    wait([parent])
    os._exit(1)


def _bound_memory(most: int) -> None:
    if most:
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        least = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (least, hard))


Told = Callable[[int, int], None]
"""Called with how many more rows are done, and how many of them are failures."""

MOST_ENDS = 200
"""Ends of workers at one shard after which the rest of it fails."""

MOST_ROWS = {Reason.WORKER_DIED: 20, Reason.TIME_LIMIT: 3}
"""Claims of one document that may end a worker, or keep it for too long, before the rest of them
fails: an end costs about a second, a wait all of `group_seconds`."""

_MOST_UNPLACED = 5
"""Ends of workers at one shard, but at no claim of it, after which the whole run stops."""

_TWICE = 2
_GOODBYE_SECONDS = 2.0
_LOOK_SECONDS = 0.25
_START_SECONDS = 120.0
_ENVIRONMENT = {
    "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", **SAFE_PATH
}  # fmt: skip
"""Each worker has one core; more threads in each would be in each other's way. Libraries look at it
as they are loaded, so it has to be there before a worker is."""

_FROM_OUTSIDE = (-signal.SIGKILL, -signal.SIGTERM)
"""Exit codes of what an operator, or the system's want of memory, has ended."""

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Trouble:
    """What is known of a shard: how often workers ended at which place, and what follows."""

    lessons: Lessons = field(default_factory=Lessons)
    ends: Counter[tuple[int, ...]] = field(default_factory=Counter)
    unplaced: int = 0
    rows: Counter[tuple[str, Reason]] = field(default_factory=Counter)
    """How many claims of a document were given up, and why."""


@dataclass(slots=True)
class _Worker:
    process: BaseProcess
    link: Connection
    marks: Marks
    shard: Shard | None = None
    is_ready: bool = False
    since: float = field(default_factory=time.monotonic)


class WorkerPool:
    """So many workers as the settings say, for as long as there is work."""

    def __init__(self, worker: ShardWorker) -> None:
        self._worker = worker
        self._layout = worker.layout
        self._settings = worker.settings
        self._context: Any = multiprocessing.get_context("spawn")
        self._troubles: defaultdict[Shard, _Trouble] = defaultdict(_Trouble)
        self._waiting: deque[Shard] = deque()
        self._workers: list[_Worker] = []
        self._starts = 0

    def work(self, shards: Iterable[Shard], told: Told) -> None:
        """Work on all shards, in their order. The workers are then ended.

        Raises OutputError where a part cannot be written, ProcessingError where no worker starts
        or a shard cannot be worked on, whatever is left out.
        """
        try:
            self.work_on(shards, told)
        finally:
            self.close()

    def work_on(self, shards: Iterable[Shard], told: Told) -> None:
        """As `work`, but the workers stay, for more work. Raises the same; `close` must follow."""
        self._waiting.extend(shards)
        while self._waiting or any(one.shard for one in self._workers):
            self._hand_out()
            self._listen(told)

    def close(self) -> None:
        """End the workers: those that have nothing to do by themselves, as programs should, or
        Python warns of what they leave behind.
        """
        idle = [one for one in self._workers if one.is_ready and one.shard is None]
        for worker in idle:
            worker.link.close()
        for worker in idle:
            worker.process.join(_GOODBYE_SECONDS)
        for worker in list(self._workers):
            self._stop(worker)

    def _hand_out(self) -> None:
        free = [one for one in self._workers if one.is_ready and one.shard is None]
        for worker in free:
            if not self._waiting:
                break
            shard = self._waiting.popleft()
            worker.shard = shard
            with suppress(OSError):  # it has just ended, which is heard of at once
                worker.link.send((shard, self._troubles[shard].lessons))
        busy = sum(one.shard is not None for one in self._workers)
        wanted = min(self._settings.workers, len(self._waiting) + busy)
        for _ in range(len(self._workers), wanted):
            self._start()

    def _start(self) -> None:
        try:
            with _environment(_ENVIRONMENT):
                ours, theirs = self._context.Pipe()
                cells = self._context.RawArray("d", Marks.LENGTH)
                process = self._context.Process(
                    target=serve, args=(theirs, cells, self._worker, self._settings.memory_bytes),
                    daemon=True,
                )  # fmt: skip
                process.start()
        except OSError as error:
            raise ProcessingError(
                f"A worker process cannot be started ({storage.why(error)}). Use fewer workers."
            ) from error
        theirs.close()
        self._workers.append(_Worker(process, ours, Marks(cells)))

    def _listen(self, told: Told) -> None:
        by_link = {one.link: one for one in self._workers}
        for link in wait(list(by_link), _LOOK_SECONDS):
            worker = by_link[cast("Connection", link)]
            try:
                heard = worker.link.recv()
            except (EOFError, OSError):
                self._ended(worker)
            else:
                self._heard(worker, heard, told)
        for worker in list(self._workers):
            if worker.marks.seconds() > self._settings.group_seconds:
                self._too_slow(worker)
            elif not worker.is_ready and time.monotonic() - worker.since > _START_SECONDS:
                self._stop(worker)
                raise ProcessingError("A worker process did not start in time.")

    def _heard(self, worker: _Worker, heard: Outcome, told: Told) -> None:
        if isinstance(heard, VeridicalError):
            raise heard
        worker.is_ready, self._starts = True, 0
        if worker.shard is not None:
            worker.shard = None
            told(*heard)

    def _ended(self, worker: _Worker) -> None:
        """A worker is gone: its shard is tried again, with what is to be learnt from that."""
        at, shard = worker.marks.at, worker.shard
        self._stop(worker)
        code = worker.process.exitcode
        if not worker.is_ready:
            self._starts += 1
            most = MOST_ENDS if code in _FROM_OUTSIDE else self._settings.workers + _TWICE
            if self._starts > most:
                raise ProcessingError(
                    f"Worker processes do not start (exit code {code}). Where a script of yours "
                    'begins the run, it must do so below `if __name__ == "__main__":`.'
                )
        if shard is None:
            return
        _log.warning("a worker ended with exit code %s", code)
        trouble = self._troubles[shard]
        if at is None:
            trouble.unplaced += 1
            if trouble.unplaced > _MOST_UNPLACED:
                raise ProcessingError(
                    f"Workers ended {trouble.unplaced} times (exit code {code}) as they read or "
                    "wrote the same claims. They may need more memory, or smaller shards."
                )
        else:
            trouble.ends[at] += 1
            if trouble.ends[at] >= _TWICE:
                how = f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"
                self._learn(shard, at, (Reason.WORKER_DIED, f"it ended its process ({how})"))
        self._again(shard)

    def _too_slow(self, worker: _Worker) -> None:
        self._stop(worker)  # what it was at stands still from here on
        at, shard = worker.marks.at, worker.shard
        if shard is None:
            return
        if at is not None and worker.marks.seconds() > self._settings.group_seconds:
            message = f"it took longer than {self._settings.group_seconds:g} seconds"
            self._troubles[shard].ends[at] += 1
            self._learn(shard, at, (Reason.TIME_LIMIT, message))
        self._again(shard)

    def _learn(self, shard: Shard, at: tuple[int, int, int, int], failure: Failure) -> None:
        """What ended a worker, or kept it, is left out, or told apart better."""
        trouble, (stage, first, _, count) = self._troubles[shard], at
        lessons, document_id = trouble.lessons, self._document_of(shard, first)
        if stage == Stage.READING:
            lessons.documents[document_id] = failure
        elif count > 1:
            lessons.singly.add(document_id)
        else:
            reason, message = failure
            lessons.rows[first] = failure
            trouble.rows[document_id, reason] += 1
            if trouble.rows[document_id, reason] >= MOST_ROWS[reason]:
                rest = f"{MOST_ROWS[reason]} claims of its document were given up: {message}"
                lessons.documents[document_id] = (reason, rest)

    def _document_of(self, shard: Shard, row: int) -> str:
        table = storage.whole(self._layout.claims_of(shard), CLAIMS)
        found = table.filter(pc.equal(table["row"], row))
        return str(found["document_id"][0].as_py())

    def _again(self, shard: Shard) -> None:
        trouble = self._troubles[shard]
        if trouble.ends.total() > MOST_ENDS:
            table = storage.whole(self._layout.claims_of(shard), CLAIMS)
            failure = (Reason.WORKER_DIED, f"workers ended more than {MOST_ENDS} times near it")
            for document_id in pc.unique(table["document_id"]).to_pylist():
                trouble.lessons.documents.setdefault(document_id, failure)
        self._waiting.appendleft(shard)

    def _stop(self, worker: _Worker) -> None:
        self._workers.remove(worker)
        worker.link.close()
        worker.process.kill()
        worker.process.join()


@contextmanager
def _environment(values: Mapping[str, str]) -> Iterator[None]:
    """These in the environment, for what is started meanwhile."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
