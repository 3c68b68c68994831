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
                "What is done is kept; make room, or mend it, and go on with --resume."
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
        assert str(error) == (
            "The output cannot be written (No space left on device). "
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


def test_a_full_disk_ends_the_run_and_it_goes_on_once_there_is_room(tmp_path: Path) -> None:
    held = documents(24)
    table = claims_table(claims(held, 200, Task.VALIDATE, skew="each"))
    pq.write_table(table, tmp_path / "claims.parquet")
    pq.write_table(documents_table(held), tmp_path / "documents.parquet")
    program = tmp_path / "program.py"
    program.write_text(_PROGRAM, "utf-8")
    # In a place of its own for mounts; root needs no other users for it.
    place = ["unshare", "-m"] if os.geteuid() == 0 else ["unshare", "-rm"]
    command = [*place, sys.executable, str(program), str(tmp_path), str(table.num_rows)]
    path = os.pathsep.join((str(ROOT / "src"), str(ROOT)))
    ended = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True
    )
    assert not any(word in ended.stderr for word in ("unshare:", "mount:", "'mount'")), (
        "This test needs to mount a small disk: run it as root, or where users may make "
        f"namespaces. {ended.stderr}"
    )
    assert ended.stdout == "all is well\n", ended.stderr
