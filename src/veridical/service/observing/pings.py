"""Does the database answer? Asked in a way that itself always answers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from veridical.errors import StoreError
from veridical.service.entry.places import in_own_thread

SECONDS = 2.0
"""How long the database may take: whoever watches over the service gives up soon after."""


class Pings:
    """Looks that never wait for the threads that calls share, nor for longer than `SECONDS`.

    All who ask meanwhile share one, so that a database that hangs holds one thread. To be used from
    the event loop only.
    """

    def __init__(self) -> None:
        self._under_way: asyncio.Task[bool] | None = None

    async def look(self, ping: Callable[[], None]) -> bool:
        """Whether `ping` comes back in time, without a StoreError."""
        task = self._under_way
        if task is None or task.done() or task.get_loop() is not asyncio.get_running_loop():
            task = self._under_way = asyncio.create_task(_answers(ping))
        done, _ = await asyncio.wait((task,), timeout=SECONDS)
        return bool(done) and task.result()


async def _answers(ping: Callable[[], None]) -> bool:
    try:
        await in_own_thread(ping)
    except StoreError:
        return False
    return True
