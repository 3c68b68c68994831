"""Tables on disk that grow by appending: Arrow streams behind one another in one file.

No file stays open, so there may be thousands; what was written is read again in the same order.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from veridical.bulk.durable import whole_file

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


def batches(path: Path) -> Iterator[pa.RecordBatch]:
    """What was appended, in order; nothing where there is no file."""
    if not path.exists():
        return
    with pa.memory_map(str(path)) as file:
        size = file.size()
        while file.tell() < size:
            with pa.ipc.open_stream(file) as stream:
                yield from stream


def whole(path: Path, schema: pa.Schema) -> pa.Table:
    """All of a file as one table."""
    return pa.Table.from_batches(list(batches(path)), schema=schema)
