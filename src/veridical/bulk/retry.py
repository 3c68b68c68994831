"""Rows that failed for reasons that may be over are given another chance: their shards are done
again.
"""

from __future__ import annotations

import shutil
from itertools import groupby
from operator import attrgetter
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from veridical.bulk import spill
from veridical.bulk.cutting import Given, cut
from veridical.bulk.failed import FAILED
from veridical.bulk.manifest import Manifest
from veridical.bulk.parting import Layout, shard_numbers
from veridical.bulk.parts import part_path
from veridical.bulk.progress import Progress
from veridical.bulk.summary import SUMMARY
from veridical.bulk.tables import CLAIMS, FAILURES, Reason

RETRIED = frozenset(
    {Reason.TIME_LIMIT, Reason.WORKER_DIED, Reason.ERROR, Reason.UNREADABLE_DOCUMENT}
)
"""Reasons that time, memory or rights that a run did not have may explain."""


def reopen(given: Given, progress: Progress | None = None) -> None:
    """Make a run that is over one that was broken off after its last shard: its work is cut again,
    which gives the same shards, and each gets its failures back.

    Until the summary is removed, as the last, the run is still over.
    """
    shutil.rmtree(given.layout.folder, ignore_errors=True)
    try:
        _give_back(given, cut(given, progress))
    except BaseException:
        shutil.rmtree(given.layout.folder, ignore_errors=True)
        raise
    (given.output / SUMMARY).unlink()


def forget_failed(output: Path, layout: Layout, manifest: Manifest) -> None:
    """Remove the parts of shards that have failures of the kinds `RETRIED`: they are then left to
    do.
    """
    for shard in manifest.shards:
        batches = spill.batches(layout.failures_of(shard))
        if any(RETRIED.intersection(batch.column("reason").to_pylist()) for batch in batches):
            part_path(output, shard.name).unlink(missing_ok=True)


def _give_back(given: Given, manifest: Manifest) -> None:
    layout = given.layout
    folder = layout.folder / "again"
    parted = spill.Spill(folder, manifest.count)
    with pq.ParquetFile(given.output / FAILED) as file:
        for batch in file.iter_batches():
            table = pa.Table.from_batches([batch])
            table = table.filter(pc.not_equal(table["reason"], Reason.BAD_ROW.value))
            if table.num_rows:  # rows that are no claims are of no shard
                parted.add(table, shard_numbers(table, manifest.count))
    parted.flush()
    for number, shards in groupby(manifest.shards, attrgetter("number")):
        failures = spill.whole(spill.spilled(folder, number), FAILURES)
        for shard in shards:
            rows = spill.whole(layout.claims_of(shard), CLAIMS)["row"].combine_chunks()
            own = failures.filter(pc.is_in(failures["row"], value_set=rows))
            spill.write(layout.failures_of(shard), own)
