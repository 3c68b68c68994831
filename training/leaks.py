"""Whether words alone give the labels of written claims away: what no reader should learn from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, cross_val_predict
from sklearn.pipeline import make_pipeline

from training.shown import WrittenClaim, read_written
from training.writers import HELD_OUT, WRITERS, written_file

_FOLDS = 5


@dataclass(frozen=True, slots=True)
class Leak:
    """What words tell of one writer's labels.

    `right` is the share that a bag of words of the claim alone gets right, by folds of documents;
    `most` that of always saying the commonest label. `shared` is, by label, the mean share of a
    claim's words that its document has.
    """

    writer: str
    claims: int
    right: float
    most: float
    shared: dict[str, float]

    def __str__(self) -> str:
        shared = {label: round(share, 3) for label, share in self.shared.items()}
        return (
            f"{self.writer}: {self.claims} claims, right by the claim's words alone "
            f"{self.right:.3f} (always the commonest label {self.most:.3f}), "
            f"share of words in the document {shared}"
        )


def leaks(data: Path | None) -> Iterable[Leak]:
    """What words tell of each writer's labels; writers whose claims are not there are left out."""
    for name in sorted({*WRITERS, *HELD_OUT}):
        try:
            path = written_file(name, data)
        except FileNotFoundError:
            continue
        yield leak(name, read_written(path))


def leak(writer: str, claims: Sequence[WrittenClaim]) -> Leak:
    """What words tell of the labels of one writer."""
    labels = [claim.label for claim in claims]
    model = make_pipeline(TfidfVectorizer(ngram_range=(1, 2)), LogisticRegression(C=3.0))
    said = cross_val_predict(
        model, [claim.claim for claim in claims], labels,
        groups=[claim.doc for claim in claims], cv=GroupKFold(_FOLDS),
    )  # fmt: skip
    shares: dict[str, list[float]] = {label: [] for label in sorted(set(labels))}
    for claim in claims:
        words, text = set(claim.claim.lower().split()), set(claim.text.lower().split())
        shares[claim.label].append(len(words & text) / len(words))
    return Leak(
        writer,
        len(claims),
        float(np.mean(said == np.array(labels))),
        max(Counter(labels).values()) / len(labels),
        {label: float(np.mean(found)) for label, found in shares.items()},
    )


def means(found: Sequence[Leak]) -> str:
    """A last line: the means over the writers that are trained on, and over those held out."""
    told = []
    for name, writers in (("training", WRITERS), ("held-out", HELD_OUT)):
        these = [one for one in found if one.writer in writers]
        if these:
            right, most = (np.mean([getattr(one, of) for one in these]) for of in ("right", "most"))
            told.append(f"{len(these)} {name} writers {right:.3f} (commonest label {most:.3f})")
    return f"mean right by the claim's words alone: {', '.join(told)}"
