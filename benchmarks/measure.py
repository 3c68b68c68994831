"""CPU time on one core, and memory at its peak."""

from __future__ import annotations

import gc
import os
import statistics
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

Work = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds of CPU time over several runs. `scaled` if only a sample of the claims was run."""

    median: float
    minimum: float
    runs: int
    scaled: float = 1.0


def stay_on_one_core() -> bool:
    """Bind this process and its children to one core, where the system can."""
    if not hasattr(os, "sched_setaffinity"):
        return False
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    return True


def progress(message: str) -> None:
    print(f"  {message}", file=sys.stderr, flush=True)


def times(
    work: Mapping[str, Work],
    runs: int,
    scales: Mapping[str, float] | None = None,
    *,
    clock: Callable[[], float] = time.process_time,
) -> dict[str, Timing]:
    """Time each kind of work: one warm-up of each, then rounds in which each runs once."""
    scales = scales or {}
    seconds: dict[str, list[float]] = {name: [] for name in work}
    for round_ in range(runs + 1):
        for name, run in work.items():
            gc.collect()
            started = clock()
            run()
            spent = (clock() - started) * scales.get(name, 1.0)
            if round_:
                seconds[name].append(spent)
            label = f"run {round_} of {runs}" if round_ else "warm-up"
            progress(f"{name}, {label}: {spent:.3f} s")
    return {
        name: Timing(statistics.median(spent), min(spent), runs, scales.get(name, 1.0))
        for name, spent in seconds.items()
    }
