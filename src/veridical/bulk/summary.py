"""What came of a run: counts, and the rows that could not be checked in one file."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import pyarrow.compute as pc
import pyarrow.parquet as pq

from veridical.bulk import spill
from veridical.bulk.durable import sweep, whole_file
from veridical.bulk.manifest import Manifest, write_text
from veridical.bulk.parting import Layout
from veridical.bulk.shard import part_path
from veridical.bulk.tables import FAILURES, OUTCOME, Task
from veridical.errors import ProcessingError

SUMMARY = "summary.json"
FAILED = "failures.parquet"

_RUN = "run"
"""Of the summary's file: the key of its run, see `manifest.key_of`."""


@dataclass(frozen=True, slots=True)
class BulkSummary:
    """`rows` of the input are `checked` or `failed`; `outcomes` counts the checked ones by status
    or verdict, `reasons` the failures by reason. `parts` are files of results.
    """

    task: str
    rows: int
    checked: int
    failed: int
    outcomes: dict[str, int]
    reasons: dict[str, int]
    parts: int


def finish(output: Path, layout: Layout, manifest: Manifest, task: Task) -> BulkSummary:
    """Put the failures of all shards into one file and count everything. May be done again."""
    reasons = _gather_failures(output / FAILED, layout, manifest)
    outcomes: Counter[str] = Counter()
    for shard in manifest.shards:
        with pq.ParquetFile(part_path(output, shard)) as part:
            column = part.read([OUTCOME[task]]).column(0)
        for counted in pc.value_counts(column).to_pylist():
            outcomes[counted["values"]] += counted["counts"]
    summary = BulkSummary(
        task=task.value,
        rows=manifest.rows,
        checked=outcomes.total(),
        failed=reasons.total(),
        outcomes=dict(sorted(outcomes.items())),
        reasons=dict(sorted(reasons.items())),
        parts=len(manifest.shards),
    )
    if summary.checked + summary.failed != summary.rows:
        raise ProcessingError(
            f"{output}: of {summary.rows:,} rows {summary.checked + summary.failed:,} came out; "
            "files of the run were changed. Begin anew, in another folder."
        )
    sweep(output)
    written = {**asdict(summary), _RUN: manifest.key}
    write_text(output / SUMMARY, json.dumps(written, indent=2) + "\n")
    return summary


def read_summary(output: Path) -> BulkSummary | None:
    """The summary of a run that is over; None where there is none."""
    found = _read(output)
    try:
        return BulkSummary(**{field.name: found[field.name] for field in fields(BulkSummary)})
    except KeyError:
        return None


def run_of(output: Path) -> str:
    """The key of the run that is over; "" where there is none."""
    return str(_read(output).get(_RUN, ""))


def _read(output: Path) -> dict[str, Any]:
    try:
        found = json.loads((output / SUMMARY).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _gather_failures(path: Path, layout: Layout, manifest: Manifest) -> Counter[str]:
    files = [layout.refused, *map(layout.failures_of, manifest.shards)]
    reasons: Counter[str] = Counter()
    with (
        whole_file(path) as made,
        pq.ParquetWriter(made, FAILURES, compression="zstd") as writer,
    ):
        for file in files:
            for batch in spill.batches(file):
                writer.write_batch(batch)
                reasons.update(batch.column("reason").to_pylist())
    return reasons
