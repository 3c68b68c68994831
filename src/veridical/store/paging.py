"""Lists: keyset pages of them, and words looked for in a column."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Generic, TypeVar

from sqlalchemy import (
    ColumnElement,
    Connection,
    Integer,
    RowMapping,
    Select,
    String,
    func,
    literal,
    tuple_,
)

from veridical.errors import ValidationError
from veridical.store.columns import Id, Utc, is_id, storable

T = TypeVar("T")

MOST_ON_A_PAGE = 200

MOST_CURSOR_CHARS = 6_000
"""Of `after`: what it takes to go on behind a name of 1,000 characters, and less than an address
may have.
"""

_URL_SAFE = re.compile(r"[A-Za-z0-9_-]+")


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """Some rows in order. `next` is what `after` must be for the rows behind them; None at the end.

    It is opaque, URL-safe and stays good when rows are added or taken away. Whoever passes an
    `after` that no page gave gets a ValidationError.
    """

    items: tuple[T, ...]
    next: str | None


@dataclass(frozen=True, slots=True)
class Order:
    """What rows are sorted by. The columns tell any two rows apart, and stand in the row under
    their names.
    """

    columns: tuple[ColumnElement[Any], ...]
    descending: bool = False


def page_of(
    connection: Connection,
    query: Select[Any],
    order: Order,
    read: Callable[[RowMapping], T],
    *,
    limit: int,
    after: str | None,
) -> Page[T]:
    """The rows of a query that come after a cursor, at most `limit` (1 to `MOST_ON_A_PAGE`).

    Raises ValidationError for a cursor that no page of this order gave.
    """
    most = min(max(limit, 1), MOST_ON_A_PAGE)
    if after is not None:
        query = query.where(_behind(order, _values(after, order)))
    sorting = (column.desc() if order.descending else column.asc() for column in order.columns)
    rows = connection.execute(query.order_by(*sorting).limit(most + 1)).mappings().all()
    items = tuple(map(read, rows[:most]))
    if len(rows) <= most:
        return Page(items, None)
    return Page(items, cursor(rows[most - 1][str(column.key)] for column in order.columns))


def _behind(order: Order, values: Sequence[Any]) -> ColumnElement[bool]:
    columns = tuple_(*order.columns)
    place = tuple_(
        *(literal(value, one.type) for value, one in zip(values, order.columns, strict=True))
    )
    return columns < place if order.descending else columns > place


def cursor(values: Iterable[Any]) -> str:
    """The place behind the row that has these values in the columns of an order."""
    told = [one.isoformat() if isinstance(one, datetime) else str(one) for one in values]
    text = json.dumps(told, ensure_ascii=False, separators=(",", ":"))
    plain = text.encode("utf-8", "surrogatepass")
    return base64.urlsafe_b64encode(plain).rstrip(b"=").decode()


def _values(cursor: str, order: Order) -> list[Any]:
    """The values of a cursor. Raises ValidationError where it is none of this order."""
    try:
        return _decoded(cursor, order)
    except (ValueError, TypeError, RecursionError, OverflowError):
        raise ValidationError(
            f"`after` is not what a page gave as its next: {cursor[:40]!r}. Begin without it."
        ) from None


def _decoded(cursor: str, order: Order) -> list[Any]:
    if len(cursor) > MOST_CURSOR_CHARS or not _URL_SAFE.fullmatch(cursor):
        raise ValueError("no cursor")
    plain = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
    values = json.loads(plain.decode("utf-8", "surrogatepass"))
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise ValueError("no list of words")
    return [_read(text, one) for text, one in zip(values, order.columns, strict=True)]


def _read(text: str, column: ColumnElement[Any]) -> Any:
    if isinstance(column.type, Utc):
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is None:
            raise ValueError("a moment without its zone")
        return moment.astimezone(UTC)
    if isinstance(column.type, Id) and not is_id(text):
        raise ValueError("no id")
    return text


MOST_QUERY_CHARS = 1_000


def holds(column: ColumnElement[Any], words: str) -> ColumnElement[bool]:
    """Whether `words` is part of a text. Raises ValidationError above `MOST_QUERY_CHARS`."""
    if len(words) > MOST_QUERY_CHARS:
        raise ValidationError(f"A search has at most {MOST_QUERY_CHARS:,} characters.")
    # Letters beyond ASCII are in lower case as far as the locale of PostgreSQL knows them.
    part = literal(storable(words), String())
    place: ColumnElement[int] = func.strpos(func.lower(column), func.lower(part), type_=Integer())
    return place > 0
