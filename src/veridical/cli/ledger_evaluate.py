"""`veridical ledger evaluate`: a judge against labelled rows."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

import click

from veridical.cli.errors import NEGATIVE_RESULT, reported
from veridical.cli.options import calibration_option, judge_options, verbose_option

if TYPE_CHECKING:
    from veridical.cli.ledger_judges import JudgeChoice
    from veridical.cli.text_table import Look
    from veridical.judging.datasets import LabelledRow
    from veridical.judging.evaluation import Evaluation
    from veridical.judging.metrics import BalancedAccuracy, Outcome, Rate


class ReportFormat(StrEnum):
    """A form of the result."""

    TABLE = "table"
    JSON = "json"


_BY_SUFFIX = {".json": ReportFormat.JSON, ".txt": ReportFormat.TABLE}


@click.command()
@click.argument("data", metavar="DATA.jsonl")
@judge_options
@calibration_option
@click.option(
    "--format",
    "form",
    metavar="[table|json]",
    help="Format of the result; by default that of the file's suffix, a table on the terminal.",
)
@click.option("-o", "--output", metavar="FILE", help="Write the result: .json, or .txt (table).")
@verbose_option
def evaluate(
    data: str,
    judge: str | None,
    point: str,
    model: str | None,
    base_url: str | None,
    model_path: str | None,
    calibration: str | None,
    form: str | None,
    output: str | None,
    verbose: bool,
) -> None:
    """Measure a judge on claims that people have labelled.

    DATA.jsonl holds one JSON object a line: id, claim, evidence (a list of passages; document where
    it is empty) and label (supported, partial, refuted, not_enough, not_fully or no_claim). Out
    come a verdict and a confidence for each row, and how good they are, beside what trivial methods
    reach on the same rows.

    Exit code 0: all rows were judged. 1: some could not be. 2: the run could not be made.
    """
    with reported():
        from veridical.cli.ledger_judges import JudgeChoice

        choice = JudgeChoice(judge, point, model, base_url, model_path, calibration)
        code = _run(data, choice, form, [Path(output)] if output else [], verbose=verbose)
    raise click.exceptions.Exit(code)


def _run(
    data: str, choice: JudgeChoice, form: str | None, outputs: Sequence[Path], *, verbose: bool
) -> int:
    from veridical.cli import files, setup
    from veridical.cli.choices import parse_choice, suffix_choice
    from veridical.cli.ledger_files import store_files, store_url
    from veridical.cli.ledger_judges import make_judge
    from veridical.cli.terminal import err, out, out_data
    from veridical.cli.text_table import Look
    from veridical.judging.evaluation import evaluate as evaluate_judge

    setup.set_up_logging(verbose=verbose)
    files.check_outputs(outputs, [data, *choice.files, *store_files(store_url(None))])
    if form is not None:
        wanted = parse_choice(ReportFormat, form, option="--format")
    else:
        wanted = suffix_choice(_BY_SUFFIX, outputs[0]) if outputs else ReportFormat.TABLE
    judge = make_judge(choice)
    evaluation = evaluate_judge(labelled_rows(data), judge)
    if wanted is ReportFormat.JSON:
        told = json.dumps(evaluation.to_mapping(), indent=2, ensure_ascii=False) + "\n"
    else:
        told = render_table(evaluation)
    for path in outputs:
        files.write_whole(path, files.encode(told))
        err(f"Written: {path}")
    if not outputs and wanted is ReportFormat.JSON:
        out_data(files.encode(told))
    elif not outputs:
        out(render_table(evaluation, Look.of_standard_output()).rstrip("\n"))
    return NEGATIVE_RESULT if len(evaluation.judged) < len(evaluation.results) else 0


def labelled_rows(data: str) -> tuple[LabelledRow, ...]:
    """The rows of a file, or of standard input for `-`. Raises ValidationError."""
    from veridical.cli.files import STANDARD_INPUT, read_text
    from veridical.judging.datasets import parse_rows, read_rows

    if data == STANDARD_INPUT:
        return parse_rows(read_text(data, what="labelled rows"), name="standard input")
    return read_rows(Path(data))


def render_table(evaluation: Evaluation, look: Look | None = None) -> str:
    """What an evaluation came to, a measure a row, with denominators; by default plain."""
    from rich.text import Text

    from veridical.cli.terminal import clean
    from veridical.cli.text_table import Look, TextTable

    table = TextTable(("Measure", "Value", "95 % interval", "Of"), look or Look())
    for cells in _measures(evaluation):
        table.add_row(*(Text(cell) for cell in cells))
    failed = len(evaluation.results) - len(evaluation.judged)
    told = f"{clean(evaluation.judge)}, {evaluation.point} point: {len(evaluation.judged)} rows"
    table.add_line(Text(told + (f"; {failed} could not be judged" if failed else "")))
    reasons = sorted({result.failure for result in evaluation.results if result.failure})
    for reason in reasons[:_MOST_REASONS]:
        table.add_line(Text(f"not judged: {clean(reason)}"))
    return table.render()


_MOST_REASONS = 5


def _measures(evaluation: Evaluation) -> Iterator[tuple[str, str, str, str]]:
    from veridical.judging.datasets import Label
    from veridical.judging.metrics import majority

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
