"""Files that are there whole or not at all, also after a power cut; tables on disk that grow; and
whose a folder is.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from secrets import token_hex
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from veridical.errors import ConfigurationError

# The files of results: one for each shard, written whole or not at all.


PARTS: Final = "part-*.parquet"
"""The pattern of their names."""


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


_MOST_HELD = 256
"""Tables that are held before they become one: each costs several KB, however small it is."""

_FLUSH_BYTES = 128 * 1024
_LEAST_BYTES, _MOST_BYTES = 4 * 1024 * 1024, 64 * 1024 * 1024
"""What is held before it is written: so much for each file, within these bounds, since to append to
a file costs the same for little as for much."""


class Spill:
    """Rows by number below `count`, in a folder: `00042.arrow`. Kept in memory up to some size."""

    def __init__(self, folder: Path, count: int) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._most_bytes = min(_MOST_BYTES, max(_LEAST_BYTES, count * _FLUSH_BYTES))
        # Whole tables with the numbers of their rows: a table for each number would cost several KB
        # however few rows it has, and there are thousands of numbers.
        self._held: list[pa.Table] = []
        self._numbers: list[NDArray[np.int64]] = []
        self._bytes = 0

    def add(self, table: pa.Table, numbers: NDArray[np.int64]) -> None:
        """Append each row to the file of its number. They may be written later, but before `flush`
        returns.
        """
        self._held.append(table)
        self._numbers.append(numbers)
        self._bytes += table.nbytes
        if self._bytes > self._most_bytes:
            self.flush()

    def flush(self) -> None:
        """Write what is held."""
        if self._held:
            numbers = np.concatenate(self._numbers)
            order = np.argsort(numbers, kind="stable")
            table = pa.concat_tables(self._held).take(pa.array(order))
            self._held.clear()
            numbers = numbers[order]
            starts = [0, *(np.flatnonzero(np.diff(numbers)) + 1).tolist(), len(numbers)]
            for start, end in pairwise(starts):
                if end > start:
                    path = spilled(self._folder, int(numbers[start]))
                    append(path, table.slice(start, end - start))
        self._numbers.clear()
        self._bytes = 0


def spilled(folder: Path, number: int) -> Path:
    """The file of a number."""
    return folder / f"{number:05}.arrow"


def append(path: Path, table: pa.Table) -> None:
    """Append a table to a file of such tables."""
    with path.open("ab") as file, pa.ipc.new_stream(file, table.schema) as stream:
        stream.write_table(table)


def write(path: Path, table: pa.Table) -> None:
    """Write a table whole, or not at all."""
    with whole_file(path) as made:
        append(made, table)


def tables(path: Path) -> Iterator[pa.Table]:
    """What was appended, in order, piece by piece; nothing where there is no file."""
    if not path.exists():
        return
    with pa.memory_map(str(path)) as file:
        size = file.size()
        while file.tell() < size:
            with pa.ipc.open_stream(file) as stream:
                yield from (pa.Table.from_batches([batch]) for batch in stream)


def whole(path: Path, schema: pa.Schema) -> pa.Table:
    """All of a file as one table."""
    return pa.concat_tables([schema.empty_table(), *tables(path)])


def resized(tables: Iterable[pa.Table], rows: int) -> Iterator[pa.Table]:
    """The same rows in tables of so many, but for the last."""
    held: list[pa.Table] = []
    count = 0
    for table in tables:
        held.append(table)
        count += table.num_rows
        if len(held) > _MOST_HELD:
            held = [pa.concat_tables(held).combine_chunks()]
        while count >= rows:
            together = pa.concat_tables(held)
            yield together.slice(0, rows)
            held = [together.slice(rows)]
            count -= rows
    if count:
        yield pa.concat_tables(held)
