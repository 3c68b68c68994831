"""A worker process: takes shards from the parent, and says in shared memory what it is at, so that
the parent knows what it was that ended it or keeps it.
"""

from __future__ import annotations

import ctypes
import gc
import multiprocessing
import os
import resource
import signal
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import ClassVar, Protocol

from veridical.bulk.durable import why
from veridical.bulk.parting import Shard
from veridical.bulk.shard import CHECKING, READING, WRITING, Lessons, ShardWorker
from veridical.bulk.unit import BulkClaim
from veridical.errors import VeridicalError

SAFE_PATH = {"PYTHONSAFEPATH": "1"}
"""In the environment of whatever is started: else modules of the current folder, which may be one
of somebody's data, would be taken for those of Python."""

IDLE = 0
"""Of `Marks.stage`: at nothing that a claim or a document could be blamed for."""

_MADE_BETWEEN = 20_000
"""Objects that are made before Python looks for those that refer to each other alone."""

_STAGES = {WRITING: IDLE, READING: 1, CHECKING: 2}
_DIE_WITH_PARENT = 1
"""PR_SET_PDEATHSIG of Linux: the signal that the system sends once the parent is gone."""


class Cells(Protocol):
    """Numbers that two processes share."""

    def __getitem__(self, at: int) -> float: ...

    def __setitem__(self, at: int, value: float) -> None: ...


@dataclass(frozen=True, slots=True)
class Marks:
    """What a worker is at, in five shared numbers: stage, the first and last row and how many rows
    of its claims, and since when (`time.monotonic`, which all processes of a machine share).
    """

    LENGTH: ClassVar = 5

    cells: Cells

    def set(self, stage: str, claims: Sequence[BulkClaim]) -> None:
        """Say what comes next."""
        cells = self.cells
        cells[0] = (
            IDLE  # whoever reads meanwhile must not take the rows of one for those of another
        )
        if claims:
            cells[1], cells[2], cells[3] = claims[0].row, claims[-1].row, len(claims)
            cells[4] = time.monotonic()
            cells[0] = _STAGES[stage]

    def clear(self) -> None:
        """Say that nothing is done."""
        self.cells[0] = IDLE

    @property
    def at(self) -> tuple[int, int, int, int] | None:
        """Stage, first row, last row and number of rows; None while nothing is done."""
        stage, first, last, count = (int(self.cells[i]) for i in range(4))
        return None if stage == IDLE else (stage, first, last, count)

    @staticmethod
    def reads(stage: int) -> bool:
        """Whether a stage is that of reading a document."""
        return stage == _STAGES[READING]

    def seconds(self) -> float:
        """For how long it has been at it."""
        return time.monotonic() - self.cells[4] if self.at else 0.0


@dataclass(frozen=True, slots=True)
class Asked:
    """Work for a worker."""

    shard: Shard
    lessons: Lessons


@dataclass(frozen=True, slots=True)
class Told:
    """What came of it: rows in the part and in the failures; or, for which the whole run must stop,
    `unwritten`, why a file cannot be written, such as a full disk, or `trouble` of another kind.
    """

    results: int = 0
    failures: int = 0
    unwritten: str = ""
    trouble: str = ""


def serve(link: Connection, cells: Cells, worker: ShardWorker, memory_bytes: int) -> None:
    """Work on what comes over the link until it is closed. Runs in a process of its own."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what an interruption means
    _end_with_parent()
    _bound_memory(memory_bytes)
    _collect_rarely()
    marks = Marks(cells)
    try:
        link.send(Told())
        while True:
            link.send(_done(worker, link.recv(), marks))
    except (EOFError, OSError):  # the parent is gone
        return


def _done(worker: ShardWorker, asked: Asked, marks: Marks) -> Told:
    try:
        results, failures = worker.work(asked.shard, asked.lessons, marks.set)
    except OSError as error:
        # Arrow does not tell at which file, but the part is written last.
        where = error.filename or worker.part_of(asked.shard)
        return Told(unwritten=f"{where}: it cannot be written ({why(error)})")
    except Exception as error:  # noqa: BLE001  # the parent must hear of it, to try no further
        where = worker.part_of(asked.shard)
        is_ours = isinstance(error, VeridicalError)
        said = str(error) if is_ours else f"{where}: {type(error).__name__}: {error}"
        return Told(trouble=said)
    finally:
        marks.clear()
    return Told(results, failures)


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


def _collect_rarely() -> None:
    """What was imported stays, and little of what a shard makes refers to itself: to look for that
    as often as Python does by itself takes a twentieth of the time.
    """
    gc.freeze()
    gc.set_threshold(_MADE_BETWEEN)


def _bound_memory(most: int) -> None:
    if most:
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        least = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (least, hard))
