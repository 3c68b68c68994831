"""Endpoints under `/api/v1`: validations, speech evaluations, scorecards and evaluations.

All four are records: one asks for work, gets 202 with the record and its job, and looks at the
record again (or at its job's events) until it is ready.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from inspect import getdoc
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
    MAX_TITLE_CHARS,
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
from veridical.store.store import Shelf


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


def _rest(body: Wire, *others: str) -> dict[str, Any]:
    """What a body says beside `others`, by the names of `records.inputs`."""
    given = {name: value for name, value in body if name not in others}
    return {**given, "title": given["title"] or ""}


RecordId = Annotated[str, id_path("record"), KNOWN]


Ask = Callable[[Shelf, Any, bool], Asked]
"""What a body asks for; the last says whether there is a model. Its docstring tells the result."""


def record_router(
    kind: RecordKind, place: str, one: str, body_kind: type[Wire], ask: Ask, create: tuple[str, str]
) -> APIRouter:
    """The endpoints of a kind at `place`: list, one, delete, and a new one, of which `create` says
    the summary and the operation's id.
    """
    path, many = f"/{place}", f"{one}s"
    router = APIRouter(tags=[many])
    name = one.replace(" ", "_")

    def found(access: Access, record_id: str) -> Record:
        record = access.shelf.records.get(kind, record_id)
        return there(record, f"There is no {kind.value} {record_id!r}.")

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
        return found(access, record_id)

    @router.delete(
        path + "/{record_id}",
        status_code=204,
        summary=f"Delete a {one}",
        operation_id=f"delete_{name}",
        responses=errors(404, 422),
    )
    def deleted(access: Admin, record_id: RecordId) -> None:
        access.shelf.jobs.ask_to_cancel(found(access, record_id).job_id)
        access.shelf.records.delete(kind, record_id)

    _add_creation(router, path, body_kind, ask, create)
    return router


def _add_creation(
    router: APIRouter, path: str, body_kind: type[Wire], ask: Ask, create: tuple[str, str]
) -> None:
    """Add the endpoint that begins a new one."""

    def created(body: Any, access: Reviewer, request: Request, response: Response) -> Record:
        has_model = service_of(request).settings.model is not None
        record = begin(request, access, ask(access.shelf, body, has_model))
        response.headers["Location"] = f"{API_PREFIX}{path}/{record.id}"
        return record

    created.__annotations__["body"] = body_kind
    router.post(
        path,
        status_code=202,
        response_model=RecordReply,
        summary=create[0],
        description=getdoc(ask),
        operation_id=create[1],
        responses=errors(404, 408, 409, 413, 422),
    )(created)


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


def _validation(shelf: Shelf, body: ValidationBody, _: bool) -> Asked:
    """Its `result` will be of the schema `evidence_validation`. Documents are looked at as they
    are now, whatever is uploaded later.
    """
    texts = [text.model_dump() for text in body.texts]
    return validation_asked(shelf, body.claims, texts=texts, **_rest(body, "claims", "texts"))


validations = record_router(
    RecordKind.VALIDATION, "validations", "validation", ValidationBody, _validation,
    ("Check quotes against documents", "validations_create_validation"),
)  # fmt: skip

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
    from_seconds: float | None = Field(
        default=None,
        ge=0,
        le=_MOST_SECONDS,
        description="Where in the recording the speech begins. Without it and `to_seconds`, and "
        "without labels of speakers, it is found between a chair's words; 0 takes all.",
    )
    to_seconds: float | None = Field(
        default=None, gt=0, le=_MOST_SECONDS, description="Where the speech ends."
    )
    title: Title = None


def _speech(shelf: Shelf, body: SpeechBody, _: bool) -> Asked:
    """Its `result` will be of the schema `speech_evaluation`, without names; with an `evaluation`
    to check, of the schema `speech_check`.
    """
    return speech_asked(shelf, body.transcript.given(), **_rest(body, "transcript"))


speech = record_router(
    RecordKind.SPEECH, "speech-evaluations", "speech evaluation", SpeechBody, _speech,
    ("Evaluate a speech", "speech_create_speech_evaluation"),
)  # fmt: skip


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


def _scorecard(shelf: Shelf, body: ScorecardBody, has_model: bool) -> Asked:
    """Its `result` will be of the schema `scorecard`. Sections are scored by the service's model,
    or without one by the cues of the rubric.
    """
    said, rest = body.transcript.given(), _rest(body, "transcript", "rubric")
    return scorecard_asked(shelf, said, body.rubric, needs_cues=not has_model, **rest)


scorecards = record_router(
    RecordKind.SCORECARD, "scorecards", "scorecard", ScorecardBody, _scorecard,
    ("Score a transcript", "scorecards_create_scorecard"),
)  # fmt: skip


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


def _evaluation(_shelf: Shelf, body: EvaluationBody, _: bool) -> Asked:
    """Its `result` will hold `run` (the schema `evaluation_run`), `results` (each of the schema
    `evaluation_result`) and `bounds`. Answers come from the documents of the workspace.
    """
    rest = {**_rest(body, "questions", "judge"), "fail_under": body.fail_under or ""}
    return evaluation_asked(body.questions, judged=body.judge, **rest)


evaluations = record_router(
    RecordKind.EVALUATION, "evaluations", "evaluation run", EvaluationBody, _evaluation,
    ("Ask questions with known outcomes", "evaluations_create_evaluation"),
)  # fmt: skip

ROUTERS = (validations, speech, scorecards, evaluations)
