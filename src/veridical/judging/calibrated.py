"""The embedded judge: alignment features under a small fitted model, and hard signs above it.

It needs no network, no key and no neural model. It knows English; of a text that does not read as
English it says FULL only where the claim stands there word for word.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from veridical.errors import ConfigurationError
from veridical.judging.alignment_vectors import WordVectors
from veridical.judging.data import shipped_model
from veridical.judging.features import read_cases
from veridical.judging.features_hard import HardSigns
from veridical.judging.judge import (
    Case,
    JudgeFailure,
    Judgement,
    OperatingPoint,
    SupportLevel,
)
from veridical.judging.model_file import FittedModel
from veridical.judging.points import support_level
from veridical.judging.verdict import FULL_SUPPORT_ABOVE
from veridical.matching.embeddings import Embedder, default_embedder

VERBATIM_PROBABILITY = 0.98
"""Probability, and similarity, of a claim that stands in a passage word for word."""

CONTRADICTED_PROBABILITY = 0.9
"""Least probability of the opposite where a sentence contradicts a claim."""

_JUST_FULL, _NOT_QUITE = 0.86, 0.84
"""Similarity nearest to the verdict rules' 0.85 on either side, as it is shown."""

_DIGITS = 6


class ExtraScorer(Protocol):
    """Scores cases by other means; a model that was fitted with it takes it as one more feature."""

    def score(self, cases: Sequence[Case]) -> list[float]:
        """One finite score a case."""
        ...


class CalibratedJudge:
    """Judges by word alignment and a fitted model: see the module.

    `model` is the shipped one unless another was read by `read_model`. `embedder` must be the one
    that the model was fitted with. `extra_scorer` is needed by models that were fitted with a
    cross-encoder, and by no others; ConfigurationError says so.
    """

    def __init__(
        self,
        point: OperatingPoint = OperatingPoint.STRICT,
        model: FittedModel | None = None,
        embedder: Embedder | None = None,
        extra_scorer: ExtraScorer | None = None,
    ) -> None:
        self._point = OperatingPoint(point)
        self._model = model or shipped_model()
        if self._model.needs_scorer and extra_scorer is None:
            raise ConfigurationError(
                "this judge model was fitted with a cross-encoder: give the same one"
            )
        if extra_scorer is not None and not self._model.needs_scorer:
            raise ConfigurationError(
                "this judge model was fitted without a cross-encoder and cannot weigh one. Fit one "
                "that can: python -m veridical.judging.fit DATA_DIR --cross-encoder PATH -o FILE"
            )
        self._scorer = extra_scorer
        self._vectors = WordVectors(embedder or default_embedder())

    @property
    def name(self) -> str:
        """`calibrated:` and the version of its model."""
        return f"calibrated:{self._model.version}"

    @property
    def point(self) -> OperatingPoint:
        """The operating point that it decides at."""
        return self._point

    def judge(self, cases: Sequence[Case]) -> list[Judgement | JudgeFailure]:
        """One judgement a case, in their order. A case without words comes out as NONE."""
        readings = read_cases(cases, self._vectors)
        told = [i for i, reading in enumerate(readings) if reading is not None]
        judged: list[Judgement | JudgeFailure] = [_NOTHING] * len(cases)
        if not told:
            return judged
        kept = [reading for reading in readings if reading is not None]
        features = np.array([reading.features for reading in kept])
        if self._scorer is not None:
            scores = self._scorer.score([cases[i] for i in told])
            features = np.column_stack([features, np.array(scores, np.float64)])
        support = self._model.support.probability(features)
        against = self._model.contradiction.probability(features)
        for i, reading, yes, no in zip(told, kept, support, against, strict=True):
            judged[i] = self._judgement(reading.signs, float(yes), float(no))
        return judged

    def _judgement(self, signs: HardSigns, probability: float, contradiction: float) -> Judgement:
        level = support_level(signs, probability, self._model.thresholds, self._point)
        if signs.settled:
            probability = max(probability, VERBATIM_PROBABILITY)
            contradiction = min(contradiction, 1 - VERBATIM_PROBABILITY)
        if signs.contradicted is not None:
            contradiction = max(contradiction, CONTRADICTED_PROBABILITY)
            probability = min(probability, 1 - CONTRADICTED_PROBABILITY)
        return Judgement(
            support=level,
            similarity=self._similarity(signs, level, probability),
            probability=round(probability, _DIGITS),
            contradiction=round(contradiction, _DIGITS),
            contradicts=signs.contradicted is not None,
            directness=signs.directness,
            deciding=signs.deciding,
            notes=_note(signs, level),
        )

    def _similarity(self, signs: HardSigns, level: SupportLevel, probability: float) -> float:
        """The probability on the scale of the verdict rules, linear on either side of 0.85."""
        if signs.settled:
            return VERBATIM_PROBABILITY
        if signs.contradicted is not None:
            return _NOT_QUITE
        full_from = self._model.thresholds.full_from(self._point)
        if level is SupportLevel.FULL:
            rest = (probability - full_from) / max(1 - full_from, 1e-9)
            return round(_JUST_FULL + (VERBATIM_PROBABILITY - _JUST_FULL) * rest, _DIGITS)
        below = FULL_SUPPORT_ABOVE * probability / max(full_from, 1e-9)
        return round(min(below, _NOT_QUITE), _DIGITS)


_NOTHING = Judgement(
    SupportLevel.NONE, 0.0, 0.0, 0.0, False, 0.5, None, "There are no words to compare."
)
_UNRELATED = "No sentence of the passage bears on the claim."
_TOO_LITTLE = "The passage is about the same, but does not clearly say it."


def _note(signs: HardSigns, level: SupportLevel) -> str:
    if signs.deciding is None:
        return _UNRELATED
    if level is SupportLevel.FULL:
        return signs.note if signs.settled else "The passage says it in other words."
    return signs.note or _TOO_LITTLE
