"""Workspaces, and the tokens that let others into them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from fastapi import APIRouter, Request, Response
from pydantic import Field

from veridical.errors import StoreError, ValidationError
from veridical.service.api.wire import PageReply, Wire, errors, told
from veridical.service.context import service_of
from veridical.service.entry.access import Admin, Reader
from veridical.service.entry.idempotency import keep_instead
from veridical.service.errors import ForbiddenError, NotFoundError
from veridical.service.settings import API_PREFIX
from veridical.store.workspaces import MOST_NAME_CHARS, Role

router = APIRouter(tags=["access"])

MOST_DAYS = 3_650
_OTHERS_BY_COMMAND = (
    "A token is of one workspace. Make others with `veridical token create --workspace NAME` where "
    "the database is."
)


class WorkspaceRequest(Wire):
    """A workspace to be made."""

    name: str = Field(min_length=1, max_length=MOST_NAME_CHARS, examples=["audits"])


class WorkspaceReply(Wire):
    """A workspace."""

    name: str


class TokenRequest(Wire):
    """A token to be made, for somebody of this name: reviews bear it."""

    name: str = Field(min_length=1, max_length=MOST_NAME_CHARS, examples=["Ana Lopes"])
    role: Role = Field(description="Each role may do what those before it may.")
    expires_in_days: int | None = Field(default=None, ge=1, le=MOST_DAYS, examples=[90])


class TokenReply(Wire):
    """A token without its secret. Times are ISO 8601 in UTC."""

    id: str
    workspace: str
    name: str
    role: Role
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None


class NewTokenReply(TokenReply):
    """A token that was just made. `secret` is told this once; null where the reply is a repeated
    one.
    """

    secret: str | None = Field(examples=["vrd_9vJ2…"])


@router.get(
    "/workspaces",
    response_model=PageReply[WorkspaceReply],
    responses=errors(),
    summary="List workspaces",
)
def workspaces(request: Request, access: Reader) -> dict[str, Any]:
    """All of them with open access; that of the token otherwise."""
    store = service_of(request).store
    names = store.workspaces() if access.token_id is None else (access.workspace,)
    return {"items": [{"name": name} for name in names], "next": None}


@router.post(
    "/workspaces",
    response_model=WorkspaceReply,
    status_code=201,
    responses={
        200: {"model": WorkspaceReply, "description": "It was there"},
        **errors(408, 409, 413, 422),
    },
    summary="Make a workspace",
)
def add_workspace(
    wanted: WorkspaceRequest, request: Request, response: Response, access: Admin
) -> dict[str, Any]:
    """With open access only: 201, or 200 where it was there."""
    if access.token_id is not None:
        raise ForbiddenError(_OTHERS_BY_COMMAND)
    store = service_of(request).store
    try:
        store.shelf(wanted.name)
    except StoreError as error:
        raise ValidationError(str(error)) from None
    if not store.add_workspace(wanted.name):
        response.status_code = 200
    response.headers["Location"] = f"{API_PREFIX}/workspaces"
    return {"name": wanted.name}


@router.get(
    "/tokens",
    response_model=PageReply[TokenReply],
    responses=errors(),
    summary="List the tokens of the workspace",
)
def tokens(request: Request, access: Admin) -> dict[str, Any]:
    """Oldest first, those that are no longer good too."""
    return {"items": service_of(request).store.tokens.of(access.workspace), "next": None}


@router.post(
    "/tokens",
    response_model=NewTokenReply,
    status_code=201,
    responses=errors(408, 409, 413, 422),
    summary="Make a token",
)
def add_token(
    wanted: TokenRequest, request: Request, response: Response, access: Admin
) -> dict[str, Any]:
    """The reply is the only place where its secret is ever told."""
    if not wanted.name.isprintable() or not wanted.name.strip():
        raise ValidationError("name: it needs printable characters only, and not only spaces.")
    ends = wanted.expires_in_days
    token, secret = service_of(request).store.tokens.create(
        access.workspace,
        wanted.name,
        wanted.role,
        expires_at=None if ends is None else datetime.now(UTC) + timedelta(days=ends),
    )
    reply = NewTokenReply(**told(NewTokenReply, token, secret=secret))
    keep_instead(request, reply.model_copy(update={"secret": None}).model_dump(mode="json"))
    response.headers["Location"] = f"{API_PREFIX}/tokens"
    response.headers["Cache-Control"] = "no-store"
    return reply.model_dump()


@router.delete(
    "/tokens/{token_id}",
    status_code=204,
    responses=errors(404),
    summary="Revoke a token",
)
def revoke_token(token_id: str, request: Request, access: Admin) -> None:
    """It is useless at once here, and within five seconds in other processes."""
    service = service_of(request)
    if not service.store.tokens.revoke(token_id, access.workspace):
        raise NotFoundError("There is no such token in this workspace.")
    service.identities.forget(token_id)
