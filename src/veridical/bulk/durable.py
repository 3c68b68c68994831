"""Files that are there whole or not at all, also after a power cut, and whose a folder is."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq

from veridical.errors import ConfigurationError

# The files of results: one for each shard, written whole or not at all.


PARTS: Final = "part-*.parquet"
"""The pattern of their names."""


def part_path(output: Path, shard: str) -> Path:
    """The part of the output that a shard becomes, by its name."""
    return output / PARTS.replace("*", shard)


def write_part(path: Path, table: pa.Table) -> None:
    """Write a part whole, or not at all."""
    # As an open file: of a name with a colon Arrow would make a URL.
    with whole_file(path) as made, made.open("wb") as file:
        pq.write_table(table, file, compression="zstd")


_NEW = ".new"


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """The name of a file to write, which takes the place of `path` once all of it is on the disk.

    Nobody else writes a file of that name, so a process that should be gone does no harm. Where
    it is not written whole, nothing is left. Raises OSError.
    """
    made = path.with_name(f".{path.name}.{token_hex(4)}{_NEW}")
    try:
        yield made
        _to_disk(made)
        os.replace(made, path)  # noqa: PTH105  # a rename that takes the place of what is there
        _to_disk(path.parent)
    finally:
        made.unlink(missing_ok=True)


def why(error: OSError) -> str:
    """What the system says of an error; libraries put words of their own around it."""
    return os.strerror(error.errno) if error.errno else type(error).__name__


def all_to_disk() -> None:
    """Wait until all that was written is on the disk: one call for thousands of files."""
    os.sync()


def sweep(folder: Path) -> None:
    """Remove what processes that were killed had begun to write in a folder."""
    for begun in folder.glob(f".*{_NEW}"):
        begun.unlink(missing_ok=True)


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Keep other runs out of a folder, which is made; one that was made and stays empty is removed.

    Raises ConfigurationError where another run is at work in it, OSError where it cannot be made.
    """
    is_new = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        _lock(descriptor, folder)
        try:
            yield
        finally:
            if is_new:
                with suppress(OSError):  # it holds something
                    folder.rmdir()
    finally:
        os.close(descriptor)


def _lock(descriptor: int, folder: Path) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise ConfigurationError(
            f"Another run is at work in {folder}. Wait for its end, or choose another folder."
        ) from None
    except OSError:  # some network storage knows no locks; whose it is, its users then must know
        return


def _to_disk(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
