"""Where documents come from: a folder, or Parquet files with `document_id` and `text`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from veridical.bulk.places import (
    DAMAGED,
    PARQUET,
    GivenFile,
    given_files,
    local_folder,
    parquet_file,
)
from veridical.bulk.settings import MEBIBYTE
from veridical.bulk.tables import DOCUMENTS, is_storable, texts
from veridical.errors import DocumentParsingError, ValidationError
from veridical.sources.document import Document, Format
from veridical.sources.loader import document_from_text, load_document

_BATCH_BYTES = 4 * MEBIBYTE
_MOST_BATCH_DOCUMENTS = 4_096
"""Documents that are read at a time: about so many bytes of them, and no more than so many."""


@dataclass(frozen=True, slots=True)
class FolderDocuments:
    """Files of a folder; the id of a document is its path in it, with `/`."""

    folder: Path

    def read(self, document_id: str) -> Document | None:
        """The document, None where there is no such file in the folder.

        Raises DocumentParsingError for one that cannot be read.
        """
        inside = PurePosixPath(document_id)
        if inside.is_absolute() or ".." in inside.parts or "\x00" in document_id:
            return None
        path = self.folder / inside
        try:
            if not path.is_file() or not path.resolve().is_relative_to(self.folder.resolve()):
                return None
        except OSError:
            return None
        return load_document(path, name=document_id)


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
                    for batch in parquet.iter_batches(_batch(parquet), columns=DOCUMENTS.names):
                        yield as_documents(pa.Table.from_batches([batch]), file.name)
                except DAMAGED as error:
                    raise ValidationError(
                        f"{file.name}: the Parquet file cannot be read ({error})."
                    ) from error


def documents_at(given: str) -> FolderDocuments | TableDocuments:
    """The documents that a name stands for: a folder, or Parquet (a file, a pattern, a URL, or a
    folder that holds nothing else). Raises ValidationError where there are none.
    """
    folder = local_folder(given)
    if folder is not None:
        try:
            names = [p.name.lower() for p in folder.iterdir() if not p.name.startswith(".")]
        except OSError as error:
            raise ValidationError(f"{given}: it cannot be read ({error.strerror}).") from error
        if not names:
            raise ValidationError(f"{given}: the folder is empty.")
        if not all(name.endswith(PARQUET) for name in names):
            return FolderDocuments(folder)
    files = given_files(given, PARQUET)
    odd = [file.name for file in files if not file.is_parquet]
    if odd:
        raise ValidationError(f"{odd[0]}: documents are a folder, or Parquet files.")
    for file in files:
        _require_columns(file)
    return TableDocuments(tuple(files))


def as_documents(table: pa.Table, name: str) -> pa.Table:
    """A table of documents with the types of `tables.DOCUMENTS`; rows without id are left out."""
    _require_names(table.schema.names, name)
    try:
        cast = pa.table([_sound(table[column]) for column in DOCUMENTS.names], DOCUMENTS)
    except (pa.ArrowException, ValueError) as error:
        raise ValidationError(f"{name}: document_id and text must be texts ({error}).") from error
    return cast.filter(pc.is_valid(cast["document_id"]))


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
    return document_from_text(text, document_id, Format.PLAIN_TEXT)


def _require_columns(file: GivenFile) -> None:
    with file.open() as stream:
        _require_names(parquet_file(stream, file.name).schema_arrow.names, file.name)


def _require_names(names: Sequence[str], file: str) -> None:
    for column in DOCUMENTS.names:
        if column not in names:
            raise ValidationError(
                f"{file}: there is no column {column!r}; there are {', '.join(names[:20])}."
            )
        if list(names).count(column) > 1:
            raise ValidationError(f"{file}: there are two columns {column!r}.")


def _text_bytes(file: GivenFile) -> int:
    with file.open() as stream:
        return _unpacked(parquet_file(stream, file.name).metadata)


def _batch(parquet: pq.ParquetFile) -> int:
    """How many documents to read at a time."""
    of_one: int = _unpacked(parquet.metadata) // max(1, parquet.metadata.num_rows)
    return max(1, min(_MOST_BATCH_DOCUMENTS, _BATCH_BYTES // max(1, of_one)))


def _unpacked(meta: pq.FileMetaData) -> int:
    """The bytes of the texts of a file, about."""
    groups = (meta.row_group(number) for number in range(meta.num_row_groups))
    total: int = sum(
        group.column(at).total_uncompressed_size
        for group in groups
        for at in range(group.num_columns)
        if group.column(at).path_in_schema == "text"
    )
    return total
