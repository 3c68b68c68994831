"""What two runs took for the same questions, and the test of a difference between pairs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile
from statistics import median
from typing import Any

from veridical.evaluation.summary import percentile

_ONE_IN = 20
"""An interval may miss what it is for once in so many times."""

_DIGITS = 3
"""Decimals of a millisecond that are reported."""


def sign_test(worse: int, better: int) -> float:
    """How probable so uneven a split is if both directions are equally likely: exact, two-sided.

    1 where nothing differs. Source: Conover, Practical Nonparametric Statistics, 1999, section 3.4.
    """
    n, fewer = worse + better, min(worse, better)
    tail = next(islice(_lower_tails(n), fewer, None))
    return min(1.0, 2 * tail / (1 << n))


def _lower_tails(n: int) -> Iterator[int]:
    """In how many of the 2**n ways n coins fall there are at most 0, 1, 2 ... heads."""
    ways, tail = 1, 0
    for heads in range(n + 1):
        tail += ways
        yield tail
        ways = ways * (n - heads) // (heads + 1)


@dataclass(frozen=True, slots=True)
class PairedLatency:
    """Times of the same questions in two runs, in milliseconds.

    `median_change` is the median of the differences, question by question, above 0 where the second
    run is slower, with its 95 % interval; None where there are too few questions for one.
    """

    questions: int
    p50: tuple[float, float]
    p95: tuple[float, float]
    median_change: float
    interval: tuple[float, float] | None
    slower: int
    faster: int

    @property
    def p_value(self) -> float:
        """The sign test of slower against faster."""
        return sign_test(self.slower, self.faster)

    def to_mapping(self) -> dict[str, Any]:
        """As plain data, ready for JSON."""
        return {
            "questions": self.questions,
            "p50": _rounded(self.p50),
            "p95": _rounded(self.p95),
            "median_change": round(self.median_change, _DIGITS),
            "interval": self.interval and _rounded(self.interval),
            "slower": self.slower,
            "faster": self.faster,
            "p_value": self.p_value,
        }


def paired_latency(pairs: Sequence[tuple[float, float]]) -> PairedLatency | None:
    """Times before and after, compared; None where there are none."""
    before = _percentiles([was for was, _ in pairs])
    after = _percentiles([now for _, now in pairs])
    if before is None or after is None:
        return None
    changes = sorted(now - was for was, now in pairs)
    return PairedLatency(
        questions=len(pairs),
        p50=(before[0], after[0]),
        p95=(before[1], after[1]),
        median_change=median(changes),
        interval=median_interval(changes),
        slower=sum(change > 0 for change in changes),
        faster=sum(change < 0 for change in changes),
    )


def median_interval(ordered: Sequence[float]) -> tuple[float, float] | None:
    """An interval that holds the median at least 95 times in 100, whatever the distribution: two
    of the values, which must be in order. None below six of them: no two values hold so much.

    Source: Thompson, Annals of Mathematical Statistics 7, 1936.
    """
    n = len(ordered)
    rare = takewhile(lambda tail: 2 * tail * _ONE_IN <= 1 << n, _lower_tails(n))
    out = sum(1 for _ in rare)
    return (ordered[out - 1], ordered[n - out]) if out else None


def _percentiles(times: Sequence[float]) -> tuple[float, float] | None:
    p50, p95 = percentile(times, 50), percentile(times, 95)
    return None if p50 is None or p95 is None else (p50, p95)


def _rounded(pair: tuple[float, float]) -> list[float]:
    return [round(value, _DIGITS) for value in pair]
