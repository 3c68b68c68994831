"""A judge fitted to a user's own data: its probabilities and thresholds, from labelled rows.

What a judge lacks most on new data is calibration. A straight line through its log-odds (Platt
scaling) mends the probabilities, and thresholds on them make the operating points mean there what
they say: few false passes at the strict one, few false strips at the lenient one.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from veridical.codec import Codec, Form
from veridical.errors import ConfigurationError
from veridical.judging.bearing import similarity_at
from veridical.judging.judge import (
    Case,
    Judge,
    JudgeFailure,
    Judgement,
    JudgesTogether,
    OperatingPoint,
    SupportLevel,
    judge_groups,
)
from veridical.judging.schemas import load_schema
from veridical.judging.veto import describe, vetoes
from veridical.validation.schema_errors import first_errors

FORMAT = "veridical-calibration-1"

_EDGE = 0.005
"""Probabilities are kept this far from 0 and 1 before their log-odds are taken: a few that are
surer than that would else turn the line by themselves."""

_MAX_BYTES = 1024 * 1024
_MARK_DIGITS = 8


@dataclass(frozen=True, slots=True)
class Calibration:
    """A line through a judge's log-odds, and the thresholds on what comes out.

    `judge` names the judge that it was fitted to, `rows` and `supported` how many rows it was
    fitted on and how many of them were supported. Thresholds are calibrated probabilities from
    which support is full: strict at or above balanced, and that at or above lenient.
    """

    judge: str
    slope: float
    intercept: float
    strict: float
    balanced: float
    lenient: float
    rows: int
    supported: int

    def probability(self, raw: float) -> float:
        """The calibrated probability for a judge's own, both 0 to 1."""
        return sigmoid(self.slope * log_odds(raw) + self.intercept)

    @property
    def mark(self) -> str:
        """Tells calibrations apart: the beginning of a hash of everything in it."""
        told = json.dumps(self.to_mapping(), sort_keys=True)
        return hashlib.sha256(told.encode("utf-8")).hexdigest()[:_MARK_DIGITS]

    def to_mapping(self) -> dict[str, Any]:
        """As plain data in the form of the shipped schema `judge_calibration`."""
        return _CODEC.write(self)

    @classmethod
    def from_mapping(cls, data: object) -> Calibration:
        """Raises ConfigurationError for data that does not fit the schema."""
        problems = first_errors(load_schema("judge_calibration"), data)
        if problems or not isinstance(data, dict):
            raise ConfigurationError(
                f"calibration: {'; '.join(problem.describe() for problem in problems)}. "
                "`veridical ledger calibrate` writes such a file."
            )
        found = _CODEC.read(cls, data)
        if not found.lenient <= found.balanced <= found.strict:
            raise ConfigurationError(
                "calibration: the thresholds must rise from lenient to balanced to strict"
            )
        return found


_CODEC = Codec(
    {
        Calibration: Form(
            {point.value: f"thresholds.{point.value}" for point in OperatingPoint}
            | {"rows": "fitted_on.rows", "supported": "fitted_on.supported"},
            told=lambda data: {"format": FORMAT, **data},
        )
    },
    values={float: (None, float)},
)


def read_calibration(path: str | Path) -> Calibration:
    """The calibration in a file. Raises ConfigurationError for what cannot be used."""
    try:
        with Path(path).open("rb") as file:
            text = file.read(_MAX_BYTES + 1)
        data = json.loads(text) if len(text) <= _MAX_BYTES else None
    except OSError as problem:
        raise ConfigurationError(
            f"calibration: cannot read {path}: {problem.strerror}. Check the path."
        ) from problem
    except (ValueError, RecursionError) as problem:
        raise ConfigurationError(f"calibration: {path} is not valid JSON: {problem}") from problem
    return Calibration.from_mapping(data)


@dataclass(frozen=True, slots=True)
class CalibratedByUser(JudgesTogether):
    """A judge with the probabilities and thresholds of a calibration.

    What the judge has decided beyond probability stays: a contradiction, that a passage does not
    bear on the claim at all, and what it barred from full support. Where the judge does not tell
    of the latter, partial support becomes full only where the words show no sign of saying
    something else (`veridical.judging.veto`), so that no threshold undoes a veto.

    Raises ConfigurationError where the calibration was fitted to another judge.
    """

    base: Judge
    calibration: Calibration

    def __post_init__(self) -> None:
        if self.calibration.judge != self.base.name:
            raise ConfigurationError(
                f"the calibration was fitted to the judge {self.calibration.judge!r}, and this is "
                f"{self.base.name!r}; calibrate this one, or use that one"
            )

    @property
    def name(self) -> str:
        """The judge's name, and which calibration it has."""
        return f"{self.base.name}+calibrated:{self.calibration.mark}"

    @property
    def point(self) -> OperatingPoint:
        """The operating point that the judge decides at."""
        return self.base.point

    def judge_together(
        self, groups: Sequence[Sequence[Case]]
    ) -> list[list[Judgement | JudgeFailure]]:
        """See `JointJudge.judge_together`."""
        judged = judge_groups(self.base, groups)
        return [self.rescaled(*group) for group in zip(groups, judged, strict=True)]

    def rescaled(
        self, cases: Sequence[Case], judged: Sequence[Judgement | JudgeFailure]
    ) -> list[Judgement | JudgeFailure]:
        """What the judge said of some cases, by the calibration."""
        return [
            self._rescaled(case, one) if isinstance(one, Judgement) else one
            for case, one in zip(cases, judged, strict=True)
        ]

    def _rescaled(self, case: Case, judged: Judgement) -> Judgement:
        probability = self.calibration.probability(judged.probability)
        if judged.contradicts:
            return replace(judged, probability=probability)
        full_from: float = getattr(self.calibration, self.point.value)
        support, notes = judged.support, judged.notes
        if probability < full_from:
            support = SupportLevel.PARTIAL if support is SupportLevel.FULL else support
        elif support is SupportLevel.PARTIAL and not judged.barred:
            signs = _unasked_veto(case, judged)
            support = SupportLevel.PARTIAL if signs else SupportLevel.FULL
            notes = f"{notes} Not full support: {signs}".strip() if signs else notes
        similarity = similarity_at(probability, full_from, support)
        return replace(
            judged, support=support, similarity=similarity, probability=probability, notes=notes
        )


def _unasked_veto(case: Case, judged: Judgement) -> str:
    """The veto on a judgement that does not tell of one. A judge that does knows more: what else
    was read for the claim, and whether its words are near enough to be held against it.
    """
    if judged.barred is not None:
        return ""
    return describe(vetoes(case, judged.deciding or (0, len(case.sentences))))


def log_odds(probability: float) -> float:
    """Of a probability, kept a little away from 0 and 1."""
    inside = min(max(probability, _EDGE), 1 - _EDGE)
    return math.log(inside / (1 - inside))


def sigmoid(odds: float) -> float:
    """The probability of log-odds, whatever their size."""
    if odds >= 0:
        return 1 / (1 + math.exp(-odds))
    return math.exp(odds) / (1 + math.exp(odds))
