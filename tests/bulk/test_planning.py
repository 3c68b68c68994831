"""Estimates: they are of whole documents, and agree with what a run does."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from veridical.bulk import BulkSettings
from veridical.bulk.planning import plan

WORDS = "The river rose by three metres and the bridge was closed."


def write(folder: Path, documents: int, claims_of_each: int) -> tuple[str, str]:
    ids = [f"d{number}" for number in range(documents)]
    texts = [f"{WORDS} Report {name}. " * 20 for name in ids]
    rows = [(f"{name}-{n}", name, WORDS) for name in ids for n in range(claims_of_each)]
    columns = dict(zip(("claim_id", "document_id", "quote"), zip(*rows, strict=True), strict=True))
    pq.write_table(pa.table(columns), folder / "claims.parquet")
    pq.write_table(pa.table({"document_id": ids, "text": texts}), folder / "documents.parquet")
    return str(folder / "claims.parquet"), str(folder / "documents.parquet")


def test_a_sample_has_all_claims_of_its_documents(tmp_path: Path) -> None:
    claims, documents = write(tmp_path, documents=60, claims_of_each=7)
    told = plan(claims, documents, BulkSettings(), sample=70)
    assert told.rows == 420
    assert told.claims_per_document == 7
    assert 70 <= told.sampled_claims <= 140
    assert told.sampled_failures == 0
