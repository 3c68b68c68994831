"""Runs in processes of their own, which tests kill."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
_SECONDS = 60.0


@contextmanager
def running(claims: Path, output: Path, documents: Path, **values: Any) -> Iterator[Run]:
    """A run of `tests.bulk.workers`, in a session of its own; ended at the end."""
    command = [
        sys.executable, "-m", "tests.bulk.workers", str(claims), str(output), str(documents),
        json.dumps(values),
    ]  # fmt: skip
    path = os.pathsep.join((str(ROOT / "src"), str(ROOT)))
    process = subprocess.Popen(
        command, cwd=ROOT, env={**os.environ, "PYTHONPATH": path}, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    run = Run(process)
    try:
        yield run
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, 9)
        process.communicate()


class Run:
    """A run that can be looked at from outside."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.pid = process.pid

    def wait_for_work(self) -> None:
        """Wait until the work is cut, or more of it is done, and said to be."""
        assert self.process.stdout is not None
        assert self.process.stdout.readline(), self.process.communicate()[1]

    def workers(self) -> list[int]:
        """The worker processes that run."""
        return [pid for pid in self._session() if "spawn_main" in _command(pid)]

    def wait_for_worker(self) -> list[int]:
        """The worker processes, once there are any; none where the run has ended."""
        while self.process.poll() is None:
            if found := self.workers():
                return found
            time.sleep(0.01)
        return []

    def finish(self) -> tuple[int, str]:
        """The exit code, and what was said of errors."""
        _, errors = self.process.communicate(timeout=_SECONDS)
        return self.process.returncode, errors

    def require_nobody_left(self) -> None:
        """All processes that it started end soon after it."""
        until = time.monotonic() + _SECONDS
        while left := self._session():
            assert time.monotonic() < until, [_command(pid) for pid in left]
            time.sleep(0.02)

    def _session(self) -> list[int]:
        found = [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]
        return [pid for pid in found if _session_of(pid) == self.pid and pid != self.pid]


def _session_of(pid: int) -> int:
    """The session of a process that runs; 0 for one that has ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    except OSError:
        return 0
    return 0 if fields[0] in "ZX" else int(fields[3])


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text("utf-8").replace("\0", " ")
    except OSError:
        return ""
