"""A judge fitted to a user's own rows: the fit, the file, and what may never be undone."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.judging.word_judge import WordJudge

from veridical.errors import ConfigurationError, ValidationError
from veridical.judging.calibration import (
    CalibratedByUser,
    Calibration,
    log_odds,
    read_calibration,
    sigmoid,
)
from veridical.judging.calibration_fit import (
    ERROR_RATE,
    LEAST_OF_A_KIND,
    LEAST_ROWS,
    calibrate,
    fit_calibration,
)
from veridical.judging.datasets import Label, LabelledRow
from veridical.judging.judge import Case, JudgeFailure, Judgement, OperatingPoint, SupportLevel

PLAIN = Calibration("words", 1.0, 0.0, 0.9, 0.6, 0.3, 100, 40)
FULL, PARTIAL, NONE = SupportLevel.FULL, SupportLevel.PARTIAL, SupportLevel.NONE


def drawn(
    rows: int, slope: float, intercept: float, seed: int = 3
) -> tuple[list[bool], list[float]]:
    """Rows whose truth follows a line through the log-odds of the probabilities."""
    random_ = random.Random(seed)
    probabilities = [random_.uniform(0.02, 0.98) for _ in range(rows)]
    truth = [random_.random() < sigmoid(slope * log_odds(p) + intercept) for p in probabilities]
    return truth, probabilities


# --- the fit --------------------------------------------------------------------------------------


def test_the_line_is_that_of_a_logistic_regression() -> None:
    from sklearn.linear_model import LogisticRegression

    truth, probabilities = drawn(4_000, 2.0, -1.0)
    fitted = fit_calibration("words", truth, probabilities)
    known = LogisticRegression(C=1e6).fit([[log_odds(p)] for p in probabilities], truth)
    assert fitted.slope == pytest.approx(float(known.coef_[0][0]), abs=0.02)
    assert fitted.intercept == pytest.approx(float(known.intercept_[0]), abs=0.02)


@given(st.integers(0, 10_000))
def test_thresholds_rise_from_lenient_to_strict(seed: int) -> None:
    truth, probabilities = drawn(120, 1.5, -0.5, seed)
    fitted = fit_calibration("words", truth, probabilities)
    assert 0 < fitted.lenient <= fitted.balanced <= fitted.strict <= 1
    assert fitted.rows == 120
    assert fitted.supported == sum(truth)


def test_the_strict_point_keeps_false_passes_of_new_rows_low() -> None:
    rates, strips = [], []
    for seed in range(60):
        truth, probabilities = drawn(150, 1.5, -0.5, seed)
        fitted = fit_calibration("words", truth, probabilities)
        new_truth, new = drawn(400, 1.5, -0.5, 1_000 + seed)
        others = [p for p, is_true in zip(new, new_truth, strict=True) if not is_true]
        supported = [p for p, is_true in zip(new, new_truth, strict=True) if is_true]
        rates.append(sum(fitted.probability(p) >= fitted.strict for p in others) / len(others))
        low = sum(fitted.probability(p) < fitted.lenient for p in supported) / len(supported)
        strips.append(low)
    assert sum(rates) / len(rates) <= ERROR_RATE
    assert sum(strips) / len(strips) <= ERROR_RATE


def test_rows_that_can_be_told_apart_without_error_give_a_finite_line() -> None:
    truth = [True] * 20 + [False] * 20
    fitted = fit_calibration("words", truth, [1.0] * 20 + [0.0] * 20)
    assert math.isfinite(fitted.slope)
    assert 0.9 < fitted.probability(1.0) < 1
    assert fitted.probability(0.0) < fitted.strict <= fitted.probability(1.0)


@pytest.mark.parametrize(
    ("supported", "others"),
    [(0, 100), (100, 0), (LEAST_OF_A_KIND - 1, 100), (100, LEAST_OF_A_KIND - 1), (14, 15), (0, 0)],
)
def test_too_few_rows_are_refused_with_the_reason(supported: int, others: int) -> None:
    truth = [True] * supported + [False] * others
    with pytest.raises(ValidationError, match=f"at least {LEAST_ROWS}, {LEAST_OF_A_KIND} of each"):
        fit_calibration("words", truth, [0.5] * len(truth))


def test_probabilities_that_say_nothing_are_refused() -> None:
    truth, probabilities = drawn(200, 2.0, 0.0)
    for useless in ([0.5] * 200, [1 - p for p in probabilities]):
        with pytest.raises(ValidationError, match="nothing to calibrate"):
            fit_calibration("words", truth, useless)


# --- measured by cross-validation -----------------------------------------------------------------


def labelled(count: int = 80) -> list[LabelledRow]:
    """Claims of four words, supported where at least two of them stand in the evidence."""
    random_ = random.Random(11)
    rows = []
    for number in range(count):
        found = random_.randint(0, 4)
        claim = [f"word{number}x{i}" for i in range(4)]
        label = Label.SUPPORTED if found >= 2 else Label.NOT_ENOUGH
        evidence = " ".join([*claim[:found], f"other{number}"])
        rows.append(LabelledRow(str(number), " ".join(claim), (evidence,), label))
    return rows


def test_calibrating_mends_a_judge_whose_threshold_is_wrong() -> None:
    rows = labelled()
    judge = WordJudge(OperatingPoint.BALANCED)
    report = calibrate(rows, judge)
    before, after = report.before.outcome, report.after.outcome
    assert before.false_strip.value is not None
    assert before.false_strip.value > 0.5
    assert after.balanced.value == 1.0
    assert [result.row.id for result in report.after.results] == [row.id for row in rows]


def test_a_row_is_never_judged_by_a_calibration_that_has_seen_it() -> None:
    """Labels without a pattern: calibrations that had seen their rows would seem to know them."""
    reached = []
    for seed in range(12):
        random_ = random.Random(seed)
        labels = [random_.choice([Label.SUPPORTED, Label.NOT_ENOUGH]) for _ in range(60)]
        rows = [replace(r, label=label) for r, label in zip(labelled(60), labels, strict=True)]
        try:
            report = calibrate(rows, WordJudge(OperatingPoint.BALANCED))
        except ValidationError:
            continue  # said outright that there is nothing to learn
        reached.append(report.after.outcome.balanced.value or 0.0)
    assert reached
    assert sum(reached) / len(reached) < 0.53


# --- what a calibration changes -------------------------------------------------------------------

CASE = Case("dogs chase cats fast", ("dogs chase cats",))


def rescaled(judgement: Judgement, case: Case = CASE, **changes: Any) -> Judgement:
    calibration = replace(PLAIN, **changes)
    base = Fixed(judgement)
    (outcome,) = CalibratedByUser(base, calibration).judge([case])
    assert isinstance(outcome, Judgement)
    return outcome


@dataclass(frozen=True)
class Fixed:
    said: Judgement | JudgeFailure
    name: str = "words"
    point: OperatingPoint = OperatingPoint.BALANCED

    def judge(self, cases: Sequence[Case]) -> list[Judgement | JudgeFailure]:
        return [self.said for _ in cases]


def said(support: SupportLevel, probability: float, **more: Any) -> Judgement:
    similarity = 0.9 if support is FULL else 0.5
    fields: dict[str, Any] = {
        "contradiction": 0.1, "contradicts": False, "directness": 1.0, "deciding": (0, 1),
    }  # fmt: skip
    return Judgement(support, similarity, probability, **{**fields, **more})


@pytest.mark.parametrize(
    ("judgement", "support"),
    [
        (said(FULL, 0.7), FULL),
        (said(FULL, 0.5), PARTIAL),
        (said(PARTIAL, 0.7), FULL),
        (said(PARTIAL, 0.5), PARTIAL),
        (said(NONE, 0.99, deciding=None), NONE),
        (said(PARTIAL, 0.99, contradicts=True), PARTIAL),
    ],
)
def test_thresholds_move_support(judgement: Judgement, support: SupportLevel) -> None:
    outcome = rescaled(judgement)
    assert outcome.support is support
    if not outcome.contradicts:
        assert (outcome.similarity > 0.85) == (support is FULL)
    assert outcome.contradicts == judgement.contradicts


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("Staff receive 20 days", "Staff receive 15 days"),
        ("Staff may work at home", "Staff may not work at home"),
        ("The fee is 5 euros", "The fee is 5 dollars"),
        ("We told Anna so", "We told Emma so"),
    ],
)
def test_no_threshold_undoes_a_veto(claim: str, passage: str) -> None:
    outcome = rescaled(said(PARTIAL, 0.99), Case(claim, (passage,)), lenient=0.01, balanced=0.01)
    assert outcome.support is PARTIAL
    assert "Not full support" in outcome.notes


def test_no_threshold_lifts_what_the_judge_barred() -> None:
    cut = said(PARTIAL, 0.99, barred=True, notes="The claim is too long to be read as a whole.")
    outcome = rescaled(cut, lenient=0.01, balanced=0.01)
    assert (outcome.support, outcome.notes) == (PARTIAL, cut.notes)
    assert outcome.similarity <= 0.85


def test_the_veto_is_not_asked_again_of_a_judge_that_tells_of_it() -> None:
    case = Case("Staff receive 20 days", ("Staff receive 15 days", "Later it was 20 days"))
    outcome = rescaled(said(PARTIAL, 0.99, barred=False), case)
    assert (outcome.support, outcome.notes) == (FULL, "")


def test_a_calibration_belongs_to_one_judge() -> None:
    with pytest.raises(ConfigurationError, match="'words'"):
        CalibratedByUser(Fixed(JudgeFailure("no"), name="other"), PLAIN)


# --- the file -------------------------------------------------------------------------------------


def test_a_calibration_survives_its_file(tmp_path: Path) -> None:
    fitted = fit_calibration("words", *drawn(200, 1.5, -0.5))
    path = tmp_path / "calibration.json"
    path.write_text(json.dumps(fitted.to_mapping()), encoding="utf-8")
    assert read_calibration(path) == fitted


@pytest.mark.parametrize(
    "change",
    [
        {"format": "other"},
        {"slope": -1},
        {"slope": float("nan")},
        {"intercept": None},
        {"thresholds": {"strict": 0.9}},
        {"thresholds": {"strict": 0.1, "balanced": 0.5, "lenient": 0.3}},
        {"thresholds": {"strict": 1.5, "balanced": 0.5, "lenient": 0.3}},
    ],
)
def test_a_file_that_does_not_fit_is_refused(tmp_path: Path, change: dict[str, Any]) -> None:
    path = tmp_path / "calibration.json"
    path.write_text(json.dumps({**PLAIN.to_mapping(), **change}), encoding="utf-8")
    with pytest.raises(ConfigurationError, match="calibration"):
        read_calibration(path)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff", b"[" * 100_000, b" " * 2_000_000])
def test_a_file_that_is_none_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "calibration.json"
    path.write_bytes(content)
    with pytest.raises(ConfigurationError, match="calibration"):
        read_calibration(path)
    with pytest.raises(ConfigurationError, match="cannot read"):
        read_calibration(tmp_path / "nowhere.json")
