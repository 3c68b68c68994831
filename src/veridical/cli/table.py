"""The verdict table for people at a terminal."""

from __future__ import annotations

from rich.text import Text

from veridical.cli.terminal import clean, excerpt
from veridical.cli.text_table import Look, TextTable
from veridical.validation import wording
from veridical.validation.results import ClaimResult, Status, ValidationReport

_SIGNS = {
    Status.VALIDATED: ("\u2713", "green"),
    Status.AMBIGUOUS: ("\u2248", "yellow"),
    Status.LOW_CONFIDENCE: ("?", "yellow"),
    Status.FAILED: ("\u2715", "red"),
}
_QUOTE_CHARS = 160


def render_table(report: ValidationReport, look: Look | None = None) -> str:
    """The results as a table, and a line that sums them up; by default plain."""
    table = TextTable(("Claim", "Verdict", "Quote and where it stands"), look or Look())
    for result in report.results:
        sign, style = _SIGNS[result.status]
        verdict = Text(f"{sign} {result.status.value}", style=style)
        if result.fidelity is not None:
            verdict.append(f"\n  {result.fidelity.value}", style="dim")
        table.add_row(Text(clean(result.claim.id)), verdict, _details(result))
    table.add_line(summary_line(report))
    for error in report.errors:
        table.add_line(Text(f"error: {clean(error.message)}", style="red"))
    return table.render()


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
    return render_table(report, Look.of_standard_output())
