"""Places for what may wait long, such as the answer of a model: so many in all and of each, in
threads of their own, so that the threads that all other calls share are never used up.
"""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections import Counter
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")


async def in_own_thread(work: Callable[[], T]) -> T:
    """What `work` returns or raises, done in a thread that nobody else uses.

    Nobody waits for that thread at the end of the process: a model may be silent for minutes.
    """
    done: Future[T] = Future()
    around = contextvars.copy_context()

    def run() -> None:
        try:
            done.set_result(around.run(work))
        except BaseException as problem:  # noqa: BLE001 - raised again by whoever waits
            done.set_exception(problem)

    done.set_running_or_notify_cancel()
    threading.Thread(target=run, daemon=True, name="veridical-own").start()
    return await asyncio.wrap_future(done)


@dataclass(frozen=True, slots=True)
class Bounds:
    """How many have a place at a time: in all, of a group, and of one of it. `in_line` may wait for
    one, `in_line_of_group` of them of one group, for `seconds`.
    """

    places: int
    of_group: int
    of_one: int
    in_line: int
    in_line_of_group: int
    seconds: float


@dataclass(frozen=True, slots=True, eq=False)
class _Waiting:
    group: str
    one: str
    called: asyncio.Future[None]


class Places:
    """Gives places in the order of coming, past those whose group has all that it may have. To be
    used from the event loop only.
    """

    def __init__(self, bounds: Bounds) -> None:
        self.bounds = bounds
        self._of_group: Counter[str] = Counter()
        self._of_one: Counter[tuple[str, str]] = Counter()
        self._line: list[_Waiting] = []

    @asynccontextmanager
    async def one_for(self, group: str, one: str) -> AsyncIterator[bool]:
        """Whether there is a place, soon enough; whoever has it keeps it until the block ends."""
        is_given = await self._given(group, one)
        try:
            yield is_given
        finally:
            if is_given:
                self._leave(group, one)

    async def _given(self, group: str, one: str) -> bool:
        if self._is_free(group, one):
            self._take(group, one)
            return True
        of_group = sum(waiting.group == group for waiting in self._line)
        if len(self._line) >= self.bounds.in_line or of_group >= self.bounds.in_line_of_group:
            return False
        waiting = _Waiting(group, one, asyncio.get_running_loop().create_future())
        self._line.append(waiting)
        try:
            await asyncio.wait((waiting.called,), timeout=self.bounds.seconds)
        except asyncio.CancelledError:
            if waiting.called.done():
                self._leave(group, one)
            raise
        finally:
            if waiting in self._line:
                self._line.remove(waiting)
        return waiting.called.done()

    def _is_free(self, group: str, one: str) -> bool:
        return (
            self._of_group.total() < self.bounds.places
            and self._of_group[group] < self.bounds.of_group
            and self._of_one[group, one] < self.bounds.of_one
        )

    def _take(self, group: str, one: str) -> None:
        self._of_group[group] += 1
        self._of_one[group, one] += 1

    def _leave(self, group: str, one: str) -> None:
        # Subtracted so, those who have none any more are dropped.
        self._of_group -= Counter((group,))
        self._of_one -= Counter(((group, one),))
        for waiting in tuple(self._line):
            if self._is_free(waiting.group, waiting.one):
                self._line.remove(waiting)
                self._take(waiting.group, waiting.one)
                waiting.called.set_result(None)
