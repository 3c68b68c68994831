"""Tells on this machine that a service works with an SQLite database: it is not replaced then."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from veridical.errors import ConfigurationError, ConflictError, StoreError
from veridical.store.engine import Database


@contextmanager
def being_served(database: Database) -> Iterator[None]:
    """Inside the block a service works with it. Several may.

    Raises ConfigurationError for a database in memory, which would not outlive the process that its
    jobs are to outlive, and StoreError where the file of the lock cannot be made.
    """
    if database.is_postgresql:
        yield
        return
    if database.file is None:
        raise ConfigurationError(
            "jobs need a database that lasts: an SQLite file, or PostgreSQL by URL"
        )
    path = _lock_file(database.file)
    with ExitStack() as stack:
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
            stack.callback(os.close, descriptor)
            fcntl.flock(descriptor, fcntl.LOCK_SH)
        except OSError as error:
            raise StoreError(
                f"the lock file {path} cannot be made ({error.strerror}). Check that its folder "
                "exists and may be written to"
            ) from error
        yield


def require_idle(file: Path) -> None:
    """Raises ConflictError where a service works with an SQLite database, and StoreError where that
    cannot be told.
    """
    path = _lock_file(file)
    try:
        with suppress(FileNotFoundError), path.open("rb") as opened:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise ConflictError(
            f"A service works with the database {file}. Stop it first, then try again."
        ) from None
    except OSError as error:
        raise StoreError(
            f"the lock file {path} cannot be read ({error.strerror}). Check what it is, and whose"
        ) from error


def _lock_file(database: Path) -> Path:
    """The file beside a database that is locked in its place, whatever that is called here.

    A lock of the database itself would cost SQLite its own. The file stays behind, empty.
    """
    real = database.resolve()
    return real.with_name(f"{real.name}.lock")
