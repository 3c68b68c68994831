"""Records as plain JSON data, and back, by the types of their fields.

A record is a dataclass. It becomes an object with a key for each field, and a `Form` says where its
data differs from that. What is read must have been held against its schema before, or is read with
the values of `EXACT` and `closed`: then what cannot have been written is refused with a TypeError,
ValueError or LookupError.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from operator import attrgetter
from types import NoneType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

_Record = TypeVar("_Record")
_Convert = Callable[[Any], Any]

Ways = tuple[_Convert | None, _Convert]
"""What writes a value of a type, None where it is written as it is, and what reads it."""


def _same(value: Any) -> Any:
    return value


def camel(name: str) -> str:
    """`start_event` as `startEvent`."""
    first, *others = name.split("_")
    return first + "".join(map(str.capitalize, others))


def _only(*kinds: type) -> _Convert:
    def read(value: Any) -> Any:
        if type(value) not in kinds:
            raise TypeError(f"a {type(value).__name__} is none of {kinds}")
        return value

    return read


EXACT: Mapping[Any, Ways] = {
    str: (None, _only(str)),
    int: (None, _only(int)),
    float: (None, _only(float, int)),
    bool: (None, _only(bool)),
    list: (None, _only(list)),
}
"""Values of the types that JSON has, read as nothing else: a bool is no number, a text no list."""


@dataclass(frozen=True, slots=True)
class Form:
    """Where the data of a record differs from its fields one by one.

    `names` has the keys of fields that are not called by their own name: dots lead into objects
    (`claimed.start`), and an empty one puts what a field's record has beside the fields of its
    owner. Fields of `optional` are left out where they are None or a tuple of nothing, those of
    `apart` always: who reads hands them in, or they have their default. `told` makes the data that
    is written of what the fields gave, and `given` what the fields take of data.
    """

    names: Mapping[str, str] | None = None
    optional: Collection[str] = ()
    apart: Collection[str] = ()
    told: _Convert = _same
    given: _Convert = _same


_PLAIN = Form()


@dataclass(frozen=True, slots=True)
class _Part:
    """How a field is written and read. `keys` lead to its place; none where it has no own one."""

    field: str
    keys: tuple[str, ...]
    write: _Convert | None
    read: _Convert
    is_list: bool
    optional: bool

    @property
    def is_flat(self) -> bool:
        """Whether it is always there, under a key of its own."""
        return len(self.keys) == 1 and not self.optional


class Codec:
    """Writes and reads the records of one family.

    `spelling` makes a key of a field's name, and `values` has the ways of types that have their
    own. Fields may have the types str, bool, int, float, Any, mappings, enums, other records,
    tuples of one of these, and each of them or None; what is of another type is left as it is.
    A `closed` codec refuses keys that no field has, and mappings by an enum without all its
    members; its forms have no names with dots, nor empty ones.
    """

    def __init__(
        self,
        forms: Mapping[type, Form] | None = None,
        *,
        spelling: Callable[[str], str] = str,
        values: Mapping[Any, Ways] | None = None,
        closed: bool = False,
    ) -> None:
        self._forms = forms or {}
        self._spelling = spelling
        self._closed = closed
        self._ways: dict[Any, Ways] = {
            int: (None, int),  # in JSON 3.0 is a whole number too
            **(values or {}),
        }
        self._readers: dict[type, Callable[..., Any]] = {}

    def write(self, record: object) -> dict[str, Any]:
        """A record as plain data."""
        write: Any = self.of(type(record))[0]
        data: dict[str, Any] = write(record)
        return data

    def read(self, kind: type[_Record], data: Any, **apart: Any) -> _Record:
        """The record in plain data that `write` might have given, and what its form has `apart`.

        Keys that no field has are left alone, and a field whose key is missing has its default.
        """
        self.of(kind)
        record: _Record = self._readers[kind](data, **apart)
        return record

    def of(self, hint: Any) -> Ways:
        """What writes a value of that type, and what reads it."""
        if hint not in self._ways:
            self._ways[hint] = self._found(hint)
        return self._ways[hint]

    def _found(self, hint: Any) -> Ways:
        of = get_args(hint)
        if get_origin(hint) is tuple:
            return self._list(*self.of(of[0]))
        if NoneType in of:
            return _optional(*next(self.of(one) for one in of if one is not NoneType))
        if get_origin(hint) in (dict, Mapping):
            return self._mapping(*of)
        if isinstance(hint, type) and is_dataclass(hint):
            return self._record(hint)
        if isinstance(hint, type) and issubclass(hint, Enum):
            return attrgetter("_value_"), hint
        return None, _same

    def _list(self, write: _Convert | None, read: _Convert) -> Ways:
        is_list = self.of(list)[1]
        return (
            (lambda values: [write(value) for value in values]) if write else list,
            lambda values: tuple([read(value) for value in is_list(values)]),
        )

    def _mapping(self, key: Any, value: Any) -> Ways:
        if not (isinstance(key, type) and issubclass(key, Enum)):
            return dict, dict
        write, read = self.of(value)

        def read_all(data: Mapping[Any, Any]) -> dict[Any, Any]:
            if self._closed and len(data) != len(key):
                raise ValueError(f"{len(data)} of {len(key)} members of {key.__name__}")
            return {key(name): read(item) for name, item in data.items()}

        return (
            lambda items: {
                one.value: write(item) if write else item for one, item in items.items()
            },
            read_all,
        )

    def _record(self, kind: type) -> Ways:
        form = self._forms.get(kind, _PLAIN)
        parts = self._parts(kind, form)
        self._readers[kind] = read = self._reader(kind, parts, form.given)
        write = _flat_writer(parts) if all(part.is_flat for part in parts) else _writer(parts)
        told = form.told
        return (write if told is _same else lambda record: told(write(record))), read

    def _parts(self, kind: Any, form: Form) -> tuple[_Part, ...]:
        hints, names = get_type_hints(kind), form.names or {}
        return tuple(
            _Part(
                name,
                tuple(filter(None, names.get(name, self._spelling(name)).split("."))),
                *self.of(hints[name]),
                is_list=get_origin(hints[name]) is tuple,
                optional=name in form.optional,
            )
            for name in (field.name for field in fields(kind))
            if name not in form.apart
        )

    def _reader(self, kind: type, parts: Sequence[_Part], given: _Convert) -> Callable[..., Any]:
        flat = [(part.field, part.keys[0], part.read) for part in parts if len(part.keys) == 1]
        others = [part for part in parts if len(part.keys) != 1]

        def read(data: Any, **apart: Any) -> Any:
            if self._closed and type(data) is not dict:
                raise TypeError(f"{kind.__name__} is written as an object")
            data = given(data)
            found = {field: take(data[key]) for field, key, take in flat if key in data}
            if self._closed and len(found) != len(data):
                raise TypeError(f"keys that {kind.__name__} does not have")
            for part in others:
                value = data
                for key in part.keys:
                    if key not in value:
                        break
                    value = value[key]
                else:
                    found[part.field] = part.read(value)
            return kind(**found, **apart)

        return read


def _flat_writer(parts: Sequence[_Part]) -> _Convert:
    """Several times faster than one `getattr` a field; ledgers have a hundred thousand entries."""
    names, keys = [part.field for part in parts], [part.keys[0] for part in parts]
    changes = [(part.keys[0], part.write) for part in parts if part.write]
    values_of: _Convert = attrgetter(*names) if names[1:] else lambda one: (getattr(one, names[0]),)

    def write(record: object) -> dict[str, Any]:
        data = dict(zip(keys, values_of(record), strict=True))
        for key, change in changes:
            data[key] = change(data[key])
        return data

    return write


def _writer(parts: Sequence[_Part]) -> _Convert:
    def write(record: object) -> dict[str, Any]:
        data: dict[str, Any] = {}
        for part in parts:
            value = getattr(record, part.field)
            if part.optional and (not value if part.is_list else value is None):
                continue
            written = part.write(value) if part.write else value
            if not part.keys:
                data |= written
                continue
            *outer, key = part.keys
            inner = data
            for name in outer:
                inner = inner.setdefault(name, {})
            inner[key] = written
        return data

    return write


def _optional(write: _Convert | None, read: _Convert) -> Ways:
    return (
        (lambda value: None if value is None else write(value)) if write else None,
        lambda value: None if value is None else read(value),
    )


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
