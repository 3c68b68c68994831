"""Where documents come from: a folder, or Parquet files with `document_id` and `text`."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from veridical.bulk.columns import document_columns
from veridical.bulk.durable import why
from veridical.bulk.folder import FolderDocuments
from veridical.bulk.places import (
    DAMAGED,
    PARQUET,
    GivenFile,
    StrPath,
    given_files,
    local_folder,
    parquet_file,
    rows_at_a_time,
    unpacked_bytes,
)
from veridical.bulk.settings import MEBIBYTE
from veridical.bulk.tables import DOCUMENTS, is_storable, texts
from veridical.errors import DocumentParsingError, ValidationError
from veridical.sources.document import Document, Format
from veridical.sources.loader import document_from_text

_log = logging.getLogger(__name__)

_HIDDEN = (".", "_")
_BATCH_BYTES = 4 * MEBIBYTE
_MOST_BATCH_DOCUMENTS = 4_096
"""Documents that are read at a time: about so many bytes of them, and no more than so many."""


@dataclass(frozen=True, slots=True)
class TableDocuments:
    """Parquet files with the columns `document_id` and `text`."""

    files: tuple[GivenFile, ...]

    @property
    def text_bytes(self) -> int:
        """How much text there is, about."""
        return sum(map(_text_bytes, self.files))

    def batches(self) -> Iterator[pa.Table]:
        """All documents, as `tables.DOCUMENTS`. Raises ValidationError for a damaged file."""
        for file in self.files:
            with file.open() as stream:
                parquet = parquet_file(stream, file.name)
                try:
                    names = DOCUMENTS.names
                    size = rows_at_a_time(
                        parquet.metadata, names, _MOST_BATCH_DOCUMENTS, _BATCH_BYTES
                    )
                    for batch in parquet.iter_batches(size, columns=names, use_threads=False):
                        yield as_documents(pa.Table.from_batches([batch]), file.name)
                except DAMAGED as error:
                    raise ValidationError(
                        f"{file.name}: the Parquet file cannot be read ({error})."
                    ) from error


def documents_at(given: StrPath) -> FolderDocuments | TableDocuments:
    """The documents that a name stands for: a folder, or Parquet (a file, a pattern, a URL, or a
    folder that holds nothing else, at any depth). Raises ValidationError where there are none.
    """
    folder = local_folder(given)
    if folder is not None and not _is_of_parquet(folder):
        return FolderDocuments.at(folder)
    files = given_files(given, PARQUET)
    for file in files:
        _require_columns(file)
    return TableDocuments(tuple(files))


def _is_of_parquet(folder: Path) -> bool:
    """Whether a folder holds Parquet and nothing else, but for what writers of it leave beside it.

    Raises ValidationError where it is empty or cannot be read.
    """
    refused: list[OSError] = []
    is_empty = True
    for _, folders, files in os.walk(folder, onerror=refused.append):
        folders[:] = [name for name in folders if not name.startswith(_HIDDEN)]
        names = [name.lower() for name in files if not name.startswith(_HIDDEN)]
        is_empty = is_empty and not names
        if not all(name.endswith(PARQUET) for name in names):
            return False
    if refused:
        raise ValidationError(f"{folder}: it cannot be read ({why(refused[0])}).")
    if is_empty:
        raise ValidationError(f"{folder}: the folder is empty.")
    return True


def as_documents(table: pa.Table, name: str) -> pa.Table:
    """A table of documents with the types of `tables.DOCUMENTS`; rows without id are left out."""
    document_columns(table.schema, name)
    try:
        cast = pa.table([_sound(table[column]) for column in DOCUMENTS.names], DOCUMENTS)
    except (pa.ArrowException, ValueError) as error:
        raise ValidationError(f"{name}: document_id and text must be texts ({error}).") from error
    known = cast.filter(pc.is_valid(cast["document_id"]))
    if known.num_rows < table.num_rows:
        count = table.num_rows - known.num_rows
        _log.warning("%s: %d rows without document_id are left out", name, count)
    return known


def _sound(column: pa.ChunkedArray) -> pa.ChunkedArray | pa.Array:
    """A column as text, without what is no valid Unicode."""
    try:
        cast = column.cast(pa.string())
        cast.validate(full=True)
    except pa.ArrowInvalid:
        found = texts(column)
        return pa.array([one if one and is_storable(one) else None for one in found], pa.string())
    return cast


def read_text(document_id: str, text: str | None) -> Document:
    """A document of a table. It is taken as plain text, so that offsets are those of `text`.

    Raises DocumentParsingError where there is no text.
    """
    if not text:
        raise DocumentParsingError("the document has no text, or none that is valid Unicode")
    # One byte-order mark is taken off, which offsets would lack: then it is this one.
    marked = "\ufeff" + text if text.startswith("\ufeff") else text
    return document_from_text(marked, document_id, Format.PLAIN_TEXT)


def _require_columns(file: GivenFile) -> None:
    with file.open() as stream:
        document_columns(parquet_file(stream, file.name).schema_arrow, file.name)


def _text_bytes(file: GivenFile) -> int:
    with file.open() as stream:
        meta = parquet_file(stream, file.name).metadata
    groups = (meta.row_group(number) for number in range(meta.num_row_groups))
    return sum(unpacked_bytes(group, ["text"]) for group in groups)
