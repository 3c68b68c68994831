"""Cold start: whole processes, from nothing to their answer."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Start:
    """Median seconds of a process from start to end: on the clock, and of CPU."""

    wall: float
    cpu: float
    fastest_wall: float


def start(arguments: Sequence[str], runs: int) -> Start:
    """Run Python with `arguments`, once to warm the file cache and then `runs` times."""
    spent = [_once([sys.executable, *arguments]) for _ in range(runs + 1)][1:]
    walls, cpus = [wall for wall, _ in spent], [cpu for _, cpu in spent]
    return Start(statistics.median(walls), statistics.median(cpus), min(walls))


def quote_command(folder: Path, text: str, quote: str) -> list[str]:
    """`veridical quote` on a file with `text`."""
    source = folder / "ten_kilobytes.md"
    source.write_bytes(text.encode())
    return ["-m", "veridical", "quote", quote, str(source)]


def _once(command: Sequence[str]) -> tuple[float, float]:
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    message = process.stderr.read() if process.stderr else b""
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        raise RuntimeError(f"{command} failed: {message.decode(errors='replace')}")
    return wall, usage.ru_utime + usage.ru_stime
