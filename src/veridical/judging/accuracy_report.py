"""The page that says how good the embedded judge is: measured on rows that it was not fitted on.

`python -m veridical.judging.accuracy_report DATA_DIR -o docs/accuracy.md`
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from statistics import fmean
from typing import TypeAlias

from veridical.errors import ConfigurationError, OutputError, ValidationError, VeridicalError
from veridical.judging import metrics
from veridical.judging.datasets import LabelledRow, group_rows, read_rows
from veridical.judging.evaluation import FOLDS, Evaluation, RowResult, evaluate
from veridical.judging.judge import Judge, OperatingPoint

Sets: TypeAlias = Mapping[str, Sequence[LabelledRow]]
"""Labelled rows by the name of their data set."""

Fit: TypeAlias = Callable[[Sets], Callable[[OperatingPoint], Judge]]
"""Fits a judge to labelled rows; the judge may then be had at any operating point."""

POINTS = (OperatingPoint.BALANCED, OperatingPoint.STRICT)
_SUFFIX = ".jsonl"
_FIT = "veridical.judging.fit:fit_judge"
"""What fits the embedded judge: a `Fit`, as module and name."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One data set, judged by judges that have not seen what they judge.

    `folds` holds evaluations by judges fitted on the other groups of all sets, `transfer` by
    judges fitted on the other sets only; one for each of `POINTS`.
    """

    name: str
    folds: Mapping[OperatingPoint, Evaluation]
    transfer: Mapping[OperatingPoint, Evaluation]


def read_sets(
    folder: Path, names: Sequence[str] | None = None
) -> dict[str, tuple[LabelledRow, ...]]:
    """The JSONL files of a folder, or those of these names, by what stands before their first dot.

    Raises ValidationError where one, or all of them, are missing.
    """
    paths = {path.name.split(".")[0]: path for path in sorted(folder.glob(f"*{_SUFFIX}"))}
    missing = [name for name in names or () if name not in paths]
    if missing or not paths:
        what = f"no set {', '.join(missing)}" if missing else f"no {_SUFFIX} file of labelled rows"
        raise ValidationError(f"{folder} holds {what}")
    return {name: read_rows(paths[name]) for name in names or paths}


def measure(sets: Sets, fit: Fit) -> tuple[Measured, ...]:
    """Fit and judge so that no row is judged by a judge that has seen its group, or its set."""
    by_folds = _by_folds(sets, fit)
    measured = []
    for name, rows in sets.items():
        others = {other: seen for other, seen in sets.items() if other != name}
        judge_at = fit(others) if others else None
        transfer = {p: evaluate(rows, judge_at(p)) for p in POINTS} if judge_at else {}
        measured.append(Measured(name, by_folds[name], transfer))
    return tuple(measured)


def _by_folds(sets: Sets, fit: Fit) -> dict[str, dict[OperatingPoint, Evaluation]]:
    folds = {name: group_rows(rows).folds(FOLDS) for name, rows in sets.items()}
    results: dict[tuple[str, OperatingPoint], dict[str, RowResult]] = {}
    judge_name = ""
    for fold in range(FOLDS):
        training = {
            name: [row for row, of_row in zip(rows, folds[name], strict=True) if of_row != fold]
            for name, rows in sets.items()
        }
        judge_at = fit(training)
        for name, rows in sets.items():
            tested = [row for row, of_row in zip(rows, folds[name], strict=True) if of_row == fold]
            for point in POINTS:
                evaluation = evaluate(tested, judge_at(point))
                judge_name = evaluation.judge
                found = results.setdefault((name, point), {})
                found.update({result.row.id: result for result in evaluation.results})
    return {
        name: {
            point: Evaluation(
                judge_name, point.value, tuple(results[name, point][row.id] for row in rows)
            )
            for point in POINTS
        }
        for name, rows in sets.items()
    }


_HEAD = """\
# How good the embedded judge is

Written by `python -m veridical.judging.accuracy_report DATA_DIR`. All figures answer one question:
does the evidence bear the *whole* claim out? Rows that are partly supported, refuted or lack
evidence are the rest. A *false pass* is a claim called supported that is not; a *false strip* one
that is supported and not called so. Balanced accuracy is the mean of what is right in either kind:
0.5 is worth nothing. Intervals are 95 %: Wilson's for rates, squared and added for balanced
accuracy, both widened by how much the rows of a group resemble each other. ECE is the expected
calibration error in {bins} bins.

Nothing is tuned on what is reported. *Folds*: the judge, its thresholds and its probabilities are
fitted anew five times, each time without a fifth of the groups of every set, and judge that fifth;
rows that share a claim, a passage, a document, a question or an article are one group. (A key that
would tie most of a set together is left out; claim and document never are.) *Transfer*: they are
fitted on the other sets only. The trivial baselines stand beside them: always the more frequent
answer, and the share of the claim's words that the evidence has, with the best threshold of the
other folds.
"""


def render(measured: Sequence[Measured]) -> str:
    """The page in Markdown."""
    parts = [_HEAD.format(bins=metrics.BINS)]
    for point in POINTS:
        parts.append(f"## The {point} point, by folds\n")
        parts.append(_table([(m.name, m.folds[point]) for m in measured]))
    transferred = [m for m in measured if m.transfer]
    for point in POINTS if transferred else ():
        parts.append(f"## The {point} point, on sets it was not fitted on\n")
        parts.append(_table([(m.name, m.transfer[point]) for m in transferred]))
    parts.append("## Trivial baselines\n")
    parts.append(_baselines([(m.name, m.folds[POINTS[0]]) for m in measured]))
    refuted = [m for m in measured if m.folds[POINTS[0]].contradiction_auc is not None]
    if refuted:
        parts.append("## Contradiction\n")
        parts.append(_contradictions(refuted))
    return "\n".join(parts)


def _table(sets: Sequence[tuple[str, Evaluation]]) -> str:
    heads = ("set", "rows", "groups", "balanced accuracy", "false pass", "false strip", "ECE")
    rows = [
        (
            name,
            str(len(e.judged)),
            str(e.grouping.count),
            _balanced(e.outcome.balanced),
            _rate(e.outcome.false_pass),
            _rate(e.outcome.false_strip),
            _number(e.calibration_error),
        )
        for name, e in sets
    ]
    outcomes = [evaluation.outcome for _, evaluation in sets]
    means = (
        _mean([outcome.balanced.value for outcome in outcomes]),
        _mean([outcome.false_pass.value for outcome in outcomes], percent=True),
        _mean([outcome.false_strip.value for outcome in outcomes], percent=True),
        _mean([evaluation.calibration_error for _, evaluation in sets]),
    )
    return _markdown(heads, [*rows, ("**mean of the sets**", "", "", *means)])


def _baselines(sets: Sequence[tuple[str, Evaluation]]) -> str:
    heads = ("set", "always the same answer: accuracy", "word containment: balanced accuracy",
             "its false pass", "its false strip")  # fmt: skip
    rows = [
        (
            name,
            _rate(metrics.majority(e.truth).accuracy),
            _balanced(e.containment.balanced),
            _rate(e.containment.false_pass),
            _rate(e.containment.false_strip),
        )
        for name, e in sets
    ]
    return _markdown(heads, rows)


def _contradictions(measured: Sequence[Measured]) -> str:
    from veridical.judging.datasets import Label

    heads = ("set", "AUC refuted against supported, folds", "transfer",
             "refuted rows called contradicted", "supported rows called contradicted")  # fmt: skip
    rows = []
    for each in measured:
        folds, transfer = each.folds[POINTS[0]], each.transfer.get(POINTS[0])
        rows.append(
            (
                each.name,
                _number(folds.contradiction_auc),
                _number(transfer.contradiction_auc if transfer else None),
                _rate(folds.accused(Label.REFUTED)),
                _rate(folds.accused(Label.SUPPORTED)),
            )
        )
    return _markdown(heads, rows)


def _markdown(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    def line(cells: Iterator[str]) -> str:
        return f"| {' | '.join(cells)} |"

    rule = line("---" for _ in heads)
    return "\n".join((line(iter(heads)), rule, *(line(iter(row)) for row in rows))) + "\n"


def _balanced(balanced: metrics.BalancedAccuracy) -> str:
    bounds = balanced.interval
    if balanced.value is None or bounds is None:
        return "-"
    return f"{balanced.value:.3f} ({bounds[0]:.3f} to {bounds[1]:.3f})"


def _rate(rate: metrics.Rate) -> str:
    if rate.value is None or rate.interval is None:
        return "-"
    low, high = rate.interval
    share = f"{100 * rate.value:.1f} %"
    return f"{share} ({100 * low:.1f} to {100 * high:.1f}; {rate.count} of {rate.of})"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _mean(values: Sequence[float | None], *, percent: bool = False) -> str:
    known = [value for value in values if value is not None]
    if not known:
        return "-"
    return f"{100 * fmean(known):.1f} %" if percent else _number(fmean(known))


def load_fit(name: str) -> Fit:
    """The function `MODULE:NAME`. Raises ConfigurationError where there is none."""
    module, _, function = name.partition(":")
    try:
        fit: Fit = getattr(import_module(module), function)
    except (ImportError, AttributeError, ValueError) as problem:
        raise ConfigurationError(
            f"there is no function {name!r}; name one as MODULE:FUNCTION"
        ) from problem
    return fit


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, and write the page. Returns the exit code: 0, or 2 where it could not be made."""
    parser = argparse.ArgumentParser(description="Measure the embedded judge on labelled rows.")
    parser.add_argument("data", type=Path, metavar="DATA_DIR", help="folder of JSONL files")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FILE")
    parser.add_argument("--fit", default=_FIT, metavar="MODULE:FUNCTION", help="what is measured")
    parser.add_argument(
        "--sets", nargs="+", metavar="NAME", help="the sets to use; all that are there without it"
    )
    given = parser.parse_args(arguments)
    try:
        fit = load_fit(given.fit)
        sets = read_sets(given.data, given.sets)
        page = render(measure(sets, fit))
        try:
            given.output.write_text(page, encoding="utf-8")
        except OSError as problem:
            raise OutputError(f"cannot write {given.output}: {problem.strerror}") from problem
    except VeridicalError as error:
        print(f"accuracy_report: {error}", file=sys.stderr)  # noqa: T201
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
