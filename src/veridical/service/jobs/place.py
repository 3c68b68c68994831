"""Where the state of running jobs is kept: beside the database that the jobs are in."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from veridical.errors import ConfigurationError, ConflictError
from veridical.service.jobs.presence import FilePresence, Presence, ServerPresence, is_anyone_at
from veridical.store.engine import Database

SCHEMA = "veridical_jobs"
"""Of the tables of DBOS on PostgreSQL, apart from ours."""


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
