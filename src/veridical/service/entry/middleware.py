"""What every request passes before a route is looked for: is it from us, who is it, how large?"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from urllib.parse import quote, urlsplit

from fastapi import FastAPI
from fastapi.dependencies.models import Dependant
from fastapi.params import File
from fastapi.routing import iter_route_contexts
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection, Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from veridical.errors import VeridicalError
from veridical.service.context import Bounds, Places, service_of
from veridical.service.entry.access import (
    SAFE_METHODS,
    VISIT,
    Access,
    admin,
    caller_of,
    is_open,
    reader,
    require_role,
    reviewer,
    set_cookie,
)
from veridical.service.entry.identity import Allowance, Rates
from veridical.service.errors import (
    RefusedError,
    TooManyError,
    UnauthorizedError,
    reply_to,
    wants_page,
)
from veridical.service.settings import Auth, ServiceSettings, is_loopback
from veridical.store.workspaces import Role

MOST_HEADER_BYTES = 32 * 1024
MOST_PATH_BYTES = 8 * 1024

OF_BROWSERS = ("sec-fetch-site", "origin", "referer")
"""Headers that tell a browser, also an older one, from a program: each sends one with a form."""

_HOST = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([0-9A-Za-z._-]+))(?::[0-9]{0,5})?")
"""`name:port` or `[address]:port`."""


class OriginCheck:
    """Checks the head of a request, whoever makes it."""

    def __init__(self, app: ASGIApp, settings: ServiceSettings) -> None:
        self._app = app
        self._hosts = frozenset(name.lower() for name in settings.allowed_hosts)
        self._any_host = settings.auth is Auth.TOKEN and not self._hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        if scope["type"] == "http":
            problem = self._problem(scope)
            if problem is not None:
                await reply_to(Request(scope, receive), problem)(scope, receive, send)
                return
        await self._app(scope, receive, send)

    def _problem(self, scope: Scope) -> RefusedError | None:
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if sum(len(name) + len(value) for name, value in scope["headers"]) > MOST_HEADER_BYTES:
            return RefusedError(431, "headers_too_large", "The headers are too large.")
        query = scope.get("query_string", b"")
        if len(scope["path"]) + len(query) > MOST_PATH_BYTES:
            return RefusedError(414, "address_too_long", "The address is too long.")
        if "\x00" in scope["path"] or b"\x00" in query or b"%00" in query:
            return RefusedError(422, "invalid_request", "The address holds a null character.")
        found = _HOST.fullmatch(hosts[0]) if len(hosts) == 1 else None
        name = (found[1] or found[2]).lower() if found else ""
        is_ours = self._any_host or name in self._hosts or is_loopback(name)
        if found is None or not is_ours:
            return RefusedError(
                421, "wrong_host", "This service does not answer for that host name. If it shall, "
                "start it with --allow-host NAME."
            )  # fmt: skip
        if _is_foreign(scope["method"], headers, hosts[0]):
            return RefusedError(403, "foreign_page", "Another web site may not ask this.")
        return None


def _is_foreign(method: str, headers: Headers, host: str) -> bool:
    site = headers.get("sec-fetch-site")
    if site in ("same-origin", "none"):
        return False
    if site is not None:
        followed = headers.get("sec-fetch-mode") == "navigate"
        is_page = headers.get("sec-fetch-dest", "document") == "document"
        return not (followed and method in SAFE_METHODS and is_page)
    told = headers.get("origin") or (None if method in SAFE_METHODS else headers.get("referer"))
    return told is not None and _place_of(told) != host.lower()


def _place_of(url: str) -> str:
    """`name:port` of an address; empty for what is none."""
    try:
        return urlsplit(url).netloc.lower()
    except ValueError:
        return ""


_ROLES = {reader: Role.READER, reviewer: Role.REVIEWER, admin: Role.ADMIN}


def _route_needs(app: FastAPI) -> Iterator[tuple[re.Pattern[str], frozenset[str], Role, bool]]:
    """Of each route that changes something its address and methods, the role that it is for, and
    whether files may be sent to it, as its own parameters tell: `Reviewer` or `Admin`, and an
    `UploadFile`.
    """
    for context in iter_route_contexts(app.routes):
        methods = frozenset(context.methods or ()) - SAFE_METHODS
        if methods:
            parts = list(_parts(context.dependant))
            roles = [_ROLES[part.call] for part in parts if part.call in _ROLES]
            role = max(roles, key=list(Role).index, default=Role.READER)
            fields = (field.field_info for part in parts for field in part.body_params)
            takes_file = any(isinstance(field, File) for field in fields)
            yield context.path_regex, methods, role, takes_file


def _parts(dependant: Dependant) -> Iterator[Dependant]:
    yield dependant
    for part in dependant.dependencies:
        yield from _parts(part)


class Authentication:
    """Notes in the state of a request who makes it (`access`), whether it must prove that it comes
    from our own pages (`needs_csrf`), and whether it may bring a file (`takes_file`). Counts the
    calls of each token.
    """

    def __init__(self, app: ASGIApp, rate_per_minute: int) -> None:
        self._app = app
        self._rates = Rates(rate_per_minute) if rate_per_minute else None
        self._needs: tuple[tuple[re.Pattern[str], frozenset[str], Role, bool], ...] | None = None

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
                access = request.state.access = await service_of(request).identities.of(request)
                request.state.needs_csrf = _needs_csrf(request, access)
                allowance = self._counted(access.token_id)
                role, request.state.takes_file = self._needs_of(scope)
                require_role(access, role)
        except VeridicalError as error:
            reply = _refusal(request, error)
            await reply(scope, receive, _telling(request, send, allowance))
            return
        await self._app(scope, receive, _telling(request, send, allowance))

    def _needs_of(self, scope: Scope) -> tuple[Role, bool]:
        """The role that the route of a request is for, and whether files may be sent to it."""
        if self._needs is None:
            self._needs = tuple(_route_needs(scope["app"]))
        for form, methods, role, takes_file in self._needs:
            if scope["method"] in methods and form.match(scope["path"]):
                return role, takes_file
        return Role.READER, False

    def _counted(self, token_id: str | None) -> Allowance | None:
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


def _needs_csrf(request: HTTPConnection, access: Access) -> bool:
    """A log-in lives in a cookie, which a browser sends whoever made it call. With open access a
    browser needs nothing at all; it is told from a program by headers that no page can leave out.
    """
    if access.by_header:
        return False
    return access.session_nonce is not None or any(name in request.headers for name in OF_BROWSERS)


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
            return RedirectResponse(f"/login?next={after}", 303)
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
                headers.append("Set-Cookie", set_cookie(request, VISIT, nonce, None))
        await send(message)

    return sending


UPLOADS = Bounds(places=8, of_group=8, of_one=4)
"""Files that are received at a time: each is held in memory once while it is kept. Of one caller
fewer than in all, so that nobody can keep all others from sending theirs.
"""

MOST_OPEN_BYTES = 16 * 1024
"""Of a call that anybody can make: the form of a log-in is all that there is."""

SLOWEST_BYTES_PER_SECOND = 64 * 1024
"""What is on its way may take this much longer than `body_seconds` for each byte that has come."""

_KILOBYTE = 1024
_UPLOAD = "multipart/form-data"
_TOO_MANY_UPLOADS = RefusedError(
    503,
    "too_many_uploads",
    "Too many files are being received just now; send this one again soon.",
    {"Retry-After": "2"},
)


class BodyLimit:
    """Refuses bodies that are too large with 413, at best before any of it is read, those that are
    not there in time with 408, and more files at a time than `UPLOADS` lets in with 503.

    A form may be as large as a file is where `Authentication` noted that the route takes one, and
    for whoever came past it: those who may send that file.
    """

    def __init__(self, app: ASGIApp, settings: ServiceSettings) -> None:
        self._app = app
        self._settings = settings
        self._uploads = Places(UPLOADS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, its body counted as it is read."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope, receive)
        kind = request.headers.get("content-type", "").lower()
        is_upload = getattr(request.state, "takes_file", False) and kind.startswith(_UPLOAD)
        most = self._settings.max_upload_bytes if is_upload else self._settings.max_body_bytes
        if is_open(scope["path"]):
            most = min(MOST_OPEN_BYTES, self._settings.max_body_bytes)
        limited = _limited(receive, most, self._settings.body_seconds)
        # What is no length is refused by the server itself.
        declared = request.headers.get("content-length", "")
        if declared.isascii() and declared.isdecimal() and float(declared) > most:
            await reply_to(request, _too_large(most))(scope, receive, send)
        elif not is_upload:
            await self._app(scope, limited, send)
        else:
            async with self._uploads.one_for("", caller_of(request)) as is_free:
                app = self._app if is_free else reply_to(request, _TOO_MANY_UPLOADS)
                await app(scope, limited, send)


def _limited(receive: Receive, most: int, seconds: float) -> Receive:
    read, whole = 0, False
    begun = asyncio.get_running_loop().time()

    async def limited() -> Message:
        nonlocal read, whole
        if whole:  # what comes after the body is that the client went away: no hurry
            return await receive()
        try:
            async with asyncio.timeout_at(begun + seconds + read / SLOWEST_BYTES_PER_SECOND):
                message = await receive()
        except TimeoutError:
            late = "The request did not arrive in time."
            raise RefusedError(408, "too_slow", late) from None
        read += len(message.get("body", b""))
        whole = not message.get("more_body", False)
        if read > most:
            raise _too_large(most)
        return message

    return limited


def _too_large(most: int) -> RefusedError:
    return RefusedError(413, "too_large", f"The request is larger than {most // _KILOBYTE} KB.")
