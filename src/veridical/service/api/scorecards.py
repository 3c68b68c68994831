"""Endpoints under `/api/v1`: scorecards, and the rubrics that come with Veridical."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response
from pydantic import Field

from veridical.service.api.record_models import (
    CREATING,
    RecordReply,
    Title,
    TranscriptBody,
    begin,
    record_router,
)
from veridical.service.api.wire import Wire, errors
from veridical.service.context import service_of
from veridical.service.entry.access import Reader, Reviewer
from veridical.service.records.inputs import (
    MAX_SUPPLEMENT_CHARS,
    MAX_TOLERANCE_SECONDS,
    scorecard_asked,
)
from veridical.store.records import RecordKind

router = record_router(RecordKind.SCORECARD, one="scorecard")
rubrics = APIRouter(tags=["scorecards"])


class ScorecardBody(Wire):
    """A transcript, and the rubric to score it against."""

    transcript: TranscriptBody
    rubric: str | dict[str, Any] = Field(
        description="The name of a shipped rubric (`GET /rubrics`), or a rubric: YAML or JSON as "
        "text, or an object.",
        examples=["fireground"],
    )
    supplemental: str | None = Field(
        default=None, max_length=MAX_SUPPLEMENT_CHARS, description="Text for a model to judge by."
    )
    tolerance_seconds: float | None = Field(
        default=None,
        ge=0,
        le=MAX_TOLERANCE_SECONDS,
        description="How far a quote may stand from the second that is claimed for it.",
    )
    title: Title = None


@router.post("/scorecards", status_code=202, summary="Score a transcript", responses=CREATING)
def create_scorecard(
    body: ScorecardBody, access: Reviewer, request: Request, response: Response
) -> RecordReply:
    """Its `result` will be of the schema `scorecard`. Sections are scored by the service's model,
    or without one by the cues of the rubric.
    """
    asked = scorecard_asked(
        access.shelf,
        body.transcript.given(),
        body.rubric,
        needs_cues=service_of(request).settings.model is None,
        supplemental=body.supplemental,
        tolerance_seconds=body.tolerance_seconds,
        title=body.title or "",
    )
    return begin(request, response, access, asked)


class RubricReply(Wire):
    """A rubric that comes with Veridical."""

    name: str = Field(description="What a scorecard names it by.", examples=["fireground"])
    title: str
    description: str
    version: str
    sections: int
    criteria: int


class RubricList(Wire):
    """All of them."""

    items: list[RubricReply]
    next: None = None


@rubrics.get("/rubrics", summary="List the shipped rubrics", responses=errors())
def list_rubrics(_access: Reader) -> RubricList:
    """By name. `veridical score rubrics` prints their text."""
    from veridical.scoring.rubrics.shipped import shipped_names

    return RubricList(items=[_shipped(name) for name in shipped_names()])


def _shipped(name: str) -> RubricReply:
    from veridical.scoring.rubrics.file import rubric_from_text
    from veridical.scoring.rubrics.shipped import shipped_text

    rubric = rubric_from_text(shipped_text(name), name)
    return RubricReply(
        name=name,
        title=rubric.template.name,
        description=rubric.template.description,
        version=rubric.template.version,
        sections=len(rubric.sections),
        criteria=sum(len(section.criteria) for section in rubric.sections),
    )


router.include_router(rubrics)
