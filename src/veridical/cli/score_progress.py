"""What each section of a scoring run is doing, live."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from veridical.cli.terminal import excerpt
from veridical.scoring.rubric import Section
from veridical.scoring.running import OnChange, SectionState

_SIGNS = {
    SectionState.QUEUED: " ",
    SectionState.RUNNING: "…",
    SectionState.DONE: "✓",
    SectionState.INCOMPLETE: "✕",
}
_MOST_TITLE = 48


@contextmanager
def section_progress(sections: Sequence[Section]) -> Iterator[OnChange | None]:
    """A line for each section on standard error, where that is a terminal; elsewhere nothing."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
    from rich.text import Text

    columns = (
        SpinnerColumn(finished_text=" "),
        TextColumn("{task.fields[sign]} {task.description}", markup=False),
        TextColumn("{task.fields[state]}", style="dim", markup=False),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        tasks = {
            section.id: bar.add_task(
                Text(excerpt(section.title, _MOST_TITLE)).plain,
                total=1,
                start=False,
                sign=_SIGNS[SectionState.QUEUED],
                state=SectionState.QUEUED.value,
            )
            for section in sections
        }

        def on_change(section: Section, state: SectionState) -> None:
            task = tasks[section.id]
            if state is SectionState.RUNNING:
                bar.start_task(task)
            ended = state in (SectionState.DONE, SectionState.INCOMPLETE)
            bar.update(task, sign=_SIGNS[state], state=state.value, completed=int(ended))

        yield on_change
