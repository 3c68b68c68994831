"""Keeps a database in order: copies of it, whether it is sound, and what nobody needs any more."""

from __future__ import annotations

import os
import shlex
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice
from pathlib import Path
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, delete, func, inspect, select, tuple_

from veridical.errors import ConfigurationError, OutputError, StoreError
from veridical.ledger.ids import content_id
from veridical.store import schema
from veridical.store.engine import BUSY_SECONDS, Database, now
from veridical.store.export_files import clear_expired
from veridical.store.failures import is_of_damage
from veridical.store.recordings import purge_recordings
from veridical.store.requests import KEPT_SECONDS
from veridical.store.schema import prepare, require_version, version_of
from veridical.store.tables import ended_log_ins, jobs, keyed_requests, metadata

# Copies of a database: made while it is used, and put back.


_SIDE_FILES = ("-wal", "-shm", "-journal")


def backup(url: str | os.PathLike[str], target: Path, *, replace: bool = False) -> int:
    """Copy an SQLite database to a new file, one state of it, while others read and write it.

    The file is written whole or not at all, and only its owner may read it: it holds everything.
    Returns its size in bytes. `replace` allows it to take the place of another file.

    Raises OutputError where there is a file already, or it cannot be written; ConfigurationError
    for PostgreSQL, with the command that does it there; StoreError for what cannot be copied.
    """
    with closing(Database(url)) as database:
        source = _file_of(
            database, "backed up", "pg_dump --format=custom --file={file} {url}", target
        )
        require_version(database)
        if _is_part_of(target, source):
            raise OutputError(f"cannot write {target}: it is the database itself. Name another.")
        if target.exists() and not replace:
            raise OutputError(
                f"cannot write {target}: it is there already. Name another, or give --force."
            )
        with _new_file(target, replace=replace) as made:
            _copy(database, source, made)
            return made.stat().st_size


def restore(url: str | os.PathLike[str], source: Path, *, replace: bool = False) -> str:
    """Put back what a copy holds, in one transaction; the version of its tables.

    The copy is looked at first, all of it. What the database held is lost: without `replace`, one
    that holds anything is refused.

    Raises StoreError for a copy that is none or damaged, and for a database that cannot be
    replaced; ConflictError where a service works with it; ConfigurationError for PostgreSQL,
    with the command that does it there.
    """
    from veridical.store.served import require_idle

    with closing(Database(url)) as database:
        line = "pg_restore --clean --if-exists --no-owner --dbname={url} {file}"
        target = _file_of(database, "restored", line, source)
        require_idle(target)
        if not source.is_file():
            raise StoreError(f"There is no file {source}. Check the path.")
        if _is_part_of(source, target):
            raise StoreError(f"{source} is the database itself. Name a copy of it.")
        health = check(source)
        if health.version is None or health.damage:
            raise StoreError(f"{source} is damaged and cannot be restored: {health.damage[0]}")
        if version_of(database) is not None and not replace:
            with database.reading() as connection:
                held = sum(count for _, count in row_counts(connection))
            if held:
                raise StoreError(
                    f"{database.place} holds {held:,} rows, which would be lost. "
                    "Give another database, or --force."
                )
        with closing(Database(source)) as copy:
            _copy(copy, source, target)
        return health.version


def _file_of(database: Database, done: str, line: str, file: Path) -> Path:
    """The file of an SQLite database. ConfigurationError where there is none."""
    if database.is_postgresql:
        command = line.format(file=shlex.quote(str(file)), url=shlex.quote(database.shown_url))
        raise ConfigurationError(
            f"A database of PostgreSQL is {done} by its own programs. Run: {command}"
        )
    if database.file is None:
        raise ConfigurationError("A database in memory cannot be copied. Give a file.")
    return database.file


def _is_part_of(path: Path, database: Path) -> bool:
    real = os.path.realpath(database)
    return os.path.realpath(path) in {real, *(real + suffix for suffix in _SIDE_FILES)}


@contextmanager
def _new_file(target: Path, *, replace: bool) -> Iterator[Path]:
    """A file beside the target that takes its place when all went well."""
    place = Path(os.path.realpath(target))
    try:
        handle, name = tempfile.mkstemp(dir=place.parent, prefix=".veridical-", suffix=".part")
        os.close(handle)
    except OSError as problem:
        raise _unwritable(target, problem) from problem
    made = Path(name)
    try:
        yield made
        with made.open("rb") as written:
            os.fsync(written.fileno())
        _put(made, place, replace=replace)
    except OSError as problem:
        raise _unwritable(target, problem) from problem
    finally:
        for suffix in ("", *_SIDE_FILES):
            with suppress(OSError):
                Path(name + suffix).unlink()


def _put(made: Path, place: Path, *, replace: bool) -> None:
    if not replace:
        # Unlike a rename, a link never takes the place of a file that came in between.
        try:
            os.link(made, place)
        except FileExistsError:
            raise
        except OSError:
            # This file system has no links.
            pass
        else:
            return
    made.replace(place)


def _unwritable(target: Path, problem: OSError) -> OutputError:
    return OutputError(f"cannot write {target}: {problem.strerror or problem}")


def _copy(database: Database, source: Path, target: Path) -> None:
    """Copy one file of SQLite into another by its own means, as one transaction of each."""
    with (
        database.errors(),
        closing(sqlite3.connect(source, timeout=BUSY_SECONDS)) as read,
        closing(sqlite3.connect(target, timeout=BUSY_SECONDS)) as written,
    ):
        read.backup(written, pages=-1, progress=_until(time.monotonic() + BUSY_SECONDS))


def _until(deadline: float) -> Callable[[int, int, int], None]:
    """Ends a copy that waits for another program longer than a writer waits."""

    def look(_status: int, remaining: int, _total: int) -> None:
        if remaining and time.monotonic() > deadline:
            raise StoreError(
                "The database is locked by another program. Wait until that has finished, then "
                "try again."
            )

    return look


MOST_PROBLEMS = 20
"""How much of what is wrong is told."""


@dataclass(frozen=True, slots=True)
class Upgrade:
    """Which tables a database had, and has now; None where it was empty."""

    place: str
    before: str | None
    after: str


@dataclass(frozen=True, slots=True)
class Health:
    """What a database is like: the version of its tables, rows by table, and what is wrong.

    `version` is None where so much is damaged that it cannot be told.
    """

    place: str
    version: str | None
    counts: tuple[tuple[str, int], ...]
    damage: tuple[str, ...]

    @property
    def problems(self) -> tuple[str, ...]:
        """All that is to be put right: what is damaged, and tables of an older version."""
        if self.version in (None, schema.HEAD):
            return self.damage
        old = (
            f"Its tables are of version {self.version}, and this Veridical works with "
            f"{schema.HEAD}. "
            "Bring it up to date with: veridical db upgrade --database URL"
        )
        return old, *self.damage


def upgrade(url: str | os.PathLike[str]) -> Upgrade:
    """Make the tables of a database, or bring them up to date. Raises as `Store.open` does."""
    with closing(Database(url)) as database:
        before = version_of(database)
        prepare(database, create=True)
        return Upgrade(database.place, before, schema.HEAD)


def check(url: str | os.PathLike[str]) -> Health:
    """Look at all of a database, and change nothing.

    SQLite compares every page and every reference; PostgreSQL does that itself, so that there only
    rows are counted. Raises StoreError for what is no database of Veridical, or holds no tables.
    """
    with closing(Database(url)) as database:
        try:
            version = require_version(database)
            with database.reading() as connection:
                damage = () if database.is_postgresql else _damage(connection)
                return Health(database.place, version, row_counts(connection), damage)
        except StoreError as error:
            if not is_of_damage(error):
                raise
            return Health(database.place, None, (), (str(error),))


def row_counts(connection: Connection) -> tuple[tuple[str, int], ...]:
    """How many rows each of our tables has, of those that are there, by name."""
    there = set(inspect(connection).get_table_names())
    ours = sorted((table for table in metadata.tables.values() if table.name in there), key=str)
    return tuple(
        (table.name, connection.execute(select(func.count()).select_from(table)).scalar_one())
        for table in ours
    )


def _damage(connection: Connection) -> tuple[str, ...]:
    """What SQLite finds wrong with its file, and references to rows that are not there."""
    found = connection.exec_driver_sql(f"PRAGMA integrity_check({MOST_PROBLEMS})").scalars().all()
    damage = [str(line) for line in found if line != "ok"]
    lost: Any = connection.exec_driver_sql("PRAGMA foreign_key_check")
    damage += [
        f"A row of {table} belongs to one of {parent} that is not there."
        for table, _, parent, _ in islice(lost, MOST_PROBLEMS)
    ]
    return tuple(damage[:MOST_PROBLEMS])


# Takes away what nobody needs any more, of all workspaces: else some tables would only grow.


JOBS_KEPT_DAYS = 30
"""How long a job that is over can be looked up. What it was for stays."""

AT_ONCE = 200
"""Rows of one transaction: others write in between."""

_SWEEP_LOCK = content_id("sweep")


def sweep(database: Database) -> dict[str, int]:
    """Take away files that expired, keys and log-ins that need not be remembered any longer, jobs
    that were over `JOBS_KEPT_DAYS` ago, and recordings whose time is over; how many of each.

    Raises StoreError where the database cannot be used.
    """
    moment = now()
    old_key = keyed_requests.c.begun_at <= moment - timedelta(seconds=KEPT_SECONDS)
    old_job = jobs.c.ended_at <= moment - timedelta(days=JOBS_KEPT_DAYS)
    old = {
        "export_files": lambda connection: clear_expired(connection, AT_ONCE),
        "keys": _rows(keyed_requests, old_key),
        "log_ins": _rows(ended_log_ins, ended_log_ins.c.until <= moment),
        "jobs": _rows(jobs, old_job),
        "recordings": lambda connection: purge_recordings(connection, AT_ONCE),
    }
    return {name: _all(database, some) for name, some in old.items()}


def _rows(table: Table, old: ColumnElement[bool]) -> Callable[[Connection], int]:
    """Takes away some of the rows of a table that are old; how many there were."""
    key = tuple_(*table.primary_key.columns)
    some = select(*table.primary_key.columns).where(old).limit(AT_ONCE)
    return lambda connection: connection.execute(delete(table).where(key.in_(some))).rowcount


def _all(database: Database, some: Callable[[Connection], int]) -> int:
    """Do that until there is nothing left to do; how much it was in all."""
    total = 0
    while True:
        gone = database.write(some, _SWEEP_LOCK)
        total += gone
        if gone < AT_ONCE:
            return total
