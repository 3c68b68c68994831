"""`veridical eval compare`: what turned between two evaluation runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

import click
from rich.text import Text

from veridical.cli import setup
from veridical.cli.choices import TEXT_OR_JSON, Form, parse_choice
from veridical.cli.errors import with_exit_code
from veridical.cli.files import json_bytes, read_results
from veridical.cli.options import format_option
from veridical.cli.terminal import clean, excerpt, out, out_data
from veridical.cli.text_table import Look, TextTable
from veridical.errors import ValidationError

if TYPE_CHECKING:
    from veridical.evaluation.compare import Comparison, NewError, PairedLatency, Turn
    from veridical.judging.metrics import Rate

TURNED_WORSE = 1
"""Exit code where something was right before and is wrong now."""

_QUESTION_CHARS = 80


@click.command("compare")
@click.argument("before", metavar="A.jsonl")
@click.argument("after", metavar="B.jsonl")
@click.option("--common", is_flag=True, help="Compare the questions that both runs have.")
@format_option("text", "json")
@with_exit_code
def compare_command(before: str, after: str, common: bool, form: str) -> int:
    """Show which questions turned from right to wrong, or back, from run A to run B.

    A.jsonl and B.jsonl are results of `veridical eval run` over the same questions; one of them may
    be - for standard input. McNemar's exact test tells how probable so uneven a split of what
    turned is by chance, the sign test the same of latencies.

    Exit code 0: nothing turned to worse. 1: something did. 2: they cannot be compared.
    """
    from veridical.evaluation.compare import OtherQuestionsError, compare_runs

    wanted = parse_choice(TEXT_OR_JSON, form)
    setup.check_inputs([], before, after)
    runs = read_results(before), read_results(after)
    try:
        comparison = compare_runs(*runs, common=common)
    except OtherQuestionsError as error:
        raise ValidationError(f"{error}. Compare what both have with --common.") from error
    if wanted is Form.JSON:
        out_data(json_bytes(comparison.to_mapping()))
    else:
        out(render_text(comparison, Look.of_standard_output()).rstrip("\n"))
    return TURNED_WORSE if comparison.worse else 0


def render_text(comparison: Comparison, look: Look | None = None) -> str:
    """The measures as a table, the latencies as another, and every question that turned."""
    look = look or Look()
    table = TextTable(("Measure", "Before", "After", "Worse", "Better", "p (exact)"), look)
    for measured in comparison.measures:
        table.add_row(
            Text(measured.measure.value),
            Text(rate_cell(measured.before)),
            Text(rate_cell(measured.after)),
            Text(f"{measured.worse:,}"),
            Text(f"{measured.better:,}"),
            Text(_probability(measured.p_value)),
        )
    latency = TextTable(
        ("Latency, ms", "p50", "p95", "Slower", "Faster", "p (exact)", "Median change"), look
    )
    for name, times in (("client", comparison.client), ("server", comparison.server)):
        if times is not None:
            latency.add_row(*map(Text, _latency_cells(name, times)))
    for line in _lines(comparison):
        latency.add_line(Text(line))
    return table.render() + latency.render()


def rate_cell(rate: Rate) -> str:
    """A share in per cent, and what it is of; a dash where that is nothing."""
    from veridical.evaluation.summary import shown_percent

    return f"{shown_percent(rate)} ({rate.count:,} of {rate.of:,})" if rate.of else "-"


def _probability(value: float) -> str:
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def _latency_cells(name: str, times: PairedLatency) -> tuple[str, ...]:
    low_high = times.interval
    between = f", 95 %: {low_high[0]:+,.1f} to {low_high[1]:+,.1f}" if low_high else ""
    return (
        name,
        f"{times.p50[0]:,.1f} \u2192 {times.p50[1]:,.1f}",
        f"{times.p95[0]:,.1f} \u2192 {times.p95[1]:,.1f}",
        f"{times.slower:,}",
        f"{times.faster:,}",
        _probability(times.p_value),
        f"{times.median_change:+,.1f}{between}",
    )


def _lines(comparison: Comparison) -> Iterator[str]:
    from veridical.evaluation.compare import Way
    from veridical.reports.words import count

    questions = count(comparison.compared, "question")
    yield f"{questions} compared, {comparison.responded:,} with a response in both runs."
    for way in (Way.WORSE, Way.BETTER):
        turned = [turn for turn in comparison.turns if turn.turned is way]
        yield from (_turned(list(turns)) for _, turns in groupby(turned, lambda turn: turn.id))
        yield from (_error(error) for error in comparison.errors if error.turned is way)
    if comparison.errors_in_both:
        yield f"{count(comparison.errors_in_both, 'question')} without a response in both runs"
    for ids, why in (
        (comparison.only_before, "only in the first run"),
        (comparison.only_after, "only in the second run"),
        (comparison.altered, "with other words or another known outcome"),
    ):
        if ids:
            yield f"left out, {why}: {count(len(ids), 'question')}"


def _turned(turns: Sequence[Turn]) -> str:
    """What turned of one question, all in one direction."""
    turn, measures = turns[0], ", ".join(turn.measure.value for turn in turns)
    told = f"{turn.turned}, {measures}: {clean(turn.id)}: {excerpt(turn.question, _QUESTION_CHARS)}"
    is_told = turn.turned == "worse" and turn.problems
    return f"{told} - {clean('; '.join(turn.problems))}" if is_told else told


def _error(error: NewError) -> str:

    asked = f"{clean(error.id)}: {excerpt(error.question, _QUESTION_CHARS)}"
    if error.turned == "worse":
        return f"worse, no response any more: {asked} - {clean(error.reason)}"
    return f"better, a response again: {asked}"
