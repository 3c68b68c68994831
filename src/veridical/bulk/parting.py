"""Claims are parted by their document, on disk, so that each document is read once and memory does
not grow with the data: a hash join, whose parts fit.

A part is a *shard*: claims with the documents that they need. How the work is cut depends on the
data and the settings only, never on how many work at it.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from veridical.bulk import spill
from veridical.bulk.reading import ReadBatch
from veridical.bulk.settings import MEBIBYTE, BulkSettings
from veridical.bulk.sources import TableDocuments
from veridical.bulk.tables import CLAIMS

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

    def own_documents_of(self, piece: Shard) -> Path:
        """The documents that only one piece of several needs."""
        return self.documents / f"{piece.name}.arrow"

    def documents_for(self, shard: Shard) -> tuple[Path, ...]:
        """Where the documents that a shard needs stand."""
        whole = self.documents_of(shard)
        return (whole, self.own_documents_of(shard)) if shard.piece else (whole,)


def shard_count(rows: int, document_bytes: int, settings: BulkSettings) -> int:
    """How many shards there shall be, for about so many rows, and bytes of documents."""
    by_rows = math.ceil(rows / settings.shard_rows)
    by_bytes = math.ceil(document_bytes / settings.shard_document_bytes)
    return min(MOST_SHARDS, max(1, by_rows, by_bytes))


def part_claims(
    batches: Iterable[ReadBatch], layout: Layout, count: int, settings: BulkSettings
) -> list[Shard]:
    """Part claims into `count` shards, and cut those that became too large."""
    parted = spill.Spill(layout.claims, count)
    rows: NDArray[np.int64] = np.zeros(count, np.int64)
    for batch in batches:
        if batch.refused.num_rows:
            spill.append(layout.refused, batch.refused)
        if batch.claims.num_rows:
            numbers = shard_numbers(batch.claims, count)
            parted.add(batch.claims, numbers)
            rows += np.bincount(numbers, minlength=count)
    parted.flush()
    shards: list[Shard] = []
    for at in np.flatnonzero(rows):
        shards += _cut(layout, Shard(int(at), 0, int(rows[at])), settings)
    return shards


def part_documents(
    documents: TableDocuments, layout: Layout, count: int, shards: Sequence[Shard]
) -> None:
    """Part documents as their claims were; those of shards without claims are left out."""
    wanted = np.zeros(count, np.bool_)
    wanted[[shard.number for shard in shards]] = True
    parted = spill.Spill(layout.documents, count)
    for table in documents.batches():
        numbers = shard_numbers(table, count)
        kept = wanted[numbers]
        parted.add(table.filter(pa.array(kept)), numbers[kept])
    parted.flush()
    for pieces in _pieces_of_one(shards):
        _part_again(layout, pieces)


def _pieces_of_one(shards: Sequence[Shard]) -> Iterable[list[Shard]]:
    """The shards that are pieces of one."""
    for _, found in groupby(shards, key=attrgetter("number")):
        pieces = list(found)
        if len(pieces) > 1:
            yield pieces


def _part_again(layout: Layout, pieces: Sequence[Shard]) -> None:
    """Give each piece a file of the documents that it alone needs, so that it need not read those
    of all others. What several need stays where it is.
    """
    wanted = [pc.unique(_ids(layout.claims_of(piece))) for piece in pieces]
    counts = pc.value_counts(pa.chunked_array(wanted, pa.string()))
    shared = counts.filter(pc.greater(counts.field("counts"), 1)).field("values")
    whole = layout.documents_of(pieces[0])
    left = whole.with_suffix(".shared")
    for batch in spill.batches(whole):
        table = pa.Table.from_batches([batch])
        for_all = pc.is_in(table["document_id"], value_set=shared)
        parts = [(left, table.filter(for_all))]
        table = table.filter(pc.invert(for_all))
        for piece, ids in zip(pieces, wanted, strict=True):
            own = table.filter(pc.is_in(table["document_id"], value_set=ids))
            parts.append((layout.own_documents_of(piece), own))
        for path, part in parts:
            if part.num_rows:
                spill.append(path, part)
    whole.unlink(missing_ok=True)
    if left.exists():
        left.replace(whole)


def _ids(path: Path) -> pa.ChunkedArray:
    found = [batch.column("document_id") for batch in spill.batches(path)]
    return pa.chunked_array(found, pa.string())


def shard_numbers(table: pa.Table, count: int) -> NDArray[np.int64]:
    """The number of the shard of each row."""
    coded = pc.dictionary_encode(table["document_id"].combine_chunks())
    numbers = np.array([_number(name, count) for name in coded.dictionary.to_pylist()], np.int64)
    found: NDArray[np.int64] = numbers[coded.indices.to_numpy(zero_copy_only=False)]
    return found


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
