"""Memory does not grow with the data."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from tests.bulk.data import require_each_once

ROOT = Path(__file__).parents[2]
DOCUMENTS, CHARACTERS, CLAIMS_EACH = 300, 56_000, 4
MOST_MORE_MB = 40
"""Four times the data are 45 MB more of text alone, which is in memory at least twice if at all."""

MOST_OF_A_WORKER_MB = 400

_PROGRAM = """
import json, sys
from pathlib import Path
from tests.bulk.data import run_in_crew
from tests.bulk.workers import MeasuredWorker, most_memory
from veridical.bulk import BulkSettings

def main():
    folder = Path(sys.argv[1])
    wanted = BulkSettings(shard_rows=100, shard_document_bytes=2 << 20)
    run_in_crew(MeasuredWorker, str(folder / "claims.parquet"), folder / "out",
                str(folder / "documents.parquet"), wanted)
    print(json.dumps([most_memory(), int((folder / "most").read_text())]))

if __name__ == "__main__":
    main()
"""


def _most_memory(folder: Path, times: int) -> tuple[int, int]:
    """The most memory, in MB, of the driver and of a worker."""
    folder.mkdir()
    chance = random.Random(times)
    words = [f"{chance.choice('bcdfgklmnprst')}{chance.choice('aeiou')}{n}" for n in range(3_000)]
    said = " ".join(chance.choices(words, k=200_000))  # each document is a stretch of it
    ids = [f"d{number}" for number in range(DOCUMENTS * times)]
    schema = pa.schema([("document_id", pa.string()), ("text", pa.string())])
    asked = []
    with pq.ParquetWriter(folder / "documents.parquet", schema) as writer:
        for start in range(0, len(ids), 50):
            some = ids[start : start + 50]
            starts = [chance.randrange(len(said) - CHARACTERS) for _ in some]
            texts = [said[at : at + CHARACTERS] + "." for at in starts]
            writer.write_table(pa.table({"document_id": some, "text": texts}, schema))
            asked += [text[at : at + 60] for text in texts for at in range(99, 9_999, 2_500)]
    names = [one for one in ids for _ in range(CLAIMS_EACH)]
    claims = {"claim_id": names, "document_id": names, "quote": asked}
    pq.write_table(pa.table(claims), folder / "claims.parquet")
    (folder / "program.py").write_text(_PROGRAM, "utf-8")
    path = os.pathsep.join((str(ROOT / "src"), str(ROOT)))
    ended = subprocess.run(
        [sys.executable, str(folder / "program.py"), str(folder)], cwd=ROOT, text=True,
        env={**os.environ, "PYTHONPATH": path}, capture_output=True,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    require_each_once(folder / "out", len(names))
    driver, worker = json.loads(ended.stdout)
    return driver, worker


def test_four_times_the_data_need_about_the_same_memory(tmp_path: Path) -> None:
    few, many = _most_memory(tmp_path / "few", 1), _most_memory(tmp_path / "many", 4)
    print("driver and worker, MB:", few, many)
    assert many[0] - few[0] < MOST_MORE_MB
    assert many[1] - few[1] < MOST_MORE_MB
    assert many[1] < MOST_OF_A_WORKER_MB
