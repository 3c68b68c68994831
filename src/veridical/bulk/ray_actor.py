"""What Ray runs on the nodes of a cluster: actors that work on shards, each with one worker process
of its own, so that a claim that ends its process costs the same as on one machine: itself.
"""

from __future__ import annotations

import socket
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import pyarrow as pa

from veridical.bulk.crew import Crew
from veridical.bulk.parting import Layout, Shard
from veridical.bulk.settings import BulkSettings
from veridical.bulk.shard import ShardWorker
from veridical.errors import ConfigurationError, VeridicalError
from veridical.version import __version__

SHARDS = pa.schema([("number", pa.int64()), ("piece", pa.int64()), ("rows", pa.int64())])
"""What goes to an actor: a shard a row."""

_SIGN = "sign"

_WORKED = pa.schema(
    [("rows", pa.int64()), ("failed", pa.int64()), ("error", pa.string()), ("why", pa.string())]
)
"""What comes back: rows that are done, and how many of them failed; or the error for which the
whole run must stop, by its name in `veridical.errors`, and its words."""


@dataclass(frozen=True, slots=True)
class Job:
    """What every node is told. All paths are absolute. `sign` is what it must read in the folder of
    the work, as proof that it sees the same storage.
    """

    worker: ShardWorker
    layout: Layout
    documents: Path | None
    settings: BulkSettings
    sign: str
    version: str = __version__

    def put_sign(self) -> None:
        """Leave the sign where all nodes should see it. Raises OSError."""
        (self.layout.folder / _SIGN).write_text(self.sign, "ascii")


def why_unfit(job: Job) -> str:
    """Why this node cannot take part, "" where it can."""
    node = f"The node {socket.gethostname()}"
    if job.version != __version__:
        return (
            f"{node} has Veridical {__version__}, and this machine {job.version}. "
            "Install the same everywhere."
        )
    try:
        seen = (job.layout.folder / _SIGN).read_text("ascii")
    except (OSError, ValueError):
        seen = ""
    shared = "Put output and documents in a folder that all nodes share, under the same path."
    if seen != job.sign:
        return f"{node} does not see the output's {job.layout.folder}. {shared}"
    if job.documents is not None and not job.documents.is_dir():
        return f"{node} does not see the documents in {job.documents}. {shared}"
    return ""


class ShardActor:
    """Works on shards for as long as Ray keeps it; what is costly to make stays in its worker."""

    def __init__(self, job: Job) -> None:
        # A process that is spawned imports what was the main module first: Ray's, which costs two
        # seconds and 100 MB, and is of no use to a worker.
        vars(sys.modules["__main__"]).pop("__file__", None)
        self._unfit = why_unfit(job)
        self._crew = Crew(job.worker, job.layout, replace(job.settings, workers=1))

    def __call__(self, shards: pa.Table) -> pa.Table:
        """Work on shards (`SHARDS`), and say what came of it (`_WORKED`)."""
        worked = [self._work(Shard(**shard)) for shard in shards.to_pylist()]
        return pa.Table.from_pylist(worked, schema=_WORKED)

    def _work(self, shard: Shard) -> dict[str, int | str]:
        done = failed = 0

        def more(rows: int, failures: int) -> None:
            nonlocal done, failed
            done, failed = done + rows, failed + failures

        error: VeridicalError | None = None
        if self._unfit:
            error = ConfigurationError(self._unfit)
        else:
            try:
                self._crew.work_on([shard], more)
            except VeridicalError as raised:
                error = raised
        return {
            "rows": done, "failed": failed,
            "error": type(error).__name__ if error else "", "why": str(error or ""),
        }  # fmt: skip
