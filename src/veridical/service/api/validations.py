"""Endpoints under `/api/v1`: validations."""

from __future__ import annotations

from typing import Any

from fastapi import Request, Response
from pydantic import Field

from veridical.service.api.record_models import CREATING, RecordReply, Title, begin, record_router
from veridical.service.api.wire import Wire
from veridical.service.entry.access import Reviewer
from veridical.service.records.documents import (
    MAX_DOCUMENTS,
    MAX_FILENAME_CHARS,
    MAX_TEXTS,
    GivenText,
)
from veridical.service.records.inputs import validation_asked
from veridical.store.records import RecordKind

router = record_router(RecordKind.VALIDATION, one="validation")

_CLAIM = {
    "id": "EV001",
    "task_id": "P1.T001",
    "quote": "Unused days may be carried over into the next year.",
    "evidence_type": "direct_quote",
}


class TextBody(Wire):
    """A document that is handed in with the request."""

    name: str = Field(min_length=1, max_length=MAX_FILENAME_CHARS, examples=["leave.md"])
    text: str = Field(min_length=1, examples=["Unused days may be carried over."])


class ValidationBody(Wire):
    """Quotes, and where to look for them: documents, texts, or all documents of the workspace."""

    claims: dict[str, Any] | list[dict[str, Any]] = Field(
        description="Claims of the schema `evidence_claims` (`veridical schema evidence_claims`), "
        "or the list of them alone.",
        examples=[[_CLAIM]],
    )
    documents: list[str] = Field(
        default=[], max_length=MAX_DOCUMENTS, description="Ids of documents of the workspace."
    )
    texts: list[TextBody] = Field(default=[], max_length=MAX_TEXTS)
    config: dict[str, Any] | None = Field(
        default=None, description="Settings of the schema `validation_config`."
    )
    strict: bool = Field(
        default=False, description="Whether doubtful and ambiguous quotes count as failed."
    )
    title: Title = None


@router.post(
    "/validations", status_code=202, summary="Check quotes against documents", responses=CREATING
)
def create_validation(
    body: ValidationBody, access: Reviewer, request: Request, response: Response
) -> RecordReply:
    """Its `result` will be of the schema `evidence_validation`. Documents are looked at as they
    are now, whatever is uploaded later.
    """
    asked = validation_asked(
        access.shelf,
        body.claims,
        documents=body.documents,
        texts=[GivenText(text.name, text.text) for text in body.texts],
        config=body.config,
        strict=body.strict,
        title=body.title or "",
    )
    return begin(request, response, access, asked)
