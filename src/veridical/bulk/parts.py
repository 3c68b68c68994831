"""The files of results: one for each shard, written whole or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq

from veridical.bulk.durable import whole_file

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
