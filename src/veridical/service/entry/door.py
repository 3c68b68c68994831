"""Turns away those whom we do not know, or who may not do it, before the body is read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote

from fastapi import FastAPI
from fastapi.dependencies.models import Dependant
from fastapi.params import File
from fastapi.routing import iter_route_contexts
from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection, Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from veridical.errors import VeridicalError
from veridical.service.context import service_of
from veridical.service.entry.access import admin, is_open, reader, require_role, reviewer
from veridical.service.entry.cookies import visit_cookie
from veridical.service.entry.csrf import SAFE_METHODS
from veridical.service.entry.identity import Identity
from veridical.service.entry.origins import OF_BROWSERS
from veridical.service.entry.rate import Allowance, Rates
from veridical.service.error_pages import wants_page
from veridical.service.errors import TooManyError, UnauthorizedError, reply_to
from veridical.store.workspaces import Role

# What routes ask for, so that a call can be refused before its body is read.


_ROLES = {reader: Role.READER, reviewer: Role.REVIEWER, admin: Role.ADMIN}


@dataclass(frozen=True, slots=True)
class Needs:
    """The role that a route is for, and whether files may be sent to it."""

    role: Role = Role.READER
    takes_file: bool = False


class RouteNeeds:
    """The needs of the routes of an application that change something, as their own parameters
    tell them: `Reviewer` or `Admin`, and an `UploadFile`.
    """

    def __init__(self) -> None:
        self._known: tuple[tuple[re.Pattern[str], frozenset[str], Needs], ...] | None = None

    def of(self, scope: Scope) -> Needs:
        """Those of the route that a request will come to."""
        if scope["method"] in SAFE_METHODS:
            return Needs()
        if self._known is None:
            self._known = tuple(_known(scope["app"]))
        path, method = scope["path"], scope["method"]
        fitting = (one for form, how, one in self._known if method in how and form.match(path))
        return next(fitting, Needs())


def _known(app: FastAPI) -> Iterator[tuple[re.Pattern[str], frozenset[str], Needs]]:
    for context in iter_route_contexts(app.routes):
        methods = frozenset(context.methods or ()) - SAFE_METHODS
        if methods:
            yield context.path_regex, methods, _needs(context.dependant)


def _needs(dependant: Dependant) -> Needs:
    parts = list(_parts(dependant))
    roles = [_ROLES[part.call] for part in parts if part.call in _ROLES]
    fields = (field for part in parts for field in part.body_params)
    return Needs(
        role=max(roles, key=list(Role).index, default=Role.READER),
        takes_file=any(isinstance(field.field_info, File) for field in fields),
    )


def _parts(dependant: Dependant) -> Iterator[Dependant]:
    yield dependant
    for part in dependant.dependencies:
        yield from _parts(part)


_SEE_OTHER = 303


class Door:
    """Notes in the state of a request who makes it (`access`), whether it must prove that it comes
    from our own pages (`needs_csrf`), and whether it may bring a file (`takes_file`). Counts the
    calls of each token.
    """

    def __init__(self, app: ASGIApp, rate_per_minute: int) -> None:
        self._app = app
        self._rates = Rates(rate_per_minute) if rate_per_minute else None
        self._needs = RouteNeeds()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope, receive)
        allowance: Allowance | None = None
        try:
            if is_open(scope["path"]):
                request.state.needs_csrf = True  # a log-in is made by a form of ours
            else:
                identity = await self._known(request)
                allowance = self._counted(identity)
                needs = self._needs.of(scope)
                require_role(identity.access, needs.role)
                request.state.takes_file = needs.takes_file
        except VeridicalError as error:
            reply = _refusal(request, error)
            await reply(scope, receive, _telling(request, send, allowance))
            return
        await self._app(scope, receive, _telling(request, send, allowance))

    async def _known(self, request: Request) -> Identity:
        identity = await service_of(request).identities.of(request)
        request.state.access = identity.access
        request.state.session_nonce = identity.session_nonce
        request.state.needs_csrf = _needs_csrf(request, identity)
        return identity

    def _counted(self, identity: Identity) -> Allowance | None:
        token_id = identity.access.token_id
        if self._rates is None or token_id is None:
            return None
        allowance = self._rates.take(token_id)
        if allowance.is_spent:
            raise TooManyError(
                f"More than {allowance.limit} calls a minute with this token. "
                f"Try again in {allowance.retry_seconds} s.",
                retry_seconds=allowance.retry_seconds,
            )
        return allowance


def _needs_csrf(request: HTTPConnection, identity: Identity) -> bool:
    """A log-in lives in a cookie, which a browser sends whoever made it call. With open access a
    browser needs nothing at all; it is told from a program by headers that no page can leave out.
    """
    if identity.by_header:
        return False
    if identity.session_nonce is not None:
        return True
    return any(name in request.headers for name in OF_BROWSERS)


def _refusal(request: Request, error: VeridicalError) -> Response:
    if isinstance(error, UnauthorizedError) and "authorization" not in request.headers:
        target = request.scope["path"] if request.method in SAFE_METHODS else "/"
        query = request.scope.get("query_string", b"").decode("latin-1")
        after = quote(f"{target}?{query}" if query and target != "/" else target, safe="")
        if request.headers.get("hx-request") == "true":
            response = reply_to(request, error)
            response.headers["HX-Redirect"] = "/login"
            return response
        if wants_page(request):
            return RedirectResponse(f"/login?next={after}", _SEE_OTHER)
    return reply_to(request, error)


def _telling(request: Request, send: Send, allowance: Allowance | None) -> Send:
    """Sends a reply with what the caller should know beside it."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            if allowance is not None:
                headers["RateLimit-Limit"] = str(allowance.limit)
                headers["RateLimit-Remaining"] = str(allowance.remaining)
            nonce = getattr(request.state, "new_visit", None)
            if nonce is not None:
                headers.append("Set-Cookie", visit_cookie(request, nonce))
        await send(message)

    return sending
