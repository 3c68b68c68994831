"""What a running service has: settings, the store, corpora and the job engine, made once."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection

from veridical.errors import StoreError
from veridical.service.entry.places import Bounds, Places, in_own_thread
from veridical.service.inquiring.ledger_view import LedgerViews, SentLedger
from veridical.service.reading.viewing import Viewing
from veridical.service.settings import ServiceSettings

if TYPE_CHECKING:
    from veridical.service.corpora import Corpora
    from veridical.service.entry.identity import Identities
    from veridical.service.jobs.engine import JobEngine
    from veridical.service.observing.observed import Metrics
    from veridical.service.reading.folders import Folders
    from veridical.store.store import Store

# Does the database answer? Asked in a way that itself always answers.


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


# One look at the database for all who ask for the same thing at the same time.


K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Coalescer(Generic[K, V]):
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


ASKING = Bounds(places=24, of_group=12, of_one=8, in_line=1_000, in_line_of_group=400, seconds=10.0)
"""Questions that are answered at once: each may wait for a model. A group is a workspace."""


@dataclass(frozen=True, slots=True)
class Service:
    """`app.state.service`. Requests reach the store through `Access.shelf` only.

    `looks` are those at ledgers that are sent whole, by workspace and session. `stopping` is set
    when the server begins to stop: what sends events must end then. `asking` holds the places of
    those whose questions are answered at once, `pings` looks whether the database answers.
    """

    settings: ServiceSettings
    store: Store
    corpora: Corpora
    jobs: JobEngine
    folders: Folders
    identities: Identities
    metrics: Metrics
    ledgers: LedgerViews = field(default_factory=LedgerViews)
    looks: Coalescer[tuple[str, str], SentLedger] = field(default_factory=Coalescer)
    viewing: Viewing = field(default_factory=Viewing)
    asking: Places = field(default_factory=lambda: Places(ASKING))
    pings: Pings = field(default_factory=Pings)
    stopping: threading.Event = field(default_factory=threading.Event)


def service_of(request: HTTPConnection) -> Service:
    """The service that a request came to."""
    service = request.app.state.service
    assert isinstance(service, Service)  # noqa: S101  # set where the application is made
    return service
