"""Forms and scripts of our own pages prove that they are: others cannot know their token."""

from __future__ import annotations

from starlette.requests import Request

from veridical.service.context import service_of
from veridical.service.entry.cookies import new_nonce, visit_of
from veridical.service.entry.signing import is_signed, sign
from veridical.service.errors import FORMS, RefusedError

FIELD = "csrf_token"
HEADER = "X-CSRF-Token"
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})

_PURPOSE = "csrf"
_REFUSED = "This form has expired or is not from here. Load the page again, then send it again."


def csrf_token_of(request: Request) -> str:
    """What the forms of a page that is now being made must send along.

    A browser that was not here before is given a cookie with the reply.
    """
    nonce = _nonce_of(request)
    if nonce is None:
        nonce = request.state.new_visit = new_nonce()
    return sign(service_of(request).identities.secret, _PURPOSE, nonce)


async def check_csrf(request: Request) -> None:
    """Refuses an unsafe request of a browser that does not send the token along.

    Those that came with a token in a header, and programs with open access, need none: `Door` notes
    which they are.
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
    if nonce is None or not is_signed(secret, given, _PURPOSE, nonce):
        raise RefusedError(403, "csrf", _REFUSED)


def _nonce_of(request: Request) -> str | None:
    session_nonce: str | None = getattr(request.state, "session_nonce", None)
    return session_nonce or getattr(request.state, "new_visit", None) or visit_of(request)


async def _field(request: Request) -> str:
    if not request.headers.get("content-type", "").lower().startswith(FORMS):
        return ""
    value = (await request.form()).get(FIELD)
    return value if isinstance(value, str) else ""
