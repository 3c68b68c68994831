"""A run: every question asked once, every response scored."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from veridical.errors import ProcessingError, ValidationError
from veridical.evaluation.chat import ChatClient, Unreachable
from veridical.evaluation.metrics import score_response
from veridical.evaluation.questions import questions_sha256
from veridical.evaluation.run import (
    ChatError,
    ChatResponse,
    EvalQuestion,
    EvalRun,
    QuestionResult,
)
from veridical.judging.judge import Judge

_DECIMALS = 3


def run_questions(
    questions: Sequence[EvalQuestion],
    client: ChatClient,
    *,
    judge: Judge | None = None,
    on_result: Callable[[QuestionResult], None] | None = None,
    target: str = "in process",
    started_at: str | None = None,
) -> EvalRun:
    """Ask all questions, one after the other, and score what comes back.

    The first question is asked once more before anything is measured: latency is that of a warm
    server. `on_result` is told each result as it is there. A question that fails is a result too.
    An interrupted run is no run: it raises KeyboardInterrupt, and asks no more.

    `started_at` is ISO 8601 in UTC; now, if it is not given.

    Raises ValidationError without questions, and ProcessingError where nobody is there to be asked.
    """
    if not questions:
        raise ValidationError("there are no questions to ask")
    started = started_at or datetime.now(UTC).isoformat(timespec="seconds")
    warm_up = client.ask(questions[0].question)
    if isinstance(warm_up, Unreachable):
        raise ProcessingError(warm_up.reason)
    results: list[QuestionResult] = []
    for question in questions:
        response, client_ms = _timed(client, question)
        scores = (
            None if isinstance(response, ChatError) else score_response(question, response, judge)
        )
        results.append(QuestionResult(question, response, scores, client_ms))
        if on_result is not None:
            on_result(results[-1])
    return EvalRun(
        target=target,
        started_at=started,
        questions_sha256=questions_sha256(questions),
        judge="" if judge is None else judge.name,
        results=tuple(results),
    )


def _timed(client: ChatClient, question: EvalQuestion) -> tuple[ChatResponse | ChatError, float]:
    started = time.perf_counter()
    response = client.ask(question.question)
    return response, round((time.perf_counter() - started) * 1000, _DECIMALS)
