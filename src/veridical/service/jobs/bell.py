"""Has DBOS look for work as soon as there is some, and seldom where there is none.

DBOS looks into a queue at a fixed pace. At a pace that nobody notices, it would keep an idle
service busy; so the thread that looks is started here, with an event that can also be rung.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import dbos._dbos
import dbos._queue
from dbos import DBOS

QUEUE = "veridical-jobs"
IDLE_SECONDS = 1.0
"""How soon a process finds what another one has left to do."""

BUSY_SECONDS = 0.1
"""How soon it takes up the next job where it works on some."""


class Bell(threading.Event):
    """Set for good when the thread that waits for it is to end; a ring only wakes it."""

    def __init__(self, is_busy: Callable[[], bool]) -> None:
        super().__init__()
        self._is_busy = is_busy
        self._woken = threading.Event()

    def ring(self) -> None:
        """Have it look now."""
        self._woken.set()

    def set(self) -> None:
        """Have it end."""
        super().set()
        self._woken.set()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for a ring, at most `timeout` seconds; whether it is to end."""
        ends = time.monotonic() + (IDLE_SECONDS if timeout is None else timeout)
        while not self._woken.wait(BUSY_SECONDS) and not self._is_busy():
            if time.monotonic() >= ends:
                break
        self._woken.clear()
        return self.is_set()


def work_off_queue(workers: int, bell: Bell) -> threading.Thread:
    """Have jobs taken from the queue, at most `workers` at a time, until `bell` is set.

    DBOS has been told to leave the queue alone (`listen_queues`); it is registered all the same,
    so that jobs can be put into it.
    """
    DBOS.register_queue(QUEUE, polling_interval_sec=IDLE_SECONDS, on_conflict="always_update")
    ours = dbos._queue.Queue(
        QUEUE,
        worker_concurrency=workers,
        polling_interval_sec=IDLE_SECONDS,
        token=dbos._queue._INTERNAL_QUEUE_CONSTRUCTION,
    )
    thread = threading.Thread(
        target=dbos._queue.queue_worker_thread,
        args=(bell, dbos._dbos._get_dbos_instance(), ours),
        daemon=True,
        name="veridical-jobs-queue",
    )
    thread.start()
    return thread
