"""What a running service has: settings, the store, corpora and the job engine, made once."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from starlette.requests import HTTPConnection

from veridical.service.entry.places import Bounds, Places
from veridical.service.inquiring.ledger_view import LedgerViews, SentLedger
from veridical.service.observing.pings import Pings
from veridical.service.reading.viewing import Viewing
from veridical.service.settings import ServiceSettings
from veridical.service.together import Together

if TYPE_CHECKING:
    from veridical.service.corpora import Corpora
    from veridical.service.entry.identity import Identities
    from veridical.service.jobs.engine import JobEngine
    from veridical.service.observing.metrics import Metrics
    from veridical.service.reading.folders import Folders
    from veridical.store.store import Store

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
    looks: Together[tuple[str, str], SentLedger] = field(default_factory=Together)
    viewing: Viewing = field(default_factory=Viewing)
    asking: Places = field(default_factory=lambda: Places(ASKING))
    pings: Pings = field(default_factory=Pings)
    stopping: threading.Event = field(default_factory=threading.Event)


def service_of(request: HTTPConnection) -> Service:
    """The service that a request came to."""
    service = request.app.state.service
    assert isinstance(service, Service)  # noqa: S101  # set where the application is made
    return service
