"""Who makes a request, in which workspace, and what they may do: the one place that decides it.

Endpoints take `Reader`, `Reviewer` or `Admin` as a parameter, and reach what is stored through its
shelf only. A test enumerates the routes and holds that each that is not on `OPEN_ROUTES` takes one.
Nobody whom we do not know comes as far as a route that is not on it (see `Authentication`).

Three cookies: `veridical_session` stands for a token after a log-in, `veridical_visit` ties forms
to a browser, `veridical_workspace` remembers which workspace somebody looks at with open access.
Forms and scripts of our own pages prove that they are: others cannot know their token (CSRF).
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import quote, unquote

from fastapi import Depends
from starlette.requests import HTTPConnection, Request

from veridical.service.context import service_of
from veridical.service.errors import FORMS, ForbiddenError, RefusedError, UnauthorizedError
from veridical.store.store import Shelf
from veridical.store.workspaces import Role


def sign(secret: bytes, *parts: str) -> str:
    """The signature of some parts in this order, as 64 hex digits.

    The first part should say what it is for, so that a signature is good for nothing else.
    """
    message = b"".join(b"%d:" % len(data) + data for data in (part.encode() for part in parts))
    return hmac.new(secret, message, hashlib.sha256).hexdigest()


def is_signed(secret: bytes, signature: str, *parts: str) -> bool:
    """Whether a signature is that of these parts. Takes as long for a wrong one as for the right
    one.
    """
    try:
        given, wanted = signature.encode("ascii"), sign(secret, *parts).encode("ascii")
    except UnicodeEncodeError:
        return False
    return hmac.compare_digest(given, wanted)


SESSION = "veridical_session"
VISIT = "veridical_visit"
WORKSPACE = "veridical_workspace"

SESSION_SECONDS = 12 * 3600
"""How long one stays logged in."""

_CLOCK_SKEW_SECONDS = 60

LONGEST_SECONDS = SESSION_SECONDS + _CLOCK_SKEW_SECONDS
"""How long a log-in that was ended may have had to go."""

YEAR_SECONDS = 365 * 24 * 3600
_NONCE = re.compile(r"[A-Za-z0-9_-]{22}")


def new_nonce() -> str:
    """Sixteen random bytes, as text."""
    return secrets.token_urlsafe(16)


def new_session(secret: bytes, token_id: str) -> str:
    """The value of the cookie of a log-in that begins now."""
    parts = (token_id, str(int(time.time())), new_nonce())
    return "~".join((*parts, sign(secret, "session", *parts)))


def read_session(secret: bytes, value: str) -> tuple[str, str] | None:
    """The log-in that a cookie stands for: the id of its token, and the nonce that its forms are
    tied to. None for what we did not write, or that has ended.
    """
    token_id, issued, nonce, signature = (*value.split("~"), "", "", "", "")[:4]
    if not is_signed(secret, signature, "session", token_id, issued, nonce):
        return None
    is_current = -_CLOCK_SKEW_SECONDS <= time.time() - int(issued) < SESSION_SECONDS
    return (token_id, nonce) if is_current else None


def chosen_workspace(connection: HTTPConnection) -> str | None:
    """The workspace that was chosen in a browser."""
    value = connection.cookies.get(WORKSPACE)
    return unquote(value) if value else None


def set_cookie(connection: HTTPConnection, name: str, value: str, seconds: int | None) -> str:
    """The header `Set-Cookie` for a cookie that lasts so long; None for as long as the browser is
    open, 0 to have it forgotten.
    """
    value = quote(value, safe="~")
    age = "" if seconds is None else f"; Max-Age={seconds}"
    is_https = connection.scope.get("scheme") == "https"
    secure = "; Secure" if is_https or service_of(connection).settings.secure_cookies else ""
    return f"{name}={value}; Path=/; HttpOnly; SameSite=Lax{age}{secure}"


FIELD = "csrf_token"
HEADER = "X-CSRF-Token"
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})

_REFUSED = "This form has expired or is not from here. Load the page again, then send it again."


def csrf_token_of(request: Request) -> str:
    """What the forms of a page that is now being made must send along.

    A browser that was not here before is given a cookie with the reply.
    """
    nonce = _nonce_of(request)
    if nonce is None:
        nonce = request.state.new_visit = new_nonce()
    return sign(service_of(request).identities.secret, "csrf", nonce)


async def check_csrf(request: Request) -> None:
    """`require_csrf` of a call that may be a form."""
    await require_csrf(request, may_be_form=True)


async def require_csrf(request: Request, *, may_be_form: bool) -> None:
    """Refuses an unsafe request of a browser that does not send the token along, in a header or in
    a form.

    Those that came with a token in a header, and programs with open access, need none:
    `Authentication` notes which they are.
    """
    if request.method in SAFE_METHODS or not getattr(request.state, "needs_csrf", False):
        return
    given = request.headers.get(HEADER, "")
    kind = request.headers.get("content-type", "").lower()
    if not given and may_be_form and kind.startswith(FORMS):
        field = (await request.form()).get(FIELD)
        given = field if isinstance(field, str) else ""
    nonce = _nonce_of(request)
    secret = service_of(request).identities.secret
    if nonce is None or not is_signed(secret, given, "csrf", nonce):
        raise RefusedError(403, "csrf", _REFUSED)


def _nonce_of(request: Request) -> str | None:
    """What ties forms to a browser: its log-in, or that it was here before."""
    access = getattr(request.state, "access", None)
    session_nonce: str | None = None if access is None else access.session_nonce
    visit = request.cookies.get(VISIT, "")
    known = visit if _NONCE.fullmatch(visit) else None
    return session_nonce or getattr(request.state, "new_visit", None) or known


OPEN_ROUTES = frozenset(
    {
        "/health",
        "/ready",
        "/login",
        "/openapi.json",
        "/static/{}",
        "/static/reports/{}",
        "/api/v1/downloads/{}",
    }
)
"""Paths that need no token, `{}` for any parameter. A download has a signature instead."""

_OPEN_PATHS = re.compile(
    "|".join(re.escape(route).replace(r"\{\}", ".+" if "static" in route else "[^/]+")
             for route in sorted(OPEN_ROUTES))
)  # fmt: skip


def template_of(path: str) -> str:
    """A path of a route with `{}` for its parameters, as `OPEN_ROUTES` has them."""
    return re.sub(r"\{[^}]*\}", "{}", path)


def is_open(path: str) -> bool:
    """Whether a path needs no token."""
    return _OPEN_PATHS.fullmatch(path) is not None


@dataclass(frozen=True, slots=True)
class Access:
    """Someone in a workspace. `actor` is the name of the token ("local" with open access).

    `new_id` is the id that what this call makes is to have: the same one each time that the call is
    made. Without it, any. `session_nonce` is that of the log-in, where one was used, and
    `by_header` says that a token was sent in a header.
    """

    shelf: Shelf
    role: Role
    actor: str
    token_id: str | None = None
    new_id: str | None = None
    session_nonce: str | None = None
    by_header: bool = False

    @property
    def workspace(self) -> str:
        """The name of the workspace."""
        return self.shelf.workspace

    def may(self, role: Role) -> bool:
        """Whether they may do what a role may: what pages offer, and endpoints insist on."""
        return self.role.covers(role)


def access_of(request: Request) -> Access | None:
    """Whoever makes a request, where that is known: for error pages, which anyone may see."""
    return getattr(request.state, "access", None)


def caller_of(request: Request) -> str:
    """What all calls of somebody have in common: the token, or the address where there is none."""
    access = access_of(request)
    if access is not None and access.token_id is not None:
        return access.token_id
    return address_of(request)


def address_of(connection: HTTPConnection) -> str:
    """The address that a request came from; empty where the server does not know it."""
    return connection.client.host if connection.client is not None else ""


def require_role(access: Access, role: Role) -> None:
    """Raises ForbiddenError for whoever may not do what needs this role."""
    if not access.may(role):
        raise ForbiddenError(f"This needs the role {role}; the token has the role {access.role}.")


def _allowing(role: Role) -> Callable[[Request], Awaitable[Access]]:
    """What endpoints depend on that are for a role: whoever makes the request, if they may."""

    async def allowed(request: Request) -> Access:
        access = access_of(request)
        if access is None:
            raise UnauthorizedError("This needs a token.")
        require_role(access, role)
        await check_csrf(request)
        return access

    return allowed


reader = _allowing(Role.READER)
reviewer = _allowing(Role.REVIEWER)
admin = _allowing(Role.ADMIN)

Reader = Annotated[Access, Depends(reader)]
"""Someone who may look."""

Reviewer = Annotated[Access, Depends(reviewer)]
"""Someone who may add and decide."""

Admin = Annotated[Access, Depends(admin)]
"""Someone who may take away, and let others in."""
