"""What the endpoints of validations, speech evaluations, scorecards and evaluations share.

All four are records: one asks for work, gets 202 with the record and its job, and looks at the
record again (or at its job's events) until it is ready.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from pydantic import Field

from veridical.service.api.wire import (
    API_PREFIX,
    EXAMPLE_ID,
    KNOWN,
    USUAL_ON_A_PAGE,
    After,
    Limit,
    PageReply,
    Wire,
    errors,
    id_path,
    page_reply,
)
from veridical.service.context import service_of
from veridical.service.entry.access import Access, Admin, Reader
from veridical.service.errors import NotFoundError
from veridical.service.records.inputs import Asked
from veridical.service.records.transcripts import TranscriptInput
from veridical.store.records import Record, RecordKind, RecordState

MAX_TITLE_CHARS = 200


PLACES = {
    RecordKind.VALIDATION: "validations",
    RecordKind.SPEECH: "speech-evaluations",
    RecordKind.SCORECARD: "scorecards",
    RecordKind.EVALUATION: "evaluations",
}
"""Where the records of each kind are, under the prefix."""


class TranscriptBody(Wire):
    """A transcript: its text, or the id of the document that holds it."""

    text: str | None = Field(
        default=None,
        description="WebVTT, SRT, lines with times, or the JSON of a recogniser: told from its "
        "content.",
        examples=["WEBVTT\n\n00:00.000 --> 00:04.000\n<v Ana>Good evening, and welcome.\n"],
    )
    name: str | None = Field(
        default=None, max_length=200, description="What to call it.", examples=["talk.vtt"]
    )
    document_id: str | None = Field(default=None, max_length=100)

    def given(self) -> TranscriptInput:
        """As `record_inputs` takes it."""
        return TranscriptInput(self.text or "", self.name or "", self.document_id or "")


Title = Annotated[
    str | None,
    Field(max_length=MAX_TITLE_CHARS, description="What to call it; made from the rest without."),
]


class RecordRow(Wire):
    """A record in a list. `summary` holds its main numbers once it is ready."""

    id: str = Field(examples=[EXAMPLE_ID])
    kind: RecordKind
    title: str
    state: RecordState
    message: str = Field(description="Why it failed; empty otherwise.")
    job: str = Field(description="The id of the job that does it: see `/api/v1/jobs/{id}`.")
    created_by: str
    created_at: datetime
    summary: dict[str, Any]


class RecordReply(RecordRow):
    """A record. `result` is there once it is ready."""

    result: dict[str, Any] | None


def reply_of(record: Record) -> RecordReply:
    """A record as it is replied."""
    return RecordReply(**_row(record), result=record.result)


def _row(record: Record) -> dict[str, Any]:
    return {
        "id": record.id,
        "kind": record.kind,
        "title": record.title,
        "state": record.state,
        "message": record.message,
        "job": record.job_id,
        "created_by": record.created_by,
        "created_at": record.created_at,
        "summary": record.summary,
    }


def begin(request: Request, response: Response, access: Access, asked: Asked) -> RecordReply:
    """Keep what was asked for, and have its job begin."""
    record, job = access.shelf.records.add(
        asked.kind, asked.title, asked.request, by=access.actor, id=access.new_id
    )
    service_of(request).jobs.wake(job.id)
    response.headers["Location"] = f"{API_PREFIX}/{PLACES[asked.kind]}/{record.id}"
    return reply_of(record)


def found(access: Access, kind: RecordKind, record_id: str) -> Record:
    """A record of the workspace. Raises NotFoundError where there is none."""
    record = access.shelf.records.get(kind, record_id)
    if record is None:
        raise NotFoundError(f"There is no {kind.value} {record_id!r}.")
    return record


CREATING = errors(404, 408, 409, 413, 422)
"""What a call that creates a record may be replied."""

RecordId = Annotated[str, id_path("record"), KNOWN]


def record_router(kind: RecordKind, *, one: str) -> APIRouter:
    """The endpoints that all kinds have alike: list, one, delete."""
    path, many = f"/{PLACES[kind]}", f"{one}s"
    router = APIRouter(tags=[many])
    name = one.replace(" ", "_")

    @router.get(path, summary=f"List {many}", operation_id=f"list_{name}s", responses=errors(422))
    def listed(
        access: Reader, limit: Limit = USUAL_ON_A_PAGE, after: After = None
    ) -> PageReply[RecordRow]:
        page = access.shelf.records.page(kind, limit=limit, after=after)
        return PageReply[RecordRow].model_validate(page_reply(page, _row))

    @router.get(
        path + "/{record_id}",
        summary=f"One {one}",
        operation_id=f"get_{name}",
        responses=errors(404, 422),
    )
    def shown(access: Reader, record_id: RecordId) -> RecordReply:
        return reply_of(found(access, kind, record_id))

    @router.delete(
        path + "/{record_id}",
        status_code=204,
        summary=f"Delete a {one}",
        operation_id=f"delete_{name}",
        responses=errors(404, 422),
    )
    def deleted(access: Admin, record_id: RecordId) -> None:
        record = found(access, kind, record_id)
        access.shelf.jobs.ask_to_cancel(record.job_id)
        access.shelf.records.delete(kind, record_id)

    return router
