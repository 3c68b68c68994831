"""The columns of what comes in and what goes out, in one place.

A claim is known by `row`, its place in the input from 0: ids may be missing or used twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, Final

import pyarrow as pa


class Task(StrEnum):
    """What is done with each claim."""

    VALIDATE = "validate"
    JUDGE = "judge"


class Reason(StrEnum):
    """Why a row is among the failures: it could not be checked, whatever it says."""

    BAD_ROW = "bad_row"
    NO_DOCUMENT = "no_document"
    UNREADABLE_DOCUMENT = "unreadable_document"
    TIME_LIMIT = "time_limit"
    WORKER_DIED = "worker_died"
    ERROR = "error"


_KEYS = [("row", pa.int64()), ("claim_id", pa.string()), ("document_id", pa.string())]
_PLACE = [("start", pa.int64()), ("end", pa.int64()), ("matched_text", pa.string())]
_IN = [("document_sha256", pa.string())]

CLAIMS: Final = pa.schema([*_KEYS, ("words", pa.string()), ("evidence_type", pa.string())])
"""Claims on their way to whoever checks them. `words` are the quote or the claim."""

DOCUMENTS: Final = pa.schema([("document_id", pa.string()), ("text", pa.string())])

RESULTS: Final[Mapping[Task, pa.Schema]] = {
    Task.VALIDATE: pa.schema(
        [*_KEYS, ("status", pa.string()), ("fidelity", pa.string()), ("confidence", pa.float64()),
         *_PLACE, *_IN]
    ),
    Task.JUDGE: pa.schema(
        [*_KEYS, ("verdict", pa.string()), ("confidence", pa.float64()), *_PLACE, *_IN]
    ),
}  # fmt: skip
"""Results. `start` and `end` count code points of the document's text from 0; both are null, and
`matched_text` too, where nothing was found that a claim can rest on. `document_sha256` is the hash
of that text in UTF-8 (`Document.sha256`), so that it can be told in what was looked."""

FAILURES: Final = pa.schema([*_KEYS, ("reason", pa.string()), ("message", pa.string())])

OUTCOME: Final[Mapping[Task, str]] = {Task.VALIDATE: "status", Task.JUDGE: "verdict"}
"""The column that a summary counts."""


def texts(column: pa.ChunkedArray) -> list[str | None]:
    """A column as text. Bytes that are no UTF-8 become halves of surrogate pairs, which no text
    has, so that only their own rows are refused. Raises pa.ArrowException for what is no text.
    """
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    try:
        cast = column.cast(pa.string())
        cast.validate(full=True)
    except pa.ArrowInvalid:
        return [
            None if data is None else data.decode("utf-8", "surrogateescape")
            for data in column.cast(pa.binary()).to_pylist()
        ]
    values: list[str | None] = cast.to_pylist()
    return values


def is_storable(text: str) -> bool:
    """Whether a text is valid Unicode: halves of surrogate pairs are not."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def as_table(rows: Iterable[tuple[Any, ...]], schema: pa.Schema) -> pa.Table:
    """Rows as a table, in their order."""
    columns = list(zip(*rows, strict=True)) or [()] * len(schema)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)]
    return pa.Table.from_arrays(arrays, schema=schema)
