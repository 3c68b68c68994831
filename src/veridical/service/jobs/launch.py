"""DBOS for the jobs of a service: launched, and at its end gone without a trace. Imports DBOS."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from dbos import DBOS, DBOSPortableJSONSerializer

from veridical.service.jobs.place import SCHEMA, JobsPlace
from veridical.store.dbos_process import dbos_log_level, dbos_to_ourselves, dbos_url

APPLICATION = "veridical-service"
STORED_FORM = "1"
"""The form in which workflows are stored. DBOS leaves those of another form to whoever knows it."""

_LOGGER = logging.getLogger(__name__)
_CONNECTIONS = 6
_LISTEN_SECONDS = 0.1
"""How often DBOS looks for messages between workflows, of which there are none here: its end waits
for the next look."""

_EARLIER_SECONDS = 30.0
"""How long another user of DBOS in this process is waited for: a service that is ending."""


@contextmanager
def dbos_launched(place: JobsPlace) -> Iterator[None]:
    """DBOS at work under the name of this process, taking nothing from any queue by itself.

    Raises ProcessingError where this process uses DBOS for something else, StoreError where the
    database cannot be used.
    """
    with dbos_to_ourselves(_LOGGER, wait_seconds=_EARLIER_SECONDS):
        DBOS(
            config={
                "name": APPLICATION,
                "system_database_url": dbos_url(place.database),
                "dbos_system_schema": SCHEMA,
                "sys_db_pool_size": _CONNECTIONS,
                "executor_id": place.presence.executor_id,
                "application_version": STORED_FORM,
                "serializer": DBOSPortableJSONSerializer(),
                "log_level": dbos_log_level(),
                "enable_otlp": False,
                "notification_listener_polling_interval_sec": _LISTEN_SECONDS,
            }
        )
        try:
            with place.database.errors():
                DBOS.listen_queues([])
                DBOS.launch()
            yield
        finally:
            DBOS.destroy()
