"""A run: every question asked once, every response scored."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from datetime import UTC, datetime

from veridical.errors import ConfigurationError, ProcessingError, ValidationError
from veridical.evaluation.chat import ChatClient, Unreachable
from veridical.evaluation.metrics import score_response
from veridical.evaluation.questions import questions_sha256
from veridical.evaluation.run import (
    MAX_CONCURRENCY,
    ChatError,
    ChatResponse,
    EvalQuestion,
    EvalRun,
    QuestionResult,
)
from veridical.judging.judge import Judge

_DECIMALS = 3

_Reply = tuple[ChatResponse | ChatError, float]


def run_questions(
    questions: Sequence[EvalQuestion],
    client: ChatClient,
    *,
    judge: Judge | None = None,
    concurrency: int = 1,
    on_result: Callable[[QuestionResult], None] | None = None,
    target: str = "in process",
    started_at: str | None = None,
) -> EvalRun:
    """Ask all questions, at most `concurrency` at once, and score what comes back.

    The first question is asked once more before anything is measured: latency is that of a warm
    server. With more than one question at once, latency includes waiting for each other. Results
    are in the order of the questions; `on_result` is told each as it is finished, in the caller's
    thread. A question that fails is a result too. An interrupted run is no run: it raises
    KeyboardInterrupt, and questions not yet sent are not sent.

    `started_at` is ISO 8601 in UTC; now, if it is not given.

    Raises ValidationError without questions, ConfigurationError for a concurrency out of range,
    and ProcessingError where nobody is there to be asked.
    """
    if not questions:
        raise ValidationError("there are no questions to ask")
    if not 1 <= concurrency <= MAX_CONCURRENCY:
        raise ConfigurationError(
            f"concurrency must be from 1 to {MAX_CONCURRENCY}, not {concurrency}"
        )
    started = started_at or datetime.now(UTC).isoformat(timespec="seconds")
    warm_up = client.ask(questions[0].question)
    if isinstance(warm_up, Unreachable):
        raise ProcessingError(warm_up.reason)
    results: dict[int, QuestionResult] = {}
    for index, (response, client_ms) in _replies(questions, client, concurrency):
        question = questions[index]
        scores = (
            None if isinstance(response, ChatError) else score_response(question, response, judge)
        )
        results[index] = QuestionResult(question, response, scores, client_ms)
        if on_result is not None:
            on_result(results[index])
    return EvalRun(
        target=target,
        started_at=started,
        questions_sha256=questions_sha256(questions),
        judge="" if judge is None else judge.name,
        results=tuple(results[index] for index in range(len(questions))),
    )


def _replies(
    questions: Sequence[EvalQuestion], client: ChatClient, concurrency: int
) -> Iterator[tuple[int, _Reply]]:
    """The replies with the index of their question, as they come."""
    if concurrency == 1:
        for index, question in enumerate(questions):
            yield index, _timed(client, question)
        return
    pool = ThreadPoolExecutor(concurrency, thread_name_prefix="veridical-eval")
    try:
        sent = {
            pool.submit(_timed, client, question): index for index, question in enumerate(questions)
        }
        for reply in as_completed(sent):
            yield sent[reply], reply.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _timed(client: ChatClient, question: EvalQuestion) -> _Reply:
    started = time.perf_counter()
    response = client.ask(question.question)
    return response, round((time.perf_counter() - started) * 1000, _DECIMALS)
