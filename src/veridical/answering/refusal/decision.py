"""Is the answer to a question in the corpus? A calibrated decision, and what is missing if not.

Few signs (`features`) go into a fitted logistic model. Before it stand rules that nothing
outweighs: a name that no passage knows, a type of thing that no evidence names, a question that
points at something outside of itself.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

from veridical.answering.answer import Refusal, RefusalReason
from veridical.answering.evidence.finding import Evidence
from veridical.answering.evidence.wanted import STRICT
from veridical.answering.evidence.words import written_words
from veridical.answering.question.asked import AskedQuestion, QuestionKind
from veridical.answering.refusal.features import Signs, read_signs
from veridical.errors import ConfigurationError
from veridical.retrieval.corpus import Corpus

# The file that holds the fitted decision: read and checked.


FORMAT = "veridical-refusal-1"
_MOST_DEVIATIONS = 4.0
"""Signs count for no more than this many standard deviations from their mean."""

_MOST_LOGIT = 30.0

_KEYS = {"format", "features", "head", "threshold"}
_HEAD_KEYS = ("means", "scales", "weights", "slope", "intercept")


@dataclass(frozen=True, slots=True)
class Head:
    """A weighted sum of standardised signs, and the line from it to log-odds."""

    means: tuple[float, ...]
    scales: tuple[float, ...]
    weights: tuple[float, ...]
    slope: float
    intercept: float

    def probability(self, features: NDArray[np.float64]) -> NDArray[np.float64]:
        """The calibrated probabilities of cases, whose signs are (cases, names)."""
        standard = (features - np.array(self.means)) / np.array(self.scales)
        weighted = np.clip(standard, -_MOST_DEVIATIONS, _MOST_DEVIATIONS) * np.array(self.weights)
        logits = self.slope * weighted.sum(axis=1) + self.intercept
        found: NDArray[np.float64] = 1 / (1 + np.exp(-np.clip(logits, -_MOST_LOGIT, _MOST_LOGIT)))
        return found


@dataclass(frozen=True)
class RefusalModel:
    """What is decided by: the probability that the corpus answers, and from which to answer.

    `features` names the signs, in order.
    """

    features: tuple[str, ...]
    head: Head
    threshold: float


@lru_cache(maxsize=1)
def shipped_model() -> RefusalModel:
    """The model of the package, read and checked once a process."""
    file = resources.files("veridical.answering.refusal.data").joinpath("refusal.json")
    return parse_model(file.read_text("utf-8"), name="the shipped model of refusals")


def parse_model(text: str, *, name: str = "refusal model") -> RefusalModel:
    """The model that a text of JSON holds. Raises ConfigurationError."""
    try:
        return _model(json.loads(text))
    except (ValueError, TypeError, KeyError, RecursionError) as problem:
        raise ConfigurationError(f"{name} does not fit this version: {problem}") from problem


def _model(data: Any) -> RefusalModel:
    from veridical.answering.refusal.features import FEATURES

    if not isinstance(data, dict) or data.keys() != _KEYS or data["format"] != FORMAT:
        raise ValueError(f"it is not of the format {FORMAT}")
    if data["features"] != list(FEATURES):
        raise ValueError("its features are not those of this version, in their order")
    threshold = _number(data["threshold"])
    if not 0 < threshold < 1:
        raise ValueError(f"the threshold {threshold:g} is not between 0 and 1")
    return RefusalModel(tuple(data["features"]), _head(data["head"]), threshold)


def _head(data: Any) -> Head:
    from veridical.answering.refusal.features import FEATURES

    if not isinstance(data, dict) or sorted(data) != sorted(_HEAD_KEYS):
        raise ValueError("the head lacks coefficients, or has others")
    means, scales, weights = (
        tuple(map(_number, data[key])) for key in ("means", "scales", "weights")
    )
    if not len(means) == len(scales) == len(weights) == len(FEATURES):
        raise ValueError("there is not one coefficient for each feature")
    slope = _number(data["slope"])
    if min(scales) <= 0 or slope <= 0:
        raise ValueError("scales and slope must be above 0")
    return Head(means, scales, weights, slope, _number(data["intercept"]))


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"{value!r} is not a number")
    return float(value)


_RULED_OUT = 0.02
"""The probability of a question that a rule refuses, at most."""

_ABOUT = 0.5
"""Share of a question that a passage holds that is about it."""

_MOST_MISSING = 3
"""Words that a refusal names."""

_LONGEST = 40
"""Characters of a word that are shown."""

_LEAST_WEIGHT = 0.95
"""What the words of a whole question weigh at least: with less ("Who makes the decision?") it is
not known what it is about.
"""

_POINTS = re.compile(
    r"^(?:(?:and|so|but|who|what|when|where|why|how|which|is|are|was|were|do|does|did|can|could|"
    r"may|must|should|will|would|has|have|we|i|you|to|the)\s+){0,4}"
    r"(?:use|make|made|do|does|get|handle|read|open)?\s*\b(?:this|these|that|those)\b",
    re.IGNORECASE,
)
"""A question that opens with "this" or "that" speaks of something that only the asker sees."""


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether a question is answered.

    `probability` is that the corpus answers it, calibrated on as many questions that it answers as
    that it does not. `refusal` is set if and only if the question is not answered.
    """

    answered: bool
    probability: float
    refusal: Refusal | None = None


def decide(asked: AskedQuestion, evidence: Sequence[Evidence], corpus: Corpus) -> Decision:
    """Whether the evidence, best first, answers the question."""
    if not asked.words:
        return _refused(0.0, RefusalReason.UNUSABLE_QUESTION)
    if not corpus.chunks:
        return _refused(0.0, RefusalReason.EMPTY_CORPUS)
    if not evidence:
        return _refused(0.0, RefusalReason.NOTHING_FOUND, asked.names)
    return _decide_by_signs(asked, read_signs(asked, evidence, corpus))


def _decide_by_signs(asked: AskedQuestion, signs: Signs) -> Decision:
    """The decision on a question with evidence, from what was seen of it."""
    model = shipped_model()
    probability = round(float(model.head.probability(np.array([signs.values]))[0]), 4)
    if signs.unknown_names:
        return _refused(
            min(probability, _RULED_OUT), RefusalReason.NOT_ANSWERED, signs.unknown_names
        )
    if asked.wanted in STRICT and not signs.named:
        return _refused(min(probability, _RULED_OUT), RefusalReason.NOT_ANSWERED, _type_of(asked))
    if _POINTS.match(asked.text) or (
        signs.weight < _LEAST_WEIGHT and asked.kind is not QuestionKind.KEYWORDS
    ):
        return _refused(min(probability, _RULED_OUT), RefusalReason.NOT_ANSWERED)
    if _is_one_word(asked) and not signs.missing:
        return Decision(True, max(probability, model.threshold))
    if probability >= model.threshold:
        return Decision(True, probability)
    reason = RefusalReason.NOT_ANSWERED if signs.covered >= _ABOUT else RefusalReason.NOTHING_FOUND
    return _refused(probability, reason, tuple(map(_readable, signs.missing[:_MOST_MISSING])))


def _is_one_word(asked: AskedQuestion) -> bool:
    """Whether a question is a single word: whatever is said of it is what was looked for."""
    return asked.kind is QuestionKind.KEYWORDS and len(written_words(asked.text)) == 1


_JOINED = re.compile(r"(?<=[a-z])(?=[A-Z\d]{1,2}$)")


def _readable(word: str) -> str:
    word = _JOINED.sub(" ", word)
    return word if len(word) <= _LONGEST else word[: _LONGEST - 1] + "\u2026"


def _type_of(asked: AskedQuestion) -> tuple[str, ...]:
    return () if asked.wanted is None else (asked.wanted.value,)


def _refused(probability: float, reason: RefusalReason, missing: tuple[str, ...] = ()) -> Decision:
    return Decision(False, probability, Refusal(reason, missing))
