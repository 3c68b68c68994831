"""Fit or measure the decision to answer: `python -m veridical.answering.refusal.fit --data DIR`.

DIR is the folder of the shared data. With `-o FILE` the model is fitted and written; with
`--measure` the figures of the shipped model are printed beside those of simple rules. The same data
gives the same bytes.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from veridical.answering.refusal.cases import (
    BLANKED,
    FAQ,
    FAQ_BLANKED,
    HANDBOOK_OF_FAQ,
    HEADED,
    NEAR_MISS,
    OTHERS_OF_HANDBOOK,
    OTHERS_OF_SAMPLE,
    OWN,
    SAMPLE_OF_FAQ,
    SAMPLE_OF_HANDBOOK,
    load_bench,
)  # fmt: skip
from veridical.answering.refusal.features import FEATURES
from veridical.answering.refusal.measure import Seen, figures, seen_of
from veridical.answering.refusal.model import COMMAND, RefusalModel, shipped_model
from veridical.errors import VeridicalError
from veridical.judging.coefficients import MOST_DEVIATIONS, Head
from veridical.judging.fit import write_whole
from veridical.judging.logistic import Array, fit_logistic

RIDGE = 0.01
"""Penalty on a squared weight for each row."""

ANSWERED = 0.93
"""Share of the sample's own questions that the threshold lets through at least, on folds."""

DOUBT = 0.54
"""The threshold, unless fewer would be answered: a little above even, for a false answer is worse
than none.
"""

FOLDS = 5

WEIGHTS = {
    OWN: 5.0, HEADED: 1.0, FAQ: 1.0, BLANKED: 0.5, FAQ_BLANKED: 0.5,
    OTHERS_OF_SAMPLE: 3.5, SAMPLE_OF_HANDBOOK: 2.0, NEAR_MISS: 2.0, OTHERS_OF_HANDBOOK: 1.0,
    HANDBOOK_OF_FAQ: 0.7, SAMPLE_OF_FAQ: 0.7,
}  # fmt: skip
"""What the sets count for. Questions asked without their page are often answered elsewhere, and
are left out.
"""

_DIGITS = 6
_CONSTANT = 1e-5


def fit_model(seen: Sequence[Seen]) -> RefusalModel:
    """The model fitted on all cases; its threshold is chosen on folds that it has not seen.

    Answerable questions whose answer is not among the best evidence are left out: to answer them
    would be to answer something else.
    """
    rows = [
        one for one in seen
        if one.case.set in WEIGHTS and (one.shown or not one.case.answerable)
    ]  # fmt: skip
    told = predicted(rows)
    own = sorted(p for one, p in zip(rows, told, strict=True) if one.case.set == OWN)
    threshold = min(DOUBT, own[int((1 - ANSWERED) * len(own))]) if own else DOUBT
    return RefusalModel(
        tuple(FEATURES),
        _fit(rows),
        round(float(threshold), _DIGITS),
        {"command": COMMAND, "ridge": RIDGE, "weights": WEIGHTS, "answered": ANSWERED},
        {},
    )


def by_folds(seen: Sequence[Seen]) -> list[RefusalModel]:
    """For each case the model that was fitted without its fold, with its own threshold."""
    models = {
        fold: fit_model([one for one in seen if one.fold(FOLDS) != fold]) for fold in range(FOLDS)
    }
    return [models[one.fold(FOLDS)] for one in seen]


def predicted(rows: Sequence[Seen]) -> list[float]:
    """The probability of each case from a fit without its fold."""
    told = [0.0] * len(rows)
    for fold in sorted({one.fold(FOLDS) for one in rows}):
        head = _fit([one for one in rows if one.fold(FOLDS) != fold])
        for at, one in enumerate(rows):
            if one.fold(FOLDS) == fold and one.signs is not None:
                told[at] = float(head.probability(np.array([one.signs.values]))[0])
    return told


def _fit(rows: Sequence[Seen]) -> Head:
    usable = [one for one in rows if one.signs is not None]
    features: Array = np.array([one.signs.values for one in usable if one.signs is not None])
    truth: Array = np.array([float(one.case.answerable) for one in usable])
    sets = [one.case.set for one in usable]
    weights: Array = np.array([WEIGHTS[name] / sets.count(name) for name in sets])
    means, scales = features.mean(axis=0), features.std(axis=0)
    scales = np.where(scales > _CONSTANT, scales, 1.0)
    standard = np.clip((features - means) / scales, -MOST_DEVIATIONS, MOST_DEVIATIONS)
    design: Array = np.column_stack([standard, np.ones(len(standard))])
    penalty: Array = np.full(design.shape[1], RIDGE * len(usable))
    penalty[-1] = 0.0
    for answer in (0.0, 1.0):  # As many that are answered as not.
        weights[truth == answer] *= len(usable) / 2 / weights[truth == answer].sum()
    beta = fit_logistic(design, truth, weights, penalty)
    return Head(
        _plain(means), _plain(scales), _plain(beta[:-1]), 1.0, round(float(beta[-1]), _DIGITS)
    )


def _plain(values: Array) -> tuple[float, ...]:
    return tuple(round(float(value), _DIGITS) for value in values)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command. 2 where the data cannot be used or the model cannot be written."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder of the shared data")
    parser.add_argument("--policies", type=Path, default=Path("examples/policies"))
    parser.add_argument(
        "--questions", type=Path, default=Path("tests/answering/dev_questions.jsonl")
    )
    parser.add_argument("--measure", action="store_true", help="print what the model is worth")
    parser.add_argument("--show", action="store_true", help="print what is decided wrongly, too")
    parser.add_argument("-o", "--output", type=Path, help="fit, and write the model here")
    options = parser.parse_args(arguments)
    try:
        seen = seen_of(load_bench(options.data, options.policies, options.questions))
        if options.output is not None:
            model = fit_model(seen)
            model = replace(model, measured=dict(figures(seen, by_folds(seen)).to_mapping()))
            write_whole(model.to_json(), options.output)
        else:
            model = shipped_model()
        if options.measure:
            sys.stdout.write(figures(seen, [model] * len(seen)).table("model") + "\n")
            sys.stdout.write(figures(seen, by_folds(seen)).table("folds") + "\n")
        if options.show:
            sys.stdout.write(figures(seen, [model] * len(seen)).wrong() + "\n")
    except VeridicalError as problem:
        sys.stderr.write(f"{problem}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
