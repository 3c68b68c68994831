"""A run as JUnit XML, which every CI system shows."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.evaluation.run import ChatError, EvalRun, Outcome, QuestionResult, what_came_of
from veridical.evaluation.summary import GateResult
from veridical.reports.junit import Case, Found, Suite, render_suites

SUITE = "veridical eval"


def render_junit(run: EvalRun, gates: Sequence[GateResult] = ()) -> str:
    """The run as one test suite with a test case for each question, and for each gate.

    A response that is not right is a failure, with its outcome and its problems; a question without
    a response is an error. Problems that cost no score are output. The time of a case is the
    client's, in seconds.
    """
    cases = [*map(_question, run.results), *map(_gate, gates)]
    time = {"time": _seconds(sum(result.client_ms for result in run.results))}
    return render_suites(SUITE, [Suite(SUITE, cases, more=time)])


def _question(result: QuestionResult) -> Case:
    question, outcome = result.question, what_came_of(result)
    topic = question.topic or ("answerable" if question.answerable else "unanswerable")
    found, output = None, ""
    if isinstance(result.response, ChatError):
        found = Found("error", outcome.value, result.response.reason)
    else:
        problems = list(result.scores.problems) if result.scores else []
        told = "\n".join([*problems, "", "Answer:", result.response.answer])
        if outcome is not Outcome.RIGHT:
            found = Found("failure", outcome.value, "; ".join(problems), told)
        elif problems:
            output = told
    name, more = f"{question.id}: {question.question}", {"time": _seconds(result.client_ms)}
    return Case(f"eval.{topic}", name, found, output, more=more)


def _gate(gate: GateResult) -> Case:
    found = None if gate.holds else Found("failure", "gate", gate.told)
    return Case("eval.gates", gate.gate.name, found, more={"time": _seconds(0.0)})


def _seconds(milliseconds: float) -> str:
    return f"{milliseconds / 1000:.6f}"
