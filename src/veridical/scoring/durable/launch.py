"""DBOS for one run, in a process that does not use it otherwise: quiet, and gone at the end."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from dbos import DBOS, DBOSClient, DBOSPortableJSONSerializer, error

from veridical.errors import ProcessingError
from veridical.scoring.durable.identity import STORED_FORM
from veridical.store.dbos_process import dbos_log_level, dbos_to_ourselves, dbos_url
from veridical.store.engine import Database

APPLICATION = "veridical-scoring"
SCHEMA = "veridical_scoring"
"""Where DBOS keeps its tables on PostgreSQL, apart from those of whoever else uses DBOS there."""

_LOGGER = logging.getLogger(__name__)
_CONNECTIONS = 6
"""In one run: its steps write one after the other for the most part, and short."""

_POLL_SECONDS = 0.05


@contextmanager
def dbos_prepared(database: Database) -> Iterator[DBOSClient]:
    """A client of a database that has the tables of DBOS; made if it has none.

    DBOS is one to a process, so threads wait here for each other.
    Raises ProcessingError where this process uses DBOS for something else, StoreError where the
    database cannot be used.
    """
    url = dbos_url(database)
    with dbos_to_ourselves(_LOGGER), database.errors(), ExitStack() as stack:
        DBOS.migrate(url, schema=SCHEMA)
        client = DBOSClient(
            system_database_url=url,
            dbos_system_schema=SCHEMA,
            serializer=DBOSPortableJSONSerializer(),
            system_database_pool_size=2,
            application_name=APPLICATION,
        )
        stack.callback(client.destroy)
        try:
            yield client
        except error.DBOSException as problem:
            raise ProcessingError(
                f"{database.place}: DBOS cannot go on ({type(problem).__name__}). Run the same "
                "command again, or take another resume id"
            ) from problem


@contextmanager
def dbos_launched(database: Database, run_id: str) -> Iterator[None]:
    """DBOS at work for one run, and for no other: what another run left behind is not recovered.

    Recovery asks for the executor and the version of the application, and what is to be recovered
    waits in a queue where only the version counts; so both are the run's own.
    """
    DBOS(
        config={
            "name": APPLICATION,
            "system_database_url": dbos_url(database),
            "dbos_system_schema": SCHEMA,
            "sys_db_pool_size": _CONNECTIONS,
            "executor_id": run_id,
            "application_version": version_of(run_id),
            "serializer": DBOSPortableJSONSerializer(),
            "log_level": dbos_log_level(),
            "notification_listener_polling_interval_sec": _POLL_SECONDS,
            "enable_otlp": False,
        }
    )
    try:
        DBOS.launch()
        yield
    finally:
        DBOS.destroy()


def version_of(run_id: str) -> str:
    """The application version under which a run's workflows are stored."""
    return f"{STORED_FORM}/{run_id}"
