"""How claims and documents are parted: each row once, and no piece reads what only others need."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from veridical.bulk import BulkSettings, storage
from veridical.bulk.cutting import Given, manifest_of
from veridical.bulk.storage import Spill, spilled

ROWS = 40


@pytest.mark.parametrize("most", [0, 300, 1 << 20])
def test_rows_keep_their_order_whenever_they_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(storage, "_LEAST_BYTES", most)
    monkeypatch.setattr(storage, "_FLUSH_BYTES", 0)
    chance = np.random.default_rng(7)
    parted, true = Spill(tmp_path, 5), dict[int, list[int]]()
    for start in range(0, 500, 50):
        numbers = chance.integers(0, 5, 50)
        parted.add(pa.table({"row": range(start, start + 50)}), numbers)
        for row, number in enumerate(numbers.tolist(), start):
            true.setdefault(number, []).append(row)
    parted.flush()
    for number, rows in true.items():
        assert storage.whole(spilled(tmp_path, number), pa.schema({"row": pa.int64()})) == pa.table(
            {"row": rows}
        )


def test_a_piece_is_given_the_documents_that_it_needs_and_few_others(tmp_path: Path) -> None:
    names = [f"d{number:02}" for number in range(8)]
    asked = [name for name in names for _ in range(ROWS)] + ["d03"] * (3 * ROWS)
    claims = {"claim_id": asked, "document_id": asked, "quote": ["the words of it"] * len(asked)}
    pq.write_table(pa.table(claims), tmp_path / "claims.parquet")
    documents = pa.table({"document_id": names, "text": ["the words of it."] * len(names)})
    pq.write_table(documents, tmp_path / "documents.parquet")
    (tmp_path / "out").mkdir()
    given = Given.of(
        tmp_path / "claims.parquet", tmp_path / "out", tmp_path / "documents.parquet",
        BulkSettings(shard_rows=ROWS),
    )  # fmt: skip
    manifest = manifest_of(given, resume=False, progress=None)
    layout, pieces = given.layout, [shard for shard in manifest.shards if shard.piece]
    assert len(pieces) > 3
    read = 0
    for piece in pieces:
        needed = _ids(layout.claims_of(piece))
        found = [one for path in layout.documents_for(piece) for one in _ids(path)]
        assert set(needed) <= set(found)
        assert len(found) == len(set(found))
        read += len(found)
    assert read < len(pieces) * len(names) / 2


def _ids(path: Path) -> list[str]:
    return [one for table in storage.tables(path) for one in table["document_id"].to_pylist()]
