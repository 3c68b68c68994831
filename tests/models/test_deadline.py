"""A model that is waited for so long: its call is a part of the trace of whoever asks."""

from __future__ import annotations

from contextvars import ContextVar

from veridical.models.deadline import complete_within
from veridical.models.protocol import Message, ModelRequest, Role
from veridical.models.scripted import ScriptedModel


def test_the_call_has_the_context_of_whoever_asks() -> None:
    asking = ContextVar("asking", default="nobody")
    asking.set("a trace")
    model = ScriptedModel([lambda _: asking.get()])
    request = ModelRequest(messages=(Message(Role.USER, "Who asks?"),))
    assert complete_within(model, request, 20).text == "a trace"
