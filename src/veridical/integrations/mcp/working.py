"""Calls are worked on in threads, a few at a time, so that the protocol is always answered."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from veridical.errors import ProcessingError, TooManyJobsError
from veridical.integrations.mcp import limits

T = TypeVar("T")

Report = Callable[[float, float | None, str | None], Awaitable[None]]
"""Tells the client how much is done, of how much, and what: nothing where it did not ask."""


class CallCancelled(Exception):  # an end, not a defect
    """The client has taken its call back."""


class Job:
    """One call as its thread sees it: it says how far it is, and learns that it is to end."""

    def __init__(self, seconds: float = limits.CALL_SECONDS) -> None:
        self._ends = time.monotonic() + seconds
        self._cancelled = threading.Event()
        self.told: tuple[int, int, str] | None = None

    def cancel(self) -> None:
        """Ask the thread to end where it next looks."""
        self._cancelled.set()

    def tell(self, done: int, total: int, doing: str) -> None:
        """Say how far the work is."""
        self.told = (done, total, doing)

    def check(self) -> None:
        """Raises CallCancelled where the client went away, ProcessingError where time is up."""
        if self._cancelled.is_set():
            raise CallCancelled
        if time.monotonic() > self._ends:
            raise ProcessingError(
                f"the call took longer than {limits.CALL_SECONDS:g} seconds. Ask for less at once."
            )


class Workers:
    """Threads for calls, `limits.WORKERS` of them."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(limits.WORKERS, thread_name_prefix="veridical-mcp")
        self._places = threading.BoundedSemaphore(limits.MAX_WAITING)

    def begin(self, work: Callable[[Job], object]) -> None:
        """Do something that nobody waits for."""
        self._pool.submit(work, Job())

    async def run(self, work: Callable[[Job], T], report: Report) -> T:
        """What `work` returns or raises. To be called from the event loop.

        Where the caller is cancelled, work that has begun ends where it next looks, and work that
        waits is not begun. Raises TooManyJobsError where too much is waiting.
        """
        if not self._places.acquire(blocking=False):
            raise TooManyJobsError(
                f"{limits.MAX_WAITING} calls are waiting already, which is the limit. Wait for "
                "some of them, then call again."
            )
        job = Job()
        begun = self._pool.submit(work, job)
        # Not when the caller is gone: the thread is at work until it looks.
        begun.add_done_callback(lambda _: self._places.release())
        future = asyncio.wrap_future(begun)
        try:
            return await self._awaited(future, job, report)
        except asyncio.CancelledError:
            job.cancel()
            future.cancel()
            raise

    async def _awaited(self, future: asyncio.Future[T], job: Job, report: Report) -> T:
        told = None
        while True:
            done, _ = await asyncio.wait((future,), timeout=limits.PROGRESS_SECONDS)
            if done:
                return future.result()
            if job.told is not None and job.told != told:
                told = job.told
                await report(float(told[0]), float(told[1]), told[2])
