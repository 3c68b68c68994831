"""What a run comes to: its summary, the gates that it must pass, and the file for CI."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.evaluation.responses import ASKED, GOOD, LEAVE, REFUSED, TRAP, response
from tests.evaluation.runs import result, run

from veridical.errors import ConfigurationError
from veridical.evaluation.junit import render_junit
from veridical.evaluation.run import ChatError, EvalRun
from veridical.evaluation.summary import (
    Summary,
    check_gates,
    parse_gates,
    percentile,
    shown_percent,
    summarise,
)
from veridical.judging.metrics import Rate


def test_each_metric_has_its_own_denominator() -> None:
    unknown = replace(ASKED, id="q3", expected=())
    summary = summarise(
        run(
            result(ASKED, GOOD),
            result(unknown, response("Two days [1].", LEAVE)),
            result(replace(ASKED, id="q4"), REFUSED),
            result(TRAP, REFUSED),
            result(replace(TRAP, id="q5"), GOOD),
            result(replace(ASKED, id="q6"), ChatError("HTTP 500")),
            result(replace(TRAP, id="q7"), ChatError("HTTP 500")),
        )
    )
    counted = {name: (rate.count, rate.of) for name, rate in summary.rates.items()}
    assert counted == {
        "groundedness": (3, 7),
        "citation_accuracy": (2, 7),
        "correct": (2, 6),
        "answered": (2, 4),
        "refused": (1, 3),
        "false_answers": (1, 3),
        "false_refusals": (1, 4),
        "citation_precision": (0, 0),
        "citation_recall": (0, 0),
    }
    assert (summary.questions, summary.errors) == (7, 2)
    assert summary.client_latency_ms.of == 5


def test_latency_is_of_the_responses_that_came_by_client_and_by_server() -> None:
    times = [10.0, 20.0, 30.0, 40.0]
    results = [result(replace(ASKED, id=str(ms)), GOOD, ms) for ms in times]
    silent = replace(GOOD, latency_ms=None)
    failed = result(replace(ASKED, id="e"), ChatError("slow"), client_ms=60_000.0)
    summary = summarise(run(*results, result(replace(ASKED, id="s"), silent, 50.0), failed))
    client, server = summary.client_latency_ms, summary.server_latency_ms
    assert (client.p50, client.p95, client.of) == (30.0, 48.0, 5)
    assert (server.p50, server.p95, server.of) == (12.5, 12.5, 4)


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=50), st.sampled_from([0, 50, 95, 100]))
def test_percentiles_are_those_of_numpy(values: list[float], percent: int) -> None:
    assert percentile(values, percent) == pytest.approx(float(np.percentile(values, percent)))


@pytest.mark.parametrize(
    ("rate", "shown"),
    [
        (Rate(25, 25), "100.0 %"),
        (Rate(2_999, 3_000), "99.9 %"),
        (Rate(1, 3_000), "0.1 %"),
        (Rate(0, 5), "0.0 %"),
        (Rate(0, 0), "none"),
    ],
)
def test_some_is_never_shown_as_all_or_none(rate: Rate, shown: str) -> None:
    assert shown_percent(rate) == shown


# --- gates --------------------------------------------------------------------------------------


@pytest.fixture
def summary() -> Summary:
    """One of two grounded; 10 and 30 ms; no judge."""
    good = result(ASKED, GOOD, 10.0)
    return summarise(run(good, result(TRAP, GOOD, 30.0)))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "no metric ''; there are groundedness, citation, correct, answered, refused, "),
        ("grounded=1", "precision, recall, p50, p95"),
        ("groundedness=101", "from 0 to 100"),
        ("groundedness=1_0", "from 0 to 100"),
        (
            "groundedness=0.95",
            "0.95 per cent, which nearly every run reaches; write groundedness=95",
        ),
        ("groundedness=nan", "from 0 to 100"),
        ("p95=inf", "milliseconds, from 0 up"),
        ("p95=5,p95=6", "p95 is given twice"),
        ("groundedness=95,", "no metric ''"),
    ],
)
def test_what_is_no_gate(text: str, told: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        parse_gates(text)
    assert told in str(caught.value)


@pytest.mark.parametrize(
    ("text", "holds", "told"),
    [
        ("groundedness=50", True, "groundedness: 50.0 % (1 of 2), at least 50 %"),
        ("groundedness=50.1", False, "groundedness: 50.0 % (1 of 2), at least 50.1 %"),
        ("precision=0", False, "precision: nothing was measured"),
        ("p50=20", True, "p50: 20 ms over 2 of 2 replies, at most 20 ms"),
        ("p95=28.9", False, "p95: 29 ms over 2 of 2 replies, at most 28.9 ms"),
    ],
)
def test_a_gate_holds_or_not(summary: Summary, text: str, holds: bool, told: str) -> None:
    (checked,) = check_gates(parse_gates(text), summary)
    assert checked.holds is holds
    assert told in checked.told


def test_replies_that_never_came_are_not_left_out_of_a_bound_of_time() -> None:
    quick = result(ASKED, GOOD, 5.0)
    summary = summarise(run(quick, *[result(TRAP, ChatError("too slow"))] * 24))
    (gate,) = check_gates(parse_gates("p95=500"), summary)
    assert not gate.holds
    assert "5 ms over 1 of 25 replies" in gate.told


# --- as a file for CI -------------------------------------------------------------------------


def test_failures_errors_and_gates_are_told_as_such() -> None:
    hostile = "No <b>&\x00\x1b[31m]]>\ud800 answer"
    invented = GOOD.answer + '\nQuote: "Invented" [1]'
    results = (
        result(ASKED, GOOD, 250.0),
        result(replace(ASKED, id="bad", question=hostile), response(hostile, LEAVE), 250.0),
        result(
            replace(ASKED, id="note"),
            response(invented, LEAVE),
            250.0,
        ),
        result(TRAP, REFUSED, 250.0),
        result(replace(TRAP, id="err"), ChatError("HTTP 500"), 15.0),
    )
    asked = EvalRun("test", "2026-01-02T03:04:05Z", "0" * 64, "", results)
    gates = check_gates(parse_gates("groundedness=99,answered=100"), summarise(asked))
    root = ET.fromstring(render_junit(asked, gates))  # noqa: S314 - our own
    assert {name: root.get(name) for name in ("tests", "failures", "errors", "time")} == {
        "tests": "7",
        "failures": "2",
        "errors": "1",
        "time": "1.015000",
    }
    cases = {case.get("name"): case for case in root.iter("testcase")}
    assert [case.get("classname") for case in cases.values()] == [
        *["eval.pto"] * 3, *["eval.other"] * 2, *["eval.gates"] * 2,
    ]  # fmt: skip
    bad = cases["bad: No <b>&[31m]]> answer"]
    failure = bad.find("failure")
    assert failure is not None
    assert failure.get("type") == "not_grounded"
    assert "the answer has no bracket-style citations" in str(failure.get("message"))
    assert "No <b>&[31m]]> answer" in str(failure.text)
    noted = cases[f"note: {ASKED.question}"]
    assert noted.find("failure") is None
    assert 'the quote "Invented" does not stand in source 1' in str(noted.findtext("system-out"))
    error = cases[f"err: {TRAP.question}"].find("error")
    assert error is not None
    assert error.get("message") == "HTTP 500"
    held = [gate.find("failure") is None for gate in (cases["groundedness"], cases["answered"])]
    assert held == [False, True]
