from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree as ET

from tests.evaluation.responses import ASKED, GOOD, LEAVE, REFUSED, TRAP, response
from tests.evaluation.runs import result

from veridical.evaluation.junit import render_junit
from veridical.evaluation.run import ChatError, ChatResponse, EvalQuestion, EvalRun, QuestionResult
from veridical.evaluation.summary import check_gates, parse_gates, summarise


def scored(question: EvalQuestion, given: ChatResponse) -> QuestionResult:
    return result(question, given, 250.0)


def run_of(*results: QuestionResult) -> EvalRun:
    return EvalRun("test", "2026-01-02T03:04:05Z", "0" * 64, "", results)


def test_failures_errors_and_gates_are_told_as_such() -> None:
    hostile = "No <b>&\x00\x1b[31m]]>\ud800 answer"
    run = run_of(
        scored(ASKED, GOOD),
        scored(replace(ASKED, id="bad", question=hostile), response(hostile, LEAVE)),
        scored(replace(ASKED, id="note"), response(GOOD.answer + '\nQuote: "Invented" [1]', LEAVE)),
        scored(TRAP, REFUSED),
        result(replace(TRAP, id="err"), ChatError("HTTP 500"), 15.0),
    )
    gates = check_gates(parse_gates("groundedness=99,answered=100"), summarise(run))
    root = ET.fromstring(render_junit(run, gates))  # noqa: S314 - our own
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


def test_a_wrong_refusal_and_a_wrong_answer_are_failures_of_their_own_types() -> None:
    run = run_of(scored(ASKED, REFUSED), scored(TRAP, GOOD))
    root = ET.fromstring(render_junit(run))  # noqa: S314 - our own
    types = [failure.get("type") for failure in root.iter("failure")]
    assert types == ["wrongly_refused", "wrongly_answered"]
