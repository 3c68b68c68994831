"""Fit the calibrated judge: `python -m veridical.judging.fit DATA_DIR [-o FILE]`.

DATA_DIR holds labelled rows as `*.jsonl`, a data set a file. What the fit is worth is measured on
folds and printed; with `-o` the model is written. The same data gives the same bytes.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from veridical.errors import OutputError, VeridicalError
from veridical.judging.calibrated import CalibratedJudge, ExtraScorer
from veridical.judging.datasets import LabelledRow
from veridical.judging.features import FEATURES_VERSION, feature_names
from veridical.judging.fit_measure import (
    CONTRADICTION_RIDGE,
    SUPPORT_RIDGE,
    contradiction_head,
    measure,
    predicted,
    support_head,
    thresholds_on,
)
from veridical.judging.fit_rows import FitRows, load_rows, rows_of_sets
from veridical.judging.judge import OperatingPoint
from veridical.judging.model_file import CROSS_ENCODER, FittedModel

_VERSION_DIGITS = 8
COMMAND = "python -m veridical.judging.fit DATA_DIR -o FILE"


def fit_model(rows: FitRows, *, with_scorer: bool = False) -> FittedModel:
    """The model fitted on all rows, with what such a fit is worth on rows it has not seen."""
    everything = np.ones(len(rows.sets), bool)
    told = predicted(rows, everything)
    model = FittedModel(
        version="",
        features=(*feature_names(), *((CROSS_ENCODER,) if with_scorer else ())),
        support=support_head(rows, everything),
        contradiction=contradiction_head(rows, everything),
        thresholds=thresholds_on(rows, told, everything),
        provenance=_provenance(rows),
        measured=measure(rows),
    )
    content = [asdict(model.support), asdict(model.contradiction), asdict(model.thresholds)]
    digest = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
    return replace(model, version=f"{FEATURES_VERSION}-{digest[:_VERSION_DIGITS]}")


def fit_judge(
    sets: Mapping[str, Sequence[LabelledRow]],
) -> Callable[[OperatingPoint], CalibratedJudge]:
    """The judge fitted on some data sets, at any operating point: for measuring it on others."""
    rows = rows_of_sets(sets)
    everything = np.ones(len(rows.sets), bool)
    model = FittedModel(
        version="measured",
        features=feature_names(),
        support=support_head(rows, everything),
        contradiction=contradiction_head(rows, everything),
        thresholds=thresholds_on(rows, predicted(rows, everything), everything),
        provenance={},
        measured={},
    )
    return lambda point: CalibratedJudge(point, model=model)


def _provenance(rows: FitRows) -> dict[str, Any]:
    return {
        "command": COMMAND,
        "data_sets": {
            name: {
                "rows": int(rows.of(name).sum()),
                "labels": dict(
                    sorted(
                        Counter(
                            label.value
                            for label, own in zip(rows.labels, rows.of(name), strict=True)
                            if own
                        ).items()
                    )
                ),
            }
            for name in rows.names
        },
        "skipped": list(rows.skipped),
        "ridge": {"support": SUPPORT_RIDGE, "contradiction": CONTRADICTION_RIDGE},
    }


def table(model: FittedModel) -> str:
    """What was measured, for a terminal."""
    return "\n".join(_lines(model))


_COLUMNS = (
    ("balanced", "balanced"), ("own thresh.", "own_threshold"), ("transfer", "transfer"),
    ("containment", "word_containment"), ("majority", "majority"),
)  # fmt: skip


def _lines(model: FittedModel) -> Iterator[str]:
    sets = model.measured["sets"]
    width = max(len("mean"), *(len(name) for name in sets))
    yield f"model {model.version}, {model.measured['folds']} folds by group, thresholds nested"
    yield ""
    yield f"{'balanced accuracy':{width}}" + "".join(f"{title:>13}" for title, _ in _COLUMNS)
    for name, told in sets.items():
        cells = (told[key]["balanced_accuracy"] if key in told else None for _, key in _COLUMNS)
        yield f"{name:{width}}" + "".join(_cell(value) for value in cells)
    yield ""
    yield f"{'':{width}}   strict: false passes    false strips     ece    auc  contradiction auc"
    for name, told in sets.items():
        strict, against = told["strict"], told.get("contradiction", {})
        yield (
            f"{name:{width}}{_rate(strict['false_pass']):>24}{_rate(strict['false_strip']):>16}"
            f"{told['ece']:8.3f}{told['auc']:7.3f}{_cell(against.get('auc'))}"
        )
    yield ""
    yield f"calibration error over all rows: {model.measured['ece']:.3f}"
    yield from (f"not used: {reason}" for reason in model.provenance["skipped"])


def _cell(value: float | None) -> str:
    return f"{'-':>13}" if value is None else f"{value:13.3f}"


def _rate(pair: Sequence[int]) -> str:
    count, of = pair
    return f"{100 * count / of:.1f} % of {of}"


def write_whole(text: str, path: Path) -> None:
    """Write a file whole or not at all. Raises OutputError."""
    try:
        handle, partial = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
            Path(partial).chmod(0o644)
            Path(partial).replace(path)
        except OSError:
            Path(partial).unlink(missing_ok=True)
            raise
    except OSError as problem:
        raise OutputError(f"cannot write {path}: {problem.strerror}") from problem


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; returns its exit code, 2 where nothing could be fitted."""
    parser = argparse.ArgumentParser(
        prog="python -m veridical.judging.fit",
        description="Fit the calibrated judge to labelled rows, and say what that is worth.",
    )
    parser.add_argument("data_dir", type=Path, help="folder of *.jsonl with labelled rows")
    parser.add_argument("-o", "--output", type=Path, help="file that the model is written to")
    parser.add_argument("--cross-encoder", type=Path, help="folder of an ONNX model to stack")
    options = parser.parse_args(arguments)
    try:
        scorer = _scorer(options.cross_encoder)
        rows = load_rows(options.data_dir, scorer)
        model = fit_model(rows, with_scorer=scorer is not None)
        if options.output is not None:
            write_whole(model.to_json(), options.output)
    except VeridicalError as problem:
        sys.stderr.write(f"{problem}\n")
        return 2
    sys.stdout.write(table(model) + "\n")
    return 0


def _scorer(path: Path | None) -> ExtraScorer | None:
    if path is None:
        return None
    from veridical.judging.cross_encoder import CrossEncoder

    return CrossEncoder(path)


if __name__ == "__main__":
    sys.exit(main())
