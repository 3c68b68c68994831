"""An Inspect task: is what a model says about leave borne out by the handbook?

    inspect eval examples/integrations/inspect/leave.py

Runs offline with a scripted model. For your own: --model, and leave out `model=` below.
"""

from __future__ import annotations

from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessage, ModelOutput, ModelUsage, get_model
from inspect_ai.solver import generate

from veridical.integrations.inspect_ai import grounded

HANDBOOK = [
    {
        "name": "handbook.md",
        "text": "Full-time staff are entitled to 27 days of annual leave in each leave year. "
        "Up to five days may be carried over into the next leave year.",
    }
]
ANSWERS = {
    "How much leave is there?": (
        "Full-time staff are entitled to 27 days of annual leave in each leave year."
    ),
    "How much can be carried over?": (
        "Up to six days may be carried over into the next leave year. "
        "Full-time staff are entitled to 27 days of annual leave in each leave year."
    ),
    "Is there a company car?": "I cannot find this in the handbook.",
}


def scripted(messages: list[ChatMessage], *_: Any) -> ModelOutput:
    """The answer to the question that was asked last."""
    output = ModelOutput.from_content("mockllm", ANSWERS[messages[-1].text])
    # Without it the mock model counts tokens, with a vocabulary that it fetches from the network.
    output.usage = ModelUsage()
    return output


@task
def leave() -> Task:
    """Three questions; sources in the metadata of each sample."""
    return Task(
        dataset=[Sample(input=question, metadata={"context": HANDBOOK}) for question in ANSWERS],
        solver=generate(),
        scorer=grounded(),
        model=get_model("mockllm/model", custom_outputs=scripted),
    )
