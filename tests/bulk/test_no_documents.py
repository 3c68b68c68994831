"""What is of the run itself, or hidden, is no document that a claim could rest on."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from tests.bulk.data import (
    failures_of,
    reasons_of,
    results_of,
    run_inline,
    settings,
    write_folder,
    write_json,
)

from veridical.bulk.crew import Told
from veridical.bulk.local import Prepared, run

OLD = "The fee is 27 euros."
WANTED = settings(shard_rows=2)


def test_claims_results_and_hidden_files_are_no_documents(tmp_path: Path) -> None:
    folder = write_folder(tmp_path, {"a.txt": OLD, ".env": OLD, ".git/config": OLD})
    ids = ["a.txt", "claims.jsonl", "other.jsonl", "out/notes.txt", ".env", ".git/config"]
    rows = [{"claim_id": name, "document_id": name, "quote": OLD} for name in ids]
    for name in ("claims.jsonl", "other.jsonl"):
        write_json(folder / name, rows)

    def work(prepared: Prepared, told: Told) -> None:
        (folder / "out/notes.txt").write_text(OLD, "utf-8")
        for shard in prepared.left:
            told(*prepared.worker().work(shard))

    run(folder / "claims.jsonl", folder / "out", folder, WANTED, work=work)
    assert results_of(folder / "out")["document_id"].to_pylist() == ["a.txt"]
    assert set(failures_of(folder / "out")["reason"].to_pylist()) == {"no_document"}


def test_an_input_of_any_name_is_no_document(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "all", {"a.txt": OLD})
    rows = pa.table({"claim_id": ["c"], "document_id": ["claims"], "quote": [OLD]})
    pq.write_table(rows, folder / "claims", compression="none")
    run_inline(folder / "claims", tmp_path / "out", folder, WANTED)
    assert reasons_of(tmp_path / "out") == {0: "no_document"}
