"""How far a bulk run is, on standard error: a bar on a terminal, else a line a minute."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from veridical.bulk import State
from veridical.cli.terminal import err

LINE_SECONDS = 60.0

_Shown = Callable[[State], None]


@contextmanager
def progress() -> Iterator[_Shown | None]:
    """What to call with each state; None where nobody can read it."""
    if sys.stderr is None:
        yield None
    elif sys.stderr.isatty():
        with _bar() as shown:
            yield shown
    else:
        yield lines(time.monotonic, err)


def lines(clock: Callable[[], float], write: Callable[[str], None]) -> _Shown:
    """Writes a line a minute, by a clock."""
    begun = last = clock()
    first: State | None = None

    def shown(state: State) -> None:
        nonlocal begun, last, first
        now = clock()
        if state.rows and first is None:
            begun, first = now, state
        if now - last < LINE_SECONDS:
            return
        last = now
        if first is None:
            write("veridical: reading the input")
            return
        rate = (state.done - first.done) / max(now - begun, 1e-9)
        failed = f", {state.failed:,} not checked" if state.failed else ""
        write(f"veridical: {state.done:,} of {state.rows:,} rows{failed}, {rate:,.0f} a second")

    return shown


@contextmanager
def _bar() -> Iterator[_Shown]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeRemainingColumn as Remaining

    columns = (
        TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}", markup=False), Remaining(),
    )  # fmt: skip
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("Reading the input", total=None, rate="")

        def on_progress(state: State) -> None:
            if not state.rows:
                return
            speed = bar.tasks[0].speed
            rate = f"{speed:,.0f}/s" if speed else ""
            failed = f", {state.failed:,} not checked" if state.failed else ""
            bar.update(
                task, description=f"Checking{failed}", total=state.rows, completed=state.done,
                rate=rate,
            )  # fmt: skip

        yield on_progress
