"""How long a run would take, and how much memory and room it would need: from a sample of it."""

from __future__ import annotations

import io
import resource
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from veridical.bulk.cutting import INPUTS, Layout
from veridical.bulk.documents import FolderDocuments, TableDocuments, documents_at
from veridical.bulk.places import GivenFile, StrPath, given_files, local_paths
from veridical.bulk.reading import estimated_rows, read_claims
from veridical.bulk.settings import BulkSettings
from veridical.bulk.shard import Lessons, ShardWorker
from veridical.bulk.tables import CLAIMS, DOCUMENTS, RESULTS, as_table

SAMPLE_CLAIMS = 2_000
"""Claims that are checked for an estimate, about."""

_MOST_READ = 200_000
"""Rows of the input that a sample is drawn from: its first ones."""

_MOST_DOCUMENTS = 20_000
"""Documents of a table that are looked through for those of the sample."""

SHARED_BY_TWO = 0.95
"""Share of a worker's time that is work, as measured with two on two cores (`make bench-bulk`)."""


@dataclass(frozen=True, slots=True)
class BulkPlan:
    """An estimate. `rows` of the input (exact for Parquet), `claims_per_document` in the sample,
    `seconds_per_claim` of one worker with all that goes with it, `seconds` of the whole with so
    many `workers`; bytes of memory of each worker, of the output, and of `_work` meanwhile.
    """

    rows: int
    sampled_claims: int
    sampled_documents: int
    sampled_failures: int
    claims_per_document: float
    seconds_per_claim: float
    workers: int
    seconds: float
    worker_bytes: int
    output_bytes: int
    work_bytes: int


def plan(
    claims: StrPath, documents: StrPath, settings: BulkSettings, *, sample: int = SAMPLE_CLAIMS
) -> BulkPlan:
    """Check a sample, and reckon the whole from it: whole documents with all of their claims among
    the first rows, so that there are as many claims to a document as there will be.

    Raises what `local.run` raises for input that cannot be read.
    """
    files = given_files(claims, INPUTS)
    sources = documents_at(documents).without(local_paths(files))
    rows = estimated_rows(files)
    begun = time.perf_counter()
    first, refused = _first_rows(files, settings)
    reading = (time.perf_counter() - begun) / max(1, first.num_rows + refused)
    chosen = _sampled(first, sample)
    wanted = set(pc.unique(chosen["document_id"]).to_pylist())
    folder = sources if isinstance(sources, FolderDocuments) else None
    texts = _texts(sources, wanted).items() if isinstance(sources, TableDocuments) else None
    worker = ShardWorker(settings, Layout(Path()), folder)
    worker.check(chosen.slice(0, 1), texts, Lessons())  # loads what is loaded once
    begun = time.perf_counter()
    checked = worker.check(chosen, texts, Lessons())
    spent = (time.perf_counter() - begun) / max(1, chosen.num_rows)
    part = _bytes_of(as_table(sorted(checked.results), RESULTS[settings.task]))
    share = 1.0 if settings.workers == 1 else SHARED_BY_TWO
    return BulkPlan(
        rows=rows,
        sampled_claims=chosen.num_rows,
        sampled_documents=len(wanted),
        sampled_failures=len(checked.failures) + refused,
        claims_per_document=chosen.num_rows / max(1, len(wanted)),
        seconds_per_claim=spent,
        workers=settings.workers,
        seconds=rows * reading + rows * spent / (settings.workers * share),
        worker_bytes=_resident() + _of_shard(chosen, settings, sources.text_bytes, rows),
        output_bytes=round(part / max(1, len(checked.results)) * rows),
        work_bytes=round(chosen.nbytes / max(1, chosen.num_rows) * rows) + sources.text_bytes,
    )


def _first_rows(files: Sequence[GivenFile], settings: BulkSettings) -> tuple[pa.Table, int]:
    """The first rows of the input, and how many among them cannot be checked."""
    tables, refused, count = [CLAIMS.empty_table()], 0, 0
    for batch in read_claims(files, settings):
        tables.append(batch.claims)
        refused += batch.refused.num_rows
        count += batch.claims.num_rows
        if count >= _MOST_READ:
            break
    return pa.concat_tables(tables), refused


def _sampled(claims: pa.Table, sample: int) -> pa.Table:
    """All claims of some documents, spread evenly over them, until there are enough."""
    counted = pc.value_counts(claims["document_id"])
    documents = len(counted)
    if not documents or claims.num_rows <= sample:
        return claims
    step = max(1, round(claims.num_rows / sample))
    chosen = [counted[at]["values"].as_py() for at in range(0, documents, step)]
    return claims.filter(pc.is_in(claims["document_id"], pa.array(chosen))).slice(0, 2 * sample)


def _texts(documents: TableDocuments, wanted: set[str]) -> dict[str, str | None]:
    found: dict[str, str | None] = {}
    seen = 0
    for table in documents.batches():
        ids, texts = (table[name].to_pylist() for name in DOCUMENTS.names)
        found |= {key: text for key, text in zip(ids, texts, strict=True) if key in wanted}
        seen += len(ids)
        if len(found) == len(wanted) or seen >= _MOST_DOCUMENTS:
            break
    return found


def _bytes_of(table: pa.Table) -> int:
    written = io.BytesIO()
    pq.write_table(table, written, compression="zstd")
    return len(written.getvalue())


def _of_shard(chosen: pa.Table, settings: BulkSettings, text_bytes: int, rows: int) -> int:
    """What a shard adds to a worker: its claims as objects, and one document at a time."""
    of_row = 6 * chosen.nbytes / max(1, chosen.num_rows)  # as Python's objects, measured
    return int(of_row * min(settings.shard_rows, rows)) + min(text_bytes, 1 << 20)


def _resident() -> int:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
