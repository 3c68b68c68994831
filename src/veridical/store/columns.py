"""Column types that mean the same on SQLite and on PostgreSQL."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ARRAY, Cast, ColumnElement, DateTime, Dialect, Text, Uuid
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import TypeDecorator, TypeEngine, UserDefinedType

from veridical.errors import StoreError

_MARK = "\x10"
_REFUSED = re.compile("[\x00\x10\ud800-\udfff]")
_MARKED = re.compile("\x10([0-9a-f]{4})")


def storable(text: str) -> str:
    """`text` as any database takes it: `restored` gives it back.

    PostgreSQL refuses U+0000, and no database takes a surrogate that stands alone. Each is kept as
    U+0010 (a control character that means just this) and its four hex digits, and so is U+0010
    itself. Text without any of them, which is nearly all text, is kept as it is.
    """
    if "\x00" in text or _MARK in text or not _is_encodable(text):
        return _REFUSED.sub(lambda found: f"{_MARK}{ord(found[0]):04x}", text)
    return text


def restored(text: str) -> str:
    """The text that `storable` was given."""
    if _MARK not in text:
        return text
    return _MARKED.sub(lambda found: chr(int(found[1], 16)), text)


def json_text(value: object) -> str:
    """A value as compact JSON that any database takes; raises StoreError for NaN and infinity."""
    try:
        text = _encode(value)
    except ValueError as error:
        raise StoreError("A number cannot be stored: it is infinite or none at all.") from error
    if "\\u00" in text or not _is_encodable(text):
        return _encode(_in_strings(value, storable))
    return text


def json_value(text: str) -> Any:
    """The value that `json_text` was given, tuples as lists."""
    value = json.loads(text)
    return _in_strings(value, restored) if "\\u0010" in text else value


_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


def _is_encodable(text: str) -> bool:
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _in_strings(value: Any, change: Callable[[str], str]) -> Any:
    """A JSON value with every string in it changed, the keys of objects too."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list | tuple):
        return [_in_strings(item, change) for item in value]
    if isinstance(value, dict):
        return {change(key): _in_strings(item, change) for key, item in value.items()}
    return value


class AnyText(TypeDecorator[str]):
    """Text of any code points, U+0000 and lone surrogates too."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, _: Dialect) -> str | None:
        """To the database."""
        return None if value is None else storable(value)

    def process_result_value(self, value: str | None, _: Dialect) -> str | None:
        """From the database."""
        return None if value is None else restored(value)


class Json(UserDefinedType[Any]):
    """A JSON value that comes back exactly as it went in, floats and all code points included.

    The type `json`, not `jsonb`: it keeps the text as written. It is read as text, so that no
    driver decodes it before `json_value` does.
    """

    cache_ok = True

    def get_col_spec(self, **_: Any) -> str:
        """The type as it is declared."""
        return "JSON"

    def bind_processor(self, _: Dialect) -> Callable[[Any], str | None]:
        """To the database."""
        return lambda value: None if value is None else json_text(value)

    def column_expression(self, colexpr: ColumnElement[Any]) -> ColumnElement[Any]:
        """How a query selects it."""
        return Cast(colexpr, _JsonText)


class _JsonTextType(TypeDecorator[Any]):
    """What a JSON column is read as."""

    impl = Text
    cache_ok = True

    def process_result_value(self, value: str | None, _: Dialect) -> Any:
        """From the database."""
        return None if value is None else json_value(value)


_JsonText = _JsonTextType()


class Utc(TypeDecorator[datetime]):
    """A moment, an aware datetime. It comes back in UTC, also from SQLite, which has no zones."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """To the database."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a moment needs its time zone")
        moment = value.astimezone(UTC)
        return moment.replace(tzinfo=None) if dialect.name == "sqlite" else moment

    def process_result_value(self, value: datetime | None, _: Dialect) -> datetime | None:
        """From the database."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_NOBODY = "00000000-0000-0000-0000-000000000000"


def is_id(text: str) -> bool:
    """Whether this is an id as we write it."""
    return _UUID.fullmatch(text) is not None


class Id(TypeDecorator[str]):
    """A UUID, in Python as its canonical text. Other texts are asked for by people and programs
    too: they lead where nothing is, as PostgreSQL takes no other in a column of UUIDs.
    """

    impl = Uuid
    cache_ok = True

    def __init__(self) -> None:
        super().__init__(as_uuid=False)

    def process_bind_param(self, value: str | None, _: Dialect) -> str | None:
        """To the database."""
        return value if value is None or is_id(value) else _NOBODY


def id_list_type() -> TypeEngine[Any]:
    """UUIDs in order: a native array on PostgreSQL, JSON on SQLite."""
    return ARRAY(Uuid(as_uuid=False)).with_variant(Json(), "sqlite")


class NewId(FunctionElement[str]):
    """A new random UUID, made by the database for rows that come without an id."""

    inherit_cache = True
    type = Uuid(as_uuid=False)


@compiles(NewId)
def _new_id(*_: Any, **__: Any) -> str:
    return "gen_random_uuid()"


@compiles(NewId, "sqlite")
def _new_id_on_sqlite(*_: Any, **__: Any) -> str:
    return "(lower(hex(randomblob(16))))"


class EmptyIds(FunctionElement[Any]):
    """The default of a column of `id_list_type`: no ids."""

    inherit_cache = True


@compiles(EmptyIds)
def _empty_ids(*_: Any, **__: Any) -> str:
    return "'{}'"


@compiles(EmptyIds, "sqlite")
def _empty_ids_on_sqlite(*_: Any, **__: Any) -> str:
    return "'[]'"
