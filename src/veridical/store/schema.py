"""Brings a database, step by step, to the tables of this version, and tells what is not ours."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import (
    Column,
    Connection,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    cast,
    inspect,
    select,
    text,
    update,
)
from sqlalchemy.exc import DBAPIError

from veridical.errors import StoreError
from veridical.ledger.ids import content_id
from veridical.store.columns import Id
from veridical.store.engine import Database, keep_wal
from veridical.store.failures import is_of_tables, readable
from veridical.store.tables import inquiries, job_steps, metadata, recordings, rubrics

_RELATED = "related_sessions"
"""The key in `inquiries.details` that said up to 0003 which session was checked again."""


def to_0004(connection: Connection) -> None:
    """Who works on a job, what was paid for in it, and which session one checks again."""
    for change in (
        "ALTER TABLE jobs ADD COLUMN worker VARCHAR(32)",
        "ALTER TABLE jobs ADD COLUMN beat INTEGER DEFAULT 0 NOT NULL",
        f"ALTER TABLE inquiries ADD COLUMN earlier_id {Id().compile(connection.dialect)}",
        "CREATE INDEX idx_inquiries_earlier ON inquiries (workspace_id, earlier_id)",
    ):
        connection.exec_driver_sql(change)
    job_steps.create(connection, checkfirst=False)
    table = inquiries.c
    told = cast(table.details, Text).like(f'%"{_RELATED}"%')
    kept = select(table.workspace_id, table.id, table.details).where(told)
    for place, key, details in connection.execute(kept).all():
        earlier = details.pop(_RELATED, {}).get("of")
        row = update(inquiries).where(table.workspace_id == place, table.id == key)
        connection.execute(row.values(earlier_id=earlier, details=details or None))


def to_0005(connection: Connection) -> None:
    """Recordings beside their records, and rubrics with their versions."""
    for table in (recordings, rubrics):
        table.create(connection, checkfirst=False)


FIRST = "0003"
"""The version of the first tables that were released."""

STEPS: dict[str, Callable[[Connection], None]] = {"0004": to_0004, "0005": to_0005}
"""By the version that each leads to, in order."""


VERSION_TABLE = "veridical_schema"
"""Where the version of the tables stands."""

VERSIONS = (FIRST, *STEPS)
"""All versions that the tables ever had."""

HEAD = VERSIONS[-1]
"""The version of the tables that this code works with."""

_MOST_SHOWN = 32

_VERSIONS = Table(
    VERSION_TABLE,
    MetaData(),
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name=f"{VERSION_TABLE}_pkc"),
)

_LOCK = content_id("schema")


def prepare(database: Database, *, create: bool, upgrade: bool = True) -> None:
    """Make the tables of an empty database, or bring older ones up to date.

    Raises StoreError for a database that another program or a newer Veridical made, without
    `create` for one that is not there or empty, and without `upgrade` for one of an older version:
    who only reads must not lock out those who have not got the newer version yet.
    """
    found = version_of(database)
    if found == HEAD:
        return
    if found is None and not create:
        raise _absent(database)
    if found is not None and not upgrade:
        raise StoreError(
            f"{database.place} was made by an older version of Veridical, and reading does not "
            "change it. Bring it up to date with: veridical db upgrade --database URL"
        )
    keep_wal(database)
    database.write(lambda connection: _bring_up(connection, database), _LOCK)


def version_of(database: Database) -> str | None:
    """The version of the tables of a database; None for one that is not there, or has none of ours.

    Raises StoreError for a database that another program or a newer Veridical made, and for one
    whose version was lost.
    """
    if database.file is not None and not database.file.exists():
        return None
    with database.reading() as connection:
        return _version(connection, database)


def require_version(database: Database) -> str:
    """The version of the tables of a database that has some. Raises StoreError where there is none,
    and as `version_of` does.
    """
    found = version_of(database)
    if found is None:
        raise _absent(database)
    return found


def _absent(database: Database) -> StoreError:
    if database.file is not None and not database.file.exists():
        return StoreError(f"There is no database {database.file}. Check the path.")
    return StoreError(f"{database.place} is empty: nothing was stored in it yet.")


def create(connection: Connection) -> None:
    """All tables at once, as the steps make them one after the other, in a tenth of the time."""
    metadata.create_all(connection, checkfirst=False)
    _VERSIONS.create(connection, checkfirst=True)
    connection.execute(_VERSIONS.insert().values(version_num=HEAD))


def upgrade(connection: Connection, found: str) -> None:
    """Take all steps to the newest tables, from those of an older version."""
    for version, step in STEPS.items():
        if version > found:
            step(connection)
    connection.execute(_VERSIONS.update().values(version_num=HEAD))


def _bring_up(connection: Connection, database: Database) -> None:
    # Another process may have done it while this one waited.
    found = _version(connection, database)
    if found == HEAD:
        return
    if database.is_postgresql:
        encoding = connection.execute(text("SHOW server_encoding")).scalar_one()
        if encoding != "UTF8":
            raise StoreError(
                f"{database.place} has the encoding {encoding}, which cannot hold every text. "
                "Create one with: createdb -T template0 -E UTF8 NAME"
            )
    if found is None:
        create(connection)
        return
    try:
        with readable(database.place):
            upgrade(connection, found)
    except DBAPIError as error:
        if not is_of_tables(error):
            raise
        raise StoreError(
            f"{database.place} says that its tables are of version {found}, but they are not as "
            "that version has them. Nothing was changed. Restore a copy of it into a new database."
        ) from error


def _version(connection: Connection, database: Database) -> str | None:
    """The version of the tables; None for a database that has none of ours."""
    tables = inspect(connection).get_table_names()
    if VERSION_TABLE in tables:
        found: str | None = connection.execute(select(_VERSIONS.c.version_num)).scalar()
        if found is None and metadata.tables.keys().isdisjoint(tables):
            return None
        if found is None or found not in VERSIONS:
            raise _unknown(found, database)
        return found
    if tables:
        raise StoreError(
            f"{database.place} holds the tables of another program. "
            "Give Veridical a database of its own."
        )
    return None


def _unknown(found: str | None, database: Database) -> StoreError:
    """What is wrong with a version that is none of ours."""
    if found is None:
        return StoreError(
            f"{database.place} is damaged: it holds tables of Veridical, but not their version. "
            "Restore a copy of it into a new database."
        )
    if len(found) == len(HEAD) and found.isdecimal() and found > HEAD:
        return StoreError(
            f"{database.place} was written by a newer version of Veridical. "
            "Upgrade with: pip install --upgrade veridical"
        )
    return StoreError(
        f"{database.place} says that its tables are of version {found[:_MOST_SHOWN]!r}, which this "
        "Veridical does not know. Restore a copy of it into a new database."
    )
