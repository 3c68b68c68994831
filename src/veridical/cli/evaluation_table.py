"""A run on the terminal: what it came to, and each question that did not come out right."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from rich.text import Text

from veridical.cli.terminal import excerpt
from veridical.cli.text_table import Look, TextTable
from veridical.evaluation.gates import GateResult
from veridical.evaluation.outcome import Outcome, what_came_of
from veridical.evaluation.run import ChatError, EvalRun, QuestionResult
from veridical.evaluation.summary import Latency, Summary, shown_percent, summarise
from veridical.judging.metrics import Rate

_MOST_SHOWN = 50
"""Questions that are told one by one; the HTML report has all of them."""

_LINE_CHARS = 400

_RATES = {
    "groundedness": ("Groundedness", "questions"),
    "citation_accuracy": ("Citation accuracy", "questions"),
    "correct": ("Correct by the expected facts", "questions with a known outcome"),
    "answered": ("Answered", "answerable questions"),
    "refused": ("Refused", "unanswerable questions"),
    "false_answers": ("Wrongly answered", "unanswerable questions"),
    "false_refusals": ("Wrongly refused", "answerable questions"),
    "citation_precision": ("Citation precision, by the judge", "markers"),
    "citation_recall": ("Citation recall, by the judge", "statements"),
}

_OUTCOMES = {
    Outcome.WRONGLY_REFUSED: "wrongly refused",
    Outcome.WRONGLY_ANSWERED: "wrongly answered",
    Outcome.ERROR: "error",
    Outcome.NOT_GROUNDED: "not grounded",
    Outcome.NOT_QUOTED: "not quoted",
    Outcome.NOT_CORRECT: "not correct",
}


def render_table(run: EvalRun, gates: Sequence[GateResult] = (), look: Look | None = None) -> str:
    """The metrics with their denominators, what went wrong, and the gates; by default plain."""
    summary = summarise(run)
    table = TextTable(("Metric", "Value", "95 % interval", "Of"), look or Look())
    for name, rate in summary.rates.items():
        table.add_row(*(Text(cell) for cell in _rate_cells(name, rate)))
    for told, latency in (
        ("client", summary.client_latency_ms),
        ("server", summary.server_latency_ms),
    ):
        for cells in _latency_rows(told, latency):
            table.add_row(*(Text(cell) for cell in cells))
    for line in _lines(run, summary):
        table.add_line(Text(line))
    for gate in gates:
        sign, style = ("✓", "green") if gate.holds else ("✕", "red")
        table.add_line(Text(f"{sign} {gate.told}", style=style))
    return table.render()


def _rate_cells(name: str, rate: Rate) -> tuple[str, str, str, str]:
    title, unit = _RATES[name]
    interval = rate.interval
    shown = "" if interval is None else f"{interval[0]:.1%} to {interval[1]:.1%}"
    return title, shown_percent(rate), shown.replace("%", " %"), f"{rate.count} of {rate.of} {unit}"


def _latency_rows(whose: str, latency: Latency) -> Iterator[tuple[str, str, str, str]]:
    for name in ("p50", "p95"):
        value: float | None = getattr(latency, name)
        shown = "none" if value is None else f"{value:,.1f} ms"
        yield f"Latency {name}, {whose}", shown, "", f"{latency.of} responses"


def _lines(run: EvalRun, summary: Summary) -> Iterator[str]:
    wrong = [
        (result, outcome)
        for result in run.results
        if (outcome := what_came_of(result)) is not Outcome.RIGHT
    ]
    for result, outcome in wrong[:_MOST_SHOWN]:
        told = f"✕ {result.question.id}: {_OUTCOMES[outcome]}: {_problems(result)}"
        yield excerpt(told, _LINE_CHARS)
    if len(wrong) > _MOST_SHOWN:
        more = len(wrong) - _MOST_SHOWN
        yield f"and {more} more; an HTML report has all of them (-o report.html)"
    asked = f"{summary.questions} questions asked of {run.target}"
    judge = f", judged by {run.judge}" if run.judge else ""
    yield excerpt(f"{asked}, the first once more to warm it up{judge}", _LINE_CHARS)


def _problems(result: QuestionResult) -> str:
    if isinstance(result.response, ChatError):
        return result.response.reason
    return "; ".join(result.scores.problems) if result.scores else ""


@contextmanager
def run_progress(questions: int) -> Iterator[Callable[[QuestionResult], None] | None]:
    """A bar on standard error, where that is a terminal; elsewhere nothing."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=questions)
        yield lambda _: bar.advance(task)
