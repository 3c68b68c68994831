"""Worker processes that shards are shared among, and what is done when one ends or does not end.

What ends a worker is found by what it said that it was at. An end that happens once may have come
from outside (an operator, the system's want of memory), so the shard is only tried again; at the
second end at the same place the claims of that document are checked one by one, and the claim at
which the worker ends twice more is a failure. What takes too long is not waited for twice. Of a
document with many such claims the rest fails too, so that it cannot hold up the others for long.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, cast

import pyarrow.compute as pc

from veridical.bulk import spill
from veridical.bulk.durable import why
from veridical.bulk.parting import Layout, Shard
from veridical.bulk.settings import BulkSettings
from veridical.bulk.shard import Failure, Lessons, ShardWorker
from veridical.bulk.tables import CLAIMS, Reason
from veridical.bulk.worker import SAFE_PATH, Asked, Marks, Told, serve
from veridical.errors import OutputError, ProcessingError

Progress = Callable[[int, int], None]
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


class Crew:
    """So many workers as the settings say, for as long as there is work."""

    def __init__(self, worker: ShardWorker, layout: Layout, settings: BulkSettings) -> None:
        self._worker = worker
        self._layout = layout
        self._settings = settings
        self._context: Any = multiprocessing.get_context("spawn")
        self._troubles: dict[Shard, _Trouble] = {}
        self._waiting: deque[Shard] = deque()
        self._workers: list[_Worker] = []
        self._starts = 0

    def work(self, shards: Iterable[Shard], progress: Progress) -> None:
        """Work on all shards; the largest first, so that none is waited for alone at the end.
        The workers are then ended.

        Raises OutputError where a part cannot be written, ProcessingError where no worker starts
        or a shard cannot be worked on, whatever is left out.
        """
        try:
            self.work_on(shards, progress)
        finally:
            self.close()

    def work_on(self, shards: Iterable[Shard], progress: Progress) -> None:
        """As `work`, but the workers stay, for more work. Raises the same; `close` must follow."""
        self._waiting.extend(sorted(shards, key=lambda one: (-one.rows, one)))
        while self._waiting or any(one.shard for one in self._workers):
            self._hand_out()
            self._listen(progress)

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
                worker.link.send(Asked(shard, self._trouble(shard).lessons))
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
                f"A worker process cannot be started ({why(error)}). Use fewer workers."
            ) from error
        theirs.close()
        self._workers.append(_Worker(process, ours, Marks(cells)))

    def _listen(self, progress: Progress) -> None:
        by_link = {one.link: one for one in self._workers}
        for link in wait(list(by_link), _LOOK_SECONDS):
            worker = by_link[cast("Connection", link)]
            try:
                told = worker.link.recv()
            except (EOFError, OSError):
                self._ended(worker)
            else:
                self._told(worker, told, progress)
        for worker in list(self._workers):
            if worker.marks.seconds() > self._settings.group_seconds:
                self._too_slow(worker)
            elif not worker.is_ready and time.monotonic() - worker.since > _START_SECONDS:
                self._stop(worker)
                raise ProcessingError("A worker process did not start in time.")

    def _told(self, worker: _Worker, told: Told, progress: Progress) -> None:
        if told.unwritten:
            raise OutputError(
                f"{told.unwritten}. "
                "What is done is kept; make room, or mend it, and go on with --resume."
            )
        if told.trouble:
            raise ProcessingError(f"The work cannot go on: {told.trouble}")
        worker.is_ready, self._starts = True, 0
        if worker.shard is not None:
            worker.shard = None
            progress(told.results + told.failures, told.failures)

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
        trouble = self._trouble(shard)
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
            self._trouble(shard).ends[at] += 1
            self._learn(shard, at, (Reason.TIME_LIMIT, message))
        self._again(shard)

    def _learn(self, shard: Shard, at: tuple[int, int, int, int], failure: Failure) -> None:
        """What ended a worker, or kept it, is left out, or told apart better."""
        trouble, (stage, first, _, count) = self._trouble(shard), at
        lessons, document_id = trouble.lessons, self._document_of(shard, first)
        if Marks.reads(stage):
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
        table = spill.whole(self._layout.claims_of(shard), CLAIMS)
        found = table.filter(pc.equal(table["row"], row))
        return str(found["document_id"][0].as_py())

    def _again(self, shard: Shard) -> None:
        trouble = self._trouble(shard)
        if trouble.ends.total() > MOST_ENDS:
            table = spill.whole(self._layout.claims_of(shard), CLAIMS)
            failure = (Reason.WORKER_DIED, f"workers ended more than {MOST_ENDS} times near it")
            for document_id in pc.unique(table["document_id"]).to_pylist():
                trouble.lessons.documents.setdefault(document_id, failure)
        self._waiting.appendleft(shard)

    def _trouble(self, shard: Shard) -> _Trouble:
        return self._troubles.setdefault(shard, _Trouble())

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
