"""A database by its URL: connections, and transactions that other writers do not break."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar
from uuid import UUID

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError

from veridical.errors import ConfigurationError, MissingExtraError
from veridical.ledger.ids import content_id
from veridical.store.columns import is_id
from veridical.store.failures import is_passing, out_of_room, readable, store_errors

BUSY_SECONDS = 60
"""How long a writer waits for another before it gives up, unless a database is opened otherwise."""

CONNECT_SECONDS = 10
"""How long a PostgreSQL server may take to answer, and how long it may be gone unnoticed."""

MOST_CONNECTIONS = 24
"""Connections of one process to one database, a third of them kept open."""

LEAST_FREE_BYTES = 16 * 1024 * 1024
"""A disk with less room than this takes no document of usual size: it is as good as full."""

ATTEMPTS = 5
"""How often a transaction that another writer broke is begun."""

_PAUSE_SECONDS = 0.05
_WRITES = "veridical_writes"
_POSTGRESQL = ("postgresql", "postgres", "postgresql+psycopg")
_SECRET = ("password", "passfile", "secret")
"""What is in the names of those parameters of libpq that are not shown."""

T = TypeVar("T")


def now() -> datetime:
    """The present moment, as every row of the service has it."""
    return datetime.now(UTC)


class Database:
    """An SQLite file or a PostgreSQL database.

    `place` names it in messages: never with a password. A writer waits `busy_seconds` for another
    one, and whoever asks waits as long for a connection.
    Raises ConfigurationError for a URL of another kind, MissingExtraError for PostgreSQL without
    its driver.
    """

    def __init__(self, url: str | os.PathLike[str], *, busy_seconds: float | None = None) -> None:
        self._url = _parsed(url)
        self.busy_seconds = BUSY_SECONDS if busy_seconds is None else busy_seconds
        self.is_postgresql = self._url.get_backend_name() == "postgresql"
        self.place = _place(self._url)
        self.engine = self._engine()
        self._writer = self.engine.execution_options(**{_WRITES: True})

    @property
    def file(self) -> Path | None:
        """The file of an SQLite database; None where there is none, or SQLite alone knows it."""
        name = self._url.database
        if self.is_postgresql or not name or name == ":memory:" or name.startswith("file:"):
            return None
        return Path(name)

    @property
    def shown_url(self) -> str:
        """The URL as the programs of PostgreSQL take it: without a password, but with all else that
        says which database it is, lest they reach another one.
        """
        return _for_programs(self._url, self.engine.dialect.create_connect_args(self._url)[1])

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()

    def reading(self, what: str | None = None) -> AbstractContextManager[Connection]:
        """A transaction that sees one state of the database and changes nothing. `what` is what
        errors call that which is read, where others may have changed its rows.
        """
        return self._connection("REPEATABLE READ", what)

    def glancing(self, what: str | None = None) -> AbstractContextManager[Connection]:
        """The same for a single query that is asked often: spares PostgreSQL the messages that
        begin and end a transaction.
        """
        return self._connection("AUTOCOMMIT", what)

    @contextmanager
    def _connection(self, isolation: str, what: str | None) -> Iterator[Connection]:
        with self.errors(), self.engine.connect() as connection:
            if self.is_postgresql:
                connection.execution_options(isolation_level=isolation)
            with nullcontext() if what is None else readable(what):
                yield connection

    def errors(self) -> AbstractContextManager[None]:
        """Turns what goes wrong inside into a StoreError."""
        return store_errors(self.place, self.engine.dialect.loaded_dbapi.Error)

    def write(self, work: Callable[[Connection], T], lock: str) -> T:
        """Do `work` in a transaction of its own, all or nothing, and return what it returns.

        `lock` is an id: of two writers with the same one, the second waits for the first. On
        SQLite all writers wait for each other. Where another writer breaks the transaction it is
        begun anew within `busy_seconds`, so `work` may run more than once.
        """
        deadline = time.monotonic() + self.busy_seconds
        with self.errors():
            for attempt in range(1, ATTEMPTS + 1):
                try:
                    with self._writer.begin() as connection:
                        if self.is_postgresql:
                            _wait_for(connection, lock, self.busy_seconds)
                        return work(connection)
                except (DBAPIError, self.engine.dialect.loaded_dbapi.Error) as error:
                    is_late = attempt == ATTEMPTS or time.monotonic() >= deadline
                    if is_late or not is_passing(error):
                        raise
                    time.sleep(_PAUSE_SECONDS * attempt)
        raise AssertionError("the last attempt returns or raises")

    def write_at_once(self, work: Callable[[Connection], object]) -> None:
        """Do `work` as `write` does, but where another writer of an SQLite file is at it, in which
        case it can be written to, leave it undone.
        """
        with self.errors(), self._writer.connect() as connection:
            driver: Any = connection.connection.driver_connection
            if not self.is_postgresql:
                driver.execute("PRAGMA busy_timeout = 0")
            try:
                with connection.begin():
                    work(connection)
            except (DBAPIError, self.engine.dialect.loaded_dbapi.Error) as error:
                if not is_passing(error):
                    raise
            finally:
                if not self.is_postgresql:
                    driver.execute(f"PRAGMA busy_timeout = {round(self.busy_seconds * 1_000)}")

    def require_room(self) -> None:
        """Raise StoreUnavailable where the disk with an SQLite file is as good as full."""
        if self.file is None:
            return
        with suppress(OSError):  # whether the file is there at all is seen when it is used
            if shutil.disk_usage(self.file.resolve().parent).free < LEAST_FREE_BYTES:
                raise out_of_room(self.place)

    def _engine(self) -> Engine:
        pool: dict[str, Any] = {}
        if self.is_postgresql or self.file is not None:
            kept = MOST_CONNECTIONS // 3
            pool = {"pool_size": kept, "max_overflow": MOST_CONNECTIONS - kept}
            pool["pool_timeout"] = self.busy_seconds
        if not self.is_postgresql:
            engine = create_engine(
                self._url,
                hide_parameters=True,
                # One that is kept for the next time keeps what it last wrote, be it 100 MB.
                connect_args={"timeout": self.busy_seconds, "cached_statements": 0},
                **pool,
            )
            event.listen(engine, "connect", _prepare_sqlite)
            event.listen(engine, "begin", _begin_sqlite)
            return engine
        try:
            import psycopg  # noqa: F401
        except ImportError as error:
            raise MissingExtraError("PostgreSQL", "postgres") from error
        return create_engine(
            self._url,
            hide_parameters=True,
            # A server that was started anew has left dead connections behind.
            pool_pre_ping=True,
            connect_args={
                name: value for name, value in _WAITS.items() if name not in self._url.query
            },
            **pool,
        )


_WAITS = {
    "connect_timeout": CONNECT_SECONDS,
    "keepalives_idle": CONNECT_SECONDS,
    "keepalives_interval": CONNECT_SECONDS // 3,
    "keepalives_count": 3,
    "tcp_user_timeout": CONNECT_SECONDS * 1_000,
}
"""Of libpq: how soon it tells that a server does not answer."""


def _parsed(url: str | os.PathLike[str]) -> URL:
    """A URL as SQLAlchemy knows it; what is no URL is the path of an SQLite file."""
    given = os.fspath(url)
    if not given:
        raise ConfigurationError("No database was given. Give a file or a URL.")
    if "://" not in given:
        return URL.create("sqlite", database=given)
    try:
        parsed = make_url(given)
    except (ArgumentError, ValueError):
        # Without the cause: its message may quote the URL, and so the password.
        raise ConfigurationError(
            "The database URL cannot be read. Write sqlite:///file.db or "
            "postgresql://user:password@host:port/database; in user and password, write @ : / % "
            "as %40 %3A %2F %25."
        ) from None
    if parsed.drivername in _POSTGRESQL:
        return parsed.set(drivername="postgresql+psycopg")
    if parsed.drivername in ("sqlite", "sqlite+pysqlite"):
        return parsed
    raise ConfigurationError(
        f"Databases of the kind {parsed.drivername!r} are not known. "
        "Use sqlite:///file.db or postgresql://user@host/database."
    )


def _place(url: URL) -> str:
    """How messages call a database. The query of a URL is left out: it may hold a password."""
    if url.get_backend_name() == "sqlite":
        return f"The database {url.database or ':memory:'}"
    shown = URL.create("postgresql", url.username, None, url.host, url.port, url.database)
    return f"The database {shown.render_as_string()}"


def _for_programs(url: URL, told: Mapping[str, Any]) -> str:
    """A URL as libpq reads it, of what the driver is told for it; nothing that is secret."""
    shown = {
        name: str(value)
        for name, value in told.items()
        if name != "context" and not any(part in name for part in _SECRET)
    }
    user, database = shown.pop("user", None), shown.pop("dbname", None)
    host, port = None, None
    if not {"host", "port"} & url.query.keys():
        host, port = url.host, url.port
        shown = {name: value for name, value in shown.items() if name not in ("host", "port")}
    made = URL.create("postgresql", user, None, host, port, database, shown)
    # libpq reads a plus sign as itself; one that is meant is written otherwise already.
    address, mark, query = made.render_as_string().partition("?")
    return address + mark + query.replace("+", "%20")


def _prepare_sqlite(connection: Any, _: object) -> None:
    # The driver would otherwise begin transactions by itself, and only on the first change.
    connection.isolation_level = None
    connection.execute("PRAGMA foreign_keys = ON")
    # SQLite's own `lower` knows the letters of ASCII only, and it has no `strpos`.
    connection.create_function("lower", 1, _lower, deterministic=True)
    connection.create_function("strpos", 2, _strpos, deterministic=True)


def _lower(text: object) -> object:
    return text.lower() if isinstance(text, str) else text


def _strpos(text: object, part: object) -> int:
    return text.find(part) + 1 if isinstance(text, str) and isinstance(part, str) else 0


def _begin_sqlite(connection: Connection) -> None:
    writes = connection.get_execution_options().get(_WRITES, False)
    # A transaction that reads first and writes later fails at once where another wrote between.
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _wait_for(connection: Connection, lock: str, seconds: float) -> None:
    key = UUID(lock if is_id(lock) else content_id("lock", lock)).int % 2**63
    wait = {"wait": f"{max(1, round(seconds * 1_000))}ms"}
    connection.execute(text("SELECT set_config('lock_timeout', :wait, true)"), wait)
    connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": key})


def keep_wal(database: Database) -> None:
    """Let readers of an SQLite file go on while another writes: WAL, a property of the file.

    Raises StoreError where the file cannot be changed.
    """
    if database.file is None:
        return
    with database.errors(), database.engine.connect() as connection:
        driver: Any = connection.connection.driver_connection
        if driver.execute("PRAGMA journal_mode").fetchone()[0] == "wal":
            return
        deadline = time.monotonic() + database.busy_seconds
        while True:
            try:
                driver.execute("PRAGMA journal_mode = WAL")
            except driver.OperationalError as error:
                # SQLite does not wait by itself for the lock that this change takes.
                if not is_passing(error) or time.monotonic() > deadline:
                    raise
                time.sleep(_PAUSE_SECONDS)
            else:
                return
