"""What came of a run: everything is counted, and fits together, before it counts as over."""

from __future__ import annotations

import json
import math
import shutil
from collections import Counter
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path

import numpy as np
import pyarrow.compute as pc
import pyarrow.parquet as pq

from veridical.bulk import storage
from veridical.bulk.cutting import Identity, Layout, Manifest, Shard, write_text
from veridical.bulk.documents import FolderDocuments, documents_at
from veridical.bulk.places import DAMAGED, StrPath
from veridical.bulk.tables import FAILURES, OUTCOME, RESULTS, Reason, Task
from veridical.codec import EXACT, Codec, Form
from veridical.errors import ProcessingError

FAILED = "failures.parquet"

_GROUP_ROWS = 65_536
_MOST_FILES = 4_096


def gather_failures(layout: Layout, manifest: Manifest) -> Counter[str]:
    """Write the failures of all shards into `FAILED`, by row, and count them by reason. Memory does
    not grow with their number.
    """
    folder = layout.folder / "sorted"
    shutil.rmtree(folder, ignore_errors=True)
    width = max(_GROUP_ROWS, math.ceil(manifest.rows / _MOST_FILES))
    count = math.ceil(manifest.rows / width)
    parted = storage.Spill(folder, count)
    reasons: Counter[str] = Counter()
    files = [layout.refused, *map(layout.failures_of, manifest.shards)]
    failures = chain.from_iterable(map(storage.tables, files))
    for table in storage.resized(failures, _GROUP_ROWS):
        parted.add(table, table["row"].to_numpy() // width)
        for counted in pc.value_counts(table["reason"]).to_pylist():
            reasons[counted["values"]] += counted["counts"]
    parted.flush()
    ordered = (
        storage.whole(storage.spilled(folder, number), FAILURES).sort_by("row")
        for number in range(count)
    )
    with (
        storage.whole_file(layout.output / FAILED) as made,
        made.open("wb") as file,
        pq.ParquetWriter(file, FAILURES, compression="zstd") as writer,
    ):
        for table in storage.resized(ordered, _GROUP_ROWS):
            writer.write_table(table.combine_chunks(), row_group_size=_GROUP_ROWS)
    return reasons


SUMMARY = "summary.json"

_RUN = "run"
"""Of the summary's file: the identity of its run."""


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


_CODEC = Codec({BulkSummary: Form(apart={"was_over"})}, values=EXACT)


def finish(layout: Layout, manifest: Manifest, task: Task) -> BulkSummary:
    """Put the failures of all shards into one file and count everything. May be done again.

    Raises ProcessingError where a part and its failures are not all rows of its shard: the part is
    then removed, so that the shard is left to do.
    """
    output = layout.output
    outcomes = _outcomes(layout, manifest, task)
    reasons = gather_failures(layout, manifest)
    if not manifest.shards:  # what is done with the parts then needs no case of its own
        storage.write_part(layout.part_of(Shard(0)), RESULTS[task].empty_table())
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
    storage.sweep(output)
    written = {**_CODEC.write(summary), _RUN: _CODEC.write(manifest.identity)}
    write_text(output / SUMMARY, json.dumps(written, indent=2) + "\n")
    return summary


def over(output: Path, identity: Identity) -> BulkSummary | None:
    """What came of the run where it is over: the summary is written last. None where it is not.

    Raises ConfigurationError where it was of other data or settings, ProcessingError where results
    are not all there.
    """
    try:
        found = json.loads((output / SUMMARY).read_text("utf-8"))
        summary = _CODEC.read(BulkSummary, found, was_over=True)
        made_of = _CODEC.read(Identity, found[_RUN])
    except (OSError, ValueError, LookupError, TypeError):
        return None
    made_of.require_same(identity, output)
    parts = rows = 0
    try:
        for path in output.glob(storage.PARTS):
            rows += pq.read_metadata(path).num_rows
            parts += 1
    except DAMAGED:
        parts = -1
    if (parts, rows) != (summary.parts, summary.checked):
        raise ProcessingError(
            f"{output}: parts of the run were removed or changed since it was over. "
            "Begin anew, in another folder."
        )
    return summary


def _outcomes(layout: Layout, manifest: Manifest, task: Task) -> Counter[str]:
    """The outcomes of all parts, each of which fits its failures.

    Failures are written before their part. Where two worked on one shard, as Ray may let them, one
    may have written the failures and the other the part, of different rows.
    """
    outcomes: Counter[str] = Counter()
    odd: list[Path] = []
    for shard in manifest.shards:
        part = layout.part_of(shard)
        try:
            counted = _counted(layout, shard, task)
        except DAMAGED:
            counted = None
        if counted is None:
            part.unlink(missing_ok=True)
            odd.append(part)
        outcomes.update(counted or {})
    if odd:
        raise ProcessingError(
            f"{odd[0]} does not fit its failures: files of the run were changed. It was removed"
            f"{f', with {len(odd) - 1:,} more' if len(odd) > 1 else ''}. Go on with --resume."
        )
    return outcomes


def _counted(layout: Layout, shard: Shard, task: Task) -> dict[str, int] | None:
    """The outcomes of a part; None where it and its failures are not the rows of their shard."""
    with pq.ParquetFile(layout.part_of(shard)) as file:
        table = file.read(["row", OUTCOME[task]])
    failed = storage.whole(layout.failures_of(shard), FAILURES)["row"]
    rows = np.concatenate([table["row"].to_numpy(), failed.to_numpy()])
    if len(rows) != shard.rows or len(np.unique(rows)) != shard.rows:
        return None
    counted = pc.value_counts(table[OUTCOME[task]]).to_pylist()
    return {one["values"]: one["counts"] for one in counted}


_EXAMPLES = 2


def advice(summary: BulkSummary, output: StrPath, documents: StrPath) -> str:
    """One line, "" where there is nothing to say: of an input without rows, or of claims of which
    none has a document. Raises what `run` raises for documents that cannot be read.
    """
    if not summary.rows:
        return "the input has no rows"
    if summary.reasons.get(Reason.NO_DOCUMENT, 0) < summary.rows:
        return ""
    failed = pq.ParquetFile(Path(output) / FAILED).iter_batches(_EXAMPLES, columns=["document_id"])
    wanted = next(failed).column(0).to_pylist()
    return (
        f"no claim has a document: they name {_listed(wanted)}, and the documents are called "
        f"{_listed(_names(documents))}"
    )


def _names(documents: StrPath) -> list[str]:
    found = documents_at(documents)
    if isinstance(found, FolderDocuments):
        return [name for name, _ in islice(found.files(), _EXAMPLES)]
    first = next(iter(found.batches()), None)
    return [] if first is None else first["document_id"].slice(0, _EXAMPLES).to_pylist()


def _listed(names: list[str]) -> str:
    return ", ".join(map(repr, names)) or "nothing"
