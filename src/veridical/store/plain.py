"""Dataclasses as plain JSON values and back, exactly: what a column of type JSON holds.

A dataclass is an object with a key for every field, a span a pair of offsets, a tuple a list. On
the way back a key that is missing takes the field's default, so that a field with a default can be
added to a type without touching what is stored. What cannot have been written here is refused with
a TypeError, ValueError or LookupError: someone else changed it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from enum import StrEnum
from functools import cache
from operator import attrgetter
from types import NoneType, UnionType
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints

from veridical.sources.span import Span

Convert = Callable[[Any], Any]

_SPAN = attrgetter("start", "end")

_SCALARS: dict[type, tuple[type, ...]] = {
    str: (str,),
    int: (int,),
    float: (float, int),
    bool: (bool,),
}
"""What a field of a plain type may hold, a bool never in place of a number."""


class Codec(NamedTuple):
    """How values of one type are written and read; no `write` where they are JSON as they are."""

    write: Convert | None
    read: Convert

    def to_plain(self, value: Any) -> Any:
        """A value of the type as JSON values."""
        return self.write(value) if self.write else value

    def from_plain(self, data: Any) -> Any:
        """The value that `to_plain` was given."""
        return self.read(data)


@cache
def codec(kind: Any) -> Codec:
    """The codec of a type: a dataclass, an enum of strings, a tuple or an optional of such."""
    if kind is Span:
        return Codec(_SPAN, _span)
    if kind in _SCALARS:
        return Codec(None, _checked(_SCALARS[kind]))
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return Codec(None, kind)
    if is_dataclass(kind):
        return _object(kind)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is tuple and arguments[1:] == (...,):
        return _list(codec(arguments[0]))
    if origin is dict:
        return _mapping(*arguments)
    if origin is UnionType and NoneType in arguments and len(arguments) == 2:
        return _optional(next(codec(one) for one in arguments if one is not NoneType))
    raise TypeError(f"no plain form for {kind}")


def _checked(types: tuple[type, ...]) -> Convert:
    def read(value: Any) -> Any:
        if type(value) not in types:
            raise TypeError(f"a {type(value).__name__} is none of {types}")
        return value

    return read


def _span(pair: Any) -> Span:
    start, end = pair
    if type(start) is not int or type(end) is not int:
        raise TypeError("an offset is a whole number")
    return Span(start, end)


def _object(kind: Any) -> Codec:
    hints = get_type_hints(kind)
    names = tuple(field.name for field in fields(kind))
    codecs = {name: codec(hints[name]) for name in names}
    changes = [(name, found.write) for name, found in codecs.items() if found.write]
    # Several times faster than one `getattr` a field; ledgers have a hundred thousand entries.
    values_of = attrgetter(*names) if len(names) > 1 else lambda value: (getattr(value, names[0]),)

    def write(value: Any) -> dict[str, Any]:
        data = dict(zip(names, values_of(value), strict=True))
        for name, change in changes:
            data[name] = change(data[name])
        return data

    def read(data: dict[str, Any]) -> Any:
        return kind(**{name: codecs[name].from_plain(item) for name, item in data.items()})

    return Codec(write, read)


def _list(item: Codec) -> Codec:
    write, read = item
    is_list = _checked((list,))
    return Codec(
        (lambda values: [write(value) for value in values]) if write else list,
        lambda values: tuple([read(value) for value in is_list(values)]),
    )


def _mapping(key: type[StrEnum], value: type) -> Codec:
    """For objects that have a key for every member of an enum."""
    number = codec(value)

    def read(data: dict[str, Any]) -> dict[StrEnum, Any]:
        if len(data) != len(key):
            raise ValueError(f"{len(data)} of {len(key)} members of {key.__name__}")
        return {key(name): number.from_plain(item) for name, item in data.items()}

    return Codec(None, read)


def _optional(item: Codec) -> Codec:
    write, read = item
    return Codec(
        (lambda value: None if value is None else write(value)) if write else None,
        lambda value: None if value is None else read(value),
    )
