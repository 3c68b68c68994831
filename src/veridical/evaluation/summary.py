"""What a run comes to, and the bounds that it must keep (`groundedness=95,citation=95,p95=500`).

Groundedness and citation accuracy are shares of *all* questions. A question that got no usable
response counts as not ok there, and is told as an error beside it: leaving it out would let a
server that fails on the hard questions look better than one that tries.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any

from veridical.codec import Codec, Form
from veridical.errors import ConfigurationError
from veridical.evaluation.run import EvalRun, Measure, bears_on, is_right
from veridical.judging.metrics import Rate

_DECIMALS = 3


@dataclass(frozen=True, slots=True)
class Latency:
    """Percentiles of the times of `of` responses, in milliseconds; None of nothing."""

    p50: float | None
    p95: float | None
    of: int


@dataclass(frozen=True, slots=True)
class Summary:
    """The metrics of a run, each with its own denominator.

    `groundedness` and `citation_accuracy` are of all questions. `correct` is of those whose right
    outcome is known: unanswerable ones, and answerable ones with expected facts. `answered` and
    `false_refusals` are of the answerable questions, `refused` and `false_answers` of the others;
    an error is neither an answer nor a refusal. `citation_precision` is of markers and
    `citation_recall` of statements, both by the judge. Latency is of the responses that came, as
    the client and as the server measured it.
    """

    questions: int
    errors: int
    groundedness: Rate
    citation_accuracy: Rate
    correct: Rate
    answered: Rate
    refused: Rate
    false_answers: Rate
    false_refusals: Rate
    citation_precision: Rate
    citation_recall: Rate
    client_latency_ms: Latency
    server_latency_ms: Latency

    @property
    def rates(self) -> dict[str, Rate]:
        """The rates by name, in the order in which they are shown."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in values.items() if isinstance(value, Rate)}

    def to_mapping(self) -> dict[str, Any]:
        """As plain data, ready for JSON."""
        return _CODEC.write(self)


RATE = Form(told=lambda data: Rate(**data).to_mapping())
"""A rate is told with its value and its interval."""

_CODEC = Codec({Rate: RATE})


def summarise(run: EvalRun) -> Summary:
    """The metrics of a run."""
    results = run.results
    scored = [(result, result.scores) for result in results if result.scores is not None]
    scores = [given for _, given in scored]
    answerable = [given.refused for result, given in scored if result.question.answerable]
    unanswerable = [given.refused for result, given in scored if not result.question.answerable]
    known = [result for result in results if bears_on(result.question, Measure.CORRECT)]
    ask, trap = (sum(r.question.answerable is kind for r in results) for kind in (True, False))
    return Summary(
        questions=len(results),
        errors=len(results) - len(scored),
        groundedness=Rate(sum(given.grounded_ok for given in scores), len(results)),
        citation_accuracy=Rate(sum(given.citation_ok for given in scores), len(results)),
        correct=Rate(sum(is_right(result, Measure.CORRECT) for result in known), len(known)),
        answered=Rate(answerable.count(False), ask),
        refused=Rate(unanswerable.count(True), trap),
        false_answers=Rate(unanswerable.count(False), trap),
        false_refusals=Rate(answerable.count(True), ask),
        citation_precision=Rate(sum(g.borne_out for g in scores), sum(g.markers for g in scores)),
        citation_recall=Rate(sum(g.cited for g in scores), sum(g.statements for g in scores)),
        client_latency_ms=_latency(result.client_ms for result, _ in scored),
        server_latency_ms=_latency(r.server_ms for r in results if r.server_ms is not None),
    )


_LEAST_PERCENT = 0.1


def percentile(values: Sequence[float], percent: float) -> float:
    """The percentile of some values, of at least one; `percent` from 0 to 100.

    Between two values it is interpolated linearly: at rank `(n - 1) * percent / 100`, counted from
    0 in ascending order. Source: definition 7 of Hyndman and Fan, The American Statistician 50(4),
    1996; the default of numpy.
    """
    ordered = sorted(values)
    rank = (len(ordered) - 1) * percent / 100
    low, high = math.floor(rank), math.ceil(rank)
    return ordered[low] + (ordered[high] - ordered[low]) * (rank - low)


def shown_percent(rate: Rate) -> str:
    """A rate in per cent with one decimal; less than all is never called 100 %, nor some 0 %."""
    if not rate.of:
        return "none"
    percent = round(100 * rate.count / rate.of, 1)
    if 0 < rate.count < rate.of:
        percent = min(max(percent, _LEAST_PERCENT), 100 - _LEAST_PERCENT)
    return f"{percent:.1f} %"


def _latency(times: Iterable[float]) -> Latency:
    values = list(times)
    if not values:
        return Latency(None, None, 0)
    p50, p95 = (round(percentile(values, percent), _DECIMALS) for percent in (50, 95))
    return Latency(p50, p95, len(values))


_RATES = {
    "groundedness": "groundedness",
    "citation": "citation_accuracy",
    "correct": "correct",
    "answered": "answered",
    "refused": "refused",
    "precision": "citation_precision",
    "recall": "citation_recall",
}
_PERCENTILES = ("p50", "p95")
_NUMBER = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9})?")

GATE_NAMES = (*_RATES, *_PERCENTILES)
"""Rates, in per cent, that must be reached; percentiles of the client's time, in milliseconds,
that must not be passed: what a user waits, not what the server says of itself.
"""


@dataclass(frozen=True, slots=True)
class Gate:
    """A bound by name: at least so many per cent, or at most so many milliseconds."""

    name: str
    bound: float


@dataclass(frozen=True, slots=True)
class GateResult:
    """Whether a gate holds. `told` says what was measured against what, for a reader."""

    gate: Gate
    holds: bool
    told: str


def parse_gates(text: str) -> tuple[Gate, ...]:
    """The gates of `NAME=NUMBER,…`. Raises ConfigurationError that lists the names."""
    gates: dict[str, Gate] = {}
    for part in text.split(","):
        name, sign, number = (piece.strip() for piece in part.partition("="))
        if name not in GATE_NAMES:
            raise ConfigurationError(f"no metric {name[:40]!r}; there are {', '.join(GATE_NAMES)}")
        if name in gates:
            raise ConfigurationError(f"the bound of {name} is given twice")
        gates[name] = Gate(name, _bound(name, number if sign else ""))
    return tuple(gates.values())


def check_gates(gates: tuple[Gate, ...], summary: Summary) -> tuple[GateResult, ...]:
    """Each gate against what was measured. Where nothing was measured, none holds, and none of a
    time where a question has no reply.
    """
    return tuple(
        _check_rate(gate, getattr(summary, _RATES[gate.name]))
        if gate.name in _RATES
        else _check_time(gate, getattr(summary.client_latency_ms, gate.name), summary)
        for gate in gates
    )


def _bound(name: str, number: str) -> float:
    bound = float(number) if _NUMBER.fullmatch(number) else math.nan
    most = 100.0 if name in _RATES else math.inf
    if not 0 <= bound <= most:
        what = "per cent, from 0 to 100" if name in _RATES else "milliseconds, from 0 up"
        raise ConfigurationError(f"{name} needs a number of {what}: {name}=95")
    if name in _RATES and 0 < bound <= 1:
        raise ConfigurationError(
            f"{name}={number} is {number} per cent, which nearly every run reaches; write "
            f"{name}={bound * 100:g} for {bound * 100:g} per cent"
        )
    return bound


def _check_rate(gate: Gate, rate: Rate) -> GateResult:
    if rate.value is None:
        return GateResult(gate, False, f"{gate.name}: nothing was measured")
    # Not rounded: 94.96 % is under 95 %.
    holds = 100 * rate.count >= gate.bound * rate.of
    measured = f"{shown_percent(rate)} ({rate.count} of {rate.of})"
    return GateResult(gate, holds, f"{gate.name}: {measured}, at least {gate.bound:g} %")


def _check_time(gate: Gate, measured: float | None, summary: Summary) -> GateResult:
    """A reply that never came is not a short one: with errors, no bound of time is kept."""
    if measured is None:
        return GateResult(gate, False, f"{gate.name}: nothing was measured")
    replies = f"{summary.client_latency_ms.of} of {summary.questions} replies"
    told = f"{gate.name}: {measured:g} ms over {replies}, at most {gate.bound:g} ms over all"
    return GateResult(gate, measured <= gate.bound and not summary.errors, told)
