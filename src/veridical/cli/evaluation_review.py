"""`veridical eval review` and `agreement`: answers for people to judge, and what they said."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.text import Text

from veridical.cli import setup
from veridical.cli.choices import TEXT_OR_JSON, Form, parse_choice
from veridical.cli.errors import about_option, with_exit_code
from veridical.cli.evaluation_compare import rate_cell
from veridical.cli.files import (
    check_outputs,
    json_bytes,
    read_bytes,
    read_results,
    shown,
    write_whole,
)
from veridical.cli.options import format_option, together, usual_option
from veridical.cli.terminal import clean, err, out, out_data
from veridical.cli.text_table import Look, TextTable
from veridical.errors import OutputError
from veridical.evaluation.review import DEFAULT_SAMPLE_SIZE, DEFAULT_SEED

if TYPE_CHECKING:
    from veridical.evaluation.review_agreement import AspectAgreement, ReviewAgreement

_MOST_DIFFERENCES = 20


sample_options = together(
    usual_option("--sample-size", DEFAULT_SAMPLE_SIZE, "N", "Answers to draw."),
    click.option(
        "--seed", default=DEFAULT_SEED, show_default=True, metavar="N", help="Draws others."
    ),
    click.option(
        "--overwrite", is_flag=True, help="Replace the file, with whatever was reviewed in it."
    ),
)
"""The options that say which answers are drawn."""


@click.command("review")
@click.argument("results", metavar="RESULTS.jsonl")
@sample_options
@click.option("-o", "--output", required=True, metavar="CSV", help="The file to write.")
@with_exit_code
def review_command(results: str, sample_size: int, seed: int, overwrite: bool, output: str) -> None:
    """Draw answers of a run for a person to judge, and write them as CSV for a spreadsheet.

    RESULTS.jsonl is what `veridical eval run` wrote, or - for standard input. The same results,
    size and seed give the same file. Failed and passed answers and refusals are all in it.

    Exit code 0: written. 2: it could not be.
    """
    export_review(results, sample_size, seed, Path(output), overwrite=overwrite)


def export_review(results: str, size: int, seed: int, output: Path, *, overwrite: bool) -> None:
    """Write a sample of the answers in `results` to `output`.

    Raises VeridicalError; OutputError where the file is there and `overwrite` is not asked for.
    """
    from veridical.evaluation.review import draw_sample
    from veridical.evaluation.review_csv import review_to_bytes
    from veridical.reports.words import count

    check_outputs([output], [results])
    if output.is_file() and not overwrite:
        raise OutputError(
            f"{output} is there already, and may hold a review; replace it with --overwrite, or "
            "name another file"
        )
    run = read_results(results)
    with about_option("--sample-size"):
        sample = draw_sample(run, size, seed)
    write_whole(output, review_to_bytes(sample))
    failed = sum(result.scores is None for result in run.results)
    without = f"; {count(failed, 'question')} without a response left out" if failed else ""
    err(f"Written: {output}, {count(len(sample), 'answer')} of {len(run.results):,}{without}")


@click.command("agreement")
@click.argument("reviewed", metavar="CSV")
@click.argument("other", metavar="[OTHER.csv]", required=False)
@format_option("text", "json")
@with_exit_code
def agreement_command(reviewed: str, other: str | None, form: str) -> None:
    """Show how far a reviewer agrees with the automatic scores, or with a second reviewer.

    CSV is a file of `veridical eval review` in which a person filled the columns groundedness,
    citation and correctness, saved by whatever spreadsheet program; OTHER.csv the same sample,
    filled by somebody else. Rows without a label are counted and left out.

    Exit code 0: measured. 2: it could not be.
    """
    from veridical.evaluation.review_agreement import agree_with_automatic, agree_with_each_other
    from veridical.evaluation.review_csv import review_from_bytes
    from veridical.scoring.agreement import require_nltk

    wanted = parse_choice(TEXT_OR_JSON, form)
    setup.check_inputs([], reviewed, other)
    require_nltk()
    name = shown(reviewed)
    rows = review_from_bytes(read_bytes(reviewed), name)
    if other is None:
        report = agree_with_automatic(rows, name)
    else:
        others = review_from_bytes(read_bytes(other), shown(other))
        report = agree_with_each_other(rows, name, others, shown(other))
    if wanted is Form.JSON:
        out_data(json_bytes(report.to_mapping()))
    else:
        out(render_text(report, Look.of_standard_output()).rstrip("\n"))


def render_text(report: ReviewAgreement, look: Look | None = None) -> str:
    """The agreement by aspect, the counts behind it, and the rows to talk about."""
    look = look or Look()
    headings = ("Aspect", "Agreed", "95 % interval", "Kappa", "Left out")
    measures = TextTable(headings, look)
    counts = TextTable(("Aspect", "First", "Second", "Count"), look)
    for aspect in report.aspects:
        measures.add_row(*map(Text, _cells(aspect)))
        for cell in aspect.agreement.table:
            cells = (aspect.aspect.value, cell.first, cell.second, f"{cell.count:,}")
            counts.add_row(*map(Text, cells))
    for line in _lines(report):
        counts.add_line(Text(clean(line)))
    return measures.render() + counts.render()


def _cells(aspect: AspectAgreement) -> tuple[str, ...]:

    agreed, kappa = aspect.agreement.agreed, aspect.agreement.kappa
    bounds = agreed.interval
    return (
        aspect.aspect.value,
        rate_cell(agreed),
        "-" if bounds is None else f"{bounds[0] * 100:.1f} to {bounds[1] * 100:.1f} %",
        "-" if kappa.value is None else f"{kappa.value:.3f}",
        f"{aspect.left_out:,}",
    )


def _lines(report: ReviewAgreement) -> Iterator[str]:
    from veridical.reports.words import count

    yield f"First: {report.first}. Second: {report.second}. {count(report.rows, 'row')}."
    if report.unmatched:
        yield f"{count(report.unmatched, 'row')} left out, in one of the two files only."
    for aspect in report.aspects:
        if note := aspect.agreement.kappa.note:
            yield f"{aspect.aspect.value}, kappa: {note}"
    for found in report.disagreements[:_MOST_DIFFERENCES]:
        yield (
            f"row {found.row}, {found.id}, {found.aspect.value}: "
            f"{found.first.value} against {found.second.value}"
        )
    if len(report.disagreements) > _MOST_DIFFERENCES:
        yield f"and {len(report.disagreements) - _MOST_DIFFERENCES:,} more differences"
