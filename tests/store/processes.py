"""Programs of their own that use a store, started and killed by tests."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
SECONDS = 60


@contextmanager
def running(program: str, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A Python program that can be talked to; killed at the end if it still runs."""
    process = subprocess.Popen(
        [sys.executable, "-c", program, *arguments],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT,
    )  # fmt: skip
    try:
        yield process
    finally:
        process.kill()
        process.communicate(timeout=SECONDS)


def wait_for(process: subprocess.Popen[str], line: str) -> None:
    """Read what a program prints up to and with a line."""
    assert process.stdout is not None
    for said in process.stdout:
        if said.rstrip("\n") == line:
            return
    raise AssertionError(f"the program ended before it said {line!r}")


def killed_at(line: str, program: str, *arguments: str) -> None:
    """Run a program and kill it (SIGKILL) when it prints a line."""
    with running(program, *arguments) as process:
        wait_for(process, line)
        process.kill()
        assert process.wait(SECONDS) == -9
