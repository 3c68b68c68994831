"""Which columns of a table are read, and of what types they may be: texts, and integers as ids.

Other types could be written as text, but not always as those who made them would: 9007199254740993
as a float becomes another number, and a date or a truth value is nothing that anybody has quoted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import types

from veridical.bulk.settings import MEBIBYTE, Columns
from veridical.bulk.tables import DOCUMENTS, Task, texts
from veridical.errors import ValidationError

MOST_ID_CHARS = 1_000
_MOST_TOLD = 20
_MOST_WRITTEN_OUT = 4 * MEBIBYTE

_Is = Callable[[pa.DataType], bool]
_TEXT: tuple[_Is, ...] = (
    types.is_null, types.is_string, types.is_large_string, types.is_string_view,
)  # fmt: skip
_WORDS = (*_TEXT, types.is_binary, types.is_large_binary, types.is_binary_view)
_IDS = (*_TEXT, types.is_integer)
_AS_TEXT = {pa.binary(): pa.string(), pa.large_binary(): pa.large_string()}


class Long(int):
    """Words that are too long to be kept: how many characters there were."""


def claim_columns(schema: pa.Schema, columns: Columns, task: Task, name: str) -> list[str]:
    """The columns that are read of a table of claims: three, and the type of evidence where it is
    there and of use.

    Raises ValidationError where one is missing, there twice, or of a type that is no text.
    """
    allowed = {columns.claim_id: _IDS, columns.document_id: _IDS, columns.words: _WORDS}
    if task is Task.VALIDATE and columns.evidence_type in schema.names:
        allowed[columns.evidence_type] = _TEXT
    _require(schema, allowed, name)
    return list(allowed)


def document_columns(schema: pa.Schema, name: str) -> list[str]:
    """The columns that are read of a table of documents. Raises as `claim_columns`."""
    document_id, text = DOCUMENTS.names
    _require(schema, {document_id: _IDS, text: _WORDS}, name)
    return list(DOCUMENTS.names)


def no_column(name: str, column: str, there: Iterable[str]) -> ValidationError:
    """The error where a column, or a key of all objects, is missing."""
    told = ", ".join(list(there)[:_MOST_TOLD])
    return ValidationError(
        f"{name}: there is no column {column!r}; there are {told}. Columns of claims that are "
        "called otherwise can be named: --column on the command line, `Columns` in Python."
    )


def clipped_words(column: pa.ChunkedArray, most: int) -> list[Any]:
    """A column as text (`tables.texts`), with `Long` in place of what has more characters."""
    return _mapped(column, lambda values: _without_long(values, most))


def clipped_ids(column: pa.ChunkedArray) -> list[Any]:
    """A column of ids as text, of those that are too long not much more than may be."""
    return _mapped(column, _cut_ids)


def _mapped(column: pa.ChunkedArray, read: Callable[[pa.ChunkedArray], list[Any]]) -> list[Any]:
    """A column by its values, each of which is read once where there is a dictionary of them."""
    if types.is_string_view(column.type) or types.is_binary_view(column.type):
        large = pa.large_string() if types.is_string_view(column.type) else pa.large_binary()
        return read(column.cast(large))
    if not types.is_dictionary(column.type):
        return read(column)
    found: list[Any] = []
    for chunk in column.chunks:
        lengths = pc.binary_length(chunk.dictionary)
        if (pc.sum(lengths.take(chunk.indices)).as_py() or 0) <= _MOST_WRITTEN_OUT:
            found += read(pa.chunked_array([chunk.dictionary_decode()]))  # quicker
            continue
        values = read(pa.chunked_array([chunk.dictionary]))
        indices = chunk.indices.to_pylist()
        found += [None if index is None else values[index] for index in indices]
    return found


def _without_long(column: pa.ChunkedArray, most: int) -> list[Any]:
    lengths = _lengths(column)
    if not (pc.max(lengths).as_py() or 0) > most:
        return list(texts(column))
    kept = pc.if_else(pc.greater(lengths, most), pa.scalar(None, column.type), column)
    found: list[Any] = list(texts(kept))
    for at, length in enumerate(lengths.to_pylist()):
        if length is not None and length > most:
            found[at] = Long(length)
    return found


def _cut_ids(column: pa.ChunkedArray) -> list[Any]:
    if (
        not types.is_integer(column.type)
        and (pc.max(_lengths(column)).as_py() or 0) > MOST_ID_CHARS
    ):
        try:
            column = pc.utf8_slice_codeunits(column, 0, MOST_ID_CHARS + 1)
        except pa.ArrowInvalid:  # some are no valid Unicode, and refused by themselves
            return list(texts(column))
    return list(texts(column))


def _lengths(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """How many characters values have, also where they are bytes that may be no text."""
    if types.is_null(column.type):
        return pa.chunked_array([pa.nulls(len(column), pa.int64())])
    text = _AS_TEXT.get(column.type)
    if text is not None:
        column = pa.chunked_array([chunk.view(text) for chunk in column.chunks], text)
    return pc.utf8_length(column)


def _require(schema: pa.Schema, allowed: Mapping[str, Sequence[_Is]], name: str) -> None:
    for column, kinds in allowed.items():
        if column not in schema.names:
            raise no_column(name, column, schema.names)
        if schema.names.count(column) > 1:
            raise ValidationError(f"{name}: there are two columns {column!r}.")
        kind = schema.field(column).type
        value = kind.value_type if types.is_dictionary(kind) else kind
        if not any(is_one(value) for is_one in kinds):
            needed = "text or whole numbers" if kinds is _IDS else "text"
            raise ValidationError(
                f"{name}: the column {column!r} is of the type {kind}; it must be {needed}. "
                "Convert it, or name another column."
            )
