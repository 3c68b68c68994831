"""What the `veridical bulk` commands do."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import partial

from veridical.bulk import BulkPlan, BulkSettings, BulkSummary, Columns, State, Task, run_on_ray
from veridical.bulk import plan as planned
from veridical.bulk import run as run_locally
from veridical.bulk.local import can_go_on
from veridical.bulk.settings import MEBIBYTE
from veridical.bulk.summary import FAILED, advice
from veridical.cli.choices import parse_choice
from veridical.cli.errors import NEGATIVE_RESULT
from veridical.cli.run import read_config
from veridical.cli.terminal import clean, err, out
from veridical.errors import ConfigurationError, ProcessingError

# How far a bulk run is, on standard error: a bar on a terminal, else a line a minute.


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


USUAL = BulkSettings()


class Engine(StrEnum):
    """What does the work."""

    LOCAL = "local"
    RAY = "ray"


@dataclass(frozen=True, slots=True)
class Given:
    """The options of a command; those that it does not have are as usual."""

    documents: str
    columns: Sequence[str] = ()
    config: str | None = None
    workers: int | None = None
    engine: str = "local"
    address: str | None = None
    resume: bool = False
    shard_rows: int = USUAL.shard_rows
    group_seconds: float = USUAL.group_seconds
    memory: int = USUAL.memory_bytes // MEBIBYTE

    def settings(self, task: Task) -> BulkSettings:
        """The settings of a run. Raises ConfigurationError for what cannot be."""
        return BulkSettings(
            task=task,
            columns=Columns.of(task, dict(map(_pair, self.columns))),
            config=read_config(self.config),
            workers=self.workers if self.workers is not None else _cores(),
            shard_rows=self.shard_rows,
            group_seconds=self.group_seconds,
            memory_bytes=self.memory * MEBIBYTE,
        )


def run(task: str, claims: str, output: str, given: Given) -> int:
    """Check all claims, say what came of it, and return the exit code."""
    engine = parse_choice(Engine, given.engine, option="--engine")
    if given.address is not None and engine is not Engine.RAY:
        raise ConfigurationError("--address is of a Ray cluster; add --engine ray.")
    settings = given.settings(Task(task))
    begun = time.monotonic()
    with _stoppable(output), progress() as on_progress:
        work = run_locally
        if engine is Engine.RAY:
            work = partial(run_on_ray, address=given.address)
        summary = work(
            claims, output, given.documents, settings,
            resume=given.resume, progress=on_progress,
        )  # fmt: skip
    _tell(summary, output, time.monotonic() - begun)
    if said := advice(summary, output, given.documents):
        err(f"veridical: {clean(said)}")
    return NEGATIVE_RESULT if summary.failed else 0


def plan(task: str, claims: str, given: Given, sample: int, *, as_json: bool) -> None:
    """Print an estimate."""
    if sample < 1:
        raise ConfigurationError("--sample: give at least 1")
    wanted = parse_choice(Task, task, option="--task")
    estimate = planned(claims, given.documents, given.settings(wanted), sample=sample)
    out(json.dumps(asdict(estimate), indent=2) if as_json else "\n".join(_words(estimate)))


@contextmanager
def _stoppable(output: str) -> Iterator[None]:
    """A run that is told to stop leaves what is done, and says so: SIGTERM as Ctrl-C."""

    def stop(_number: int, _frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    except KeyboardInterrupt:
        kept = "what is done is kept: give the same command with --resume to go on"
        said = kept if can_go_on(output) else "nothing was checked yet"
        raise ProcessingError(f"interrupted; {said}") from None
    finally:
        signal.signal(signal.SIGTERM, before)


def _pair(given: str) -> tuple[str, str]:
    name, sign, column = given.partition("=")
    if not sign:
        raise ConfigurationError(f"--column: write NAME=COLUMN, such as quote=text, not {given!r}")
    return name, column


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _tell(summary: BulkSummary, output: str, seconds: float) -> None:
    rate = f", {summary.rows / seconds:,.0f} a second" if seconds >= 1 else ""
    rows = f"{summary.rows:,} row{'' if summary.rows == 1 else 's'}"
    if summary.was_over:
        out(f"{rows}: the run was over already; nothing was checked")
    else:
        out(f"{rows} in {_time(seconds)}{rate}")
    for outcome, count in summary.outcomes.items():
        out(f"  {outcome:<16} {count:>12,}")
    if summary.failed:
        out(f"{summary.failed:,} could not be checked ({FAILED}):")
        for reason, count in summary.reasons.items():
            out(f"  {reason:<20} {count:>8,}")
    out(f"Written to: {clean(output)}")


def _words(plan: BulkPlan) -> Iterator[str]:
    rows = f"{plan.rows:,} row{'' if plan.rows == 1 else 's'}"
    yield f"{rows}, {plan.claims_per_document:,.1f} claims to a document"
    yield (
        f"Sample: {plan.sampled_claims:,} claims of {plan.sampled_documents:,} documents at "
        f"{plan.seconds_per_claim * 1e3:,.2f} ms a claim; "
        f"{plan.sampled_failures:,} rows could not be checked"
    )
    workers = f"{plan.workers} worker{'' if plan.workers == 1 else 's'}"
    yield f"Time with {workers}: about {_time(plan.seconds)}"
    yield f"Memory of a worker: about {_size(plan.worker_bytes)}"
    yield f"Output: about {_size(plan.output_bytes)}; meanwhile {_size(plan.work_bytes)} more"


def _time(seconds: float) -> str:
    hours, rest = divmod(round(seconds), 3600)
    if hours >= 1:
        return f"{hours:,} h {rest // 60} min"
    return f"{rest // 60} min {rest % 60} s" if rest >= 60 else f"{seconds:.1f} s"


def _size(count: int) -> str:
    units = ("B", "KB", "MB", "GB", "TB")
    value, at = float(count), 0
    while value >= 1000 and at < len(units) - 1:
        value, at = value / 1000, at + 1
    return f"{value:,.0f} {units[at]}" if at < units.index("GB") else f"{value:,.1f} {units[at]}"
