"""`veridical score agreement`: scorecards against what people said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click

from veridical.cli.choices import TEXT_OR_JSON, Form, parse_choice
from veridical.cli.errors import with_exit_code
from veridical.cli.files import check_inputs, json_bytes, read_scorecards, read_text
from veridical.cli.options import format_option
from veridical.cli.places import Kind, expect
from veridical.cli.terminal import clean, out, out_data
from veridical.cli.text_table import Look, text_table
from veridical.reports.words import count
from veridical.scoring.agreement import (
    AgreementReport,
    Coefficient,
    Measured,
    compare_with_people,
    read_ratings,
    require_nltk,
)

_MOST_UNMATCHED = 10


@click.command()
@click.argument("scorecards", metavar="SCORECARDS...", nargs=-1, required=True)
@click.argument("human", metavar="HUMAN.csv")
@format_option("text", "json")
@with_exit_code
def agreement(scorecards: Sequence[str], human: str, form: str) -> None:
    """Tell how far scorecards and a person agree, criterion by criterion.

    SCORECARDS are JSON files or folders of them. HUMAN.csv has the columns criterion_id and
    verdict, and transcript (a name, or the start of its SHA-256) where there are several; a score
    is optional. Percent agreement, Cohen's kappa and Krippendorff's alpha stand beside the counts.

    Exit code 0: compared. 2: they could not be read, or have nothing in common.
    """
    chosen = parse_choice(TEXT_OR_JSON, form)
    check_inputs(scorecards, human)
    expect(("SCORECARDS", Kind.SCORECARD, scorecards), ("HUMAN.csv", Kind.RATINGS, human))
    require_nltk()
    ratings = read_ratings(read_text(human, what="ratings"), human)
    report = compare_with_people(read_scorecards(scorecards), ratings, human)
    if chosen is Form.JSON:
        out_data(json_bytes(report.to_mapping()))
    else:
        out(render_text(report, Look.of_standard_output()).rstrip("\n"))


def render_text(report: AgreementReport, look: Look | None = None) -> str:
    """The measures as a table, the counts of verdicts, and what was not compared."""
    headings = ("Criterion", "n", "Agreement", "95 % interval", "Kappa", "Alpha", "Interval alpha")
    measures = ((clean(name), *_cells(measured)) for name, measured in _measured(report))
    counts = (
        (cell.first, cell.second, f"{cell.count:,}") for cell in report.overall.verdicts.table
    )
    return text_table(headings, measures, look=look) + text_table(
        ("Scorecard", "Person", "Count"), counts, _lines(report), look
    )


def _measured(report: AgreementReport) -> Iterator[tuple[str, Measured]]:
    yield from report.criteria.items()
    yield "(all)", report.overall


def _cells(measured: Measured) -> tuple[str, ...]:
    verdicts = measured.verdicts
    agreed, bounds = verdicts.agreed, verdicts.agreed.interval
    return (
        f"{verdicts.n:,}",
        "-" if agreed.value is None else f"{agreed.value:.1%}",
        "-" if bounds is None else f"{bounds[0]:.1%} to {bounds[1]:.1%}",
        _shown(verdicts.kappa),
        _shown(verdicts.alpha),
        "-" if measured.interval is None else f"{_shown(measured.interval)} of {measured.scored:,}",
    )


def _shown(coefficient: Coefficient) -> str:
    return "-" if coefficient.value is None else f"{coefficient.value:.3f}"


def _lines(report: AgreementReport) -> Iterator[str]:
    compared = report.overall.verdicts.n
    yield f"{compared:,} of {count(report.ratings, 'rating')} compared."
    if report.unrated:
        yield f"{report.unrated:,} of the scorecards' criteria were rated by nobody."
    notes = {m.verdicts.kappa.note for _, m in _measured(report)} - {""}
    for note in sorted(notes):
        yield f"-: {note}"
    for item in report.unmatched[:_MOST_UNMATCHED]:
        yield f"line {item.rating.line}, {clean(item.rating.criterion_id)}: {item.reason}"
    if len(report.unmatched) > _MOST_UNMATCHED:
        yield f"and {len(report.unmatched) - _MOST_UNMATCHED:,} more that were not compared"
