"""A run as JUnit XML, which every CI system shows."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree as ET

from veridical.evaluation.gates import GateResult
from veridical.evaluation.run import ChatError, EvalRun, Outcome, QuestionResult, what_came_of
from veridical.validation.reports.junit import legal

SUITE = "veridical eval"


def render_junit(run: EvalRun, gates: Sequence[GateResult] = ()) -> str:
    """The run as one test suite with a test case for each question, and for each gate.

    A response that is not right is a failure, with its outcome and its problems; a question without
    a response is an error. Problems that cost no score are output. The time of a case is the
    client's, in seconds.
    """
    outcomes = [what_came_of(result) for result in run.results]
    errors = outcomes.count(Outcome.ERROR)
    failures = len(outcomes) - errors - outcomes.count(Outcome.RIGHT)
    counts = {
        "name": SUITE,
        "tests": str(len(outcomes) + len(gates)),
        "failures": str(failures + sum(not gate.holds for gate in gates)),
        "errors": str(errors),
        "time": _seconds(sum(result.client_ms for result in run.results)),
    }
    root = ET.Element("testsuites", counts)
    suite = ET.SubElement(root, "testsuite", {**counts, "skipped": "0"})
    for result, outcome in zip(run.results, outcomes, strict=True):
        _add_question(suite, result, outcome)
    for gate in gates:
        case = _case(suite, "gates", gate.gate.name)
        if not gate.holds:
            ET.SubElement(case, "failure", {"type": "gate", "message": legal(gate.told)})
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, "unicode") + "\n"


def _add_question(suite: ET.Element, result: QuestionResult, outcome: Outcome) -> None:
    question = result.question
    topic = question.topic or ("answerable" if question.answerable else "unanswerable")
    case = _case(suite, topic, f"{question.id}: {question.question}", result.client_ms)
    if isinstance(result.response, ChatError):
        reason = legal(result.response.reason)
        ET.SubElement(case, "error", {"type": outcome.value, "message": reason})
        return
    problems = list(result.scores.problems) if result.scores else []
    told = legal("\n".join([*problems, "", "Answer:", result.response.answer]))
    if outcome is not Outcome.RIGHT:
        message = legal("; ".join(problems))
        failure = ET.SubElement(case, "failure", {"type": outcome.value, "message": message})
        failure.text = told
    elif problems:
        ET.SubElement(case, "system-out").text = told


def _case(suite: ET.Element, group: str, name: str, time_ms: float = 0.0) -> ET.Element:
    named = {"classname": f"eval.{legal(group)}", "name": legal(name), "time": _seconds(time_ms)}
    return ET.SubElement(suite, "testcase", named)


def _seconds(milliseconds: float) -> str:
    return f"{milliseconds / 1000:.6f}"
