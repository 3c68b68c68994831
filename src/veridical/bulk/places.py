"""Files that are given: one, a folder of them, a pattern, or a URL that fsspec knows."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Any

import pyarrow as pa
import pyarrow.parquet as pq

from veridical.bulk.durable import why
from veridical.errors import ConfigurationError, ValidationError

PARQUET = (".parquet", ".pq")
JSON_LINES = (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz")
DAMAGED = (pa.ArrowException, OSError, ValueError)
"""What the reader of Parquet raises for a file that is not whole, or none at all."""

_READ_BYTES = 1 << 20
_PATTERN = "*?["
_CHANGED = ("mtime", "ETag", "etag", "updated", "LastModified", "last_modified", "created")
"""What kinds of storage call the time, or the sign, of the last change of a file."""


@dataclass(frozen=True, slots=True)
class GivenFile:
    """A file, wherever it is. `name` is how messages call it; `stamp` differs once it changes."""

    name: str
    path: str
    size_bytes: int
    stamp: str
    filesystem: Any

    @property
    def is_parquet(self) -> bool:
        """Whether it is a Parquet file, by its name."""
        return self.path.lower().endswith(PARQUET)

    @contextmanager
    def open(self) -> Iterator[IO[bytes]]:
        """Its bytes, unpacked where its name says that they are packed."""
        packed = "gzip" if self.path.lower().endswith(".gz") else None
        try:
            with self.filesystem.open(self.path, "rb", compression=packed) as stream:
                yield stream
        except (OSError, EOFError, zlib.error) as error:
            raise ValidationError(f"{self.name}: it cannot be read ({_why(error)}).") from error


def given_files(given: str, suffixes: Sequence[str]) -> list[GivenFile]:
    """The files that a name stands for, in the order of their paths; never none.

    A folder stands for the files in it, at any depth, that end like one of `suffixes`; hidden ones
    are left out. Raises ValidationError where there is none, ConfigurationError for a URL of a kind
    for which no package is installed.
    """
    filesystem, path = _place(given)
    try:
        if any(sign in path for sign in _PATTERN) and not filesystem.exists(path):
            paths = [one for one in filesystem.glob(path) if filesystem.isfile(one)]
        elif filesystem.isdir(path):
            paths = [one for one in filesystem.find(path) if _is_wanted(one, path, suffixes)]
        else:
            paths = [path]
        files = [_file(filesystem, one, given) for one in sorted(paths)]
    except OSError as error:
        raise ValidationError(f"{given}: it cannot be read ({_why(error)}).") from error
    if not files:
        raise ValidationError(f"{given}: no file there ends in {', '.join(suffixes)}.")
    return files


def local_folder(given: str) -> Path | None:
    """The folder of this machine that a name stands for, or None."""
    filesystem, path = _place(given)
    is_here = filesystem.protocol in ("file", ("file", "local"))
    return Path(path) if is_here and filesystem.isdir(path) else None


def parquet_file(stream: IO[bytes], name: str) -> pq.ParquetFile:
    """A Parquet file to be read piece by piece: as it comes, all of it would be held in memory.

    Raises ValidationError where it is none.
    """
    try:
        opened = pq.ParquetFile(stream, pre_buffer=False, buffer_size=_READ_BYTES)
        opened.schema_arrow  # noqa: B018  # may be damaged by itself
    except DAMAGED as error:
        raise ValidationError(f"{name}: this is no Parquet file ({error}).") from error
    return opened


def _place(given: str) -> tuple[Any, str]:
    import fsspec

    try:
        filesystem, path = fsspec.core.url_to_fs(given)
    except (ImportError, ValueError) as error:
        raise ConfigurationError(f"{given}: {error}") from error
    return filesystem, path


def _is_wanted(path: str, folder: str, suffixes: Sequence[str]) -> bool:
    inside = PurePosixPath(path.removeprefix(folder))
    hidden = any(part.startswith((".", "_")) for part in inside.parts)
    return not hidden and path.lower().endswith(tuple(suffixes))


def _file(filesystem: Any, path: str, given: str) -> GivenFile:
    try:
        told = filesystem.info(path)
    except FileNotFoundError:
        raise ValidationError(f"{given}: there is no such file or folder.") from None
    changed = next((told[key] for key in _CHANGED if key in told), "")
    return GivenFile(path, path, int(told.get("size") or 0), str(changed), filesystem)


def _why(error: Exception) -> str:
    return why(error) if isinstance(error, OSError) else type(error).__name__
