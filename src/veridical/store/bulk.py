"""Many rows at once: COPY on PostgreSQL, one prepared statement on SQLite."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any

from sqlalchemy import ARRAY, Boolean, Column, Connection, Float, Integer, Table

from veridical.store.columns import Id, Json, json_text, storable

_BATCH_ROWS = 1_000
_COPY_ROWS = 64
"""Few, so that the server reads one lot while the next is written: a socket holds some 200 KB."""

Row = tuple[Any, ...]
Convert = Callable[[Any], Any]


@contextmanager
def without_collector() -> Iterator[None]:
    """Python's garbage collector put off, which looks at all of a large ledger again and again.

    That takes a quarter of the time of saving one, and what is made then goes without it.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def insert_rows(
    connection: Connection, table: Table, columns: Sequence[str], rows: Iterable[Row]
) -> None:
    """Insert rows, each the values of `columns` in their order, as part of the transaction."""
    if connection.dialect.name == "postgresql":
        _copy(connection, table, columns, rows)
    else:
        _insert(connection, table, columns, rows)


def _copy(
    connection: Connection, table: Table, columns: Sequence[str], rows: Iterable[Row]
) -> None:
    """COPY in its text format, written here: the driver takes twice as long to adapt the values."""
    from psycopg import sql

    statement = sql.SQL("COPY {} ({}) FROM STDIN").format(
        sql.Identifier(table.name), sql.SQL(", ").join(map(sql.Identifier, columns))
    )
    lines = map("\t".join, _converted([_copied(table.c[name]) for name in columns], rows))
    driver: Any = connection.connection.driver_connection
    with driver.cursor() as cursor, cursor.copy(statement) as copy:
        while batch := list(islice(lines, _COPY_ROWS)):
            copy.write("\n".join(batch) + "\n")


def _copied(column: Column[Any]) -> Convert | None:
    """How a value of a column is written for COPY; None for what is plain text already."""
    ways = (way for kind, way in _COPIED if isinstance(column.type, kind))
    convert = next(ways, lambda text: _escaped(storable(text)))
    if convert is None or not column.nullable:
        return convert
    return lambda value: "\\N" if value is None else convert(value)


_COPIED: tuple[tuple[type, Convert | None], ...] = (
    (Id, None),
    (Json, lambda value: json_text(value).replace("\\", "\\\\")),  # it has no ends of lines
    (Boolean, lambda flag: "t" if flag else "f"),
    # A subclass, such as numpy's, may show itself in another way.
    (Integer, lambda number: repr(int(number))),
    (Float, lambda number: repr(float(number))),
    (ARRAY, lambda ids: f"{{{','.join(ids)}}}"),
)
"""By the type of the column; any other is text."""


def _escaped(text: str) -> str:
    r"""A value with what COPY reads as more than itself: \, and the ends of lines and values."""
    if "\\" in text:
        text = text.replace("\\", "\\\\")
    if text.isprintable():
        return text
    return text.replace("\n", "\\n").replace("\t", "\\t").replace("\r", "\\r")


def _insert(
    connection: Connection, table: Table, columns: Sequence[str], rows: Iterable[Row]
) -> None:
    dialect = connection.dialect
    types = [table.c[name].type.dialect_impl(dialect) for name in columns]
    ready = map(tuple, _converted([kind.bind_processor(dialect) for kind in types], rows))
    names, places = ", ".join(columns), ", ".join("?" * len(columns))
    # Names of our own tables and columns only; every value is bound.
    statement = f"INSERT INTO {table.name} ({names}) VALUES ({places})"  # noqa: S608
    while batch := list(islice(ready, _BATCH_ROWS)):
        connection.exec_driver_sql(statement, batch)


def _converted(converters: Sequence[Convert | None], rows: Iterable[Row]) -> Iterator[list[Any]]:
    """The rows with their values as they are written.

    One at a time: of many objects that live on together, Python's garbage collector makes work.
    """
    changes = [(at, convert) for at, convert in enumerate(converters) if convert]
    for row in rows:
        values = list(row)
        for at, convert in changes:
            values[at] = convert(values[at])
        yield values
