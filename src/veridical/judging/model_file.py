"""The file that holds a fitted model: read, checked, written.

Whatever is unknown, missing, out of order or out of range is an error: a judge that decides by a
file that does not fit is worse than none.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from veridical.errors import ConfigurationError
from veridical.judging.coefficients import Head
from veridical.judging.features import FEATURES_VERSION, feature_names
from veridical.judging.points import Thresholds

FORMAT = "veridical-calibrated-judge-1"
CROSS_ENCODER = "cross_encoder"
"""The name of the feature that an extra scorer gives."""

_MAX_BYTES = 1024 * 1024
_KEYS = {
    "format", "version", "features_version", "features", "support", "contradiction", "thresholds",
    "provenance", "measured",
}  # fmt: skip
_HEAD_KEYS = {"means", "scales", "weights", "slope", "intercept"}
_THRESHOLDS = ("partial", "lenient", "balanced", "strict")


@dataclass(frozen=True)
class FittedModel:
    """What a calibrated judge decides by.

    `version` is the beginning of a hash over what it was fitted on and what came out.
    `provenance` and `measured` say where it comes from and what it is worth; nothing reads them to
    decide.
    """

    version: str
    features: tuple[str, ...]
    support: Head
    contradiction: Head
    thresholds: Thresholds
    provenance: Mapping[str, Any]
    measured: Mapping[str, Any]

    @property
    def needs_scorer(self) -> bool:
        """Whether it was fitted with a cross-encoder's score among the features."""
        return CROSS_ENCODER in self.features

    def to_json(self) -> str:
        """The file's text: the same model gives the same bytes."""
        data = {
            "format": FORMAT,
            "version": self.version,
            "features_version": FEATURES_VERSION,
            "features": list(self.features),
            "support": asdict(self.support),
            "contradiction": asdict(self.contradiction),
            "thresholds": asdict(self.thresholds),
            "provenance": self.provenance,
            "measured": self.measured,
        }
        return json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def read_model(path: str | Path) -> FittedModel:
    """The model in a file. Raises ConfigurationError that says what is wrong with it."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(_MAX_BYTES + 1)
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or problem
        raise ConfigurationError(f"judge model: cannot read {path}: {reason}") from problem
    if len(data) > _MAX_BYTES:
        raise ConfigurationError(f"judge model: {path} is larger than 1 MB")
    try:
        return parse_model(data.decode("utf-8"), name=str(path))
    except UnicodeDecodeError as problem:
        raise ConfigurationError(f"judge model: {path} is not UTF-8") from problem


def parse_model(text: str, *, name: str = "judge model") -> FittedModel:
    """The model that a text of JSON holds. Raises ConfigurationError."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise ConfigurationError(f"{name}: not valid JSON: {problem}") from problem
    try:
        return _model(data)
    except _Misfit as problem:
        raise ConfigurationError(
            f"{name}: {problem}. Fit it again: python -m veridical.judging.fit DATA_DIR -o FILE"
        ) from problem


class _Misfit(Exception):
    """What does not fit, without the file's name."""


def _model(data: object) -> FittedModel:
    data = _object(data, _KEYS, "the file")
    if data["format"] != FORMAT:
        raise _Misfit(f"the format is {data['format']!r}, not {FORMAT!r}")
    if data["features_version"] != FEATURES_VERSION:
        raise _Misfit(
            f"it was fitted on features of version {data['features_version']!r}, "
            f"these are version {FEATURES_VERSION}"
        )
    known = feature_names()
    features = data["features"]
    if features not in ([*known], [*known, CROSS_ENCODER]):
        raise _Misfit("its features are not those of this version, in their order")
    if not isinstance(data["version"], str) or not data["version"]:
        raise _Misfit("the version is not a text")
    count = len(features)
    return FittedModel(
        data["version"],
        tuple(features),
        _head(data["support"], count, "support"),
        _head(data["contradiction"], count, "contradiction"),
        _thresholds(data["thresholds"]),
        _mapping(data["provenance"], "provenance"),
        _mapping(data["measured"], "measured"),
    )


def _mapping(data: object, name: str) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise _Misfit(f"{name} is not an object")
    return data


def _object(data: object, keys: set[str], name: str) -> dict[str, Any]:
    told = _mapping(data, name)
    if unknown := sorted(told.keys() - keys):
        raise _Misfit(f"{name} has unknown keys: {', '.join(unknown)}")
    if missing := sorted(keys - told.keys()):
        raise _Misfit(f"{name} lacks {', '.join(missing)}")
    return told


def _head(data: object, count: int, name: str) -> Head:
    told = _object(data, _HEAD_KEYS, name)
    columns = [
        _numbers(told[key], count, f"{name}.{key}") for key in ("means", "scales", "weights")
    ]
    if min(columns[1], default=1.0) <= 0:
        raise _Misfit(f"{name}.scales must be above 0")
    slope, intercept = (_number(told[key], f"{name}.{key}") for key in ("slope", "intercept"))
    if slope <= 0:
        raise _Misfit(f"{name}.slope is {slope:g}: more support would be less likely")
    return Head(columns[0], columns[1], columns[2], slope, intercept)


def _numbers(data: object, count: int, name: str) -> tuple[float, ...]:
    if not isinstance(data, list) or len(data) != count:
        raise _Misfit(f"{name} is not a list of {count} numbers")
    return tuple(_number(value, name) for value in data)


def _number(value: object, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise _Misfit(f"{name} holds {value!r}, which is not a number")
    return float(value)


def _thresholds(data: object) -> Thresholds:
    told = _object(data, set(_THRESHOLDS), "thresholds")
    values = {key: _number(told[key], f"thresholds.{key}") for key in _THRESHOLDS}
    ordered = [values[key] for key in _THRESHOLDS]
    if ordered != sorted(ordered) or ordered[0] < 0 or ordered[-1] > 1:
        raise _Misfit(
            "thresholds must rise from partial over lenient and balanced to strict, 0 to 1"
        )
    return Thresholds(**values)
