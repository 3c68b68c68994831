"""A DSPy program that is scored by how well its sources bear it out. The model is scripted."""

from __future__ import annotations

import dspy
from dspy.utils import DummyLM

from veridical.integrations.dspy import grounded_metric

HANDBOOK = [
    "Full-time staff are entitled to 27 days of annual leave in each leave year.",
    "Up to five days may be carried over into the next leave year.",
]
ANSWERS = [
    {"answer": "Full-time staff are entitled to 27 days of annual leave in each leave year."},
    {"answer": "Up to six days may be carried over into the next leave year."},
]
EXAMPLES = [
    dspy.Example(question=question, context=HANDBOOK).with_inputs("question", "context")
    for question in ("How much leave is there?", "How much can be carried over?")
]


def run() -> dspy.Prediction:
    """The evaluation of the program over the examples."""
    with dspy.context(lm=DummyLM(ANSWERS)):  # put your own model here
        program = dspy.Predict("context: list[str], question: str -> answer: str")
        evaluate = dspy.Evaluate(devset=EXAMPLES, metric=grounded_metric(), num_threads=1)
        return evaluate(program)


if __name__ == "__main__":
    print(run().score)
    told = grounded_metric("examples/sources", feedback=True)
    wrong = dspy.Prediction(answer="Full-time staff are entitled to 28 days of annual leave.")
    print(told(EXAMPLES[0], wrong).feedback)
