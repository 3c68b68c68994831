"""Copies of a database: made while it is used, and put back."""

from __future__ import annotations

import os
import shlex
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from veridical.errors import ConfigurationError, OutputError, StoreError
from veridical.store.engine import BUSY_SECONDS, Database
from veridical.store.schema import require_version, version_of
from veridical.store.upkeep import check, row_counts

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
    replaced; ConfigurationError for PostgreSQL, with the command that does it there.
    """
    with closing(Database(url)) as database:
        line = "pg_restore --clean --if-exists --no-owner --dbname={url} {file}"
        target = _file_of(database, "restored", line, source)
        if not source.is_file():
            raise StoreError(f"There is no file {source}. Check the path.")
        if _is_part_of(source, target):
            raise StoreError(f"{source} is the database itself. Name a copy of it.")
        version = _sound(source)
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
        return version


def _sound(copy: Path) -> str:
    """The version of the tables of a copy. Raises StoreError where it is not whole."""
    health = check(copy)
    if health.version is None or health.damage:
        raise StoreError(f"{copy} is damaged and cannot be restored: {health.damage[0]}")
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
        _flush(made)
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


def _flush(file: Path) -> None:
    with file.open("rb") as opened:
        os.fsync(opened.fileno())


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
