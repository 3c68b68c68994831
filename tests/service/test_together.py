"""Looks that are shared: never one that began before somebody asked for it."""

from __future__ import annotations

import asyncio
import threading

import pytest

from veridical.service.context import Coalescer

WAIT = 20.0


class Counted:
    """Work that waits to be let go, and returns how often it was begun."""

    def __init__(self) -> None:
        self.begun = 0
        self.go_on = threading.Semaphore(0)
        self.is_begun = threading.Event()

    def __call__(self) -> int:
        self.begun += 1
        mine = self.begun
        self.is_begun.set()
        assert self.go_on.acquire(timeout=WAIT)
        return mine

    async def has_begun(self) -> None:
        assert await asyncio.to_thread(self.is_begun.wait, WAIT)
        self.is_begun.clear()


def test_who_asks_during_a_look_waits_for_the_next_and_shares_it() -> None:
    async def story() -> tuple[int, list[int]]:
        together, work = Coalescer[str, int](), Counted()
        first = asyncio.create_task(together.look("a", work))
        await work.has_begun()
        later = [asyncio.create_task(together.look("a", work)) for _ in range(5)]
        await asyncio.sleep(0)
        work.go_on.release(2)
        return await first, [await one for one in later]

    assert asyncio.run(story()) == (1, [2, 2, 2, 2, 2])


def test_a_failure_reaches_all_who_share_the_look_and_none_after() -> None:
    def fail() -> int:
        raise ValueError("gone")

    async def story() -> int:
        together = Coalescer[str, int]()
        both = await asyncio.gather(
            together.look("a", fail), together.look("a", fail), return_exceptions=True
        )
        assert [str(one) for one in both] == ["gone", "gone"]
        return await together.look("a", lambda: 3)

    assert asyncio.run(story()) == 3


def test_one_who_goes_away_takes_nothing_from_the_others() -> None:
    async def story() -> int:
        together, work = Coalescer[str, int](), Counted()
        leaving = asyncio.create_task(together.look("a", work))
        staying = asyncio.create_task(together.look("a", work))
        await work.has_begun()
        leaving.cancel()
        with pytest.raises(asyncio.CancelledError):
            await leaving
        work.go_on.release()
        return await staying

    assert asyncio.run(story()) == 1
