"""Claims are parted by their document, on disk, so that each document is read once and memory does
not grow with the data: a hash join, whose parts fit.

A part is a *shard*: claims with the documents that they need. How the work is cut depends on the
data and the settings only, never on how many work at it.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from veridical.bulk import spill
from veridical.bulk.reading import ReadBatch
from veridical.bulk.settings import MEBIBYTE, BulkSettings
from veridical.bulk.sources import TableDocuments
from veridical.bulk.tables import CLAIMS, DOCUMENTS

MOST_SHARDS = 4_096
_LARGE = 2
"""A shard of more than so many times the usual rows is cut."""

_SORTED_BYTES = 256 * MEBIBYTE
"""Up to this size a large shard is put in the order of its documents before it is cut, so that
few documents are in two pieces: it fits in memory. What is larger is one document for the most."""


@dataclass(frozen=True, slots=True, order=True)
class Shard:
    """Work of one piece: claims that were parted into `number`, the `piece` of them, from 0."""

    number: int
    piece: int = 0
    rows: int = 0

    @property
    def name(self) -> str:
        """What its files are called."""
        return f"{self.number:05}" + (f"-{self.piece:05}" if self.piece else "")


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the work of a run stands."""

    folder: Path

    @property
    def claims(self) -> Path:
        """Claims by number of the shard."""
        return self.folder / "claims"

    @property
    def documents(self) -> Path:
        """Documents by number of the shard, where they came in a table."""
        return self.folder / "documents"

    @property
    def failures(self) -> Path:
        """Failures by name of the shard."""
        return self.folder / "failures"

    @property
    def refused(self) -> Path:
        """Rows that no shard has, for they cannot be checked."""
        return self.folder / "refused.arrow"

    def claims_of(self, shard: Shard) -> Path:
        """The claims of a shard."""
        return self.claims / f"{shard.name}.arrow"

    def failures_of(self, shard: Shard) -> Path:
        """The claims of a shard that could not be checked."""
        return self.failures / f"{shard.name}.arrow"

    def documents_of(self, shard: Shard) -> Path:
        """The documents of a shard, and of its other pieces."""
        return spill.spilled(self.documents, shard.number)


def shard_count(rows: int, document_bytes: int, settings: BulkSettings) -> int:
    """How many shards there shall be, for about so many rows, and bytes of documents."""
    by_rows = math.ceil(rows / settings.shard_rows)
    by_bytes = math.ceil(document_bytes / settings.shard_document_bytes)
    return min(MOST_SHARDS, max(1, by_rows, by_bytes))


def part_claims(
    batches: Iterable[ReadBatch], layout: Layout, count: int, settings: BulkSettings
) -> list[Shard]:
    """Part claims into `count` shards, and cut those that became too large."""
    parted = spill.Spill(layout.claims, CLAIMS)
    rows: NDArray[np.int64] = np.zeros(count, np.int64)
    for batch in batches:
        if batch.refused.num_rows:
            spill.append(layout.refused, batch.refused)
        for number, part in _parts(batch.claims, count):
            parted.add(number, part)
            rows[number] += part.num_rows
    parted.flush()
    shards: list[Shard] = []
    for at in np.flatnonzero(rows):
        shards += _cut(layout, Shard(int(at), 0, int(rows[at])), settings)
    return shards


def part_documents(
    documents: TableDocuments, layout: Layout, count: int, shards: Iterable[Shard]
) -> None:
    """Part documents as their claims were; those of shards without claims are left out."""
    wanted = {shard.number for shard in shards}
    parted = spill.Spill(layout.documents, DOCUMENTS)
    for table in documents.batches():
        for number, part in _parts(table, count):
            if number in wanted:
                parted.add(number, part)
    parted.flush()


def _parts(table: pa.Table, count: int) -> Iterable[tuple[int, pa.Table]]:
    if not table.num_rows:
        return
    coded = pc.dictionary_encode(table["document_id"].combine_chunks())
    numbers = np.array([_number(name, count) for name in coded.dictionary.to_pylist()], np.int64)
    of_row = numbers[coded.indices.to_numpy(zero_copy_only=False)]
    order = np.argsort(of_row, kind="stable")
    edges = np.flatnonzero(np.diff(of_row[order])) + 1
    for rows in np.split(order, edges):
        yield int(of_row[rows[0]]), table.take(pa.array(rows))


def _number(document_id: str, count: int) -> int:
    """The shard of a document: the same in every process and at every time."""
    return zlib.crc32(document_id.encode("utf-8", "surrogatepass")) % count


def _cut(layout: Layout, shard: Shard, settings: BulkSettings) -> list[Shard]:
    """A shard as it is, or as pieces of the usual size."""
    if shard.rows <= _LARGE * settings.shard_rows:
        return [shard]
    path = layout.claims_of(shard)
    ordered: Iterable[pa.Table]
    if path.stat().st_size <= _SORTED_BYTES:
        table = spill.whole(path, CLAIMS).sort_by(
            [("document_id", "ascending"), ("row", "ascending")]
        )
        ordered = [table]
    else:
        ordered = (pa.Table.from_batches([batch]) for batch in spill.batches(path))
    pieces: list[Shard] = []
    for number, table in enumerate(_resized(ordered, settings.shard_rows)):
        piece = Shard(shard.number, number + 1, table.num_rows)
        spill.write(layout.claims_of(piece), table)
        pieces.append(piece)
    path.unlink()
    return pieces


def _resized(tables: Iterable[pa.Table], rows: int) -> Iterable[pa.Table]:
    """The same rows in tables of so many, but for the last."""
    held: list[pa.Table] = []
    count = 0
    for table in tables:
        held.append(table)
        count += table.num_rows
        while count >= rows:
            together = pa.concat_tables(held)
            yield together.slice(0, rows)
            held = [together.slice(rows)]
            count -= rows
    if count:
        yield pa.concat_tables(held)
