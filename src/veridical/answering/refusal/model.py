"""The file that holds the fitted decision: read and checked.

Its coefficients were fitted once, and neither the program nor the data of that fit is kept: nobody
can make them anew. They stay until answers to everyday questions (the issue "everyday answers")
replace them.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

from veridical.errors import ConfigurationError

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
