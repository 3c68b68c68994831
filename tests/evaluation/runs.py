"""Evaluation runs made by hand, scored as real ones are."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.evaluation.metrics import score_response
from veridical.evaluation.questions import questions_sha256
from veridical.evaluation.run import (
    ChatCitation,
    ChatError,
    ChatResponse,
    EvalQuestion,
    EvalRun,
    QuestionResult,
)

LEAVE = "Staff get 25 days\nof leave a year. Part-time staff get a share of it."
QUOTE = "Staff get 25 days of leave a year."


def ask(id: str, *, answerable: bool = True, topic: str = "leave") -> EvalQuestion:
    expected = (("25 days",),) if answerable else ()
    return EvalQuestion(id, f"How much leave ({id})?", answerable, topic, expected)


def source(text: str = LEAVE) -> ChatCitation:
    return ChatCitation("leave.md", "Leave", "Leave > Days", QUOTE, text)


def answer(
    statement: str = "You get 25 days. [1]",
    quote: str = QUOTE,
    *,
    text: str = LEAVE,
    server: float | None = 4.0,
) -> ChatResponse:
    """Grounded, quoted and correct, unless changed."""
    words = f'{statement}\nQuote: "{quote}" [1]'
    return ChatResponse(words, (source(text),), (QUOTE,), server)


RIGHT = answer()
REFUSAL = ChatResponse("I cannot answer that: nothing is said of it.", (), (), 2.0)
UNCITED = ChatResponse("You get 25 days.", (), (), 3.0)
MISQUOTED = answer(quote="Staff get 26 days of leave a year.")
WRONG = answer("You get a share. [1]", "Part-time staff get a share of it.")
FAILED = ChatError("no answer within 30 seconds")


def result(
    question: EvalQuestion, response: ChatResponse | ChatError, client_ms: float = 10.0
) -> QuestionResult:
    scores = None if isinstance(response, ChatError) else score_response(question, response)
    return QuestionResult(question, response, scores, client_ms)


def run(*results: QuestionResult) -> EvalRun:
    questions = [each.question for each in results]
    return EvalRun(
        "in process: test", "2026-01-02T03:04:05Z", questions_sha256(questions), "", results
    )


def run_of(responses: Sequence[ChatResponse | ChatError]) -> EvalRun:
    """A run over answerable questions q1, q2 ... with these responses."""
    return run(*(result(ask(f"q{n}"), each) for n, each in enumerate(responses, 1)))
