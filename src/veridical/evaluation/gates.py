"""Bounds that a run must keep, for CI: `groundedness=95,citation=95,p95=500`."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from veridical.errors import ConfigurationError
from veridical.evaluation.summary import Summary, shown_percent
from veridical.judging.metrics import Rate

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
