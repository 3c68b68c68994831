"""A run as a file: JSON Lines, the head with the summary first, then a line a question.

What is scored can be scored again from the responses in the file. So it is, when the file is read:
stated scores that do not follow from them are refused. What the judge of the run said cannot be
told from the file: of its counts only the bounds are checked.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

from veridical.errors import ValidationError
from veridical.evaluation.metrics import most_counted, score_response
from veridical.evaluation.questions import (
    MAX_QUESTIONS,
    RECORDS,
    parse_line,
    questions_sha256,
)
from veridical.evaluation.run import (
    ChatError,
    ChatResponse,
    EvalQuestion,
    EvalRun,
    QuestionResult,
    Scores,
)
from veridical.evaluation.summary import summarise
from veridical.ledger.canonical import compact_bytes
from veridical.validation.schema_errors import shorten

FORMAT = "veridical-evaluation-1"
WARM_UP = "the first question, once; not measured"
MAX_FILE_BYTES = 256 * 1024 * 1024

_SPECIFIED = ("grounded_ok", "citation_ok", "refused", "correct")
"""Scores that follow from a response alone."""

_COUNTED = ("markers", "borne_out", "statements", "cited")
"""What the judge of the run counted."""

_RUN_IT_AGAIN = (
    "the file was changed, or written by another version of veridical; run the evaluation again"
)


_HEAD = b'"format"'
"""What the first line of a file of results has, and none of a file of questions."""


def run_to_bytes(run: EvalRun) -> bytes:
    """The run as JSON Lines, of the shipped schemas `evaluation_run` and `evaluation_result`.

    The same run gives the same bytes. Raises ValidationError for text that no UTF-8 file can hold.
    """
    head = {
        "format": FORMAT,
        "target": run.target,
        "started_at": run.started_at,
        "questions_sha256": run.questions_sha256,
        "judge": run.judge,
        "warm_up": WARM_UP,
        "summary": summarise(run).to_mapping(),
    }
    lines = [head, *map(result_to_mapping, run.results)]
    return b"".join(compact_bytes(line) + b"\n" for line in lines)


def run_from_bytes(data: bytes, *, name: str = "results") -> EvalRun:
    """The run of a file that `run_to_bytes` made.

    Raises ValidationError that names the line, also where a stated score, the summary or the hash
    of the questions does not follow from what the file holds.
    """
    if len(data) > MAX_FILE_BYTES:
        most = MAX_FILE_BYTES // 1024 // 1024
        raise ValidationError(f"{name}: larger than {most} MB; no run is that large")
    lines = data.removesuffix(b"\n").split(b"\n")
    if len(lines) > MAX_QUESTIONS + 1:
        raise ValidationError(f"{name}: more than {MAX_QUESTIONS:,} questions")
    if _HEAD not in lines[0]:
        raise ValidationError(
            f"{name}: line 1: these are not the results of an evaluation, whose first line tells "
            "their format, what was asked and when"
        )
    head = parse_line(lines[0], "evaluation_run", at=f"{name}: line 1")
    if len(lines) == 1:
        raise ValidationError(f"{name}: there is no result after the first line; it is cut off")
    run = EvalRun(
        target=head["target"],
        started_at=head["started_at"],
        questions_sha256=head["questions_sha256"],
        judge=head["judge"],
        results=tuple(
            _result(line, f"{name}: line {number}") for number, line in enumerate(lines[1:], 2)
        ),
    )
    _require_consistency(run, head["summary"], name)
    return run


def result_to_mapping(result: QuestionResult) -> dict[str, Any]:
    """A result as plain data of the schema `evaluation_result`."""
    response, scores = result.response, result.scores
    error = response.reason if isinstance(response, ChatError) else None
    return {
        **RECORDS.write(result.question),
        "response": None if isinstance(response, ChatError) else RECORDS.write(response),
        "error": error,
        "scores": None if scores is None else RECORDS.write(scores),
        "client_ms": result.client_ms,
    }


def _result(line: bytes, at: str) -> QuestionResult:
    data = parse_line(line, "evaluation_result", at=at)
    parts = (data["response"], data["scores"], data["error"])
    if [part is None for part in parts] not in ([False, False, True], [True, True, False]):
        raise ValidationError(f"{at}: a result has a response and scores, or an error and neither")
    question, client_ms = RECORDS.read(EvalQuestion, data), float(data["client_ms"])
    if data["error"] is not None:
        return QuestionResult(question, ChatError(data["error"]), None, client_ms)
    response = RECORDS.read(ChatResponse, data["response"])
    _check_counts(data["scores"], response, at)
    scores = _checked(score_response(question, response), data["scores"], at)
    return QuestionResult(question, response, scores, client_ms)


def _check_counts(stated: dict[str, Any], response: ChatResponse, at: str) -> None:
    """What a judge counted, as far as it can be checked without one: it counts no more than there
    is, and less where it fails.
    """
    markers, statements = most_counted(response)
    for part, whole, most in (
        ("borne_out", "markers", markers),
        ("cited", "statements", statements),
    ):
        if stated[part] > stated[whole]:
            raise ValidationError(f"{at}: {part} is more than {whole}: {_RUN_IT_AGAIN}")
        if stated[whole] > most:
            raise ValidationError(
                f"{at}: {whole} is {stated[whole]}, but the response has {most}: {_RUN_IT_AGAIN}"
            )


def _checked(again: Scores, stated: dict[str, Any], at: str) -> Scores:
    """The scores as they follow from the response, with what the judge counted."""
    for name in _SPECIFIED:
        if stated[name] is not getattr(again, name):
            raise ValidationError(
                f"{at}: {name} is {shorten(stated[name])}, which does not follow from the "
                f"response: {_RUN_IT_AGAIN}"
            )
    # What the judge had to say stands behind what follows from the response.
    problems = dict.fromkeys((*again.problems, *stated["problems"]))
    return replace(again, problems=tuple(problems), **{name: stated[name] for name in _COUNTED})


def _require_consistency(run: EvalRun, stated: dict[str, Any], name: str) -> None:
    questions = [result.question for result in run.results]
    (most_used, times), *_ = Counter(question.id for question in questions).most_common(1)
    if times > 1:
        raise ValidationError(f"{name}: the id {shorten(most_used)} is used twice")
    if questions_sha256(questions) != run.questions_sha256:
        raise ValidationError(
            f"{name}: line 1: questions_sha256 is not that of the questions: {_RUN_IT_AGAIN}"
        )
    again = summarise(run).to_mapping()
    wrong = [key for key in again if stated[key] != again[key]]
    if wrong:
        raise ValidationError(
            f"{name}: line 1: summary.{wrong[0]} does not follow from the results: {_RUN_IT_AGAIN}"
        )
