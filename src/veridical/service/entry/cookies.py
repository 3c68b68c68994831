"""The cookies that the service gives out, and what is in them.

`veridical_session` stands for a token after a log-in, `veridical_visit` ties forms to a browser,
`veridical_workspace` remembers which workspace somebody looks at with open access.
"""

from __future__ import annotations

import re
import secrets
import time
from dataclasses import dataclass
from urllib.parse import quote, unquote

from starlette.requests import HTTPConnection

from veridical.service.context import service_of
from veridical.service.entry.signing import is_signed, sign

SESSION = "veridical_session"
VISIT = "veridical_visit"
WORKSPACE = "veridical_workspace"

SESSION_SECONDS = 12 * 3600
"""How long one stays logged in."""

_CLOCK_SKEW_SECONDS = 60

LONGEST_SECONDS = SESSION_SECONDS + _CLOCK_SKEW_SECONDS
"""How long a log-in that was ended may have had to go."""

_YEAR_SECONDS = 365 * 24 * 3600
_PURPOSE = "session"
_NONCE = re.compile(r"[A-Za-z0-9_-]{22}")


@dataclass(frozen=True, slots=True)
class Session:
    """A log-in. `issued` is in seconds since 1970; `nonce` is what its forms are tied to."""

    token_id: str
    issued: int
    nonce: str

    def is_current(self, now: float) -> bool:
        """Whether it has neither ended nor begins in the future."""
        return -_CLOCK_SKEW_SECONDS <= now - self.issued < SESSION_SECONDS


def new_nonce() -> str:
    """Sixteen random bytes, as text."""
    return secrets.token_urlsafe(16)


def new_session(secret: bytes, token_id: str) -> str:
    """The value of the cookie of a log-in that begins now."""
    parts = (token_id, str(int(time.time())), new_nonce())
    return "~".join((*parts, sign(secret, _PURPOSE, *parts)))


def read_session(secret: bytes, value: str) -> Session | None:
    """The log-in that a cookie stands for; None for what we did not write, or that has ended."""
    token_id, issued, nonce, signature = (*value.split("~"), "", "", "", "")[:4]
    if not is_signed(secret, signature, _PURPOSE, token_id, issued, nonce):
        return None
    session = Session(token_id, int(issued), nonce)
    return session if session.is_current(time.time()) else None


def visit_of(connection: HTTPConnection) -> str | None:
    """The nonce of a browser that was here before."""
    nonce = connection.cookies.get(VISIT, "")
    return nonce if _NONCE.fullmatch(nonce) else None


def chosen_workspace(connection: HTTPConnection) -> str | None:
    """The workspace that was chosen in a browser."""
    value = connection.cookies.get(WORKSPACE)
    return unquote(value) if value else None


def session_cookie(connection: HTTPConnection, value: str) -> str:
    """The header that begins a log-in."""
    return _header(connection, SESSION, value, SESSION_SECONDS)


def no_session_cookie(connection: HTTPConnection) -> str:
    """The header that ends one."""
    return _header(connection, SESSION, "", 0)


def visit_cookie(connection: HTTPConnection, nonce: str) -> str:
    """The header that lets a browser be known again, for as long as it is open."""
    return _header(connection, VISIT, nonce, None)


def workspace_cookie(connection: HTTPConnection, workspace: str) -> str:
    """The header that remembers a workspace."""
    return _header(connection, WORKSPACE, quote(workspace, safe=""), _YEAR_SECONDS)


def _header(connection: HTTPConnection, name: str, value: str, seconds: int | None) -> str:
    age = "" if seconds is None else f"; Max-Age={seconds}"
    is_https = connection.scope.get("scheme") == "https"
    secure = "; Secure" if is_https or service_of(connection).settings.secure_cookies else ""
    return f"{name}={value}; Path=/; HttpOnly; SameSite=Lax{age}{secure}"
