"""How good is a judge? Rates with their denominators and intervals, and what they must beat.

Everything here is about one question: does the evidence bear the whole claim out? A *false pass* is
a claim called supported that is not, a *false strip* one that is supported and not called so.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

Z_95 = 1.959963984540054
"""Standard normal quantile of a two-sided 95 % interval."""

BINS = 10
"""Bins of equal width in which the calibration error is taken."""

_DIGITS = 6
"""Decimals that are reported: the same on every machine."""


@dataclass(frozen=True, slots=True)
class Rate:
    """`count` of `of`. `clustering` is the design effect, 1 where the rows are independent."""

    count: int
    of: int
    clustering: float = 1.0

    @property
    def value(self) -> float | None:
        """The rate, 0 to 1; None of nothing."""
        return self.count / self.of if self.of else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """95 % Wilson interval; of rows that hang together, with the size they are worth.

        Source: Wilson, JASA 22, 1927; Korn and Graubard, Survey Methodology 24, 1998.
        """
        return wilson(self.count / self.of, self.of / self.clustering) if self.of else None

    def to_mapping(self) -> dict[str, Any]:
        """As plain data, ready for JSON."""
        return {
            "value": rounded(self.value),
            "count": self.count,
            "of": self.of,
            "interval": _rounded_pair(self.interval),
        }


@dataclass(frozen=True, slots=True)
class BalancedAccuracy:
    """Mean of the rates at which supported claims pass and others do not: 0.5 is worth nothing.

    The 95 % interval joins the Wilson intervals of the two by squaring and adding.
    Source: Newcombe, Statistics in Medicine 17, 1998; Zou and Donner, ibid. 27, 2008.
    """

    passed: Rate
    stopped: Rate

    @property
    def value(self) -> float | None:
        """The balanced accuracy, 0 to 1; None where one of the two kinds is missing."""
        if self.passed.value is None or self.stopped.value is None:
            return None
        return (self.passed.value + self.stopped.value) / 2

    @property
    def interval(self) -> tuple[float, float] | None:
        """95 % interval; it takes into account that rows of one group resemble each other."""
        if self.value is None:
            return None
        parts = [(r.value, r.interval) for r in (self.passed, self.stopped)]
        low = math.hypot(*(v - i[0] for v, i in parts if v is not None and i is not None)) / 2
        high = math.hypot(*(i[1] - v for v, i in parts if v is not None and i is not None)) / 2
        return max(0.0, self.value - low), min(1.0, self.value + high)

    def to_mapping(self) -> dict[str, Any]:
        """As plain data, ready for JSON."""
        return {
            "value": rounded(self.value),
            "of": self.passed.of + self.stopped.of,
            "supported": self.passed.of,
            "others": self.stopped.of,
            "interval": _rounded_pair(self.interval),
        }


@dataclass(frozen=True, slots=True)
class Outcome:
    """Yes or no, row by row, against the truth."""

    accuracy: Rate
    balanced: BalancedAccuracy
    false_pass: Rate
    false_strip: Rate

    def to_mapping(self) -> dict[str, Any]:
        """As plain data, ready for JSON."""
        return {
            "accuracy": self.accuracy.to_mapping(),
            "balanced_accuracy": self.balanced.to_mapping(),
            "false_pass": self.false_pass.to_mapping(),
            "false_strip": self.false_strip.to_mapping(),
        }


def outcome(
    truth: Sequence[bool], said: Sequence[bool], groups: Sequence[int] | None = None
) -> Outcome:
    """Accuracy, balanced accuracy, false passes (of what is not supported) and false strips (of
    what is). `groups` tell which rows hang together; without them each stands for itself.
    """
    which = range(len(truth)) if groups is None else groups
    rows = list(zip(truth, said, which, strict=True))
    wrong_of = [(s != t, group) for t, s, group in rows]
    passes = [(s, group) for t, s, group in rows if not t]
    strips = [(not s, group) for t, s, group in rows if t]
    errors, false_pass, false_strip = _rate(wrong_of), _rate(passes), _rate(strips)
    return Outcome(
        _rest(errors), BalancedAccuracy(_rest(false_strip), _rest(false_pass)),
        false_pass, false_strip,
    )  # fmt: skip


def _rest(rate: Rate) -> Rate:
    return Rate(rate.of - rate.count, rate.of, rate.clustering)


def _rate(rows: Sequence[tuple[bool, int]]) -> Rate:
    return Rate(sum(hit for hit, _ in rows), len(rows), _design_effect(rows))


def _design_effect(rows: Sequence[tuple[bool, int]]) -> float:
    """How many grouped rows are worth one independent row: the ratio of the two variances of the
    mean, and never less than 1.
    """
    n, of_group = len(rows), defaultdict(list)
    for hit, group in rows:
        of_group[group].append(hit)
    hits = sum(hit for hit, _ in rows)
    independent = hits * (n - hits) / (n - 1) if n > 1 else 0.0
    if not independent or len(of_group) < 2:
        return 1.0
    residuals = (sum(members) - len(members) * hits / n for members in of_group.values())
    clustered = sum(r * r for r in residuals) * len(of_group) / (len(of_group) - 1)
    return max(1.0, min(clustered / independent, float(n)))


def wilson(share: float, n: float) -> tuple[float, float]:
    """The 95 % interval of a share of `n` rows, inside 0 and 1."""
    spread = Z_95 * Z_95 / n
    middle = (share + spread / 2) / (1 + spread)
    half = math.sqrt(spread * (share * (1 - share) + spread / 4)) / (1 + spread)
    return max(0.0, min(middle - half, share)), min(1.0, max(middle + half, share))


def auc(truth: Sequence[bool], scores: Sequence[float]) -> float | None:
    """The chance that a true row scores above a false one, a tie counting half.

    None where one of the two kinds is missing.
    """
    positives = sum(truth)
    negatives = len(truth) - positives
    if not positives or not negatives:
        return None
    below, pairs = 0, 0.0
    for _, true, false in reversed(_counts(truth, scores)):
        pairs += true * (below + false / 2)
        below += false
    return pairs / (positives * negatives)


def _counts(truth: Sequence[bool], scores: Sequence[float]) -> list[tuple[float, int, int]]:
    """Each score, highest first, with how many true and how many false rows have it."""
    rows = Counter(zip(scores, truth, strict=True))
    return [(s, rows[s, True], rows[s, False]) for s in sorted(set(scores), reverse=True)]


def calibration_error(truth: Sequence[bool], probabilities: Sequence[float]) -> float | None:
    """Expected calibration error: what probability and frequency differ by, averaged over the rows
    of ten bins of equal width. None without rows.

    Source: Guo et al., On Calibration of Modern Neural Networks, 2017.
    """
    if not truth:
        return None
    bins: dict[int, list[tuple[bool, float]]] = defaultdict(list)
    for is_true, probability in zip(truth, probabilities, strict=True):
        bins[min(int(probability * BINS), BINS - 1)].append((is_true, probability))
    gaps = (abs(math.fsum(p - t for t, p in rows)) for _, rows in sorted(bins.items()))
    return math.fsum(gaps) / len(truth)


def majority(truth: Sequence[bool]) -> Outcome:
    """What one gets by always giving the more frequent answer; a tie counts as not supported."""
    return outcome(truth, [sum(truth) * 2 > len(truth)] * len(truth))


def best_threshold(truth: Sequence[bool], scores: Sequence[float]) -> float:
    """The threshold, at or above which to say yes, with the best balanced accuracy; of equals the
    highest, which passes the fewest. Infinite where one of the two kinds is missing.
    """
    positives = sum(truth)
    negatives = len(truth) - positives
    if not positives or not negatives:
        return math.inf
    best, best_gain, hits, alarms = math.inf, 0, 0, 0
    for score, true, false in _counts(truth, scores):
        hits += true
        alarms += false
        gain = hits * negatives - alarms * positives
        if gain > best_gain:
            best, best_gain = score, gain
    return best


def by_folds(
    truth: Sequence[bool], scores: Sequence[float], folds: Sequence[int]
) -> tuple[bool, ...]:
    """Yes or no for each row, by the best threshold of the rows that are not in its fold."""
    said = [False] * len(truth)
    for fold in sorted(set(folds)):
        others = [i for i, of_row in enumerate(folds) if of_row != fold]
        threshold = best_threshold([truth[i] for i in others], [scores[i] for i in others])
        for i, of_row in enumerate(folds):
            if of_row == fold:
                said[i] = scores[i] >= threshold
    return tuple(said)


def rounded(value: float | None) -> float | None:
    """A figure with the decimals that are reported."""
    return None if value is None else round(value, _DIGITS)


def _rounded_pair(pair: tuple[float, float] | None) -> list[float] | None:
    return None if pair is None else [round(bound, _DIGITS) for bound in pair]
