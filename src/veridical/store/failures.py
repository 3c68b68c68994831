"""What a database refuses, and rows that do not hold what Veridical wrote, as errors."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, SQLAlchemyError, StatementError

from veridical.errors import StoreError, StoreUnavailable

_SQLITE_ADVICE = {
    "SQLITE_BUSY": "is locked by another program. Wait until that has finished, then try again",
    "SQLITE_CANTOPEN": "cannot be opened. Check that its folder exists and may be written to",
    "SQLITE_CORRUPT": "is damaged. Restore it from a copy, or give another file",
    "SQLITE_FULL": "cannot grow: the disk is full. Free some space, then try again",
    "SQLITE_IOERR": "cannot be read or written (the system reports an I/O error). Check the disk",
    "SQLITE_LOCKED": "is locked by another program. Wait until that has finished, then try again",
    "SQLITE_NOTADB": "is not an SQLite database. Give another file",
    "SQLITE_PERM": "may not be opened. Check the permissions of the file and its folder",
    "SQLITE_READONLY": "cannot be written to. Check the permissions of the file and its folder",
}
"""By the names of SQLite's primary result codes."""

_POSTGRESQL_ADVICE = {
    "08": "cannot be reached. Check that the server runs, and the host and port",
    "22P05": "cannot hold these characters. Use a database with the encoding UTF8",
    "25006": "is read-only. Use the primary server, or a session that may write",
    "28": "refused the login. Check user and password",
    "3D000": "does not exist. Create it with createdb",
    "42501": "does not let this user do that. Grant it CREATE and USAGE on the schema",
    "53100": "cannot grow: the server's disk is full. Free some space, then try again",
    "53300": "has too many connections. Try again later",
    "55P03": "is busy with another writer. Wait until that has finished, then try again",
    "57": "stopped the work: the server shuts down or was told to. Try again later",
}
"""By SQLSTATE, or the class that it begins with."""

_TRY_AGAIN = {"SQLITE_BUSY", "SQLITE_LOCKED", "23505", "40001", "40P01"}
"""What another writer's doing explains: locks, and a row that came between look and insert."""


_NOT_NOW = {
    "SQLITE_BUSY", "SQLITE_CANTOPEN", "SQLITE_FULL", "SQLITE_IOERR", "SQLITE_LOCKED",
    "SQLITE_READONLY", "08", "25006", "53", "55P03", "57",
}  # fmt: skip
"""What passes, or somebody puts right, while whoever asks can wait."""


@contextmanager
def store_errors(place: str, driver_error: type[Exception]) -> Iterator[None]:
    """Turn what SQLAlchemy or the driver below it raises inside into a StoreError about `place`."""
    try:
        yield
    except (DBAPIError, driver_error) as error:
        reason, kind = _reason(_cause(error))
        raise kind(f"{place} {reason}.", public=f"The database {reason}.") from error
    except StatementError as error:
        if isinstance(error.orig, StoreError):
            raise error.orig from error
        problem = f"a value cannot be stored ({type(error.orig).__name__}). Check the input."
        raise StoreError(f"{place}: {problem}", public=problem.capitalize()) from error
    except SQLAlchemyError as error:
        # Among them that no connection became free in time.
        problem = f"cannot be used ({type(error).__name__}). Try again later."
        raise StoreUnavailable(f"{place} {problem}", public=f"The database {problem}") from error


def out_of_room(place: str) -> StoreUnavailable:
    """The error of a database whose disk is full."""
    reason = _SQLITE_ADVICE["SQLITE_FULL"]
    return StoreUnavailable(f"{place} {reason}.", public=f"The database {reason}.")


def is_of_access(error: BaseException) -> bool:
    """Whether a StoreError is about reaching or writing a database, not about what is in it."""
    code = _code(_cause(error.__cause__ or error))
    return code in _SQLITE_ADVICE and code not in ("SQLITE_CORRUPT", "SQLITE_NOTADB")


def is_of_damage(error: BaseException) -> bool:
    """Whether a StoreError says that SQLite found its file damaged."""
    return _code(_cause(error.__cause__ or error)) == "SQLITE_CORRUPT"


def is_of_tables(error: BaseException) -> bool:
    """Whether tables or columns are not there, or are there already: not what was expected."""
    code = _code(_cause(error))
    return code == "SQLITE_ERROR" or (code.startswith("42") and code != "42501")


def is_passing(error: BaseException) -> bool:
    """Whether the same work may succeed when it is done again from its beginning."""
    return _code(_cause(error)) in _TRY_AGAIN


def _cause(error: BaseException) -> BaseException:
    """The driver's own error."""
    return error.orig or error if isinstance(error, DBAPIError) else error


def _code(error: BaseException) -> str:
    """SQLSTATE, or the name of SQLite's primary result code; empty where there is neither."""
    sqlstate = getattr(error, "sqlstate", None)
    if sqlstate:
        return str(sqlstate)
    name = str(getattr(error, "sqlite_errorname", ""))
    return "_".join(name.split("_")[:2])


def _reason(error: BaseException) -> tuple[str, type[StoreError]]:
    """What a driver's error says of a database, and the error that says it."""
    code = _code(error)
    if not code and hasattr(error, "sqlstate"):
        code = _code_of_connecting(str(error))
    kind = StoreUnavailable if {code, code[:2]} & _NOT_NOW else StoreError
    known = _SQLITE_ADVICE.get(code)
    for length in (5, 2):
        known = known or _POSTGRESQL_ADVICE.get(code[:length])
    if known:
        return known, kind
    if code.startswith(("23", "SQLITE_CONSTRAINT")):
        return f"refused a value: {_constraint(error)}. Nothing of it was stored", kind
    return f"reports an error ({code or type(error).__name__}). Try again later", kind


def _constraint(error: BaseException) -> str:
    """The rule that was broken. Never the driver's message on PostgreSQL: it quotes the values."""
    diagnosis = getattr(error, "diag", None)
    if diagnosis is None:
        return str(error)
    return f"{diagnosis.message_primary}"


def _code_of_connecting(message: str) -> str:
    """Libpq tells failures to connect by their wording only: the SQLSTATE, or class, of one."""
    lowered = message.lower()
    if "password" in lowered or "authentication" in lowered or "role " in lowered:
        return "28"
    if "database " in lowered and "does not exist" in lowered:
        return "3D000"
    if "too many" in lowered:
        return "53300"
    return "57" if "starting up" in lowered or "shutting down" in lowered else "08"


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
