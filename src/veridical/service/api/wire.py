"""What all endpoints under `/api/v1` share: the base of their models, errors, ids and pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Generic, TypeVar

from fastapi import Path, Query
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from veridical.service import settings
from veridical.service.errors import NotFoundError
from veridical.store.columns import is_id
from veridical.store.paging import MOST_CURSOR_CHARS, MOST_ON_A_PAGE, Page

API_PREFIX = settings.API_PREFIX
EXAMPLE_ID = "5f0c6a9e-6f0d-5d0b-9d43-0d8a3c1f7b52"

USUAL_ON_A_PAGE = 50
MOST_SEARCHED_CHARS = 200
"""Of what a list is searched for."""

Responses = dict[int | str, dict[str, Any]]
T = TypeVar("T")


class Wire(BaseModel):
    """What goes over the wire has the fields that are described, and no others."""

    model_config = ConfigDict(extra="forbid")


class ErrorBody(Wire):
    """What went wrong, and what to do."""

    code: str = Field(description="For programs; stays the same.", examples=["not_found"])
    message: str = Field(description="For people.", examples=["There is no such session."])
    request_id: str = Field(description="Also in the header X-Request-ID, and in our logs.")


class ErrorReply(Wire):
    """Every error of the service."""

    error: ErrorBody


class PageReply(Wire, Generic[T]):
    """Some of a list. `next` is what `after` must be for what comes behind them; null at the
    end.
    """

    items: list[T]
    next: str | None


def page_reply(page: Page[T], show: Callable[[T], dict[str, Any]]) -> dict[str, Any]:
    """A page of the store as it is replied."""
    return {"items": [show(item) for item in page.items], "next": page.next}


def told(model: type[Wire], thing: object, **others: Any) -> dict[str, Any]:
    """What a reply of this model has: `others`, and the rest as a thing has it."""
    return {
        name: others[name] if name in others else getattr(thing, name)
        for name in model.model_fields
    }


def _known(id: str) -> str:
    """An id as it is stored. What cannot be one is not there either."""
    if not is_id(id.lower()):
        raise NotFoundError("There is nothing with this id here.")
    return id.lower()


KNOWN = AfterValidator(_known)
"""For what holds an id: anything but a UUID is not found."""


def id_path(what: str) -> Any:
    """Where an id stands and what it is of, for `Annotated[str, …, KNOWN]`."""
    return Path(
        description=f"The id of the {what}: a UUID.",
        examples=[EXAMPLE_ID],
        json_schema_extra={"format": "uuid"},
    )


Limit = Annotated[int, Query(ge=1, le=MOST_ON_A_PAGE, description="Most items of the reply.")]
After = Annotated[
    str | None,
    Query(
        max_length=MOST_CURSOR_CHARS,
        description="`next` of the reply before; without it, from the start.",
    ),
]
Searched = Annotated[
    str, Query(max_length=MOST_SEARCHED_CHARS, description="Part of the name or title, any case.")
]

ANY_FILE: dict[str, Any] = {
    kind: {"schema": {} if kind == "application/json" else {"type": "string", "format": "binary"}}
    for kind in (
        "application/octet-stream",
        "application/pdf",
        "application/json",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "application/x-subrip",
        "text/html",
        "text/markdown",
        "text/plain",
        "text/vtt",
    )
}
"""The content of a reply that is a file, of whatever kind: how OpenAPI has it."""

_ERRORS = {
    401: "No token, or none that is good",
    403: "This token may not do that",
    404: "There is no such thing in this workspace",
    408: "The request did not arrive in time",
    409: "Something is in the way; the message says what",
    410: "It was there, and is no longer",
    413: "The request is too large",
    414: "The address is too long",
    415: "A kind of file that cannot be read",
    421: "The server does not answer to the host name of this request",
    422: "The request is not usable; the message says where",
    429: "Too many requests; Retry-After says when the next is welcome",
    500: "Something is wrong here",
    501: "An optional package is missing on the server",
    502: "The language model cannot be used",
    503: "Not ready, or the database or the language model does not answer",
}

ALWAYS = (401, 403, 404, 414, 421, 422, 429, 500, 503)
"""What any call may be replied."""


def errors(*statuses: int) -> Responses:
    """The documentation of the errors that an endpoint replies, beside those of any call.

    Without `ErrorReply` as their model: FastAPI would build it anew for each status of each route,
    which is a third of the time that a start takes. `app.describe` says it of all of them.
    """
    return {
        status: {"description": _ERRORS.get(status, "Refused")}
        for status in sorted({*ALWAYS, *statuses})
    }
