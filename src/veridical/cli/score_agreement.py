"""`veridical score agreement`: scorecards against what people said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from veridical.cli.choices import TEXT_OR_JSON, Form, parse_choice
from veridical.cli.files import check_inputs, json_bytes, read_text
from veridical.cli.places import Kind, expect
from veridical.cli.score_cards import read_scorecards
from veridical.cli.terminal import clean, out, out_data
from veridical.reports.words import count
from veridical.scoring.agreement import (
    AgreementReport,
    Coefficient,
    Measured,
    compare_with_people,
    read_ratings,
    require_nltk,
)

if TYPE_CHECKING:
    from veridical.cli.text_table import Look

_MOST_UNMATCHED = 10


def run(scorecards: Sequence[str], human: str, *, form: str | None) -> int:
    """Print how far scorecards agree with the ratings in `human`, and return the exit code 0.

    Raises VeridicalError where they cannot be compared.
    """
    chosen = parse_choice(TEXT_OR_JSON, form or Form.TEXT)
    check_inputs(scorecards, human)
    expect(("SCORECARDS", Kind.SCORECARD, scorecards), ("HUMAN.csv", Kind.RATINGS, human))
    require_nltk()
    ratings = read_ratings(read_text(human, what="ratings"), human)
    report = compare_with_people(read_scorecards(scorecards), ratings, human)
    if chosen is Form.JSON:
        out_data(json_bytes(report.to_mapping()))
    else:
        from veridical.cli.text_table import Look

        out(render_text(report, Look.of_standard_output()).rstrip("\n"))
    return 0


def render_text(report: AgreementReport, look: Look | None = None) -> str:
    """The measures as a table, the counts of verdicts, and what was not compared."""
    from rich.text import Text

    from veridical.cli.text_table import Look, TextTable

    look = look or Look()
    headings = ("Criterion", "n", "Agreement", "95 % interval", "Kappa", "Alpha", "Interval alpha")
    measures = TextTable(headings, look)
    for name, measured in _measured(report):
        measures.add_row(*map(Text, (clean(name), *_cells(measured))))
    confusion = TextTable(("Scorecard", "Person", "Count"), look)
    for cell in report.overall.verdicts.table:
        confusion.add_row(*map(Text, (cell.first, cell.second, f"{cell.count:,}")))
    for line in _lines(report):
        confusion.add_line(Text(line))
    return measures.render() + confusion.render()


def _measured(report: AgreementReport) -> Iterator[tuple[str, Measured]]:
    yield from report.criteria.items()
    if len(report.raters) > 1:
        for rater, measured in report.raters.items():
            yield f"(rater {rater or 'without a name'})", measured
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
