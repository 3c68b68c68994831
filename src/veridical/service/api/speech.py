"""Endpoints under `/api/v1`: speech evaluations."""

from __future__ import annotations

from typing import Any

from fastapi import Request, Response
from pydantic import Field

from veridical.service.api.record_models import (
    CREATING,
    RecordReply,
    Title,
    TranscriptBody,
    begin,
    record_router,
)
from veridical.service.api.wire import Wire
from veridical.service.entry.access import Reviewer
from veridical.service.records.inputs import (
    MAX_NAME_CHARS,
    MAX_NAMES,
    SpeechOptions,
    speech_asked,
)
from veridical.store.records import RecordKind

router = record_router(RecordKind.SPEECH, one="speech evaluation")

_MOST_SECONDS = 24 * 3600


class SpeechBody(Wire):
    """A speech to be evaluated, or an evaluation of it to be checked."""

    transcript: TranscriptBody
    evaluation: dict[str, Any] | list[dict[str, Any]] | None = Field(
        default=None,
        description="An evaluation to check, of the schema `evaluation_to_check`. Without it one "
        "is written.",
    )
    speaker: str | None = Field(
        default=None, max_length=MAX_NAME_CHARS, description="The name of who is evaluated."
    )
    label: str | None = Field(
        default=None, max_length=MAX_NAME_CHARS, description="Their label in the transcript."
    )
    names: list[str] = Field(
        default=[], max_length=MAX_NAMES, description="Names to leave out of what is published."
    )
    phrase: str | None = Field(
        default=None, max_length=60, description="What stands for a name that is left out."
    )
    seconds: float | None = Field(
        default=None, gt=0, le=_MOST_SECONDS, description="How long the spoken script may be."
    )
    title: Title = None


@router.post(
    "/speech-evaluations", status_code=202, summary="Evaluate a speech", responses=CREATING
)
def create_speech_evaluation(
    body: SpeechBody, access: Reviewer, request: Request, response: Response
) -> RecordReply:
    """Its `result` will be of the schema `speech_evaluation`, without names; with an `evaluation`
    to check, of the schema `speech_check`.
    """
    options = SpeechOptions(body.speaker, body.label, tuple(body.names), body.phrase, body.seconds)
    asked = speech_asked(
        access.shelf,
        body.transcript.given(),
        evaluation=body.evaluation,
        options=options,
        title=body.title or "",
    )
    return begin(request, response, access, asked)
