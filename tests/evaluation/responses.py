"""Hand-made questions and responses, and a client that gives them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from veridical.evaluation.run import (
    ChatCitation,
    ChatError,
    ChatResponse,
    EvalQuestion,
)

LEAVE = (
    "Full-time staff accrue 1.67 days of leave per month.  Leave may be\ncarried over [see 4.2]."
)
COSTS = "Meals are repaid up to $50 a day. Receipts are due within 30 days."

ASKED = EvalQuestion("q1", "How many days a month?", True, "pto", (("1.67 days",),), ("pto.md",))
TRAP = EvalQuestion("q2", "What is the dress code on Mars?", False, "other")

GOOD_ANSWER = (
    "- Staff accrue 1.67 days of leave per month [1].\n"
    'Quote: "Full-time staff accrue 1.67 days of leave per month." [1]'
)
REFUSAL = "I cannot answer this from the policies."


def citation(text: str, name: str = "pto.md") -> ChatCitation:
    return ChatCitation(name, "Leave", "Leave > Accrual", text[:20], text)


def response(
    answer: str,
    *sources: str,
    snippets: tuple[str, ...] | None = None,
    latency_ms: float | None = 12.5,
    extra: Mapping[str, Any] | None = None,
) -> ChatResponse:
    citations = tuple(map(citation, sources))
    if snippets is None:
        snippets = tuple(each.snippet for each in citations)
    return ChatResponse(answer, citations, snippets, latency_ms, extra or {})


GOOD = response(GOOD_ANSWER, LEAVE)
REFUSED = response(REFUSAL)


def wire(given: ChatResponse) -> dict[str, Any]:
    """The JSON of a response, as a server sends it."""
    fields = asdict(given)
    extra = fields.pop("extra")
    return {**fields, **extra}


class ScriptedChat:
    """Gives what is scripted for a question, and remembers what it was asked."""

    def __init__(self, replies: Mapping[str, ChatResponse | ChatError]) -> None:
        self._replies = replies
        self.asked: list[str] = []

    def ask(self, question: str) -> ChatResponse | ChatError:
        self.asked.append(question)
        return self._replies[question]
