"""Tests that interrupt a process work where interrupts are ignored, as in `make test &`."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
CHILD = """
import signal, time
print("ready", flush=True)
time.sleep(60)
"""


def test_a_child_of_a_test_can_be_interrupted() -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert child.stdout is not None
    with child.stdout:
        assert child.stdout.readline() == b"ready\n"
    child.send_signal(signal.SIGINT)
    assert child.wait(30) == -signal.SIGINT


def test_it_can_in_a_run_that_ignores_interrupts() -> None:
    one = (
        f"{Path(__file__).relative_to(ROOT)}::{test_a_child_of_a_test_can_be_interrupted.__name__}"
    )
    pytest = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--no-cov", one]
    ignoring = "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_IGN); "
    ran = subprocess.run(
        [sys.executable, "-c", ignoring + "os.execv(sys.argv[1], sys.argv[1:])", *pytest],
        cwd=ROOT,
        env={**os.environ, "PYTEST_ADDOPTS": ""},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
