"""What cannot be written ends the run with plain words, and it can go on once there is room."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from tests.bulk.data import claims, claims_table, documents, documents_table

from veridical.bulk import Task

ROOT = Path(__file__).parents[2]

# Runs as the root of a place of its own, where it may mount what nobody else sees.
_PROGRAM = """
import subprocess, sys
from pathlib import Path
from tests.bulk.data import require_each_once, settings
from veridical.bulk import run
from veridical.errors import OutputError

folder, rows = Path(sys.argv[1]), int(sys.argv[2])
disk = folder / "disk"

def mounted(kilobytes, how=""):
    command = ["mount", "-t", "tmpfs", "-o", f"{how}size={kilobytes}k", "tmpfs", str(disk)]
    subprocess.run(command, check=True)

def main():
    disk.mkdir()
    wanted = settings(shard_rows=40, workers=1)
    given = str(folder / "claims.parquet"), disk / "out", str(folder / "documents.parquet")
    mounted(24)
    for resume in (False, True):  # there is no room for the work to be cut
        try:
            run(*given, wanted, resume=resume)
        except OutputError as error:
            assert str(error) == (
                f"{disk / 'out'}: it cannot be written (No space left on device). "
                "Nothing was checked; make room, or mend it, and begin again."
            ), error
        else:
            raise AssertionError("there was room")
        assert not (disk / "out").exists()
    mounted(20_000, "remount,")
    filler = disk / "filler"

    def fill(state):
        # All is cut by now; what is left is too little for a part.
        if state.rows and not filler.exists():
            with filler.open("wb", buffering=0) as file:
                size = 1 << 16
                while size >= 1:
                    try:
                        file.write(bytes(size))
                    except OSError:
                        size //= 2
    try:
        run(*given, wanted, progress=fill)
    except OutputError as error:
        said = str(error)
        assert said.startswith(f"{disk / 'out'}"), error  # a part of it, or failures
        assert said.endswith(
            "it cannot be written (No space left on device). "
            "What is done is kept; make room, or mend it, and go on with --resume."
        ), error
    else:
        raise AssertionError("there was room")
    assert not list((disk / "out").glob(".*.new"))
    filler.unlink()
    run(*given, wanted, resume=True)
    require_each_once(disk / "out", rows)

    mounted(20_000, "remount,ro,")
    try:
        run(given[0], disk / "other", given[2], wanted)
    except OutputError as error:
        assert "cannot be written (Read-only file system)" in str(error), error
    else:
        raise AssertionError("it could be written")

if __name__ == "__main__":
    main()
    print("all is well")
"""


# Without a mount: from some moment on, no file may become longer than one byte.
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
    ended = _told(_LIMITED, tmp_path)
    assert ended.stdout == "all is well\n", ended.stderr


def test_a_full_disk_ends_the_run_and_it_goes_on_once_there_is_room(tmp_path: Path) -> None:
    # In a place of its own for mounts; root needs no other users for it.
    place = ["unshare", "-m"] if os.geteuid() == 0 else ["unshare", "-rm"]
    ended = _told(_PROGRAM, tmp_path, *place)
    if any(word in ended.stderr for word in ("unshare:", "mount:", "'mount'")):
        pytest.skip("no disk may be mounted here; the test above tells of writes that fail")
    assert ended.stdout == "all is well\n", ended.stderr


def _told(program: str, folder: Path, *place: str) -> subprocess.CompletedProcess[str]:
    """What a program says that works on a small data set in a folder."""
    held = documents(24)
    table = claims_table(claims(held, 200, Task.VALIDATE, skew="each"))
    pq.write_table(table, folder / "claims.parquet")
    pq.write_table(documents_table(held), folder / "documents.parquet")
    written = folder / "program.py"
    written.write_text(program, "utf-8")
    path = os.pathsep.join((str(ROOT / "src"), str(ROOT)))
    return subprocess.run(
        [*place, sys.executable, str(written), str(folder), str(table.num_rows)],
        cwd=ROOT, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
