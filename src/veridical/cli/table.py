"""The verdict table for people at a terminal."""

from __future__ import annotations

import io
import shutil
import sys

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from veridical.cli.terminal import can_encode, clean, colored, excerpt
from veridical.validation import wording
from veridical.validation.results import ClaimResult, Status, ValidationReport

_SIGNS = {
    Status.VALIDATED: ("\u2713", "green"),
    Status.AMBIGUOUS: ("\u2248", "yellow"),
    Status.LOW_CONFIDENCE: ("?", "yellow"),
    Status.FAILED: ("\u2715", "red"),
}
_PIPE_WIDTH = 120
_LEAST_WIDTH = 72
_QUOTE_CHARS = 160


def render_table(
    report: ValidationReport, *, color: bool = False, width: int | None = None, ascii: bool = False
) -> str:
    """The results as a table, and a line that sums them up.

    Without escape sequences unless `color`; framed in plus and minus signs if `ascii`.
    """
    buffer = io.StringIO()
    console = Console(
        file=buffer,
        width=max(width or _PIPE_WIDTH, _LEAST_WIDTH),
        force_terminal=color,
        color_system="standard" if color else None,
        highlight=False,
        emoji=False,
    )
    frame = box.ASCII if ascii else box.HEAVY_HEAD
    table = Table(box=frame, show_lines=False, pad_edge=False, expand=True)
    for heading, ratio in (("Claim", 0), ("Verdict", 0), ("Quote and where it stands", 1)):
        table.add_column(heading, ratio=ratio or None, no_wrap=not ratio, overflow="fold")
    for result in report.results:
        sign, style = _SIGNS[result.status]
        verdict = Text(f"{sign} {result.status.value}", style=style)
        if result.fidelity is not None:
            verdict.append(f"\n  {result.fidelity.value}", style="dim")
        table.add_row(Text(clean(result.claim.id)), verdict, _details(result))
    console.print(table)
    console.print(summary_line(report), soft_wrap=True)
    for error in report.errors:
        console.print(Text(f"error: {clean(error.message)}", style="red"), soft_wrap=True)
    return buffer.getvalue()


def _details(result: ClaimResult) -> Text:
    text = Text(f"\u201c{excerpt(result.claim.quote, _QUOTE_CHARS)}\u201d")
    if result.match is not None:
        where = wording.place(result.match)
        text.append(f"\n{clean(where)}  {result.confidence:.0%}", style="dim")
    if result.rules:
        text.append(f"\ndiffers in {', '.join(result.rules)}", style="dim")
    for line in result.suggestions:
        text.append(f"\n{clean(line)}", style="italic")
    for note in result.notes:
        text.append(f"\n{clean(note.message)}", style="italic")
    return text


def summary_line(report: ValidationReport) -> Text:
    """The counts and the rate, with its denominator."""
    summary = report.summary
    return Text(
        f"{summary.validated} of {summary.total} validated ({summary.validation_rate:.0%}), "
        f"{summary.ambiguous} ambiguous, {summary.low_confidence} low confidence, "
        f"{summary.failed} failed"
    )


def terminal_table(report: ValidationReport) -> str:
    """The table for standard output, as wide and as colourful as that is."""
    interactive = sys.stdout is not None and sys.stdout.isatty()
    width = shutil.get_terminal_size().columns if interactive else None
    plain = not can_encode("\u2503", sys.stdout)
    return render_table(report, color=colored(), width=width, ascii=plain)
