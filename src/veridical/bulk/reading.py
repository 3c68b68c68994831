"""Rows of claims from Parquet and JSONL: which columns are read, and which rows can be checked.

Columns may be texts, and integers as ids. Other types could be written as text, but not always as
those who made them would: 9007199254740993 as a float becomes another number, and a date or a truth
value is nothing that anybody has quoted.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice, repeat
from typing import IO, Any

import pyarrow as pa
from pyarrow import types

from veridical.bulk.places import GivenFile
from veridical.bulk.settings import MEBIBYTE, BulkSettings, Columns
from veridical.bulk.tables import (
    CLAIMS,
    DOCUMENTS,
    FAILURES,
    Reason,
    Task,
    as_table,
    is_storable,
    texts,
)
from veridical.errors import ValidationError
from veridical.validation.claims import MAX_QUOTE_CHARS, EvidenceType

MOST_ID_CHARS = 1_000
_MOST_TOLD = 20

_Is = Callable[[pa.DataType], bool]
_TEXT: tuple[_Is, ...] = (
    types.is_null, types.is_string, types.is_large_string, types.is_string_view,
)  # fmt: skip
_WORDS = (*_TEXT, types.is_binary, types.is_large_binary, types.is_binary_view)
_IDS = (*_TEXT, types.is_integer)


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


def shared_texts(column: pa.ChunkedArray) -> list[str | None]:
    """A column as text (`tables.texts`). Rows with the same value share it: a few long texts for
    many rows are not long for each of them.
    """
    if types.is_string_view(column.type) or types.is_binary_view(column.type):
        large = pa.large_string() if types.is_string_view(column.type) else pa.large_binary()
        column = column.cast(large)
    found: list[str | None] = []
    for chunk in column.dictionary_encode().chunks:
        values = texts(pa.chunked_array([chunk.dictionary]))
        found += [None if at is None else values[at] for at in chunk.indices.to_pylist()]
    return found


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


# Rows of claims from JSON lines.


MOST_LINE_BYTES = 1024 * 1024

_ENOUGH_LINES = 20
"""Lines of which at least one should be a JSON object, or it is another kind of file: of fewer,
each may be broken by itself."""

_MOST_KEYS = 20
_TOO_LONG = f"the line has more than {MOST_LINE_BYTES:,} bytes"

Values = tuple[Any, Any, Any, Any, str]
"""The values of `Columns`, and what is wrong with the row already ("" for nothing)."""


class _Pairs(list[tuple[str, Any]]):
    """The members of a JSON object, all of them, also where a key is there twice."""


class JsonLines:
    """A file of JSON lines. Of each object the wanted keys are read, and must be there once."""

    def __init__(self, columns: Columns, name: str) -> None:
        self._name = name
        self._keys = (
            columns.claim_id, columns.document_id, columns.words, columns.evidence_type,
        )  # fmt: skip
        self._decode = json.JSONDecoder(object_pairs_hook=_Pairs).decode
        self._seen: dict[str, None] = {}
        self._lines = self._objects = 0
        self._is_new = True

    def rows(self, stream: IO[bytes]) -> Iterator[Values]:
        """The row of each line but blank ones. Raises as `_require_right` after some lines."""
        while line := stream.readline(MOST_LINE_BYTES + 1):
            is_whole = line.endswith(b"\n") or len(line) <= MOST_LINE_BYTES
            while not is_whole and not line.endswith(b"\n"):
                line = stream.readline(MOST_LINE_BYTES)
                if not line:
                    break
            if not is_whole:
                yield _wrong(_TOO_LONG)
            elif line.strip():
                yield self._of_line(line)
            if self._is_new and self._lines == BATCH_ROWS:
                self._require_right()
        self._require_right()

    def _require_right(self) -> None:
        """Raises ValidationError where what was read so far is evidently no JSONL, or has not one
        of the keys that are needed. What follows is then taken as it comes.
        """
        self._is_new = False
        if self._lines >= _ENOUGH_LINES and not self._objects:
            raise ValidationError(
                f"{self._name}: this is evidently no JSONL; none of the first {self._lines:,} "
                "lines is a JSON object. Give JSONL or Parquet."
            )
        missing = [key for key in self._keys[:3] if self._objects and key not in self._seen]
        if missing:
            raise no_column(self._name, missing[0], self._seen)

    def _of_line(self, line: bytes) -> Values:
        self._lines += self._is_new
        try:
            pairs = self._decode(line.decode(json.detect_encoding(line), "surrogatepass"))
        except (ValueError, RecursionError):
            return _wrong("the line is not JSON")
        if not isinstance(pairs, _Pairs):
            return _wrong("the line is no JSON object")
        data = dict(pairs)
        if self._is_new:
            self._objects += 1
            self._seen |= dict.fromkeys(islice(data, _MOST_KEYS))
            self._seen |= dict.fromkeys(key for key in self._keys if key in data)
        values = [data.get(key) for key in self._keys]
        ids = [str(v) if isinstance(v, int) and not isinstance(v, bool) else v for v in values[:2]]
        wrong = ""
        if len(data) < len(pairs):
            # Which of two is meant nobody can know, and readers of the same file may take either.
            counts = Counter(name for name, _ in pairs if name in self._keys)
            twice = next((name for name in counts if counts[name] > 1), None)
            wrong = "" if twice is None else f"the key {twice!r} is there twice"
        return ids[0], ids[1], values[2], values[3], wrong


def _wrong(problem: str) -> Values:
    return None, None, None, None, problem


BATCH_ROWS = 4_096
_BATCH_BYTES = 16 * MEBIBYTE
"""Rows that are read at a time: so many, or of so many bytes where they are long. What is kept of
each has some thousand characters at most."""

_THE_TABLE = "the table"
_TYPES = frozenset(kind.value for kind in EvidenceType)


@dataclass(frozen=True, slots=True)
class ReadBatch:
    """Some rows of the input: those that can be checked (`CLAIMS`), and those that cannot
    (`FAILURES`).
    """

    claims: pa.Table
    refused: pa.Table


def read_claims(files: Sequence[GivenFile], settings: BulkSettings) -> Iterator[ReadBatch]:
    """All rows of some files, in their order, in batches of bounded size.

    Raises ValidationError for a file that cannot be read, or lacks a column.
    """
    first = 0
    for file in files:
        rows = _parquet_rows if file.is_parquet else _json_rows
        for batch in _sorted_out(rows(file, settings), first, settings.task):
            yield batch
            first += batch.claims.num_rows + batch.refused.num_rows


def batches_of(table: pa.Table, settings: BulkSettings) -> Iterator[ReadBatch]:
    """The rows of a table as `read_claims` gives those of files."""
    wanted = claim_columns(table.schema, settings.columns, settings.task, _THE_TABLE)
    tables = (table.slice(at, BATCH_ROWS) for at in range(0, table.num_rows, BATCH_ROWS))
    rows = chain.from_iterable(_of_columns(one, wanted, _THE_TABLE) for one in tables)
    return _sorted_out(rows, 0, settings.task)


def estimated_rows(files: Sequence[GivenFile]) -> int:
    """About how many rows there are: exact for Parquet, from the size of the first for JSONL."""
    total, per_row = 0, 0.0
    for file in files:
        if file.is_parquet:
            with file.parquet() as parquet:
                total += parquet.metadata.num_rows
        else:
            per_row = per_row or _bytes_of_a_line(file)
            unpacked = file.size_bytes * (_GZIP_RATIO if file.path.lower().endswith(".gz") else 1)
            total += round(unpacked / per_row) if per_row else 0
    return total


_GZIP_RATIO = 4
"""How much longer lines are than their packed form, about: only for an estimate."""


def _bytes_of_a_line(file: GivenFile) -> float:
    with file.open() as stream:
        sample = stream.read(MOST_LINE_BYTES)
    return len(sample) / max(1, sample.count(b"\n")) if sample else 0.0


def _parquet_rows(file: GivenFile, settings: BulkSettings) -> Iterator[Values]:
    with file.parquet() as parquet:
        wanted = claim_columns(parquet.schema_arrow, settings.columns, settings.task, file.name)
    # As dictionaries: a few long texts for many rows would else be long for each of them.
    for table in file.tables(wanted, BATCH_ROWS, _BATCH_BYTES, dictionaries=wanted):
        yield from _of_columns(table, wanted, file.name)


def _of_columns(table: pa.Table, wanted: Sequence[str], name: str) -> Iterator[Values]:
    try:
        columns = [shared_texts(table.column(column)) for column in wanted]
    except pa.ArrowException as error:
        raise ValidationError(f"{name}: a column cannot be read as text ({error}).") from error
    kinds = columns[3] if columns[3:] else [None] * len(table)
    return zip(*columns[:3], kinds, repeat(""))


def _json_rows(file: GivenFile, settings: BulkSettings) -> Iterator[Values]:
    with file.open() as stream:
        yield from JsonLines(settings.columns, file.name).rows(stream)


def _sorted_out(rows: Iterator[Values], first: int, task: Task) -> Iterator[ReadBatch]:
    """The rows, numbered from `first`, some at a time. Of one that cannot be checked its ids alone
    are kept: what is wrong may be that it is large.
    """
    numbered = enumerate(rows, first)
    while True:
        claims: list[tuple[Any, ...]] = []
        refused: list[tuple[Any, ...]] = []
        for row, (claim_id, document_id, words, kind, wrong) in islice(numbered, BATCH_ROWS):
            problem = wrong or _problem(claim_id, document_id, words, kind, task)
            if problem:
                ids = _told(claim_id), _told(document_id)
                refused.append((row, *ids, Reason.BAD_ROW.value, problem))
            else:
                used = kind if task is Task.VALIDATE and kind else None
                claims.append((row, claim_id, document_id, words, used))
        if not claims and not refused:
            return
        yield ReadBatch(as_table(claims, CLAIMS), as_table(refused, FAILURES))


def _problem(claim_id: Any, document_id: Any, words: Any, kind: Any, task: Task) -> str:
    named = (("claim_id", claim_id), ("document_id", document_id))
    for name, value in named:
        if not isinstance(value, str) or not value:
            return f"{name} is missing" if value is None or value == "" else f"{name} is no text"
        if len(value) > MOST_ID_CHARS:
            return f"{name} has more than {MOST_ID_CHARS:,} characters"
    what = "quote" if task is Task.VALIDATE else "claim"
    if isinstance(words, str) and len(words) > MAX_QUOTE_CHARS:
        return f"the {what} has {len(words):,} characters, the limit is {MAX_QUOTE_CHARS:,}"
    if not isinstance(words, str) or not words.strip():
        return f"the {what} is {'empty' if words is None or isinstance(words, str) else 'no text'}"
    is_type = kind in (None, "") or (isinstance(kind, str) and kind in _TYPES)
    if task is Task.VALIDATE and not is_type:
        return f"evidence_type is none of {', '.join(sorted(_TYPES))}"
    return "" if is_storable(claim_id + document_id + words) else "it is no valid Unicode text"


def _told(value: Any) -> str | None:
    """An id as a failure tells it."""
    if not isinstance(value, str):
        return None
    return value[:MOST_ID_CHARS].encode("utf-8", "replace").decode()
