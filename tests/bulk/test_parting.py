"""How rows are parted: each once, in their order."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from veridical.bulk import storage
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
