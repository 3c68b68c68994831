"""Tells listeners how jobs change."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

from veridical.errors import VeridicalError
from veridical.service.context import Bounds, Places
from veridical.store.jobs import Job, JobBoard

POLL_SECONDS = 0.5
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
        self._closed = False
        self.seats = Places(SEATS)
        """Whoever listens should have one."""

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
        while True:
            is_news = job.revision != seen
            if is_news or clock() - quiet_since >= HEARTBEAT_SECONDS:
                if not await may_listen():
                    return
                yield job if is_news else None
                seen, quiet_since = job.revision, clock()
            if job.state.is_over or self._closed or is_ending() or clock() >= ends:
                return
            await asyncio.sleep(POLL_SECONDS)
            latest = await asyncio.to_thread(self._look, job)
            if latest is None:
                return
            job = latest

    def _look(self, job: Job) -> Change:
        """The job as it is now, None where it is gone."""
        try:
            found = self._board.get(job.id)
        except VeridicalError:  # the database is gone for now: nothing has changed
            return job
        return None if found is None else found.job
