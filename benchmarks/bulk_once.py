"""One bulk run in a process of its own: prints what it took, as JSON."""

from __future__ import annotations

import json
import re
import resource
import sys
import time
from pathlib import Path

from veridical.bulk import BulkSettings, State, Task, run


def _peak() -> int:
    """Of this program alone: what getrusage tells includes whoever started it."""
    found = re.search(r"^VmHWM:\s+(\d+) kB$", Path("/proc/self/status").read_text(), re.MULTILINE)
    assert found, "this system does not tell the memory of a process"
    return int(found[1]) * 1024


def main() -> None:
    claims, documents, output, engine, workers, shard_rows, task = sys.argv[1:8]
    begun = time.perf_counter()
    first = 0.0

    def on_progress(state: State) -> None:
        nonlocal first
        if state.rows and not first:
            first = time.perf_counter() - begun

    settings = BulkSettings(task=Task(task), workers=int(workers), shard_rows=int(shard_rows))
    if engine == "ray":
        from veridical.bulk.ray_engine import run_on_ray as work
    else:
        work = run
    summary = work(claims, Path(output), documents, settings, progress=on_progress)
    whole = time.perf_counter() - begun
    told = {
        "rows": summary.rows, "failed": summary.failed, "outcomes": summary.outcomes,
        "seconds": whole, "cut_seconds": first,
        "driver_bytes": _peak(),
        "worker_bytes": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024,
    }  # fmt: skip
    print(json.dumps(told))


if __name__ == "__main__":
    main()
