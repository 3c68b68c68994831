"""How far two raters agree, and how much of that is more than chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from veridical.errors import MissingExtraError
from veridical.judging.metrics import Rate

if TYPE_CHECKING:
    from nltk.metrics.agreement import AnnotationTask

_DECIMALS = 6
"""Decimals that are reported: the same on every machine."""

_VALUE_DECIMALS = 3
"""Decimals of values on an interval scale. Alpha looks at each two values that differ."""

_FIRST, _SECOND = "first", "second"

NOTHING = "there is nothing that both rated"
ONE_LABEL = "undefined: both gave the same label every time, so chance alone explains it"
ONE_VALUE = "undefined: both gave the same value every time, so chance alone explains it"


@dataclass(frozen=True, slots=True)
class Coefficient:
    """Agreement beyond chance: 1 is perfect, 0 what chance gives, below 0 is worse than chance.

    `value` is None where it is not defined, and `note` says why.
    """

    value: float | None
    note: str = ""

    def to_mapping(self) -> dict[str, Any]:
        """As plain data, ready for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Confusion:
    """How often the first rater said one thing and the second another (or the same)."""

    first: str
    second: str
    count: int


@dataclass(frozen=True, slots=True)
class Agreement:
    """Two raters on the same items.

    `agreed` is the share on which they say the same, with a 95 % Wilson interval. `kappa` is
    Cohen's, `alpha` Krippendorff's for nominal data. `table` holds the counts that are not 0,
    in the order of the labels.
    """

    agreed: Rate
    kappa: Coefficient
    alpha: Coefficient
    table: tuple[Confusion, ...]

    @property
    def n(self) -> int:
        """The items that both rated."""
        return self.agreed.of

    def to_mapping(self) -> dict[str, Any]:
        """As plain data, ready for JSON."""
        return {
            "n": self.n,
            "agreement": self.agreed.to_mapping(),
            "kappa": self.kappa.to_mapping(),
            "alpha": self.alpha.to_mapping(),
            "confusion": [asdict(cell) for cell in self.table],
        }


def measure_agreement(pairs: Sequence[tuple[str, str]]) -> Agreement:
    """Percent agreement, kappa and alpha of what two raters said of each item.

    Raises MissingExtraError without nltk, which computes the coefficients.
    Source: Cohen, Educational and Psychological Measurement 20, 1960; Krippendorff, Computing
    Krippendorff's Alpha-Reliability, 2011.
    """
    counts = Counter(pairs)
    same = sum(count for (first, second), count in counts.items() if first == second)
    table = tuple(Confusion(*pair, counts[pair]) for pair in sorted(counts))
    undefined = _undefined(pairs, ONE_LABEL)
    if undefined is not None:
        return Agreement(Rate(same, len(pairs)), undefined, undefined, table)
    task = _task(pairs)
    kappa, alpha = _rounded(task.kappa()), _rounded(task.alpha())
    return Agreement(Rate(same, len(pairs)), kappa, alpha, table)


def interval_alpha(pairs: Sequence[tuple[float, float]]) -> Coefficient:
    """Krippendorff's alpha of values on an interval scale, taken to three decimals.

    Raises MissingExtraError without nltk. Source: as `measure_agreement`.
    """
    values = [(round(a, _VALUE_DECIMALS), round(b, _VALUE_DECIMALS)) for a, b in pairs]
    return _undefined(values, ONE_VALUE) or _rounded(_task(values, interval=True).alpha())


def require_nltk() -> None:
    """Raises MissingExtraError where the library that computes the coefficients is missing."""
    if find_spec("nltk") is None:
        raise MissingExtraError("Agreement between raters", "agreement")


def _undefined(pairs: Sequence[tuple[Hashable, Hashable]], one: str) -> Coefficient | None:
    """The coefficients are quotients; nltk calls them 1 where the divisor is 0. We do not."""
    require_nltk()
    if not pairs:
        return Coefficient(None, NOTHING)
    said = {label for pair in pairs for label in pair}
    return Coefficient(None, one) if len(said) == 1 else None


def _task(pairs: Sequence[tuple[Hashable, Hashable]], *, interval: bool = False) -> AnnotationTask:
    from nltk.metrics.agreement import AnnotationTask
    from nltk.metrics.distance import binary_distance, interval_distance

    rows = [
        (rater, item, label)
        for item, pair in enumerate(pairs)
        for rater, label in zip((_FIRST, _SECOND), pair, strict=True)
    ]
    return AnnotationTask(rows, distance=interval_distance if interval else binary_distance)


def _rounded(value: float) -> Coefficient:
    return Coefficient(round(float(value), _DECIMALS) + 0.0)
