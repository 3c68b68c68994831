"""Pages to log in and out, and to choose a workspace."""

from __future__ import annotations

import re
from typing import Annotated

from fastapi import APIRouter, Depends, Form, Request
from fastapi.responses import RedirectResponse
from starlette.responses import Response

from veridical.errors import StoreError, ValidationError
from veridical.service.context import service_of
from veridical.service.entry.access import (
    SESSION,
    SESSION_SECONDS,
    WORKSPACE,
    YEAR_SECONDS,
    Reader,
    address_of,
    check_csrf,
    new_session,
    set_cookie,
)
from veridical.service.errors import ForbiddenError
from veridical.service.pages.rendering import render
from veridical.service.settings import Auth

_LOCAL = re.compile(r"/(?![/\\])[^\\\x00-\x20\x7f-\xa0]*")
_MOST_CHARS = 2_000


def local_path(given: str) -> str:
    """The path, query included, if it leads nowhere but to this service; else the first page."""
    return given if len(given) <= _MOST_CHARS and _LOCAL.fullmatch(given) else "/"


router = APIRouter(include_in_schema=False)

_WRONG = "That token is not known here, has expired or was revoked."
_TOO_OFTEN = "Too many attempts from your address. Wait a minute, then try again."
_NOT_CHOSEN = "A token is of one workspace. To see another one, log in with a token of that one."


@router.get("/login")
def login_page(request: Request, next: str = "/") -> Response:
    """The form; with open access there is nothing to log in to."""
    after = local_path(next)
    if service_of(request).settings.auth is Auth.OPEN:
        return RedirectResponse(after, 303)
    return _form(request, after)


@router.post("/login", dependencies=[Depends(check_csrf)])
def login(
    request: Request, token: Annotated[str, Form()] = "", next: Annotated[str, Form()] = "/"
) -> Response:
    """Begin a log-in with a token, which is not kept: the cookie only names it."""
    identities = service_of(request).identities
    after = local_path(next)
    if identities.attempts.take(address_of(request)).is_spent:
        return _form(request, after, _TOO_OFTEN, 429)
    found = identities.by_secret(token.strip())
    if found is None:
        return _form(request, after, _WRONG, 401)
    response = RedirectResponse(after, 303)
    session = new_session(identities.secret, found.id)
    response.headers.append("Set-Cookie", set_cookie(request, SESSION, session, SESSION_SECONDS))
    return response


@router.post("/logout")
def logout(request: Request, access: Reader) -> Response:
    """End a log-in for good, and have the browser forget the pages that it keeps."""
    if access.session_nonce is not None:
        service_of(request).identities.end_log_in(access.session_nonce)
    response = RedirectResponse("/login", 303)
    response.headers.append("Set-Cookie", set_cookie(request, SESSION, "", 0))
    response.headers["Clear-Site-Data"] = '"cache"'
    return response


@router.get("/workspaces")
def workspaces_page(request: Request, access: Reader) -> Response:
    """The workspaces that there are to choose from."""
    is_open = access.token_id is None
    names = service_of(request).store.workspaces() if is_open else (access.workspace,)
    return render(request, "workspaces.html", access=access, names=names, is_open=is_open)


@router.post("/workspaces")
def choose_workspace(
    request: Request, access: Reader, workspace: Annotated[str, Form()] = ""
) -> Response:
    """Look at another workspace from now on, with open access; it is made if it is not there."""
    if access.token_id is not None:
        raise ForbiddenError(_NOT_CHOSEN)
    store = service_of(request).store
    try:
        store.shelf(workspace)
    except StoreError as error:
        raise ValidationError(str(error)) from None
    store.add_workspace(workspace)
    response = RedirectResponse("/", 303)
    response.headers.append("Set-Cookie", set_cookie(request, WORKSPACE, workspace, YEAR_SECONDS))
    return response


def _form(request: Request, after: str, problem: str = "", status: int = 200) -> Response:
    return render(request, "login.html", status=status, next=after, problem=problem)
