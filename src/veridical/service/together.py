"""One look at the database for all who ask for the same thing at the same time.

Whoever asks is served by a look that begins after they asked, never by one under way: what they get
is as new as if each had looked alone.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from starlette.concurrency import run_in_threadpool

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Together(Generic[K, V]):
    """Looks under way by what they look for. To be used from the event loop only."""

    def __init__(self) -> None:
        self._under_way: dict[K, asyncio.Task[V]] = {}
        self._next: dict[K, asyncio.Task[V]] = {}

    async def look(self, key: K, work: Callable[[], V]) -> V:
        """What `work` returns or raises, done in a thread; those who ask meanwhile share the next
        one, so `work` must be the same for the same key.
        """
        task = self._next.get(key)
        if task is None:
            task = asyncio.create_task(self._do(key, work, self._under_way.get(key)))
            self._next[key] = task
        # Shielded: others wait for it too when one of them goes away.
        return await asyncio.shield(task)

    async def _do(self, key: K, work: Callable[[], V], before: asyncio.Task[V] | None) -> V:
        if before is not None:
            await asyncio.wait((before,))
        own = self._under_way[key] = self._next.pop(key)
        try:
            return await run_in_threadpool(work)
        finally:
            if self._under_way.get(key) is own:
                del self._under_way[key]
