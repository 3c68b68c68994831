"""The file that holds the fitted decision: read, checked, written."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

from veridical.errors import ConfigurationError
from veridical.judging.coefficients import Head

FORMAT = "veridical-refusal-1"
COMMAND = "python -m veridical.answering.refusal.fit --data DIR -o FILE"

_MAX_BYTES = 1024 * 1024
_KEYS = {"format", "features", "head", "threshold", "provenance", "measured"}
_HEAD_KEYS = ("means", "scales", "weights", "slope", "intercept")


@dataclass(frozen=True)
class RefusalModel:
    """What is decided by: the probability that the corpus answers, and from which to answer.

    `features` names the signs, in order. `provenance` and `measured` say where it comes from and
    what it is worth; nothing reads them to decide.
    """

    features: tuple[str, ...]
    head: Head
    threshold: float
    provenance: Mapping[str, Any]
    measured: Mapping[str, Any]

    def to_json(self) -> str:
        """The file's text: the same model gives the same bytes."""
        data = {
            "format": FORMAT,
            "features": list(self.features),
            "head": asdict(self.head),
            "threshold": self.threshold,
            "provenance": self.provenance,
            "measured": self.measured,
        }
        return json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


@lru_cache(maxsize=1)
def shipped_model() -> RefusalModel:
    """The model of the package, read and checked once a process."""
    file = resources.files("veridical.answering.refusal.data").joinpath("refusal.json")
    return parse_model(file.read_text("utf-8"), name="the shipped model of refusals")


def read_model(path: Path) -> RefusalModel:
    """The model in a file. Raises ConfigurationError that says what is wrong with it."""
    try:
        with path.open("rb") as file:
            data = file.read(_MAX_BYTES + 1)
        if len(data) > _MAX_BYTES:
            raise ConfigurationError(f"refusal model: {path} is larger than 1 MB")
        return parse_model(data.decode("utf-8"), name=str(path))
    except OSError as problem:
        raise ConfigurationError(
            f"refusal model: cannot read {path}: {problem.strerror}"
        ) from problem
    except UnicodeDecodeError as problem:
        raise ConfigurationError(f"refusal model: {path} is not UTF-8") from problem


def parse_model(text: str, *, name: str = "refusal model") -> RefusalModel:
    """The model that a text of JSON holds. Raises ConfigurationError."""
    try:
        return _model(json.loads(text))
    except (ValueError, TypeError, KeyError, RecursionError) as problem:
        raise ConfigurationError(
            f"{name} does not fit this version: {problem}. Fit it again: {COMMAND}"
        ) from problem


def _model(data: Any) -> RefusalModel:
    from veridical.answering.refusal.features import FEATURES

    if not isinstance(data, dict) or data.keys() != _KEYS or data["format"] != FORMAT:
        raise ValueError(f"it is not of the format {FORMAT}")
    if data["features"] != list(FEATURES):
        raise ValueError("its features are not those of this version, in their order")
    threshold = _number(data["threshold"])
    if not 0 < threshold < 1:
        raise ValueError(f"the threshold {threshold:g} is not between 0 and 1")
    return RefusalModel(
        tuple(data["features"]), _head(data["head"]), threshold,
        dict(data["provenance"]), dict(data["measured"]),
    )  # fmt: skip


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
