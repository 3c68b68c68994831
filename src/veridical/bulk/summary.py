"""What came of a run: everything is counted, and fits together, before it counts as over."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.compute as pc
import pyarrow.parquet as pq

from veridical.bulk import spill
from veridical.bulk.durable import PARTS, part_path, sweep, write_part
from veridical.bulk.failed import gather_failures
from veridical.bulk.manifest import Identity, Manifest, write_text
from veridical.bulk.parting import Layout, Shard
from veridical.bulk.places import DAMAGED
from veridical.bulk.tables import OUTCOME, RESULTS, Task
from veridical.errors import ProcessingError

SUMMARY = "summary.json"

_RUN = "run"
"""Of the summary's file: the identity of its run."""

_NOT_KEPT = "was_over"


@dataclass(frozen=True, slots=True)
class BulkSummary:
    """`rows` of the input are `checked` or `failed`; `outcomes` counts the checked ones by status
    or verdict, `reasons` the failures by reason. `parts` are files of results. `was_over`: the run
    was over already when it was to go on, and nothing was checked.
    """

    task: str
    rows: int
    checked: int
    failed: int
    outcomes: dict[str, int]
    reasons: dict[str, int]
    parts: int
    was_over: bool = field(default=False, compare=False)


def finish(output: Path, layout: Layout, manifest: Manifest, task: Task) -> BulkSummary:
    """Put the failures of all shards into one file and count everything. May be done again.

    Raises ProcessingError where a part and its failures are not all rows of its shard: the part is
    then removed, so that the shard is left to do.
    """
    outcomes = _outcomes(output, layout, manifest, task)
    reasons = gather_failures(output, layout, manifest)
    if not manifest.shards:  # what is done with the parts then needs no case of its own
        write_part(part_path(output, Shard(0).name), RESULTS[task].empty_table())
    summary = BulkSummary(
        task=task.value,
        rows=manifest.rows,
        checked=outcomes.total(),
        failed=reasons.total(),
        outcomes=dict(sorted(outcomes.items())),
        reasons=dict(sorted(reasons.items())),
        parts=max(1, len(manifest.shards)),
    )
    if summary.checked + summary.failed != summary.rows:
        raise ProcessingError(
            f"{output}: of {summary.rows:,} rows {summary.checked + summary.failed:,} came out; "
            "files of the run were changed. Begin anew, in another folder."
        )
    sweep(output)
    kept = {name: value for name, value in asdict(summary).items() if name != _NOT_KEPT}
    written = {**kept, _RUN: asdict(manifest.identity)}
    write_text(output / SUMMARY, json.dumps(written, indent=2) + "\n")
    return summary


def read_summary(output: Path) -> BulkSummary | None:
    """The summary of a run that is over; None where there is none."""
    found = _read(output)
    names = (one.name for one in fields(BulkSummary) if one.name != _NOT_KEPT)
    try:
        return BulkSummary(**{name: found[name] for name in names})
    except KeyError:
        return None


def run_of(output: Path) -> Identity:
    """The identity of the run that is over."""
    return Identity.read(_read(output).get(_RUN))


def require_parts(output: Path, summary: BulkSummary) -> None:
    """Raises ProcessingError where the results of a run that is over are not all there."""
    parts = rows = 0
    try:
        for path in output.glob(PARTS):
            rows += pq.read_metadata(path).num_rows
            parts += 1
    except DAMAGED:
        parts = -1
    if (parts, rows) != (summary.parts, summary.checked):
        raise ProcessingError(
            f"{output}: parts of the run were removed or changed since it was over. "
            "Begin anew, in another folder."
        )


def _read(output: Path) -> dict[str, Any]:
    try:
        found = json.loads((output / SUMMARY).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _outcomes(output: Path, layout: Layout, manifest: Manifest, task: Task) -> Counter[str]:
    """The outcomes of all parts, each of which fits its failures.

    Failures are written before their part. Where two worked on one shard, as Ray may let them, one
    may have written the failures and the other the part, of different rows.
    """
    outcomes: Counter[str] = Counter()
    odd: list[Path] = []
    for shard in manifest.shards:
        part = part_path(output, shard.name)
        try:
            outcomes.update(dict(_counted(part, layout, shard, task)))
        except (*DAMAGED, _OddError):
            part.unlink(missing_ok=True)
            odd.append(part)
    if odd:
        raise ProcessingError(
            f"{odd[0]} does not fit its failures: files of the run were changed. It was removed"
            f"{f', with {len(odd) - 1:,} more' if len(odd) > 1 else ''}. Go on with --resume."
        )
    return outcomes


class _OddError(Exception):
    """A part and its failures are not the rows of their shard."""


def _counted(part: Path, layout: Layout, shard: Shard, task: Task) -> Iterator[tuple[str, int]]:
    with pq.ParquetFile(part) as file:
        table = file.read(["row", OUTCOME[task]])
    failed = [batch.column("row").to_numpy() for batch in spill.batches(layout.failures_of(shard))]
    rows = np.concatenate([table["row"].to_numpy(), *failed])
    if len(rows) != shard.rows or len(np.unique(rows)) != shard.rows:
        raise _OddError
    for counted in pc.value_counts(table[OUTCOME[task]]).to_pylist():
        yield counted["values"], counted["counts"]
