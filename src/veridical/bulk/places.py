"""Files that are given: one, a folder of them, a pattern, or a URL that fsspec knows."""

from __future__ import annotations

import hashlib
import os
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Any

import pyarrow as pa
import pyarrow.parquet as pq

from veridical.bulk import storage
from veridical.errors import ConfigurationError, ValidationError

PARQUET = (".parquet", ".pq")
JSON_LINES = (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz")
DAMAGED = (pa.ArrowException, OSError, ValueError)
"""What the reader of Parquet raises for a file that is not whole, or none at all."""

_READ_BYTES = 1 << 20
_PATTERN = "*?["
_SURE = ("ETag", "etag")
"""What kinds of storage call a sign that is another for other content."""

_CHANGED = ("mtime", "updated", "LastModified", "last_modified", "created")
"""What kinds of storage call the time of the last change of a file."""

_END_BYTES = 64 * 1024
_MAGIC = b"PAR1"

StrPath = str | os.PathLike[str]
"""How files and folders are named: a path, or, where it is text, also a pattern or a URL."""


@dataclass(frozen=True, slots=True)
class GivenFile:
    """A file, wherever it is. `name` is how messages call it; `stamp` is the time of its last
    change, or, where it `is_sure`, another one for other content.
    """

    name: str
    path: str
    size_bytes: int
    stamp: str
    is_sure: bool
    is_parquet: bool
    filesystem: Any

    def ends(self) -> str:
        """A hash of how it begins and ends, "" where its stamp is sure. Size and time may be as
        before though it was changed; the end of a Parquet file tells of all that is in it.
        """
        if self.is_sure:
            return ""
        with _told_of(self.name), self.filesystem.open(self.path, "rb") as stream:
            found = hashlib.sha256(stream.read(_END_BYTES))
            if self.size_bytes > _END_BYTES:
                stream.seek(max(_END_BYTES, self.size_bytes - _END_BYTES))
                found.update(stream.read(_END_BYTES))
        return found.hexdigest()

    @contextmanager
    def open(self) -> Iterator[IO[bytes]]:
        """Its bytes, unpacked where its name says that they are packed."""
        packed = "gzip" if self.path.lower().endswith(".gz") else None
        with (
            _told_of(self.name),
            self.filesystem.open(self.path, "rb", compression=packed) as stream,
        ):
            yield stream

    @contextmanager
    def parquet(self, dictionaries: Sequence[str] = ()) -> Iterator[pq.ParquetFile]:
        """It, to be read piece by piece: as it comes, all of it would be held in memory. Texts of
        the columns `dictionaries` are given by a dictionary of them.

        Raises ValidationError where it is no Parquet.
        """
        with self.open() as stream:
            try:
                opened = pq.ParquetFile(
                    stream, pre_buffer=False, buffer_size=_READ_BYTES, read_dictionary=dictionaries
                )
                opened.schema_arrow  # noqa: B018  # may be damaged by itself
            except DAMAGED as error:
                raise ValidationError(f"{self.name}: this is no Parquet file ({error}).") from error
            yield opened

    def tables(
        self,
        columns: Sequence[str],
        most_rows: int,
        most_bytes: int,
        dictionaries: Sequence[str] = (),
    ) -> Iterator[pa.Table]:
        """Some columns of a Parquet file: so many rows at a time, or fewer where they are so large.

        Raises ValidationError for a damaged file.
        """
        with self.parquet(dictionaries) as parquet:
            size = most_rows
            for number in range(parquet.metadata.num_row_groups):
                group = parquet.metadata.row_group(number)
                found = unpacked_bytes(group, columns)
                size = min(size, most_bytes * group.num_rows // max(1, found))
            # One thread: each more would keep memory of its own, and what follows is slower anyway.
            batches = parquet.iter_batches(max(1, size), columns=columns, use_threads=False)
            while True:
                try:
                    batch = next(batches, None)
                except DAMAGED as error:
                    raise ValidationError(
                        f"{self.name}: the Parquet file is damaged ({error})."
                    ) from error
                if batch is None:
                    return
                yield pa.Table.from_batches([batch])


def given_files(given: StrPath, suffixes: Sequence[str]) -> list[GivenFile]:
    """The files that a name stands for, in the order of their paths; never none.

    A pattern or a folder, at any depth, stands for its files that end like one of `suffixes`; of a
    folder hidden ones are left out. A file that is named may end in any way if it is Parquet.

    Raises ValidationError where there is none, or one of another kind, ConfigurationError for a URL
    of a kind for which no package is installed.
    """
    filesystem, path = _place(given)
    with _told_of(given):
        if any(sign in path for sign in _PATTERN) and not filesystem.exists(path):
            found = filesystem.glob(path)
            paths = [one for one in found if _ends(one, suffixes) and filesystem.isfile(one)]
        elif filesystem.isdir(path):
            found = filesystem.find(path)
            paths = [one for one in found if _ends(one, suffixes) and not _is_hidden(one, path)]
        else:
            paths = [path]
        files = [_file(filesystem, one, given) for one in sorted(paths)]
    if not files:
        raise ValidationError(f"{given}: no file there ends in {', '.join(suffixes)}.")
    if not files[0].is_parquet and not _ends(files[0].path, suffixes):
        raise ValidationError(
            f"{given}: it is no file of a kind that can be read here; those end in "
            f"{', '.join(suffixes)}."
        )
    return files


def local_paths(files: Iterable[GivenFile]) -> list[Path]:
    """Those of some files that are on this machine."""
    return [Path(file.path) for file in files if _is_local(file.filesystem)]


def local_folder(given: StrPath) -> Path | None:
    """The folder of this machine that a name stands for, or None."""
    filesystem, path = _place(given)
    return Path(path) if _is_local(filesystem) and filesystem.isdir(path) else None


def unpacked_bytes(group: pq.RowGroupMetaData, columns: Sequence[str]) -> int:
    """The bytes of some columns of a group of rows, as they are encoded, unpacked."""
    found = (group.column(at) for at in range(group.num_columns))
    return sum(one.total_uncompressed_size for one in found if one.path_in_schema in columns)


def _place(given: StrPath) -> tuple[Any, str]:
    import fsspec

    text = os.fspath(given)
    try:
        if os.path.exists(text):  # noqa: PTH110  # never raises
            # A name with colons too, which would else have a meaning.
            return fsspec.filesystem("file"), os.path.abspath(text)  # noqa: PTH100  # links stay
        filesystem, path = fsspec.core.url_to_fs(text)
    except (ImportError, ValueError) as error:
        raise ConfigurationError(f"{given}: {error}") from error
    return filesystem, path


def _is_local(filesystem: Any) -> bool:
    return filesystem.protocol in ("file", ("file", "local"))


def _is_hidden(path: str, folder: str) -> bool:
    inside = PurePosixPath(path.removeprefix(folder))
    return any(part.startswith((".", "_")) for part in inside.parts)


def _ends(path: str, suffixes: Sequence[str]) -> bool:
    return path.lower().endswith(tuple(suffixes))


def _file(filesystem: Any, path: str, given: StrPath) -> GivenFile:
    try:
        told = filesystem.info(path)
    except FileNotFoundError:
        raise ValidationError(f"{given}: there is no such file or folder.") from None
    sure = next((told[key] for key in _SURE if told.get(key)), "")
    changed = next((told[key] for key in _CHANGED if key in told), "")
    is_parquet = _ends(path, PARQUET)
    if not is_parquet and not _ends(path, JSON_LINES) and told.get("type") == "file":
        with filesystem.open(path, "rb") as stream:
            is_parquet = stream.read(len(_MAGIC)) == _MAGIC
    return GivenFile(
        path, path, int(told.get("size") or 0), str(sure or changed), bool(sure), is_parquet,
        filesystem,
    )  # fmt: skip


@contextmanager
def _told_of(name: StrPath) -> Iterator[None]:
    """Errors in reading in our own words."""
    try:
        yield
    except (OSError, EOFError, zlib.error) as error:
        raise ValidationError(f"{name}: it cannot be read ({_why(error)}).") from error


def _why(error: Exception) -> str:
    return storage.why(error) if isinstance(error, OSError) else type(error).__name__
