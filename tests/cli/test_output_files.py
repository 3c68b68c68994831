"""Writing a report: the whole file or none of it, and never over something else."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.cli.harness import complaint, invoke, run, shell

from veridical.cli.files import write_whole

ARGUMENTS = ("validate", "policy.md", "--claims", "claims.json")


@pytest.mark.parametrize(
    ("outputs", "message"),
    [
        (["docs"], "cannot write docs: it is a folder; name a file"),
        (["policy.md/r.json"], "policy.md is not a folder"),
        (["policy.md/deep/r.json"], "policy.md is not a folder"),
        (["-"], "without --output the report goes to standard output"),
        (["x" * 300 + ".json"], "File name too long"),
        (["report"], "cannot tell the format of report from its suffix"),
        (["report.docx"], "give --format json, junit, sarif or html"),
        (["a.json", "./a.json"], "cannot write a.json: it is named twice"),
        (["a.json", "policy.md/r.json"], "policy.md is not a folder"),
        (["claims.json"], "cannot write claims.json: it is an input of this run"),
        (["link.json"], "cannot write link.json: it is an input of this run"),
    ],
)
def test_outputs_that_cannot_be_written(folder: Path, outputs: list[str], message: str) -> None:
    Path("docs").mkdir()
    Path("link.json").symlink_to("claims.json")
    before = {p: p.read_bytes() for p in folder.iterdir() if p.is_file()}
    done = invoke(*ARGUMENTS, *(part for name in outputs for part in ("--output", name)))
    assert (done.exit_code, done.stdout) == (2, "")
    assert message in complaint(done.stderr)
    assert {p: p.read_bytes() for p in folder.iterdir() if p.is_file()} == before


def test_an_output_may_not_replace_a_document(folder: Path) -> None:
    before = Path("policy.md").read_text("utf-8")
    for source in ("policy.md", "."):
        done = invoke(
            *("validate", source, "--claims", "claims.json"),
            *("--output", "policy.md", "--format", "html"),
        )
        assert done.exit_code == 2
        assert "it is an input of this run" in complaint(done.stderr)
    assert Path("policy.md").read_text("utf-8") == before


def test_format_goes_with_one_output(folder: Path) -> None:
    outputs = ("--output", "a.json", "--output", "b.html")
    done = invoke(*ARGUMENTS, *outputs, "--format", "json")
    assert "--format goes with one --output" in complaint(done.stderr)
    assert invoke(*ARGUMENTS, *outputs, "--format", "table").exit_code == 0


def test_a_full_disk_leaves_the_old_file_and_nothing_else(folder: Path) -> None:
    Path("report.json").write_text("the old report")
    before = sorted(folder.iterdir())
    limited = (
        "import resource, runpy, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500)); "
        f"sys.argv = ['veridical', *{[*ARGUMENTS, '--output', 'report.json']!r}]; "
        "runpy.run_module('veridical', run_name='__main__')"
    )
    done = subprocess.run(
        [sys.executable, "-c", limited], capture_output=True, timeout=60, check=False
    )
    assert done.returncode == 2
    assert complaint(done.stderr) == "veridical: cannot write report.json: File too large"
    assert Path("report.json").read_text() == "the old report"
    assert sorted(folder.iterdir()) == before


def test_a_report_that_cannot_be_made_leaves_no_other(folder: Path) -> None:
    done = shell(*ARGUMENTS, "--output", "a.json", "--format", "json", tail=">/dev/full")
    assert (done.returncode, done.stderr) == (0, b"")  # nothing goes to standard output
    done = shell(*ARGUMENTS, tail=">/dev/full")
    assert done.returncode == 2
    assert complaint(done.stderr) == (
        "veridical: cannot write to standard output: No space left on device"
    )


def test_killed_while_writing_the_file_is_still_whole(tmp_path: Path) -> None:
    target = tmp_path / "report.json"
    size = 8 * 1024 * 1024
    writer = (
        "import sys; from pathlib import Path; from veridical.cli.files import write_whole\n"
        f"one, other = b'1' * {size}, b'2' * {size}\n"
        "while True:\n"
        f"    for data in (one, other): write_whole(Path({str(target)!r}), data)\n"
    )
    for delay_seconds in (0.0, 0.013, 0.041):
        process = subprocess.Popen([sys.executable, "-c", writer])
        deadline = time.monotonic() + 60
        while not target.exists() and time.monotonic() < deadline:
            time.sleep(0.005)
        time.sleep(delay_seconds)
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
        data = target.read_bytes()
        assert len(data) == size
        assert data in (b"1" * size, b"2" * size)
        target.unlink()


def test_a_device_or_a_pipe_is_written_to_and_not_replaced(folder: Path) -> None:
    os.mkfifo("pipe.json")
    # Open for reading before the run, so that neither side can wait for the other.
    reader = os.open("pipe.json", os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert run(*ARGUMENTS, "--output", "pipe.json").returncode == 0
        assert json.loads(os.read(reader, 1 << 16))["ok"] is True
    finally:
        os.close(reader)
    assert stat.S_ISFIFO(Path("pipe.json").stat().st_mode)


def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("real")
    write_whole(tmp_path / "link", b"one")
    write_whole(tmp_path / "link", b"two")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"two"


def test_the_mode_of_a_file_is_kept_and_a_new_one_follows_the_umask(tmp_path: Path) -> None:
    old = os.umask(0o027)
    try:
        write_whole(tmp_path / "new", b"")
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o640
    (tmp_path / "new").chmod(0o604)
    write_whole(tmp_path / "new", b"more")
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o604
