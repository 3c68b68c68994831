"""Tables on disk that grow by appending: Arrow streams behind one another in one file.

No file stays open, so there may be thousands; what was written is read again in the same order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

from veridical.bulk.durable import whole_file

_FLUSH_BYTES = 64 * 1024 * 1024
_FLUSH_TABLES = 50_000


class Spill:
    """Tables by number, in a folder: `00042.arrow`. Kept in memory up to some size in all."""

    def __init__(self, folder: Path, schema: pa.Schema) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._schema = schema
        self._held: dict[int, list[pa.Table]] = defaultdict(list)
        self._bytes = self._tables = 0

    def add(self, number: int, table: pa.Table) -> None:
        """Append a table. It may be written later, but before `flush` returns."""
        self._held[number].append(table)
        self._bytes += table.nbytes
        self._tables += 1
        if self._bytes > _FLUSH_BYTES or self._tables > _FLUSH_TABLES:
            self.flush()

    def flush(self) -> None:
        """Write what is held."""
        for number in sorted(self._held):
            append(spilled(self._folder, number), pa.concat_tables(self._held[number]))
        self._held.clear()
        self._bytes = self._tables = 0


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
