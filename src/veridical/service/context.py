"""What a running service has: settings, the store, corpora and the job engine, made once; and how
calls share the database, and places for what may wait long.
"""

from __future__ import annotations

import asyncio
import contextvars
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from starlette.requests import HTTPConnection

from veridical.errors import StoreError
from veridical.service.inquiring.ledger_view import LedgerViews
from veridical.service.reading.viewing import Viewing
from veridical.service.settings import ServiceSettings

if TYPE_CHECKING:
    from veridical.service.corpora import Corpora, Folders
    from veridical.service.entry.identity import Identities
    from veridical.service.jobs.engine import JobEngine
    from veridical.service.observing.observed import Metrics
    from veridical.store.store import Store


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
    one, `in_line_of_group` of them of one group, for `seconds`; nobody, unless told otherwise.
    """

    places: int
    of_group: int
    of_one: int
    in_line: int = 0
    in_line_of_group: int = 0
    seconds: float = 0.0


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


SECONDS = 2.0
"""How long the database may take: whoever watches over the service gives up soon after."""


class Pings:
    """Looks that never wait for the threads that calls share, nor for longer than `SECONDS`.

    All who ask meanwhile share one, so that a database that hangs holds one thread. To be used from
    the event loop only.
    """

    def __init__(self) -> None:
        self._under_way: asyncio.Task[str] | None = None
        self._fresh_until = 0.0

    async def look(self, ping: Callable[[], None]) -> str:
        """What keeps `ping` from coming back in time, without a StoreError; empty where it does."""
        task = self._under_way
        is_old = task is None or (task.done() and time.monotonic() > self._fresh_until)
        if task is None or is_old or task.get_loop() is not asyncio.get_running_loop():
            self._fresh_until = time.monotonic() + _FRESH_SECONDS
            task = self._under_way = asyncio.create_task(_problem(ping))
        done, _ = await asyncio.wait((task,), timeout=SECONDS)
        return task.result() if done else _NO_ANSWER


_FRESH_SECONDS = 1.0
"""How long one look does for all who ask: each writes a row."""

_NO_ANSWER = "the database does not answer"


async def _problem(ping: Callable[[], None]) -> str:
    try:
        await in_own_thread(ping)
    except StoreError as error:
        told = (error.public or _NO_ANSWER).rstrip(".")
        return told[0].lower() + told[1:]
    return ""


ASKING = Bounds(places=24, of_group=12, of_one=8, in_line=1_000, in_line_of_group=400, seconds=10.0)
"""Questions that are answered at once: each may wait for a model. A group is a workspace."""


@dataclass(frozen=True, slots=True)
class Service:
    """`app.state.service`. Requests reach the store through `Access.shelf` only.

    `stopping` is set when the server begins to stop: what sends events must end then. `asking`
    holds the places of those whose questions are answered at once, `pings` looks whether the
    database answers.
    """

    settings: ServiceSettings
    store: Store
    corpora: Corpora
    jobs: JobEngine
    folders: Folders
    identities: Identities
    metrics: Metrics
    ledgers: LedgerViews = field(default_factory=LedgerViews)
    viewing: Viewing = field(default_factory=Viewing)
    asking: Places = field(default_factory=lambda: Places(ASKING))
    pings: Pings = field(default_factory=Pings)
    stopping: threading.Event = field(default_factory=threading.Event)


def service_of(request: HTTPConnection) -> Service:
    """The service that a request came to."""
    service = request.app.state.service
    assert isinstance(service, Service)  # noqa: S101  # set where the application is made
    return service
