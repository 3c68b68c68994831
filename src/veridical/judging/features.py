"""Cases as numbers: what the fitted model of the calibrated judge sees.

The features are soft: each says something on average and nothing by itself. What decides by itself,
a changed number or a denial, is in `features_hard` and never weighed against other things.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from veridical.judging.alignment import Alignment, align, words_of
from veridical.judging.alignment_vectors import WordVectors
from veridical.judging.features_hard import HardSigns, read_hard_signs
from veridical.judging.features_manner import manner_features
from veridical.judging.features_meaning import phrase_features, sentence_features
from veridical.judging.features_overlap import overlap_features
from veridical.judging.judge import Case

FEATURES_VERSION = 1
"""Raised when any feature changes its meaning: a fitted model goes with one version only."""

FEATURES = {
    "related_all": "share of the claim with a word of the same stem in the passage",
    "related_best": "the same in one sentence, the best",
    "match_all": "share with a counterpart by stem, quantity or meaning in the passage",
    "match_best": "the same in the best sentence",
    "match_pair": "the same in the best two neighbouring sentences",
    "raw_all": "mean of the best cosines, 1 for related words",
    "match_rare": "match_all with rare words counting more",
    "missing_most": "weight of the heaviest word without a counterpart in the passage",
    "missing_sum": "weight of all such words",
    "missing_best": "weight of the heaviest without a counterpart in the best sentence",
    "missing_words": "how many words have no counterpart",
    "missing_share": "their share of the claim's words",
    "back_best": "share of the best sentence with a counterpart in the claim",
    "back_all": "share of the passage with a counterpart in the claim",
    "neighbours": "share of the claim's neighbouring words that are near in the best sentence",
    "phrase_mean": "mean cosine of the claim's phrases of three words with their best counterparts",
    "phrase_least": "the least of these cosines",
    "sense_best": "cosine of the claim with the nearest sentence",
    "sense_all": "cosine of the claim with the passage",
    "names_missing": "how far the claim's names are missing in the passage",
    "names_missing_count": "how many of them are missing",
    "numbers_missing": "share of the claim's numbers that the passage has not",
    "numbers_missing_best": "share that the best sentence has not",
    "numbers_other": "the passage has numbers, but not those of the claim",
    "plain_held": "match_all of the words that are neither names nor numbers",
    "claim_denies": "the claim has a denial",
    "passage_denies": "the best sentence has a denial",
    "only_claim_denies": "only the claim has one",
    "only_passage_denies": "only the best sentence has one",
    "opposite": "claim and best sentence have opposite words",
    "ways_part": "one goes up, the other down",
    "ways_agree": "both go the same way",
    "claim_hedges": "the claim does not commit itself",
    "passage_hedges": "the best sentence does not commit itself",
    "claim_doubts": "the claim takes something back",
    "passage_doubts": "the best sentence takes something back",
    "senses_part": "denials, doubts and decreases taken together, one is negative",
    "sweeping": "the claim speaks of all or only, the passage does not",
    "passage_some": "the best sentence speaks of some or most",
    "passage_turns": "the best sentence has a but",
    "claim_length": "logarithm of the claim's content words",
    "passage_length": "logarithm of the passage's words",
    "best_length": "logarithm of the best sentence's words",
    "sentences": "sentences of the passage, up to ten",
}
"""What each feature means, in order. Shares are weighted by how telling the words are; signs are 0
or 1."""

_BATCH = 128
_DIGITS = 4
"""Decimals of a feature: the same on every machine."""


@dataclass(frozen=True)
class CaseReading:
    """What was read from a case: soft features (names,) and hard signs."""

    features: NDArray[np.float64]
    signs: HardSigns


def feature_names() -> tuple[str, ...]:
    """The names of all features, in order."""
    return tuple(FEATURES)


def read_cases(cases: Sequence[Case], vectors: WordVectors) -> list[CaseReading | None]:
    """Features and signs of cases; None where claim or passage has no words."""
    read: list[CaseReading | None] = []
    for start in range(0, len(cases), _BATCH):
        batch = cases[start : start + _BATCH]
        words = vectors.of(words_of(batch))
        for case in batch:
            alignment = align(case, words)
            read.append(None if alignment is None else _read(case, alignment))
    return read


def _read(case: Case, alignment: Alignment) -> CaseReading:
    values = feature_values(alignment)
    return CaseReading(
        np.array([values[name] for name in FEATURES]), read_hard_signs(case, alignment)
    )


def feature_values(alignment: Alignment) -> dict[str, float]:
    """The features of a case by name."""
    return {name: round(value, _DIGITS) for name, value in _features(alignment)}


def _features(alignment: Alignment) -> Iterator[tuple[str, float]]:
    yield from overlap_features(alignment)
    yield from phrase_features(alignment)
    yield from sentence_features(alignment)
    yield from manner_features(alignment)
