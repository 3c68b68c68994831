"""Where the state of running jobs is kept, and which processes work on them now: each holds a lock
that goes with it, however it ends.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from glob import escape
from pathlib import Path
from uuid import uuid4

from sqlalchemy import Connection, text

from veridical.errors import ConfigurationError, ConflictError, StoreError
from veridical.store.engine import Database

GRACE_SECONDS = 3.0
"""How long a process on a database server must have been without its lock to count as gone: one
whose connection broke takes its lock again much sooner."""

KEEP_SECONDS = 0.5
"""How often a process looks whether it still has its lock."""

_EXECUTOR = re.compile(r"[0-9a-f]{32}")


class FilePresence:
    """For processes of one machine: locks on files beside `file`, which the system frees.

    `executor_id` is what this process is called, new with each start. `enter` and `is_gone` raise
    StoreError where the place of the locks cannot be used now.
    """

    def __init__(self, file: Path) -> None:
        self.executor_id = uuid4().hex
        self._file = file
        self._held: int | None = None

    def enter(self) -> None:
        """Make the file of this process, and clear away those of processes that are gone."""
        path = self._path(self.executor_id)
        try:
            while self._held is None:
                self._held = _made_and_locked(path)
        except OSError as error:
            raise StoreError(
                f"the lock file {path} cannot be made ({error.strerror}). Check that its folder "
                "exists and may be written to"
            ) from error
        is_anyone_at(self._file)

    def is_gone(self, executor_id: str) -> bool:
        """Whether nobody holds the file of a process; it is removed then."""
        if not _EXECUTOR.fullmatch(executor_id):
            return True
        path = self._path(executor_id)
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
        except FileNotFoundError:
            return True
        except OSError:
            return False
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            path.unlink(missing_ok=True)
        except OSError:
            return False
        finally:
            os.close(descriptor)
        return True

    def leave(self) -> None:
        """Free the lock and remove its file."""
        if self._held is not None:
            self._path(self.executor_id).unlink(missing_ok=True)
            os.close(self._held)
            self._held = None

    def _path(self, executor_id: str) -> Path:
        return self._file.with_name(f"{self._file.name}.{executor_id}.lock")


def is_anyone_at(file: Path) -> bool:
    """Whether a process of this machine is there; clears away the files of those that are gone."""
    found = [
        other.name.removesuffix(".lock").rpartition(".")[2]
        for other in file.parent.glob(f"{escape(file.name)}.*.lock")
    ]
    present = FilePresence(file)
    return False in [present.is_gone(executor_id) for executor_id in found]


def _made_and_locked(path: Path) -> int | None:
    """A new file, locked; None where another process cleared it away before it was."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.path.samestat(path.stat(), os.fstat(descriptor)):
            return descriptor
    except (BlockingIOError, FileNotFoundError):
        pass
    os.close(descriptor)
    return None


class ServerPresence:
    """For processes on one PostgreSQL: advisory locks of sessions, which the server frees.

    A session can end while its process lives: the server was restarted, a connection was cut. A
    thread takes the lock again then, and others wait `GRACE_SECONDS` before they believe it gone.
    """

    def __init__(self, database: Database) -> None:
        self.executor_id = uuid4().hex
        self._database = database
        self._connection: Connection | None = None
        self._left = threading.Event()
        self._keeper = threading.Thread(
            target=self._keep, daemon=True, name="veridical-jobs-presence"
        )
        self._missed_since: dict[str, float] = {}

    def enter(self) -> None:
        """Take the lock of this process, and have a thread keep it."""
        self._lock()
        self._keeper.start()

    def is_gone(self, executor_id: str) -> bool:
        """Whether the lock of a process has been free for `GRACE_SECONDS`, as often as looked."""
        if executor_id == self.executor_id:
            return False
        try:
            with self._database.reading() as connection:
                key = _key(executor_id)  # PostgreSQL shows it as two numbers
                halves = {
                    "high": int.from_bytes(key[:4], "big"),
                    "low": int.from_bytes(key[4:], "big"),
                }
                held = connection.execute(text(_HELD), halves).scalar_one()
        except StoreError:
            # The server was away: whoever lost a lock by that takes it again first.
            self._missed_since.clear()
            raise
        if held:
            self._missed_since.pop(executor_id, None)
            return False
        since = self._missed_since.setdefault(executor_id, time.monotonic())
        return time.monotonic() - since >= GRACE_SECONDS

    def leave(self) -> None:
        """Free the lock."""
        self._left.set()
        if self._keeper.is_alive():
            self._keeper.join()
        self._unlock()

    def _keep(self) -> None:
        while not self._left.wait(KEEP_SECONDS):
            try:
                with self._database.errors():
                    if self._connection is None:
                        self._lock()
                    else:
                        self._connection.execute(text("SELECT 1"))
            except StoreError:
                self._unlock()

    def _lock(self) -> None:
        with self._database.errors():
            connection = self._database.engine.connect().execution_options(
                isolation_level="AUTOCOMMIT"
            )
            self._connection = connection
            for setting in _QUICK_TO_MISS:
                connection.execute(text(setting))
            key = {"key": int.from_bytes(_key(self.executor_id), "big", signed=True)}
            taken = connection.execute(text("SELECT pg_try_advisory_lock(:key)"), key)
        if not taken.scalar_one():  # by an earlier session of ours: it holds it for us as yet
            self._unlock()

    def _unlock(self) -> None:
        if self._connection is not None:
            with suppress(Exception):
                # Given back to the pool, the connection would keep the lock.
                self._connection.invalidate()
                self._connection.close()
            self._connection = None


_HELD = """
    SELECT count(*) FROM pg_locks
    WHERE locktype = 'advisory' AND granted AND classid = :high AND objid = :low AND objsubid = 1
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""

_QUICK_TO_MISS = (
    "SET tcp_keepalives_idle = 5",
    "SET tcp_keepalives_interval = 2",
    "SET tcp_keepalives_count = 3",
)
"""Let the server notice within seconds that a whole machine is gone, and not within hours."""


def _key(executor_id: str) -> bytes:
    """The number of a process's advisory lock, as eight bytes."""
    return hashlib.sha256(f"veridical.jobs {executor_id}".encode()).digest()[:8]


SCHEMA = "veridical_jobs"
"""Of the tables of DBOS on PostgreSQL, apart from ours."""


Presence = FilePresence | ServerPresence
"""This process among those that work on the jobs of one database."""


@dataclass(frozen=True, slots=True)
class JobsPlace:
    """A database for DBOS, and the lock that shows that this process works there."""

    database: Database
    presence: Presence


@contextmanager
def jobs_place(url: str | os.PathLike[str]) -> Iterator[JobsPlace]:
    """The place for the jobs of the database at `url`: its own PostgreSQL, or another SQLite file
    beside its own (`veridical.jobs.db`).

    Raises what `Database` raises, and ConfigurationError for a database in memory, which would not
    outlive the process that the jobs are to outlive.
    """
    ours = Database(url)
    if ours.is_postgresql:
        with closing(ours):
            yield JobsPlace(ours, ServerPresence(ours))
        return
    if ours.file is None:
        raise ConfigurationError(
            "jobs need a database that lasts: an SQLite file, or PostgreSQL by URL"
        )
    file = jobs_file(ours.file.absolute())
    with closing(Database(file)) as beside:
        yield JobsPlace(beside, FilePresence(file))


def require_idle(url: str | os.PathLike[str]) -> None:
    """Raises ConflictError where a service works on the jobs of an SQLite database of this machine.

    Who replaces what is in a database takes it away under those who work with it.
    """
    with closing(Database(url)) as ours:
        file = ours.file
    if file is None:
        return
    for place in {file.absolute(), file.resolve()}:
        if is_anyone_at(jobs_file(place)):
            raise ConflictError(
                f"A service works with the database {file}. Stop it first, then try again."
            )


def jobs_file(database: Path) -> Path:
    """The file that stands beside the file of a database."""
    return database.with_name(f"{database.stem}.jobs{database.suffix}")
