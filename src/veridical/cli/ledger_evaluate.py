"""`veridical ledger evaluate` and `calibrate`: a judge on rows that people labelled."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import click

from veridical.cli import files
from veridical.cli.choices import TABLE_OR_JSON, Form, by_suffix, parse_choice, suffix_choice
from veridical.cli.errors import NEGATIVE_RESULT, with_exit_code
from veridical.cli.ledger_files import store_files, store_url
from veridical.cli.ledger_judges import JudgeChoice, make_judge
from veridical.cli.options import calibrated_judge_choice, judge_choice, verbose_option
from veridical.cli.terminal import clean, err, out, out_data, warn
from veridical.cli.text_table import Look, text_table
from veridical.judging.calibration_fit import CalibrationReport
from veridical.judging.calibration_fit import calibrate as calibrate_judge
from veridical.judging.datasets import Label, LabelledRow, parse_rows, read_rows
from veridical.judging.evaluation import Evaluation
from veridical.judging.evaluation import evaluate as evaluate_judge
from veridical.judging.metrics import BalancedAccuracy, Outcome, Rate, majority

_BY_SUFFIX = by_suffix(".json .txt")
_MOST_REASONS = 5
_TOLERANCE = 0.0005
"""Less than this does not show in the table."""


@click.command()
@click.argument("data", metavar="DATA.jsonl")
@calibrated_judge_choice
@click.option(
    "--format",
    "form",
    metavar="[table|json]",
    help="Format of the result; by default that of the file's suffix, a table on the terminal.",
)
@click.option("-o", "--output", metavar="FILE", help="Write the result: .json, or .txt (table).")
@verbose_option
@with_exit_code
def evaluate(data: str, choice: JudgeChoice, form: str | None, output: str | None) -> int:
    """Measure a judge on claims that people have labelled.

    DATA.jsonl holds one JSON object a line: id, claim, evidence (a list of passages; document where
    it is empty) and label (supported, partial, refuted, not_enough, not_fully or no_claim). Out
    come a verdict and a confidence for each row, and how good they are, beside what trivial methods
    reach on the same rows.

    Exit code 0: all rows were judged. 1: some could not be. 2: the run could not be made.
    """
    outputs = [Path(output)] if output else []
    files.check_outputs(outputs, [data, *choice.files, *store_files(store_url(None))])
    if form is not None:
        wanted = parse_choice(TABLE_OR_JSON, form)
    else:
        wanted = suffix_choice(_BY_SUFFIX, outputs[0]) if outputs else Form.TABLE
    judge = make_judge(choice)
    evaluation = evaluate_judge(labelled_rows(data), judge)
    if wanted is Form.JSON:
        told = files.json_bytes(evaluation.to_mapping())
    else:
        told = files.encode(render_table(evaluation))
    for path in outputs:
        files.write_whole(path, told)
        err(f"Written: {path}")
    if not outputs and wanted is Form.JSON:
        out_data(told)
    elif not outputs:
        out(render_table(evaluation, Look.of_standard_output()).rstrip("\n"))
    return NEGATIVE_RESULT if len(evaluation.judged) < len(evaluation.results) else 0


def labelled_rows(data: str) -> tuple[LabelledRow, ...]:
    """The rows of a file, or of standard input for `-`. Raises ValidationError."""
    if data == files.STANDARD_INPUT:
        return parse_rows(files.read_text(data, what="labelled rows"), name="standard input")
    return read_rows(Path(data))


def render_table(evaluation: Evaluation, look: Look | None = None) -> str:
    """What an evaluation came to, a measure a row, with denominators; by default plain."""
    failed = len(evaluation.results) - len(evaluation.judged)
    told = f"{evaluation.judge}, {evaluation.point} point: {len(evaluation.judged)} rows"
    lines = [told + (f"; {failed} could not be judged" if failed else "")]
    reasons = sorted({result.failure for result in evaluation.results if result.failure})
    lines += [f"not judged: {reason}" for reason in reasons[:_MOST_REASONS]]
    headings = ("Measure", "Value", "95 % interval", "Of")
    return text_table(headings, _measures(evaluation), map(clean, lines), look)


def _measures(evaluation: Evaluation) -> Iterator[tuple[str, str, str, str]]:
    groups = evaluation.grouping.count
    yield from outcome_rows(evaluation.outcome, f", {groups} groups")
    yield "calibration error", shown(evaluation.calibration_error), "", "ten bins"
    refuted = evaluation.accused(Label.REFUTED)
    if refuted.of:
        auc = evaluation.contradiction_auc
        yield "contradiction AUC", shown(auc), "", "refuted against supported"
        yield _rate_row("contradictions found", refuted, "refuted rows")
        accused = evaluation.accused(Label.SUPPORTED)
        yield _rate_row("falsely contradicted", accused, "supported rows")
    always = majority(evaluation.truth)
    yield _rate_row("baseline: majority, accuracy", always.accuracy, "rows")
    contained = evaluation.containment.balanced
    yield _balanced_row("baseline: word containment, balanced", contained, ", by folds")


def outcome_rows(outcome: Outcome, more: str = "") -> Iterator[tuple[str, str, str, str]]:
    """The rates of an outcome as rows: measure, value, interval, denominator."""
    yield _balanced_row("balanced accuracy", outcome.balanced, more)
    yield _rate_row("accuracy", outcome.accuracy, "rows")
    yield _rate_row("false pass", outcome.false_pass, "rows that are not supported")
    yield _rate_row("false strip", outcome.false_strip, "supported rows")


def _balanced_row(name: str, balanced: BalancedAccuracy, more: str) -> tuple[str, str, str, str]:
    of = f"{balanced.passed.of} supported and {balanced.stopped.of} others{more}"
    return name, shown(balanced.value), _interval(balanced.interval), of


def _rate_row(name: str, rate: Rate, what: str) -> tuple[str, str, str, str]:
    return name, shown(rate.value), _interval(rate.interval), f"{rate.count} of {rate.of} {what}"


def shown(value: float | None) -> str:
    """A number to three decimals; a dash where there is none."""
    return "-" if value is None else f"{value:.3f}"


def _interval(bounds: tuple[float, float] | None) -> str:
    return "-" if bounds is None else f"{bounds[0]:.3f} to {bounds[1]:.3f}"


@click.command()
@click.argument("labelled", metavar="LABELLED.jsonl")
@click.option(
    "-o", "--output", required=True, metavar="FILE", help="Write the calibration to this file."
)
@judge_choice
@verbose_option
@with_exit_code
def calibrate(labelled: str, choice: JudgeChoice, output: str) -> None:
    """Fit a judge to your own data: about a hundred claims that you have labelled.

    LABELLED.jsonl is as for `veridical ledger evaluate`. The file that is written goes with
    --calibration of `ledger build` and `ledger evaluate`. What it brings is measured by
    cross-validation: each row by a calibration that has not seen it, or anything of its document.

    Exit code 0: written. 2: the run could not be made, or there are too few rows.
    """
    target = Path(output)
    files.check_outputs([target], [labelled, *choice.files, *store_files(store_url(None))])
    judge = make_judge(choice)
    report = calibrate_judge(labelled_rows(labelled), judge)
    files.write_whole(target, files.json_bytes(report.calibration.to_mapping()))
    out(render_calibration(report, Look.of_standard_output()).rstrip("\n"))
    warn(*_warnings(report))
    err(f"Written: {target}")


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


def render_calibration(report: CalibrationReport, look: Look | None = None) -> str:
    """The measures before and after, a measure a row; by default plain."""
    before = report.before
    told = (
        f"{before.judge}, {before.point} point: {len(before.judged)} rows in "
        f"{before.grouping.count} groups; after: by cross-validation"
    )
    headings = ("Measure", "Before", "After", "95 % interval after, and of what")
    return text_table(headings, _before_and_after(report), [clean(told)], look)


def _before_and_after(report: CalibrationReport) -> Iterator[tuple[str, str, str, str]]:
    rows = zip(outcome_rows(report.before.outcome), outcome_rows(report.after.outcome), strict=True)
    for (name, before, _, _), (_, after, interval, of) in rows:
        yield name, before, after, f"{interval}; {of}"
    errors = report.before.calibration_error, report.after.calibration_error
    yield "calibration error", shown(errors[0]), shown(errors[1]), "ten bins"
