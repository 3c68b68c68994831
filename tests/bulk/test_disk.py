"""What cannot be written ends the run with plain words, and it can go on once there is room."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
from tests.bulk.data import claims, claims_table, documents, documents_table

from veridical.bulk import Task

ROOT = Path(__file__).parents[2]

# From some moment on, no file may become longer than one byte.
_LIMITED = """
import multiprocessing, resource, sys
from pathlib import Path
from tests.bulk.data import require_each_once, settings
from veridical.bulk import run
from veridical.errors import OutputError

folder, rows = Path(sys.argv[1]), int(sys.argv[2])
given = str(folder / "claims.parquet"), folder / "out", str(folder / "documents.parquet")
free = resource.getrlimit(resource.RLIMIT_FSIZE)

def refused(message, progress=None, **options):
    try:
        run(*given, settings(shard_rows=40, workers=1), progress=progress, **options)
    except OutputError as error:
        assert message in str(error), error
    else:
        raise AssertionError("it could be written")

def limit(state):
    if state.done:  # a first part is there: from now on the workers can write no more
        for worker in multiprocessing.active_children():
            resource.prlimit(worker.pid, resource.RLIMIT_FSIZE, (1, free[1]))

def main():
    resource.setrlimit(resource.RLIMIT_FSIZE, (1, free[1]))
    refused("out: it cannot be written (File too large)")
    assert not given[1].exists()
    resource.setrlimit(resource.RLIMIT_FSIZE, free)
    refused("cannot be written (File too large). What is done is kept", limit)
    assert not list(given[1].glob(".*.new"))
    run(*given, settings(shard_rows=40, workers=1), resume=True)
    require_each_once(given[1], rows)

if __name__ == "__main__":
    main()
    print("all is well")
"""


def test_writes_that_fail_end_the_run_and_it_goes_on_once_they_do_not(tmp_path: Path) -> None:
    held = documents(24)
    table = claims_table(claims(held, 200, Task.VALIDATE, skew="each"))
    pq.write_table(table, tmp_path / "claims.parquet")
    pq.write_table(documents_table(held), tmp_path / "documents.parquet")
    written = tmp_path / "program.py"
    written.write_text(_LIMITED, "utf-8")
    path = os.pathsep.join((str(ROOT / "src"), str(ROOT)))
    ended = subprocess.run(
        [sys.executable, str(written), str(tmp_path), str(table.num_rows)],
        cwd=ROOT, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert ended.stdout == "all is well\n", ended.stderr
