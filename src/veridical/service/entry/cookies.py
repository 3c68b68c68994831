"""What only this service can have written: its signatures, its cookies, and the tokens of forms.

`veridical_session` stands for a token after a log-in, `veridical_visit` ties forms to a browser,
`veridical_workspace` remembers which workspace somebody looks at with open access. Forms and
scripts of our own pages prove that they are: others cannot know their token (CSRF).
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import time
from dataclasses import dataclass
from urllib.parse import quote, unquote

from starlette.requests import HTTPConnection, Request

from veridical.service.context import service_of
from veridical.service.errors import FORMS, RefusedError


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


@dataclass(frozen=True, slots=True)
class Session:
    """A log-in. `issued` is in seconds since 1970; `nonce` is what its forms are tied to."""

    token_id: str
    issued: int
    nonce: str


def new_nonce() -> str:
    """Sixteen random bytes, as text."""
    return secrets.token_urlsafe(16)


def new_session(secret: bytes, token_id: str) -> str:
    """The value of the cookie of a log-in that begins now."""
    parts = (token_id, str(int(time.time())), new_nonce())
    return "~".join((*parts, sign(secret, "session", *parts)))


def read_session(secret: bytes, value: str) -> Session | None:
    """The log-in that a cookie stands for; None for what we did not write, or that has ended."""
    token_id, issued, nonce, signature = (*value.split("~"), "", "", "", "")[:4]
    if not is_signed(secret, signature, "session", token_id, issued, nonce):
        return None
    is_current = -_CLOCK_SKEW_SECONDS <= time.time() - int(issued) < SESSION_SECONDS
    return Session(token_id, int(issued), nonce) if is_current else None


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
    """Refuses an unsafe request of a browser that does not send the token along.

    Those that came with a token in a header, and programs with open access, need none:
    `Authentication` notes which they are.
    """
    if request.method in SAFE_METHODS or not getattr(request.state, "needs_csrf", False):
        return
    _require(request, request.headers.get(HEADER, "") or await _field(request))


def check_csrf_header(request: Request) -> None:
    """The same for a call that no form can make, and so without a look at the body."""
    if getattr(request.state, "needs_csrf", False):
        _require(request, request.headers.get(HEADER, ""))


def _require(request: Request, given: str) -> None:
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


async def _field(request: Request) -> str:
    if not request.headers.get("content-type", "").lower().startswith(FORMS):
        return ""
    value = (await request.form()).get(FIELD)
    return value if isinstance(value, str) else ""
