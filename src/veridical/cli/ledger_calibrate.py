"""`veridical ledger calibrate`: fit a judge's probabilities and thresholds to one's own rows."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from veridical.cli.errors import reported
from veridical.cli.options import judge_options, verbose_option

if TYPE_CHECKING:
    from veridical.cli.ledger_judges import JudgeChoice
    from veridical.cli.text_table import Look
    from veridical.judging.calibration_fit import CalibrationReport

_TOLERANCE = 0.0005
"""Less than this does not show in the table."""


@click.command()
@click.argument("labelled", metavar="LABELLED.jsonl")
@click.option(
    "-o", "--output", required=True, metavar="FILE", help="Write the calibration to this file."
)
@judge_options
@verbose_option
def calibrate(
    labelled: str,
    output: str,
    judge: str | None,
    point: str,
    model: str | None,
    base_url: str | None,
    model_path: str | None,
    verbose: bool,
) -> None:
    """Fit a judge to your own data: about a hundred claims that you have labelled.

    LABELLED.jsonl is as for `veridical ledger evaluate`. The file that is written goes with
    --calibration of `ledger build` and `ledger evaluate`. What it brings is measured by
    cross-validation: each row by a calibration that has not seen it, or anything of its document.

    Exit code 0: written. 2: the run could not be made, or there are too few rows.
    """
    with reported():
        from veridical.cli.ledger_judges import JudgeChoice

        choice = JudgeChoice(judge, point, model, base_url, model_path)
        _run(labelled, choice, Path(output), verbose=verbose)


def _run(labelled: str, choice: JudgeChoice, output: Path, *, verbose: bool) -> None:
    from veridical.cli import files, setup
    from veridical.cli.ledger_evaluate import labelled_rows
    from veridical.cli.ledger_files import store_files, store_url
    from veridical.cli.ledger_judges import make_judge
    from veridical.cli.terminal import err, out
    from veridical.cli.text_table import Look
    from veridical.judging.calibration_fit import calibrate as calibrate_judge

    setup.set_up_logging(verbose=verbose)
    files.check_outputs([output], [labelled, *choice.files, *store_files(store_url(None))])
    judge = make_judge(choice)
    report = calibrate_judge(labelled_rows(labelled), judge)
    told = json.dumps(report.calibration.to_mapping(), indent=2, ensure_ascii=False) + "\n"
    files.write_whole(output, files.encode(told))
    out(render_table(report, Look.of_standard_output()).rstrip("\n"))
    for warning in _warnings(report):
        err(f"veridical: warning: {warning}")
    err(f"Written: {output}")


def _warnings(report: CalibrationReport) -> Iterator[str]:
    """What speaks against using a calibration: what it makes worse, and points that are one."""
    before, after = report.before, report.after
    measures = (
        ("balanced accuracy", before.outcome.balanced.value, after.outcome.balanced.value, 1),
        ("false pass", before.outcome.false_pass.value, after.outcome.false_pass.value, -1),
        ("calibration error", before.calibration_error, after.calibration_error, -1),
    )
    for name, old, new, better in measures:
        if old is not None and new is not None and better * (new - old) < -_TOLERANCE:
            yield (
                f"{name} is worse after ({new:.3f}) than before ({old:.3f}): label more rows, or "
                "use the judge without a calibration"
            )
    fitted = report.calibration
    points = {"strict": fitted.strict, "balanced": fitted.balanced, "lenient": fitted.lenient}
    for one, other in itertools.pairwise(points):
        if points[one] == points[other]:
            yield (
                f"the {one} and the {other} point coincide at {points[one]:.3f}: on these rows "
                "there is nothing between them"
            )


def render_table(report: CalibrationReport, look: Look | None = None) -> str:
    """The measures before and after, a measure a row; by default plain."""
    from rich.text import Text

    from veridical.cli.terminal import clean
    from veridical.cli.text_table import Look, TextTable

    table = TextTable(
        ("Measure", "Before", "After", "95 % interval after, and of what"), look or Look()
    )
    for cells in _measures(report):
        table.add_row(*(Text(cell) for cell in cells))
    before = report.before
    table.add_line(
        Text(
            f"{clean(before.judge)}, {before.point} point: {len(before.judged)} rows in "
            f"{before.grouping.count} groups; after: by cross-validation"
        )
    )
    return table.render()


def _measures(report: CalibrationReport) -> Iterator[tuple[str, str, str, str]]:
    from veridical.cli.ledger_evaluate import outcome_rows, shown

    rows = zip(outcome_rows(report.before.outcome), outcome_rows(report.after.outcome), strict=True)
    for (name, before, _, _), (_, after, interval, of) in rows:
        yield name, before, after, f"{interval}; {of}"
    errors = report.before.calibration_error, report.after.calibration_error
    yield "calibration error", shown(errors[0]), shown(errors[1]), "ten bins"
