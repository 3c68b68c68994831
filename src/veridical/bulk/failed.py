"""The rows that could not be checked, of all shards, in one file in the order of the input."""

from __future__ import annotations

import math
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from veridical.bulk import spill
from veridical.bulk.durable import whole_file
from veridical.bulk.manifest import Manifest
from veridical.bulk.parting import Layout
from veridical.bulk.tables import FAILURES

FAILED = "failures.parquet"

_GROUP_ROWS = 65_536
_MOST_FILES = 4_096
_MOST_TABLES = 256
"""Tables that are held before they become one: each costs several KB, however small it is."""


def gather_failures(output: Path, layout: Layout, manifest: Manifest) -> Counter[str]:
    """Write the failures of all shards into `FAILED`, by row, and count them by reason. Memory does
    not grow with their number.
    """
    folder = layout.folder / "sorted"
    shutil.rmtree(folder, ignore_errors=True)
    width = max(_GROUP_ROWS, math.ceil(manifest.rows / _MOST_FILES))
    count = math.ceil(manifest.rows / width)
    parted = spill.Spill(folder, count)
    reasons: Counter[str] = Counter()
    files = [layout.refused, *map(layout.failures_of, manifest.shards)]
    for table in _larger(_tables(files), _MOST_TABLES, _GROUP_ROWS):
        parted.add(table, table["row"].to_numpy() // width)
        for counted in pc.value_counts(table["reason"]).to_pylist():
            reasons[counted["values"]] += counted["counts"]
    parted.flush()
    ordered = (
        spill.whole(spill.spilled(folder, number), FAILURES).sort_by("row")
        for number in range(count)
    )
    with (
        whole_file(output / FAILED) as made,
        made.open("wb") as file,
        pq.ParquetWriter(file, FAILURES, compression="zstd") as writer,
    ):
        for table in _larger(ordered, count, _GROUP_ROWS):
            writer.write_table(table, row_group_size=_GROUP_ROWS)
    return reasons


def _tables(files: Iterable[Path]) -> Iterator[pa.Table]:
    for file in files:
        for batch in spill.batches(file):
            yield pa.Table.from_batches([batch])


def _larger(tables: Iterable[pa.Table], most_tables: int, enough_rows: int) -> Iterator[pa.Table]:
    """The same rows in fewer tables, none of them empty."""
    held: list[pa.Table] = []
    rows = 0
    for table in tables:
        if table.num_rows:
            held.append(table)
            rows += table.num_rows
        if len(held) > most_tables or rows >= enough_rows:
            yield pa.concat_tables(held).combine_chunks()
            held, rows = [], 0
    if held:
        yield pa.concat_tables(held).combine_chunks()
