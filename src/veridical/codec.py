"""Records as plain JSON data, and back, by the types of their fields.

A record is a dataclass. It becomes an object with a key for each field, and a `Form` says where its
data differs from that. What is read must have been held against its schema before.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from functools import partial
from operator import attrgetter
from types import NoneType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

_Record = TypeVar("_Record")
_Convert = Callable[[Any], Any]


def _same(value: Any) -> Any:
    return value


def camel(name: str) -> str:
    """`start_event` as `startEvent`."""
    first, *others = name.split("_")
    return first + "".join(map(str.capitalize, others))


@dataclass(frozen=True, slots=True)
class Form:
    """Where the data of a record differs from its fields one by one.

    `names` has the keys of fields that are not called by their own name: dots lead into objects
    (`claimed.start`), and an empty one puts what a field's record has beside the fields of its
    owner. Fields of `optional` are left out where they are None or a tuple of nothing. `told` makes
    the data that is written of what the fields gave, and `given` what the fields take of data.
    """

    names: Mapping[str, str] | None = None
    optional: Collection[str] = ()
    told: _Convert = _same
    given: _Convert = _same


_PLAIN = Form()


@dataclass(frozen=True, slots=True)
class _Part:
    """How a field is written and read. `keys` lead to its place; none where it has no own one."""

    field: str
    keys: tuple[str, ...]
    write: _Convert
    read: _Convert
    is_list: bool
    optional: bool


class Codec:
    """Writes and reads the records of one family.

    `spelling` makes a key of a field's name. `write_float` and `read_float` are applied to what is
    typed as a float. Fields may have the types str, bool, int, float, Any, mappings, enums, other
    records, tuples of one of these, and each of them or None.
    """

    def __init__(
        self,
        forms: Mapping[type, Form],
        *,
        spelling: Callable[[str], str] = str,
        write_float: _Convert = _same,
        read_float: _Convert = _same,
    ) -> None:
        self._forms = forms
        self._spelling = spelling
        self._float = write_float, read_float
        self._parts: dict[type, tuple[_Part, ...]] = {}

    def write(self, record: object) -> dict[str, Any]:
        """A record as plain data."""
        data: dict[str, Any] = self._write(type(record), record)
        return data

    def read(self, kind: type[_Record], data: Any) -> _Record:
        """The record in plain data that `write` might have given. Keys that no field has are left
        alone, and a field whose key is missing has its default.
        """
        data = self._form(kind).given(data)
        found: dict[str, Any] = {}
        for part in self._parts_of(kind):
            value = data
            for key in part.keys:
                if key not in value:
                    break
                value = value[key]
            else:
                found[part.field] = part.read(value)
        return kind(**found)

    def _write(self, kind: type, record: object) -> Any:
        data: dict[str, Any] = {}
        for part in self._parts_of(kind):
            value = getattr(record, part.field)
            if part.optional and (not value if part.is_list else value is None):
                continue
            if not part.keys:
                data |= part.write(value)
                continue
            *outer, key = part.keys
            inner = data
            for name in outer:
                inner = inner.setdefault(name, {})
            inner[key] = part.write(value)
        return self._form(kind).told(data)

    def _form(self, kind: type) -> Form:
        return self._forms.get(kind, _PLAIN)

    def _parts_of(self, kind: Any) -> tuple[_Part, ...]:
        if kind not in self._parts:
            form, hints = self._form(kind), get_type_hints(kind)
            names = form.names or {}
            self._parts[kind] = tuple(
                _Part(
                    name,
                    tuple(filter(None, names.get(name, self._spelling(name)).split("."))),
                    *self._both_ways(hints[name]),
                    is_list=get_origin(hints[name]) is tuple,
                    optional=name in form.optional,
                )
                for name in (field.name for field in fields(kind))
            )
        return self._parts[kind]

    def _both_ways(self, hint: Any) -> tuple[_Convert, _Convert]:
        """What writes a value of that type, and what reads it."""
        of = get_args(hint)
        if get_origin(hint) is tuple:
            write, read = self._both_ways(of[0])
            return lambda all_: [write(one) for one in all_], lambda all_: tuple(map(read, all_))
        if NoneType in of:
            write, read = self._both_ways(of[0])
            return (
                lambda value: None if value is None else write(value),
                lambda value: None if value is None else read(value),
            )
        if isinstance(hint, type) and is_dataclass(hint):
            return partial(self._write, hint), partial(self.read, hint)
        if hint is float:
            return self._float
        if hint is int:
            return _same, int  # in JSON 3.0 is a whole number too
        if get_origin(hint) is Mapping:
            return dict, dict
        if isinstance(hint, type) and issubclass(hint, Enum):
            return attrgetter("value"), hint
        return _same, _same


def arranged(data: Any, schema: Mapping[str, Any], whole: Mapping[str, Any] | None = None) -> Any:
    """Data with its keys in the order in which its JSON Schema has them, and others behind them.

    `whole` is the schema that `schema` is a part of.
    """
    whole = whole or schema
    if "$ref" in schema:
        schema = whole["definitions"][schema["$ref"].rpartition("/")[2]]
    if isinstance(data, list):
        return [arranged(one, schema.get("items", {}), whole) for one in data]
    if isinstance(data, dict):
        known = schema.get("properties", {})
        keys = dict.fromkeys((*known, *data))
        return {key: arranged(data[key], known.get(key, {}), whole) for key in keys if key in data}
    return data
