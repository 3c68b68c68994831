"""What an operator does with a database: bring it up to date, and look whether it is sound."""

from __future__ import annotations

import os
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from typing import Any

from sqlalchemy import Connection, func, inspect, select

from veridical.errors import StoreError
from veridical.store.engine import Database
from veridical.store.failures import is_of_damage
from veridical.store.schema import HEAD, prepare, require_version, version_of
from veridical.store.service_tables import metadata

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
        if self.version in (None, HEAD):
            return self.damage
        old = (
            f"Its tables are of version {self.version}, and this Veridical works with {HEAD}. "
            "Bring it up to date with: veridical db upgrade --database URL"
        )
        return old, *self.damage


def upgrade(url: str | os.PathLike[str]) -> Upgrade:
    """Make the tables of a database, or bring them up to date. Raises as `Store.open` does."""
    with closing(Database(url)) as database:
        before = version_of(database)
        prepare(database, create=True)
        return Upgrade(database.place, before, HEAD)


def check(url: str | os.PathLike[str]) -> Health:
    """Look at all of a database, and change nothing.

    SQLite compares every page and every reference; PostgreSQL does that itself, so that there only
    rows are counted. Raises StoreError for what is no database of Veridical, or holds no tables.
    """
    with closing(Database(url)) as database:
        try:
            return _looked_at(database, require_version(database))
        except StoreError as error:
            if not is_of_damage(error):
                raise
            return Health(database.place, None, (), (str(error),))


def _looked_at(database: Database, version: str) -> Health:
    with database.reading() as connection:
        damage = () if database.is_postgresql else _damage(connection)
        return Health(database.place, version, row_counts(connection), damage)


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
