"""Rows that do not hold what Veridical wrote, as errors that say which."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from veridical.errors import StoreError
from veridical.store.engine import Database

UNREADABLE = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What comes of reading a row that does not hold what Veridical wrote."""


@contextmanager
def readable(what: str) -> Iterator[None]:
    """Turn what comes of reading rows that others changed into a StoreError about `what`."""
    try:
        yield
    except UNREADABLE as error:
        raise _unreadable(what) from error
    except (DBAPIError, sqlite3.OperationalError) as error:
        if not _is_no_text(error):
            raise
        raise _unreadable(what) from error


@contextmanager
def reading(database: Database, what: str) -> Iterator[Connection]:
    """A transaction that reads `what`, and turns what cannot be read into a StoreError about it."""
    with database.reading() as connection, readable(what):
        yield connection


def ledger_name(id: str) -> str:
    """How messages call a ledger."""
    return f"The ledger {id}"


def _unreadable(what: str) -> StoreError:
    return StoreError(
        f"{what} cannot be read: rows of it in the database were changed or are damaged. "
        "Restore the database from a copy, or build and save it anew."
    )


def _is_no_text(error: BaseException) -> bool:
    """Whether SQLite's driver met text that is not UTF-8: its only error without a code."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    return isinstance(cause, sqlite3.OperationalError) and not hasattr(cause, "sqlite_errorcode")
