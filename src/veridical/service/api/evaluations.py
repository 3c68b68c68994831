"""Endpoints under `/api/v1`: evaluation runs."""

from __future__ import annotations

from typing import Any

from fastapi import Request, Response
from pydantic import Field

from veridical.service.api.record_models import CREATING, RecordReply, Title, begin, record_router
from veridical.service.api.wire import Wire
from veridical.service.entry.access import Reviewer
from veridical.service.records.inputs import MAX_QUESTIONS, evaluation_asked
from veridical.store.records import RecordKind

router = record_router(RecordKind.EVALUATION, one="evaluation run")

_QUESTION = {
    "id": "leave-days",
    "question": "How many days of leave do I get?",
    "answerable": True,
    "expected": [["25 days"]],
}


class EvaluationBody(Wire):
    """Questions with known outcomes."""

    questions: str | list[dict[str, Any]] = Field(
        description="Questions of the schema `evaluation_question`: JSON Lines as text, or a "
        f"list of objects. At most {MAX_QUESTIONS:,}.",
        examples=[[_QUESTION]],
    )
    fail_under: str | None = Field(
        default=None,
        max_length=300,
        description="Bounds that the run must keep, as `veridical eval run --fail-under` has them.",
        examples=["groundedness=95,p95=500"],
    )
    judge: bool = Field(
        default=True, description="Whether to judge that the sources bear out what is said."
    )
    title: Title = None


@router.post(
    "/evaluations", status_code=202, summary="Ask questions with known outcomes", responses=CREATING
)
def create_evaluation(
    body: EvaluationBody, access: Reviewer, request: Request, response: Response
) -> RecordReply:
    """Its `result` will hold `run` (the schema `evaluation_run`), `results` (each of the schema
    `evaluation_result`) and `bounds`. Answers come from the documents of the workspace.
    """
    asked = evaluation_asked(
        body.questions,
        fail_under=body.fail_under or "",
        judged=body.judge,
        title=body.title or "",
    )
    return begin(request, response, access, asked)
