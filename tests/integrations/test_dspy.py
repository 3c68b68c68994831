"""The DSPy metric in an evaluation, in optimisation and with feedback; the model is scripted."""

# ruff: noqa: E402 - what follows needs the tool

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest
from tests.integrations.conftest import needs
from tests.integrations.leave import (
    CARRIED,
    ENTITLED,
    EXAMPLES,
    INVENTED,
    NO_CLAIMS,
    POLICY,
    WRONG,
    example,
)

from veridical import ConfigurationError, document_from_text

dspy: Any = needs("dspy")
bootstrap_trace: Any = needs("dspy.teleprompt.bootstrap_trace")

from veridical.integrations.dspy import grounded_metric

BOTH = f"{WRONG} {CARRIED}"
ASKED = dspy.Example(question="How much leave is there?", context=[POLICY])

OFFLINE = """
import runpy, socket, sys
def refuse(*_): raise SystemExit("the network was asked for")
socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse
runpy.run_path(sys.argv[1], run_name="__main__")
"""


def test_the_example_needs_no_network() -> None:
    done = subprocess.run(
        [sys.executable, "-c", OFFLINE, str(EXAMPLES / "dspy" / "evaluate.py")],
        cwd=EXAMPLES.parents[1],
        env={**os.environ, "LITELLM_LOCAL_MODEL_COST_MAP": "True"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("50.0\n0 of 1 claims supported")


def test_an_evaluation() -> None:
    found = example("dspy/evaluate.py").run()
    assert found.score == 50.0
    assert [score for *_, score in found.results] == [1.0, 0.0]


@pytest.mark.parametrize(
    ("answer", "score", "passes"),
    [
        (ENTITLED, 1.0, True),
        (BOTH, 0.5, False),
        (INVENTED, 0.0, False),
        (None, 0.0, False),
        *[(answer, 0.0, False) for answer in NO_CLAIMS],
    ],
)
def test_a_number_in_evaluation_and_a_verdict_in_optimisation(
    answer: str | None, score: float, passes: bool
) -> None:
    metric = grounded_metric()
    prediction = dspy.Prediction(answer=answer)
    assert metric(ASKED, prediction) == score
    assert metric(ASKED, prediction, trace=[]) is passes
    told = grounded_metric(feedback=True)(ASKED, prediction, None, "answer", None)
    assert told.score == score
    assert ("supported by the sources" in told.feedback) or "Nothing was checked" in told.feedback


@pytest.mark.parametrize("feedback", [False, True])
def test_optimisation_keeps_what_is_grounded(feedback: bool) -> None:
    trainset = [
        dspy.Example(question=question, context=[POLICY]).with_inputs("question", "context")
        for question in ("How much?", "How much can be carried over?")
    ]
    with dspy.context(lm=dspy.utils.DummyLM([{"answer": WRONG}, {"answer": CARRIED}])):
        program = dspy.Predict("context: list[str], question: str -> answer: str")
        teacher = dspy.BootstrapFewShot(
            metric=grounded_metric(feedback=feedback), max_labeled_demos=0
        )
        compiled = teacher.compile(program, trainset=trainset)
    assert [demo.answer for demo in compiled.demos] == [CARRIED]


@pytest.mark.parametrize("feedback", [False, True])
def test_what_is_kept_without_a_trace_is_grounded(feedback: bool) -> None:
    """As BootstrapFinetune does it: `if entry["score"]`, from a metric that is given no trace."""
    asked = dspy.Example(question="How much?", context=[POLICY])
    with dspy.context(lm=dspy.utils.DummyLM([{"answer": WRONG}, {"answer": CARRIED}])):
        found = bootstrap_trace.bootstrap_trace_data(
            dspy.Predict("context: list[str], question: str -> answer: str"),
            [asked.with_inputs("question", "context")] * 2,
            metric=grounded_metric(feedback=feedback),
            num_threads=1,
        )
    assert [entry["prediction"].answer for entry in found if entry["score"]] == [CARRIED]


def test_a_score_with_feedback_is_true_only_where_the_answer_passes() -> None:
    metric = grounded_metric(feedback=True)
    told = {answer: metric(ASKED, dspy.Prediction(answer=answer)) for answer in (ENTITLED, BOTH)}
    assert [bool(score) for score in told.values()] == [True, False]
    assert [float(score) for score in told.values()] == [1.0, 0.5]
    assert [bool(score.copy()) for score in told.values()] == [True, False]


def test_where_answer_and_sources_may_stand() -> None:
    policy = document_from_text(POLICY, "leave.md")
    own = dspy.Prediction(response=ENTITLED, passages=POLICY)
    assert grounded_metric(answer="response", context="passages")(dspy.Example(), own) == 1.0
    both = dspy.Prediction(answer=INVENTED, context=[INVENTED])
    assert grounded_metric()(ASKED, both) == 1.0, "what was retrieved, not what the example has"
    assert grounded_metric([policy])(ASKED, both) == 0.0
    nothing = dspy.Prediction(answer="")
    assert grounded_metric(allow_no_claims=True)(ASKED, nothing) == 1.0


@pytest.mark.parametrize(
    ("example", "prediction", "told"),
    [
        (ASKED, dspy.Prediction(response=ENTITLED), "it has response"),
        (ASKED, dspy.Prediction(answer=7), "no text in the field 'answer'"),
        (dspy.Example(), dspy.Prediction(answer=ENTITLED), "neither the prediction nor"),
    ],
)
def test_what_cannot_be_checked(example: Any, prediction: Any, told: str) -> None:
    with pytest.raises(ConfigurationError, match=told):
        grounded_metric()(example, prediction)
