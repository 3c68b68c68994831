"""Listeners are told of each change, once, by one look for all of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from veridical.errors import StoreUnavailable
from veridical.service.jobs import watching
from veridical.service.jobs.watching import JobWatch
from veridical.store.jobs import Job, JobBoard, JobState, OpenJob
from veridical.store.records import RecordKind
from veridical.store.store import Store


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    monkeypatch.setattr(watching, "POLL_SECONDS", 0.01)
    with Store.open(tmp_path / "service.db") as opened:
        yield opened


def added(store: Store) -> Job:
    return store.shelf().records.add(RecordKind.VALIDATION, "quotes", {})[1]


async def states(watch: JobWatch, job: Job, seen: int | None = None) -> list[str]:
    return [
        f"{change.state} {change.done}" if change else "-"
        async for change in watch.changes(job, seen)
    ]


async def until(wished: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not wished():  # noqa: ASYNC110  # there is nothing to wait for but what others do
            await asyncio.sleep(0.005)


class CountingBoard(JobBoard):
    """Counts how often it is asked for all, and can be gone."""

    looks = 0
    gone = False

    def open_jobs(self, limit: int = 1_000) -> Sequence[OpenJob]:
        self.looks += 1
        if self.gone:
            raise StoreUnavailable("gone")
        return super().open_jobs(limit)


def test_one_look_is_for_all_and_there_is_none_without_listeners(store: Store) -> None:
    board = CountingBoard(store._database)
    watch, jobs = JobWatch(board), [added(store) for _ in range(20)]

    async def listen() -> None:
        listening = [asyncio.create_task(states(watch, job)) for job in jobs]
        await until(lambda: board.looks >= 5)
        for job in jobs:
            store.shelf().jobs.ask_to_cancel(job.id)
        assert await asyncio.gather(*listening) == [["waiting 0", "cancelled 0"]] * 20
        await until(lambda: len(asyncio.all_tasks()) == 1)  # nobody looks any longer

    asyncio.run(listen())
    assert board.looks < 100


def test_a_database_that_is_gone_ends_no_stream(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "HEARTBEAT_SECONDS", 0.05)
    board = CountingBoard(store._database)
    watch, job = JobWatch(board), added(store)

    async def listen() -> list[str]:
        listening = asyncio.create_task(states(watch, job))
        await until(lambda: board.looks >= 2)
        board.gone, looks = True, board.looks
        await until(lambda: board.looks >= looks + 10)
        board.gone = False
        store.job_board.end(job.id, JobState.FAILED, "no")
        return await listening

    heard = asyncio.run(listen())
    assert (heard[0], heard[-1]) == ("waiting 0", "failed 0")
    assert set(heard[1:-1]) == {"-"}


def test_whoever_may_not_listen_any_longer_is_let_go_at_a_heartbeat(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "HEARTBEAT_SECONDS", 0.02)
    watch, job, asked = JobWatch(store.job_board), added(store), 0

    async def may_listen() -> bool:
        nonlocal asked
        asked += 1
        return asked < 4

    async def listen() -> list[Job | None]:
        async with asyncio.timeout(60):
            return [change async for change in watch.changes(job, may_listen=may_listen)]

    assert asyncio.run(listen()) == [job, None, None]
    assert watch.listeners == 0
