"""Tells many listeners how jobs change, with one query for all of them."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable

from veridical.errors import VeridicalError
from veridical.service.context import Bounds, Places
from veridical.store.jobs import Job, JobBoard

POLL_SECONDS = 0.25
SEATS = Bounds(places=200, of_group=200, of_one=20)
"""Of listeners: in all, and of one token, or of one address with open access."""

HEARTBEAT_SECONDS = 15.0
"""After so long without a change listeners are told that there was none."""

LIFE_SECONDS = 3_600.0
"""How long one may listen at a time."""

Change = Job | None
"""A job after it changed; None where all is as it was."""


async def _always() -> bool:
    return True


class JobWatch:
    """One for an application. Listeners are on its event loop; `close` may come from any thread."""

    def __init__(self, board: JobBoard) -> None:
        self._board = board
        self._listeners: Counter[str] = Counter()
        self._latest: dict[str, Change] = {}
        self._looked = asyncio.Event()
        self._looking: asyncio.Task[None] | None = None
        self._closed = False
        self.seats = Places(SEATS)
        """Whoever listens should have one."""

    @property
    def listeners(self) -> int:
        """How many listen now."""
        return self._listeners.total()

    def open(self) -> None:
        """Let listeners stay: from the start, and again after `close`."""
        self._closed = False

    def close(self) -> None:
        """Let all listeners go, within `POLL_SECONDS`."""
        self._closed = True

    async def changes(
        self,
        job: Job,
        seen: int | None = None,
        *,
        is_ending: Callable[[], bool] = lambda: False,
        may_listen: Callable[[], Awaitable[bool]] = _always,
    ) -> AsyncIterator[Change]:
        """`job`, unless its revision is the one that was `seen`, and then each change of it.

        Ends when the job is over or gone, after `LIFE_SECONDS`, when the server `is_ending`, and
        when the listener no longer `may_listen`, which is asked before anything is told.
        """
        clock = asyncio.get_running_loop().time
        ends, quiet_since = clock() + LIFE_SECONDS, clock()
        self._listeners[job.id] += 1
        try:
            while True:
                is_news = job.revision != seen
                if is_news or clock() - quiet_since >= HEARTBEAT_SECONDS:
                    if not await may_listen():
                        return
                    yield job if is_news else None
                    seen, quiet_since = job.revision, clock()
                if job.state.is_over or self._closed or is_ending() or clock() >= ends:
                    return
                await self._next_look()
                latest = self._latest.get(job.id, job)
                if latest is None:
                    return
                job = latest
        finally:
            self._listeners[job.id] -= 1
            if not self._listeners[job.id]:
                del self._listeners[job.id]
                self._latest.pop(job.id, None)

    async def _next_look(self) -> None:
        if self._looking is None or self._looking.done():
            self._looked = asyncio.Event()
            self._looking = asyncio.create_task(self._look_on())
        await self._looked.wait()

    async def _look_on(self) -> None:
        """Look, and tell everyone, as long as there is anyone."""
        try:
            while self._listeners and not self._closed:
                await asyncio.sleep(POLL_SECONDS)
                try:
                    self._latest = await asyncio.to_thread(self._look, tuple(self._listeners))
                except VeridicalError:  # the database is gone for now: nothing has changed
                    self._latest = {}
                looked, self._looked = self._looked, asyncio.Event()
                looked.set()
        finally:
            self._looked.set()

    def _look(self, job_ids: tuple[str, ...]) -> dict[str, Change]:
        """The jobs of these ids: one query for those that are open, one for each that ended."""
        found: dict[str, Change] = {one.job.id: one.job for one in self._board.open_jobs()}
        for job_id in set(job_ids) - set(found):
            ended = self._board.get(job_id)
            found[job_id] = ended.job if ended else None
        return {job_id: found[job_id] for job_id in job_ids}
