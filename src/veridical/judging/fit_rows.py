"""Labelled rows as the fit needs them: features, hard signs, data sets, folds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from veridical.errors import ValidationError
from veridical.judging.alignment_vectors import WordVectors
from veridical.judging.calibrated import ExtraScorer
from veridical.judging.coefficients import TrainingRows
from veridical.judging.datasets import Label, LabelledRow, group_rows, read_rows
from veridical.judging.evaluation import FOLDS, cases_of_rows, word_containment
from veridical.judging.features import FEATURES, CaseReading, read_cases
from veridical.judging.judge import Case, OperatingPoint
from veridical.judging.points import Sample, barred
from veridical.matching.embeddings import default_embedder

LEAST_OF_A_KIND = 20
"""Supported rows, and others, that a data set needs: of less nothing can be measured."""

_CHOOSES = tuple(FEATURES).index("match_pair")
_SUFFIXES = (".jsonl", ".dev")

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class FitRows:
    """All rows that a model is fitted on, in the order of their files and lines.

    `groups` and `folds` are (rows,): rows that share a claim, a document or the like share both.
    `skipped` says which files could not be used, and why.
    """

    features: Array
    readings: tuple[CaseReading, ...]
    labels: tuple[Label, ...]
    sets: tuple[str, ...]
    groups: NDArray[np.int64]
    folds: NDArray[np.int64]
    containment: Array
    skipped: tuple[str, ...]

    @property
    def names(self) -> list[str]:
        """The data sets."""
        return sorted(set(self.sets))

    @property
    def supported(self) -> Mask:
        """Which rows are supported."""
        return np.array([label is Label.SUPPORTED for label in self.labels])

    @property
    def refuted(self) -> Mask:
        """Which rows are refuted."""
        return np.array([label is Label.REFUTED for label in self.labels])

    def of(self, name: str) -> Mask:
        """Which rows are of a data set."""
        return np.array([one == name for one in self.sets])

    def training(self, truth: Mask, chosen: Mask) -> TrainingRows:
        """Some of the rows, with the answers that are to be learned."""
        return TrainingRows(self.features, truth.astype(np.float64), self.sets).where(chosen)

    def sample(self, probability: Array, chosen: Mask) -> Sample:
        """Some of the rows, as thresholds are chosen on them."""
        signs = [self.readings[i].signs for i in np.flatnonzero(chosen)]
        return Sample(
            self.supported[chosen],
            probability[chosen],
            np.array([not barred(one, OperatingPoint.BALANCED) for one in signs], bool),
            np.array([not barred(one, OperatingPoint.STRICT) for one in signs], bool),
            np.array([one.settled for one in signs], bool),
        )


def load_rows(folder: Path, scorer: ExtraScorer | None = None) -> FitRows:
    """The rows of all `*.jsonl` files of a folder. Raises ValidationError that says what to do."""
    files = sorted(folder.glob("*.jsonl")) if folder.is_dir() else []
    if not files:
        raise ValidationError(
            f"{folder}: no *.jsonl file in it. Give a folder of labelled rows: one JSON object a "
            "line, with id, claim, evidence and label."
        )
    kept: list[tuple[str, tuple[LabelledRow, ...]]] = []
    skipped: list[str] = []
    for file in files:
        rows = read_rows(file)
        supported = sum(row.supported for row in rows)
        others = len(rows) - supported
        if min(supported, others) < LEAST_OF_A_KIND:
            skipped.append(
                f"{file.name}: {supported} supported and {others} other rows; "
                f"{LEAST_OF_A_KIND} of either are needed"
            )
        else:
            kept.append((_name(file), rows))
    if not kept:
        raise ValidationError(f"{folder}: no file can be used. " + "; ".join(skipped))
    return _read(kept, tuple(skipped), scorer)


def rows_of_sets(sets: Mapping[str, Sequence[LabelledRow]]) -> FitRows:
    """The rows of data sets that were read before, by their names."""
    return _read([(name, tuple(rows)) for name, rows in sorted(sets.items())], (), None)


def _name(file: Path) -> str:
    name = file.name
    for suffix in _SUFFIXES:
        name = name.removesuffix(suffix)
    return name


def _read(
    files: Sequence[tuple[str, tuple[LabelledRow, ...]]],
    skipped: tuple[str, ...],
    scorer: ExtraScorer | None,
) -> FitRows:
    vectors = WordVectors(default_embedder())
    told: list[tuple[LabelledRow, str, int, int, Case, CaseReading]] = []
    for name, rows in files:
        grouping = group_rows(rows)
        folds = grouping.folds(FOLDS)
        found = _best_cases(rows, vectors)
        told += [
            (row, name, grouping.groups[i], folds[i], *found[i])
            for i, row in enumerate(rows)
            if i in found
        ]
    features = np.array([reading.features for *_, reading in told])
    if scorer is not None:
        scores = scorer.score([case for *_, case, _ in told])
        features = np.column_stack([features, np.array(scores, np.float64)])
    return FitRows(
        features,
        tuple(reading for *_, reading in told),
        tuple(row.label for row, *_ in told),
        tuple(name for _, name, *_ in told),
        np.array([group for _, _, group, *_ in told]),
        np.array([fold for _, _, _, fold, *_ in told]),
        np.array([word_containment(row) for row, *_ in told]),
        skipped,
    )


def _best_cases(
    rows: Sequence[LabelledRow], vectors: WordVectors
) -> dict[int, tuple[Case, CaseReading]]:
    """For each row that has words the passage that covers its claim best: one row, one case."""
    cases = cases_of_rows(rows)
    readings = iter(read_cases([case for found in cases for case in found], vectors))
    best: dict[int, tuple[Case, CaseReading]] = {}
    for index, found in enumerate(cases):
        for case in found:
            reading = next(readings)
            if reading is None:
                continue
            if index not in best or _covers(reading) > _covers(best[index][1]):
                best[index] = case, reading
    return best


def _covers(reading: CaseReading) -> float:
    return float(reading.features[_CHOOSES])
