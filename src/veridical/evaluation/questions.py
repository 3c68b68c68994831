"""Questions with known outcomes, as JSON Lines."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from veridical.codec import Codec, Form
from veridical.errors import ValidationError
from veridical.evaluation.run import EvalQuestion
from veridical.evaluation.schemas import load_schema
from veridical.ledger.canonical import compact_bytes, parse_file
from veridical.validation.schema_errors import require_fit, shorten

MAX_FILE_BYTES = 16 * 1024 * 1024
MAX_QUESTIONS = 10_000


def read_questions(path: str | os.PathLike[str]) -> tuple[EvalQuestion, ...]:
    """The questions of a JSONL file. Raises ValidationError that names the file and the line."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or problem
        raise ValidationError(
            f"questions: cannot read {os.fspath(path)}: {reason}. Check the path."
        ) from None
    return parse_questions(data, name=os.fspath(path))


def parse_questions(data: bytes, *, name: str = "questions") -> tuple[EvalQuestion, ...]:
    """The questions of JSON Lines in the form of the shipped schema `evaluation_question`.

    Blank lines are passed over. Raises ValidationError that names the line of the first thing that
    does not fit, for an id that is used twice, and where there is no question at all.
    """
    if len(data) > MAX_FILE_BYTES:
        most = MAX_FILE_BYTES // 1024 // 1024
        raise ValidationError(f"{name}: larger than {most} MB; split the file")
    questions: list[EvalQuestion] = []
    lines: dict[str, int] = {}
    for number, line in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        if not line.strip():
            continue
        at = f"{name}: line {number}"
        if len(questions) == MAX_QUESTIONS:
            raise ValidationError(f"{at}: more than {MAX_QUESTIONS:,} questions; split the file")
        question = _question(line, at)
        if question.id in lines:
            before = lines[question.id]
            raise ValidationError(f"{at}: the id {shorten(question.id)} was used in line {before}")
        lines[question.id] = number
        questions.append(question)
    if not questions:
        raise ValidationError(f"{name}: no questions in it; it must hold one JSON object a line")
    return tuple(questions)


def parse_line(line: bytes, schema: str, *, at: str) -> dict[str, Any]:
    """The object in a line of JSON Lines; `at` names the file and the line in errors.

    Raises ValidationError for what is not JSON, or does not fit the schema.
    """
    try:
        data = parse_file(line, what=at)
    except ValidationError as problem:
        told = str(problem)
        raise ValidationError(told if told.startswith(at) else f"{at}: {told}") from None
    require_fit(load_schema(schema), data, at)
    return data


def questions_sha256(questions: Iterable[EvalQuestion]) -> str:
    """The SHA-256, in hex, of what the questions say, in their order.

    How the file is laid out does not matter: spaces, blank lines, the order of keys.
    """
    return hashlib.sha256(compact_bytes([*map(RECORDS.write, questions)])).hexdigest()


def _question_given(data: Mapping[str, Any]) -> dict[str, Any]:
    """A fact that has one wording may be that alone."""
    facts = data.get("expected", ())
    return {**data, "expected": [[fact] if isinstance(fact, str) else fact for fact in facts]}


RECORDS = Codec({EvalQuestion: Form(given=_question_given)}, values={float: (None, float)})
"""The questions, responses and scores of runs as plain data, and back."""


def _question(line: bytes, at: str) -> EvalQuestion:
    data = parse_line(line, "evaluation_question", at=at)
    question = RECORDS.read(EvalQuestion, data)
    if question.expected and not question.answerable:
        raise ValidationError(
            f"{at}: expected: it has facts of an answer, but answerable is false; change one of "
            "the two"
        )
    return question
