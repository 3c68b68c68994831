"""Calibration, and the figures that say what the reader is worth.

All figures are taken through the product: documents are cut, passages found, windows made, the
shipped int8 weights read, the veto applied.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score, roc_auc_score

from training.shown import WrittenClaim, cases_of, shown
from training.windows import holds_basis
from veridical.judging.datasets import Label, LabelledRow, read_rows
from veridical.judging.evaluation import FOLDS, evaluate, word_containment
from veridical.judging.judge import (
    Case,
    JudgeFailure,
    Judgement,
    OperatingPoint,
    SupportLevel,
)
from veridical.judging.metrics import by_folds, calibration_error
from veridical.judging.reader_judge import ReaderJudge
from veridical.judging.verdict import Verdict
from veridical.matching.embeddings import default_embedder
from veridical.networks.session import onnx_session
from veridical.reader.model import Card, Reader
from veridical.reader.windows import WindowMaker, relinked

STRICT_FALSE_PASSES = 0.05
"""Share of false claims that the strict threshold lets pass, veto aside, where it is set."""

LENIENT_FALSE_STRIPS = 0.1
PARTIAL_FALSE_STRIPS = 0.05
REFUTED_PRECISION = 0.8
"""How many of those called contradicted are to be refuted, where the threshold is set."""

_GRID = np.linspace(0.05, 0.95, 181)
"""The thresholds that are tried."""

Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]


@dataclass(frozen=True)
class Judged:
    """Claims of a set with one judgement each: that of the passage which decides."""

    name: str
    claims: Sequence[WrittenClaim]
    judgements: Sequence[Judgement]
    containment: Floats

    @property
    def truth(self) -> Truths:
        return np.array([claim.label == "supported" for claim in self.claims])

    @property
    def refuted(self) -> Truths:
        return np.array([claim.label == "refuted" for claim in self.claims])

    @property
    def probability(self) -> Floats:
        return np.array([one.probability for one in self.judgements])

    @property
    def supported(self) -> Truths:
        return np.array([one.support is SupportLevel.FULL for one in self.judgements])

    @property
    def contradicted(self) -> Truths:
        return np.array([one.contradicts for one in self.judgements])

    def of_kind(self, kind: str) -> Truths:
        return np.array([claim.kind == kind for claim in self.claims])


def groups_of(claims: Sequence[WrittenClaim]) -> list[list[Case]]:
    """The cases of each claim, found as a ledger finds them; claims of a document must follow."""
    out: list[list[Case]] = []
    start = 0
    for end in range(1, len(claims) + 1):
        if end == len(claims) or claims[end].doc != claims[start].doc:
            group = claims[start:end]
            out += cases_of(group[0].text, [claim.claim for claim in group])
            start = end
    return out


def judged(
    name: str,
    claims: Sequence[WrittenClaim],
    point: OperatingPoint,
    reader: Reader | None = None,
    groups: Sequence[Sequence[Case]] | None = None,
) -> Judged:
    """Judge all claims at an operating point."""
    found = ReaderJudge(point, reader).judge_together(groups or groups_of(claims))
    best = [max(_sound(group), key=_weight) for group in found]
    words = [word_containment(_row(claim)) for claim in claims]
    return Judged(name, claims, best, np.array(words))


def _sound(group: Sequence[Judgement | JudgeFailure]) -> list[Judgement]:
    return [one for one in group if isinstance(one, Judgement)]


def _weight(one: Judgement) -> tuple[bool, float, float]:
    return one.contradicts, one.probability, one.contradiction


def _row(claim: WrittenClaim) -> LabelledRow:
    """A claim as the rows of other sets are: measured by the same words."""
    return LabelledRow(claim.doc, claim.claim, (), Label(claim.label), claim.text)


def calibrated(
    card: Card, claims: Sequence[WrittenClaim], reader: Reader
) -> tuple[Card, dict[str, Any]]:
    """The card with slopes, intercepts and thresholds fitted on held-out claims."""
    reads = ReaderJudge(OperatingPoint.STRICT, reader).reads(groups_of(claims))
    kept = [(c, r) for c, r in zip(claims, reads, strict=True) if r is not None]
    logits = np.array([read.logits for _, read in kept])
    truth = np.array([claim.label == "supported" for claim, _ in kept])
    refuted = np.array([claim.label == "refuted" for claim, _ in kept])
    support = logits[:, 1] - np.logaddexp(logits[:, 0], logits[:, 2])
    against = logits[:, 2] - np.logaddexp(logits[:, 0], logits[:, 1])
    yes, no = _line(support, truth), _line(against, refuted)
    p, q = _sigmoid(support, *yes), _sigmoid(against, *no)
    balanced = _balanced(truth, p)
    strict = max(float(np.quantile(p[~truth], 1 - STRICT_FALSE_PASSES)), balanced)
    lenient = min(float(np.quantile(p[truth], LENIENT_FALSE_STRIPS)), balanced)
    partial = min(float(np.quantile(p[truth], PARTIAL_FALSE_STRIPS)), lenient)
    right = [t for t in _GRID if (q >= t).any() and refuted[q >= t].mean() >= REFUTED_PRECISION]
    made = replace(
        card,
        slope=round(yes[0], 4), intercept=round(yes[1], 4),
        against_slope=round(no[0], 4), against_intercept=round(no[1], 4),
        strict=round(strict, 4), balanced=round(balanced, 4),
        lenient=round(lenient, 4), partial=round(partial, 4),
        contradicts=round(float(min(right, default=0.9)), 4),
    )  # fmt: skip
    return made, {"rows": len(kept), "auc": round(roc_auc_score(truth, p), 4)}


def _balanced(truth: Truths, p: Floats) -> float:
    """The threshold of the grid with the best balanced accuracy; of equals the lowest."""
    return float(max(_GRID, key=lambda t: (round(balanced_accuracy_score(truth, p >= t), 4), -t)))


def _line(odds: Floats, truth: Truths) -> tuple[float, float]:
    fitted = LogisticRegression(C=1e4).fit(odds[:, None], truth)
    return float(fitted.coef_[0, 0]), float(fitted.intercept_[0])


def _sigmoid(odds: Floats, slope: float, intercept: float) -> Floats:
    return np.asarray(1 / (1 + np.exp(-(slope * odds + intercept))))


def figures(strict: Judged, balanced: Judged) -> dict[str, Any]:
    """The figures of one set, judged at the strict and the balanced point."""
    truth, p = strict.truth, strict.probability
    own, accused = strict.of_kind("own_words"), strict.contradicted
    told: dict[str, Any] = {
        "set": strict.name,
        "claims": len(truth),
        "auc": roc_auc_score(truth, p),
        "auc_containment": roc_auc_score(truth, strict.containment),
        "balanced_accuracy": balanced_accuracy_score(truth, balanced.supported),
        "balanced_containment": _best(truth, strict.containment),
        "strict_false_passes": strict.supported[~truth].mean(),
        "strict_true_supported": strict.supported[truth].mean(),
        "strict_own_words_supported": strict.supported[truth & own].mean(),
        "balanced_false_passes": balanced.supported[~truth].mean(),
        "balanced_own_words_supported": balanced.supported[truth & own].mean(),
        "refuted_called": accused[strict.refuted].mean(),
        "called_refuted_right": strict.refuted[accused].mean() if accused.any() else 0.0,
        "calibration_error": calibration_error(truth.tolist(), p.tolist()),
    }
    for kind in sorted({c.kind for c, t in zip(strict.claims, truth, strict=True) if t}):
        told[f"strict_{kind}"] = strict.supported[truth & strict.of_kind(kind)].mean()
    return {k: round(float(v), 4) if isinstance(v, float) else v for k, v in told.items()}


def _best(truth: Truths, scores: Floats) -> float:
    """The balanced accuracy of the best single threshold: a generous baseline."""
    return float(max(balanced_accuracy_score(truth, scores >= t) for t in np.unique(scores)))


def research(path: Path, most: int, reader: Reader | None = None) -> dict[str, Any]:
    """The figures of a research set of one evidence a row, every n-th of its rows.

    Nothing was trained or tuned on these sets. By folds, only the threshold on the reader's
    probability is chosen anew on the other groups, as that of bare word containment is.
    """
    rows = read_rows(path)
    rows = rows[:: max(1, len(rows) // most)]
    found = evaluate(rows, ReaderJudge(OperatingPoint.BALANCED, reader))
    truth = np.array(found.truth)
    scores = [result.confidence for result in found.judged]
    said = np.array([result.verdict is Verdict.SUPPORTED for result in found.judged])
    folds = by_folds(found.truth, scores, found.grouping.folds(FOLDS))
    return {
        "set": path.name.partition(".")[0],
        "rows": len(truth),
        "supported": round(float(truth.mean()), 4),
        "mean_probability": round(float(np.mean(scores)), 4),
        "balanced_accuracy": round(float(balanced_accuracy_score(truth, said)), 4),
        "by_folds": round(float(balanced_accuracy_score(truth, folds)), 4),
        "auc": round(float(roc_auc_score(truth, scores)), 4),
        "containment_by_folds": found.containment.to_mapping(),
        "false_passes": round(float(said[~truth].mean()), 4),
        "false_strips": round(float((~said[truth]).mean()), 4),
        "calibration_error": round(found.calibration_error or 0.0, 4),
    }


_COLUMNS = ("rows", "supported", "mean_probability", "calibration_error", "auc")


def calibration_table(sets: Sequence[dict[str, Any]]) -> str:
    """Figures of research sets as the table of the docs: how far to trust a probability on each."""
    rows = [(one["set"], *(str(one[name]) for name in _COLUMNS)) for one in sets]
    mean = np.mean([one["calibration_error"] for one in sets])
    rows.append(("**mean**", "", "", "", f"{mean:.4f}", ""))
    head = ("set", "rows", "share supported", "mean probability", "calibration error", "AUC")
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def windows_hold(claims: Sequence[WrittenClaim], reader: Reader) -> dict[str, Any]:
    """How often all that decides a claim stands in its first window, or in its first two."""
    maker = WindowMaker(reader.encode, default_embedder())
    first: list[bool] = []
    both: list[bool] = []
    for claim, lines in shown(claims):
        if not claim.basis or claim.label == "not_enough":
            continue
        seen: list[int] = []
        for held in (first, both):
            left = [i for i in range(len(lines.lines)) if i not in seen]
            if left:
                window = maker.window(claim.claim, relinked(lines.lines, left))
                seen += [left[i] for i in window.lines]
            held.append(holds_basis(claim, lines, seen))
    return {
        "claims": len(first),
        "first": round(float(np.mean(first)), 4),
        "first_two": round(float(np.mean(both)), 4),
    }


_PIECES, _RUNS = 128, 60


def pair_times(packaged: Path, weights: Path) -> dict[str, float]:
    """The least milliseconds of one pair on one thread: ours, and the packaged network's."""
    ids = np.random.default_rng(0).integers(1000, 20000, (1, _PIECES))
    kinds = np.zeros_like(ids)
    kinds[:, 20:] = 1
    told = {}
    for name, path in (("packaged", packaged), ("reader", weights / "reader.onnx")):
        session = onnx_session(str(path), 1)
        known = {"input_ids": ids, "token_type_ids": kinds, "attention_mask": np.ones_like(ids)}
        small = {"ids": ids.astype(np.int32), "kinds": kinds.astype(np.int32)}
        inputs = [one.name for one in session.get_inputs()]
        feed = {one: {**known, **small}[one] for one in inputs}
        spent = []
        for _ in range(_RUNS):
            start = time.perf_counter()
            session.run(None, feed)
            spent.append(time.perf_counter() - start)
        told[name] = round(1000 * min(spent), 2)
    return {**told, "ratio": round(told["reader"] / told["packaged"], 3)}


def write_card(path: Path, card: Card) -> None:
    """Write a card as it is shipped."""
    from dataclasses import asdict

    path.write_text(json.dumps(asdict(card), indent=1) + "\n", encoding="utf-8")
