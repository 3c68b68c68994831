"""Endpoints under `/api/v1`: validations, speech evaluations, scorecards and evaluations.

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
)
from veridical.service.context import service_of
from veridical.service.entry.access import Access, Admin, Reader, Reviewer
from veridical.service.errors import there
from veridical.service.records.inputs import (
    MAX_DOCUMENTS,
    MAX_FILENAME_CHARS,
    MAX_NAME_CHARS,
    MAX_NAMES,
    MAX_QUESTIONS,
    MAX_SUPPLEMENT_CHARS,
    MAX_TEXTS,
    MAX_TOLERANCE_SECONDS,
    Asked,
    TranscriptInput,
    begin,
    evaluation_asked,
    scorecard_asked,
    speech_asked,
    validation_asked,
)
from veridical.store.paging import Page
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
        """As `records.inputs` takes it."""
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
    job_id: str = Field(description="Of the job that does it: see `/api/v1/jobs/{id}`.")
    created_by: str
    created_at: datetime
    summary: dict[str, Any]


class RecordReply(RecordRow):
    """A record. `result` is there once it is ready."""

    result: dict[str, Any] | None


def begun(request: Request, response: Response, access: Access, asked: Asked) -> Record:
    """A record of what was asked for, and where it is."""
    record = begin(request, access, asked)
    response.headers["Location"] = f"{API_PREFIX}/{PLACES[asked.kind]}/{record.id}"
    return record


def found(access: Access, kind: RecordKind, record_id: str) -> Record:
    """A record of the workspace. Raises NotFoundError where there is none."""
    record = access.shelf.records.get(kind, record_id)
    return there(record, f"There is no {kind.value} {record_id!r}.")


_CREATING: dict[str, Any] = {
    "status_code": 202,
    "response_model": RecordReply,
    "responses": errors(404, 408, 409, 413, 422),
}
"""What a call that creates a record replies."""


def _rest(body: Wire, *others: str) -> dict[str, Any]:
    """What a body says beside `others`, by the names of `records.inputs`."""
    given = {name: value for name, value in body if name not in others}
    return {**given, "title": given["title"] or ""}


RecordId = Annotated[str, id_path("record"), KNOWN]


def record_router(kind: RecordKind, *, one: str) -> APIRouter:
    """The endpoints that all kinds have alike: list, one, delete."""
    path, many = f"/{PLACES[kind]}", f"{one}s"
    router = APIRouter(tags=[many])
    name = one.replace(" ", "_")

    @router.get(
        path,
        response_model=PageReply[RecordRow],
        summary=f"List {many}",
        operation_id=f"list_{name}s",
        responses=errors(422),
    )
    def listed(access: Reader, limit: Limit = USUAL_ON_A_PAGE, after: After = None) -> Page[Record]:
        return access.shelf.records.page(kind, limit=limit, after=after)

    @router.get(
        path + "/{record_id}",
        response_model=RecordReply,
        summary=f"One {one}",
        operation_id=f"get_{name}",
        responses=errors(404, 422),
    )
    def shown(access: Reader, record_id: RecordId) -> Record:
        return found(access, kind, record_id)

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


validations = record_router(RecordKind.VALIDATION, one="validation")

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


@validations.post(
    "/validations",
    summary="Check quotes against documents",
    operation_id="validations_create_validation",
    **_CREATING,
)
def create_validation(
    body: ValidationBody, access: Reviewer, request: Request, response: Response
) -> Record:
    """Its `result` will be of the schema `evidence_validation`. Documents are looked at as they
    are now, whatever is uploaded later.
    """
    asked = validation_asked(
        access.shelf,
        body.claims,
        texts=[text.model_dump() for text in body.texts],
        **_rest(body, "claims", "texts"),
    )
    return begun(request, response, access, asked)


speech = record_router(RecordKind.SPEECH, one="speech evaluation")

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


@speech.post(
    "/speech-evaluations",
    summary="Evaluate a speech",
    operation_id="speech_create_speech_evaluation",
    **_CREATING,
)
def create_speech_evaluation(
    body: SpeechBody, access: Reviewer, request: Request, response: Response
) -> Record:
    """Its `result` will be of the schema `speech_evaluation`, without names; with an `evaluation`
    to check, of the schema `speech_check`.
    """
    asked = speech_asked(access.shelf, body.transcript.given(), **_rest(body, "transcript"))
    return begun(request, response, access, asked)


scorecards = record_router(RecordKind.SCORECARD, one="scorecard")


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


@scorecards.post(
    "/scorecards",
    summary="Score a transcript",
    operation_id="scorecards_create_scorecard",
    **_CREATING,
)
def create_scorecard(
    body: ScorecardBody, access: Reviewer, request: Request, response: Response
) -> Record:
    """Its `result` will be of the schema `scorecard`. Sections are scored by the service's model,
    or without one by the cues of the rubric.
    """
    asked = scorecard_asked(
        access.shelf,
        body.transcript.given(),
        body.rubric,
        needs_cues=service_of(request).settings.model is None,
        **_rest(body, "transcript", "rubric"),
    )
    return begun(request, response, access, asked)


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


@scorecards.get(
    "/rubrics",
    summary="List the shipped rubrics",
    tags=["scorecards"],  # a second time, as the description has always had it
    operation_id="scorecards_list_rubrics",
    responses=errors(),
)
def list_rubrics(_access: Reader) -> RubricList:
    """By name. `veridical score rubrics` prints their text."""
    from veridical.scoring.rubrics.file import rubric_from_text, shipped_names, shipped_text

    replies: list[RubricReply] = []
    for name in shipped_names():
        rubric = rubric_from_text(shipped_text(name), name)
        replies.append(
            RubricReply(
                name=name,
                title=rubric.template.name,
                description=rubric.template.description,
                version=rubric.template.version,
                sections=len(rubric.sections),
                criteria=sum(len(section.criteria) for section in rubric.sections),
            )
        )
    return RubricList(items=replies)


evaluations = record_router(RecordKind.EVALUATION, one="evaluation run")

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


@evaluations.post(
    "/evaluations",
    summary="Ask questions with known outcomes",
    operation_id="evaluations_create_evaluation",
    **_CREATING,
)
def create_evaluation(
    body: EvaluationBody, access: Reviewer, request: Request, response: Response
) -> Record:
    """Its `result` will hold `run` (the schema `evaluation_run`), `results` (each of the schema
    `evaluation_result`) and `bounds`. Answers come from the documents of the workspace.
    """
    asked = evaluation_asked(
        body.questions,
        fail_under=body.fail_under or "",
        judged=body.judge,
        title=body.title or "",
    )
    return begun(request, response, access, asked)


ROUTERS = (validations, speech, scorecards, evaluations)
