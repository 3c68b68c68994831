"""A small model that reads claim and passage together: one more feature for a judge to stack."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from veridical.errors import ConfigurationError
from veridical.judging.judge import Case
from veridical.judging.nli import MAX_SENTENCES, hypothesis, nli_columns
from veridical.judging.onnx_text import PairClassifier

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FLOOR, CEILING = -12.0, 12.0
"""Scores are kept between these: beyond them nothing is said that could be weighed."""

_FEATURE = "the cross-encoder"
_POSITIVE = ("entail", "support", "relevant", "consistent", "true", "yes", "positive", "1")


class CrossEncoder:
    """Scores how well passages bear on claims, with a reranker, a two-way classifier or an NLI
    model as ONNX. A score is the model's log-odds: comparable between cases of one model only.
    """

    def __init__(self, path: str | Path, *, threads: int = 1) -> None:
        """`path` is a folder as `NliJudge` takes. Raises as that does."""
        self._model = PairClassifier(path, feature=_FEATURE, threads=threads)
        self._column = _column(self._model.labels, path)

    @property
    def name(self) -> str:
        """`cross-encoder:` and the name of the model's folder."""
        return f"cross-encoder:{self._model.name}"

    def score(self, cases: Sequence[Case]) -> list[float]:
        """The log-odds of each case, `FLOOR` to `CEILING`; that of the best window where a passage
        is too long, and `FLOOR` where it is empty or the claim does not fit the model.

        Raises ProcessingError where the model itself fails.
        """
        pairs: list[tuple[str, str]] = []
        counts: list[int] = []
        for case in cases:
            claim, sentences = hypothesis(case), case.sentences[:MAX_SENTENCES]
            read = [sentence for sentence in sentences if sentence.strip()]
            windows = (self._model.windows(read, claim) if case.claim.strip() else None) or ()
            pairs += [(window.text, claim) for window in windows]
            counts.append(len(windows))
        odds = iter(self._log_odds(self._model.logits(pairs)).tolist() if pairs else ())
        best = (max((next(odds) for _ in range(count)), default=FLOOR) for count in counts)
        return [min(max(score, FLOOR), CEILING) for score in best]

    def _log_odds(self, logits: NDArray[np.float64]) -> NDArray[np.float64]:
        """Of the label that speaks for the claim, against all others together."""
        import numpy as np

        chosen: NDArray[np.float64] = logits[:, self._column]
        others = np.delete(logits, self._column, axis=1)
        if others.shape[1] == 0:
            return chosen
        highest = others.max(axis=1)
        spread = np.exp(others - highest[:, None]).sum(axis=1)
        rest: NDArray[np.float64] = highest + np.log(spread)
        return chosen - rest


def _column(labels: Sequence[str], path: str | Path) -> int:
    """Which logit speaks for the claim."""
    if len(labels) == 1:
        return 0
    nli = nli_columns(labels)
    if nli is not None:
        return nli[0]
    plain = [label.casefold().removeprefix("label_") for label in labels]
    speaking = [i for i, label in enumerate(plain) if label.startswith(_POSITIVE)]
    if len(labels) == 2 and len(speaking) == 1:
        return speaking[0]
    raise ConfigurationError(
        f"{path}: config.json names the labels {', '.join(labels)}; a cross-encoder has one label, "
        "two of which one is such as supported, relevant or LABEL_1, or the three of an NLI model"
    )
