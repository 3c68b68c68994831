"""Where a durable run is kept, and that one process at a time works on it."""

from __future__ import annotations

import fcntl
import hashlib
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import text

from veridical.errors import ConfigurationError, ProcessingError, StoreError
from veridical.store.engine import Database

DEFAULT_FOLDER = Path(".veridical") / "scoring"
"""Below the working folder. A run has a file of its own there, `<resume id>.sqlite`."""

LOCK_SECONDS = 3.0
"""How long a process waits for one that has been stopped and is still winding up."""

_PAUSE_SECONDS = 0.05


@contextmanager
def run_database(database: str | os.PathLike[str] | None, resume_id: str) -> Iterator[Database]:
    """The database of a run, which no other process works on meanwhile.

    The lock is the operating system's or the server's: it goes with the process, however that ends.
    Raises ProcessingError where another process has the run, StoreError where the database cannot
    be used, ConfigurationError where it is none that can keep a run.
    """
    if database is None:
        database = DEFAULT_FOLDER / f"{resume_id}.sqlite"
        _make(DEFAULT_FOLDER)
    opened = Database(database)
    try:
        with (
            _session_lock(opened, resume_id)
            if opened.is_postgresql
            else _file_lock(_plain_file(opened), resume_id)
        ):
            yield opened
    finally:
        opened.close()


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            f"the folder {folder} cannot be made ({error.strerror}). Give another database"
        ) from error


def _plain_file(database: Database) -> Path:
    """The file of an SQLite database. What is kept in memory only would not survive."""
    if database.file is None or database.engine.url.query:
        raise ConfigurationError(
            "a run that can be resumed needs a database that lasts: an SQLite file without further "
            "options, or PostgreSQL by URL"
        )
    if database.file.is_dir():
        raise ConfigurationError(f"{database.file} is a folder; name a file for the database")
    return database.file


@contextmanager
def _file_lock(file: Path, resume_id: str) -> Iterator[None]:
    """A lock on a file beside the database: locks on the database itself are SQLite's own."""
    path = file.with_name(f"{file.name}.{resume_id}.lock")
    held: list[int] = []

    def take() -> bool:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        if _locks(descriptor, path):
            held.append(descriptor)
        else:
            os.close(descriptor)
        return bool(held)

    try:
        _wait_for(take, resume_id)
    except OSError as error:
        raise StoreError(
            f"the lock file {path} cannot be made ({error.strerror}). Check that its folder exists "
            "and may be written to"
        ) from error
    try:
        yield
    finally:
        path.unlink(missing_ok=True)
        os.close(held[0])


def _locks(descriptor: int, path: Path) -> bool:
    """Whether it is locked now. A file that its last holder has removed meanwhile locks nothing."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except (BlockingIOError, FileNotFoundError):
        return False


@contextmanager
def _session_lock(database: Database, resume_id: str) -> Iterator[None]:
    """An advisory lock of a session of its own, which the server frees when the session ends."""
    digest = hashlib.sha256(f"veridical.scoring {resume_id}".encode()).digest()
    key = {"key": int.from_bytes(digest[:8], "big", signed=True)}
    with database.errors():
        connection = database.engine.connect().execution_options(isolation_level="AUTOCOMMIT")

    def take() -> bool:
        with database.errors():
            found = connection.execute(text("SELECT pg_try_advisory_lock(:key)"), key)
            return bool(found.scalar_one())

    try:
        _wait_for(take, resume_id)
        yield
    finally:
        # Without it the connection would go back to the pool, and keep the lock.
        connection.invalidate()
        connection.close()


def _wait_for(take: Callable[[], bool], resume_id: str) -> None:
    deadline = time.monotonic() + LOCK_SECONDS
    while not take():
        if time.monotonic() > deadline:
            raise ProcessingError(
                f"another process is working on run {resume_id!r}. Wait until it has finished, "
                "or take another resume id"
            )
        time.sleep(_PAUSE_SECONDS)
