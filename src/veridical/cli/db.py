"""`veridical db`: bring a database up to date, look whether it is sound, and copy it."""

from __future__ import annotations

from pathlib import Path

import click

from veridical.cli.errors import NEGATIVE_RESULT, with_exit_code
from veridical.cli.terminal import clean, err, out

database_option = click.option(
    "--database",
    metavar="URL",
    help="A file (SQLite) or a postgresql:// address; VERIDICAL_STORE, or veridical.db.",
)


def database_url(given: str | None) -> str:
    """The database that is named, by option or environment, or the usual one."""
    from veridical.cli.ledger_files import DEFAULT_STORE, store_url

    return store_url(given) or DEFAULT_STORE


@click.group()
def db() -> None:
    """Look after the database that ledgers and the service are kept in."""


@db.command()
@database_option
@with_exit_code
def upgrade(database: str | None) -> None:
    """Make the tables of a database, or bring older ones up to date.

    Done again, it changes nothing. Older versions of Veridical cannot use the database any more.

    Exit code 0: done. 2: it could not be done.
    """
    from veridical.store.upkeep import upgrade

    done = upgrade(database_url(database))
    place = clean(done.place)
    if done.before is None:
        out(f"{place} is made, with tables of version {done.after}.")
    elif done.before == done.after:
        out(f"{place} is up to date: its tables are of version {done.after}.")
    else:
        out(f"{place} is upgraded from version {done.before} to {done.after}.")


@db.command()
@database_option
@with_exit_code
def check(database: str | None) -> int:
    """Look whether a database is sound, and say what is in it. Changes nothing.

    Exit code 0: it is sound and up to date. 1: it is not. 2: the check could not be made.
    """
    from veridical.store.upkeep import check

    found = check(database_url(database))
    out(f"{clean(found.place)} has tables of version {found.version or 'unknown'}.")
    for table, count in found.counts:
        out(f"{count:>12,} {table}")
    for problem in found.problems:
        err(clean(problem))
    if not found.problems:
        out("No problem was found.")
    return NEGATIVE_RESULT if found.problems else 0


@db.command()
@click.argument("file", metavar="FILE")
@database_option
@click.option("--force", is_flag=True, help="Take the place of a file that is there.")
@with_exit_code
def backup(file: str, database: str | None, force: bool) -> None:
    """Copy an SQLite database to FILE, while it is used.

    The copy is one state of the database, written whole or not at all, and only its owner may read
    it. PostgreSQL has programs of its own for that, which are told.

    Exit code 0: done. 2: it could not be done.
    """
    from veridical.store.upkeep import backup

    size = backup(database_url(database), Path(file), replace=force)
    out(f"{clean(file)} holds the database: {size:,} bytes.")


@db.command()
@click.argument("file", metavar="FILE")
@database_option
@click.option("--force", is_flag=True, help="Replace what the database holds. It is lost.")
@with_exit_code
def restore(file: str, database: str | None, force: bool) -> None:
    """Put back what the copy FILE holds, after looking whether it is sound.

    A database that holds anything is refused without --force, and one that a service works with in
    any case.

    Exit code 0: done. 2: it could not be done; the database is as it was.
    """
    from veridical.store.upkeep import restore

    version = restore(database_url(database), Path(file), replace=force)
    out(f"{clean(file)} is restored, with tables of version {version}.")
