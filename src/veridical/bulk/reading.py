"""Rows of claims from Parquet and JSONL, and which of them can be checked at all."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from veridical.bulk.places import DAMAGED, GivenFile, parquet_file
from veridical.bulk.settings import BulkSettings, Columns
from veridical.bulk.tables import (
    CLAIMS,
    FAILURES,
    Reason,
    Task,
    as_table,
    is_storable,
    texts,
)
from veridical.errors import ValidationError
from veridical.validation.claims import MAX_QUOTE_CHARS, EvidenceType

BATCH_ROWS = 16_384
MOST_LINE_BYTES = 1024 * 1024
MOST_ID_CHARS = 1_000

_TYPES = frozenset(kind.value for kind in EvidenceType)
_Row = tuple[Any, Any, Any, Any, str]
"""The values of `Columns`, and what is wrong with the row already ("" for nothing)."""


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
        for batch in rows(file, settings.columns):
            yield _sorted_out(batch, first, settings.task)
            first += len(batch)


def batches_of(table: pa.Table, settings: BulkSettings) -> Iterator[ReadBatch]:
    """The rows of a table as `read_claims` gives those of files."""
    for start in range(0, table.num_rows, BATCH_ROWS):
        part = table.slice(start, BATCH_ROWS)
        yield _sorted_out(_of_table(part, settings.columns, "the table"), start, settings.task)


def estimated_rows(files: Sequence[GivenFile]) -> int:
    """About how many rows there are: exact for Parquet, from the size of the first for JSONL."""
    total, per_row = 0, 0.0
    for file in files:
        if file.is_parquet:
            with file.open() as stream:
                total += parquet_file(stream, file.name).metadata.num_rows
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


def _parquet_rows(file: GivenFile, columns: Columns) -> Iterator[list[_Row]]:
    with file.open() as stream:
        parquet = parquet_file(stream, file.name)
        wanted = _columns_there(parquet.schema_arrow.names, columns, file.name)
        try:
            for batch in parquet.iter_batches(BATCH_ROWS, columns=wanted):
                yield _of_table(pa.Table.from_batches([batch]), columns, file.name)
        except DAMAGED as error:
            raise ValidationError(f"{file.name}: the Parquet file is damaged ({error}).") from error


def _columns_there(there: Sequence[str], columns: Columns, name: str) -> list[str]:
    needed = [columns.claim_id, columns.document_id, columns.words]
    missing = [column for column in needed if column not in there]
    twice = [c for c in (*needed, columns.evidence_type) if list(there).count(c) > 1]
    if twice:
        raise ValidationError(f"{name}: there are two columns {twice[0]!r}.")
    if missing:
        raise ValidationError(
            f"{name}: there is no column {missing[0]!r}; there are {', '.join(there[:20])}. "
            "Say which one it is, with --column on the command line."
        )
    return [*needed, *([columns.evidence_type] if columns.evidence_type in there else [])]


def _of_table(table: pa.Table, columns: Columns, name: str) -> list[_Row]:
    wanted = _columns_there(table.schema.names, columns, name)
    try:
        values = [texts(table.column(column)) for column in wanted]
    except pa.ArrowException as error:
        raise ValidationError(f"{name}: a column cannot be read as text ({error}).") from error
    kinds = values[3] if len(values) > len(("claim", "document", "words")) else [None] * len(table)
    return [(*row, "") for row in zip(*values[:3], kinds, strict=True)]


def _json_rows(file: GivenFile, columns: Columns) -> Iterator[list[_Row]]:
    with file.open() as stream:
        batch: list[_Row] = []
        while line := stream.readline(MOST_LINE_BYTES + 1):
            is_whole = line.endswith(b"\n") or len(line) <= MOST_LINE_BYTES
            while not is_whole and not line.endswith(b"\n"):
                line = stream.readline(MOST_LINE_BYTES)
                if not line:
                    break
            if line.strip() or not is_whole:
                batch.append(_of_line(line, columns) if is_whole else _wrong(_TOO_LONG))
            if len(batch) == BATCH_ROWS:
                yield batch
                batch = []
        if batch:
            yield batch


_TOO_LONG = f"the line has more than {MOST_LINE_BYTES:,} bytes"


def _of_line(line: bytes, columns: Columns) -> _Row:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        return _wrong("the line is not JSON")
    if not isinstance(data, dict):
        return _wrong("the line is no JSON object")
    names = (columns.claim_id, columns.document_id, columns.words, columns.evidence_type)
    values = [data.get(name) for name in names]
    ids = [str(v) if isinstance(v, int) and not isinstance(v, bool) else v for v in values[:2]]
    return ids[0], ids[1], values[2], values[3], ""


def _wrong(problem: str) -> _Row:
    return None, None, None, None, problem


def _sorted_out(batch: Sequence[_Row], first: int, task: Task) -> ReadBatch:
    claims: list[tuple[Any, ...]] = []
    refused: list[tuple[Any, ...]] = []
    for row, (claim_id, document_id, words, kind, known) in enumerate(batch, first):
        problem = known or _problem(claim_id, document_id, words, kind, task)
        if problem:
            ids = (_told(claim_id), _told(document_id))
            refused.append((row, *ids, Reason.BAD_ROW.value, problem))
        else:
            used = kind if task is Task.VALIDATE and kind else None
            claims.append((row, claim_id, document_id, words, used))
    return ReadBatch(as_table(claims, CLAIMS), as_table(refused, FAILURES))


def _problem(claim_id: Any, document_id: Any, words: Any, kind: Any, task: Task) -> str:
    named = (("claim_id", claim_id), ("document_id", document_id))
    for name, value in named:
        if not isinstance(value, str) or not value:
            return f"{name} is missing" if value is None or value == "" else f"{name} is no text"
        if len(value) > MOST_ID_CHARS:
            return f"{name} has more than {MOST_ID_CHARS:,} characters"
    what = "quote" if task is Task.VALIDATE else "claim"
    if not isinstance(words, str) or not words.strip():
        return (
            f"the {what} is empty"
            if words is None or isinstance(words, str)
            else (f"the {what} is no text")
        )
    if len(words) > MAX_QUOTE_CHARS:
        return f"the {what} has {len(words):,} characters, the limit is {MAX_QUOTE_CHARS:,}"
    if task is Task.VALIDATE and kind not in (None, "") and not _is_type(kind):
        return f"evidence_type is none of {', '.join(sorted(_TYPES))}"
    return "" if is_storable(claim_id + document_id + words) else "it is no valid Unicode text"


def _is_type(kind: Any) -> bool:
    return isinstance(kind, str) and kind in _TYPES


def _told(value: Any) -> str | None:
    """An id as a failure tells it."""
    if not isinstance(value, str):
        return None
    return value[:MOST_ID_CHARS].encode("utf-8", "replace").decode()
