"""Where documents come from: files of a folder, or Parquet with `document_id` and `text`.

A folder that is gone, or a disk that fails, must never look like a document that is not there: such
a row would be kept for good.
"""

from __future__ import annotations

import errno
import hashlib
import logging
import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import ClassVar, Self

import pyarrow as pa
import pyarrow.compute as pc

from veridical.bulk import storage
from veridical.bulk.places import (
    JSON_LINES,
    PARQUET,
    GivenFile,
    StrPath,
    given_files,
    local_folder,
    unpacked_bytes,
)
from veridical.bulk.reading import document_columns
from veridical.bulk.settings import MEBIBYTE
from veridical.bulk.tables import DOCUMENTS, is_storable, texts
from veridical.errors import DocumentParsingError, ProcessingError, ValidationError
from veridical.sources.document import DEFAULT_LIMITS, Document, Format
from veridical.sources.loader import check_size, document_from_text, load_document_bytes

_NOT_THERE = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG})
_NOT_READABLE = frozenset({errno.EACCES, errno.EPERM, errno.ELOOP})

Stamp = tuple[int, int]
"""Size and time of the last change of a document's file, by which a change is noticed."""

ABSENT: Stamp = (-1, 0)
"""Of a document that is not there."""

_SET_BYTES = 32


@dataclass(frozen=True, slots=True)
class FolderDocuments:
    """Files of a folder, whose path has no links; the id of a document is its path in it, with `/`.

    No documents are hidden files, files that end as those of claims do, and what is `left_out`:
    files and folders of the run itself. `place` is the device and inode that the folder had at the
    start; None where no such number can be relied on, as on other machines.
    """

    text_bytes: ClassVar = 0
    """Of documents that have to be handed on: files are read where they are."""

    folder: Path
    left_out: tuple[Path, ...] = ()
    place: tuple[int, int] | None = None

    @classmethod
    def at(cls, folder: Path) -> Self:
        """Those of a folder, as it is now. Raises OSError."""
        real = Path(os.path.realpath(folder))
        told = real.stat()
        return cls(real, (), (told.st_dev, told.st_ino))

    def without(self, files: Sequence[Path]) -> Self:
        """The same, without some files or folders."""
        return replace(self, left_out=tuple(Path(os.path.realpath(file)) for file in files))

    def elsewhere(self) -> Self:
        """The same as other machines see it."""
        return replace(self, place=None)

    def read(self, document_id: str) -> Document | None:
        """The document, None where there is no such document in the folder.

        Raises DocumentParsingError for one that cannot be read, ProcessingError where the folder is
        gone or fails.
        """
        path = self._path(document_id)
        if path is None:
            return None
        try:
            with path.open("rb") as file:
                check_size(os.fstat(file.fileno()).st_size, document_id, DEFAULT_LIMITS)
                data = file.read(DEFAULT_LIMITS.max_bytes + 1)
        except OSError as error:
            self._require_no_trouble(document_id, error)
            return None
        return load_document_bytes(data, document_id, suffix=Path(document_id).suffix)

    def stamp(self, document_id: str) -> Stamp:
        """What a document's file is like now, `ABSENT` where there is none.

        Raises ProcessingError as `read`.
        """
        try:
            path = self._path(document_id)
            if path is None:
                return ABSENT
            told = path.stat()
        except DocumentParsingError:
            return ABSENT
        except OSError as error:
            self._require_no_trouble(document_id, error)
            return ABSENT
        return told.st_size, told.st_mtime_ns

    def digest(self) -> str:
        """A hash of the paths, sizes and times of all files, in one walk and little memory."""
        # A sum does not depend on the order, in which systems differ, so nothing is kept or sorted.
        total = 0
        for name, told in self.files():
            line = f"{name}\0{told.st_size}\0{told.st_mtime_ns}"
            one = hashlib.sha256(line.encode("utf-8", "surrogateescape")).digest()
            total = (total + int.from_bytes(one, "big")) % (1 << 8 * _SET_BYTES)
        return total.to_bytes(_SET_BYTES, "big").hex()

    def files(self) -> Iterator[tuple[str, os.stat_result]]:
        """The ids of all documents, in no order, with what the system tells of them.

        Raises ProcessingError where the folder cannot be walked.
        """
        own = (path for path in self.left_out if path.is_relative_to(self.folder))
        left_out = frozenset(path.relative_to(self.folder).as_posix() for path in own)
        waiting = [""]
        while waiting:
            inside = waiting.pop()
            try:
                with os.scandir(self.folder / inside) as entries:
                    for entry in entries:
                        name = f"{inside}{entry.name}"
                        if name not in left_out and not entry.name.startswith("."):
                            yield from _walked(entry, name, waiting)
            except PermissionError:
                continue  # its documents cannot be read either, and are told of one by one
            except OSError as error:
                raise _trouble(self.folder / inside, error) from error

    def _path(self, document_id: str) -> Path | None:
        """The regular file of a document; None where there is none that may be read."""
        inside = PurePosixPath(document_id)
        if inside.is_absolute() or "\x00" in document_id or _is_of_claims(document_id):
            return None
        if any(part.startswith(".") for part in inside.parts):  # also `..`
            return None
        try:
            real = Path(os.path.realpath(self.folder / inside, strict=True))
            is_file = stat.S_ISREG(real.stat().st_mode)
        except OSError as error:
            self._require_no_trouble(document_id, error)
            return None
        is_left_out = any(real.is_relative_to(one) for one in self.left_out)
        return real if is_file and real.is_relative_to(self.folder) and not is_left_out else None

    def _require_no_trouble(self, document_id: str, error: OSError) -> None:
        """Return where a document is not there, in a folder that is.

        Raises DocumentParsingError where it may not be read, ProcessingError for all else.
        """
        if error.errno in _NOT_READABLE:
            raise DocumentParsingError(f"{document_id}: it cannot be read ({storage.why(error)})")
        if error.errno not in _NOT_THERE:
            raise _trouble(self.folder / document_id, error) from error
        try:
            told = self.folder.stat()
        except OSError as gone:
            raise _trouble(self.folder, gone) from gone
        is_other = self.place is not None and self.place != (told.st_dev, told.st_ino)
        if is_other or not stat.S_ISDIR(told.st_mode):
            raise ProcessingError(
                f"{self.folder}: the folder of the documents is another one than at the start. "
                "Put it back, and go on with --resume."
            )


def _walked(
    entry: os.DirEntry[str], name: str, waiting: list[str]
) -> Iterator[tuple[str, os.stat_result]]:
    if entry.is_dir(follow_symlinks=False):
        waiting.append(f"{name}/")
        return
    try:
        told = entry.stat()
    except OSError:  # gone meanwhile, or a link to nowhere
        return
    if stat.S_ISREG(told.st_mode) and not _is_of_claims(name):
        yield name, told


def _is_of_claims(name: str) -> bool:
    """Whether a file is one of claims, by its name. In their own input, or in one that was cut off
    from it, all claims would be found word for word.
    """
    return name.lower().rstrip("/").endswith((*PARQUET, *JSON_LINES))


def _trouble(path: Path, error: OSError) -> ProcessingError:
    return ProcessingError(
        f"{path}: the documents cannot be read ({storage.why(error)}). "
        "Mend it, and go on with --resume."
    )


_log = logging.getLogger(__name__)

_HIDDEN = (".", "_")
_BATCH_BYTES = 4 * MEBIBYTE
_MOST_BATCH_DOCUMENTS = 4_096
"""Documents that are read at a time: about so many bytes of them, and no more than so many."""


@dataclass(frozen=True, slots=True)
class TableDocuments:
    """Parquet files with the columns `document_id` and `text`."""

    files: tuple[GivenFile, ...]

    def without(self, _files: Sequence[Path]) -> Self:
        """The same: no file of a run is taken for a table of documents."""
        return self

    @property
    def text_bytes(self) -> int:
        """How much text there is, about."""
        return sum(map(_text_bytes, self.files))

    def batches(self) -> Iterator[pa.Table]:
        """All documents, as `tables.DOCUMENTS`. Raises ValidationError for a damaged file."""
        for file in self.files:
            for table in file.tables(DOCUMENTS.names, _MOST_BATCH_DOCUMENTS, _BATCH_BYTES):
                yield as_documents(table, file.name)


def documents_at(given: StrPath) -> FolderDocuments | TableDocuments:
    """The documents that a name stands for: a folder, or Parquet (a file, a pattern, a URL, or a
    folder that holds nothing else, at any depth). Raises ValidationError where there are none.
    """
    folder = local_folder(given)
    if folder is not None and not _is_of_parquet(folder):
        return FolderDocuments.at(folder)
    files = given_files(given, PARQUET)
    for file in files:
        with file.parquet() as parquet:
            document_columns(parquet.schema_arrow, file.name)
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
        raise ValidationError(f"{folder}: it cannot be read ({storage.why(refused[0])}).")
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


def _text_bytes(file: GivenFile) -> int:
    with file.parquet() as parquet:
        meta = parquet.metadata
    groups = (meta.row_group(number) for number in range(meta.num_row_groups))
    return sum(unpacked_bytes(group, ["text"]) for group in groups)
