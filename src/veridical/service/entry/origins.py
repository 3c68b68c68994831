"""Refuses what a foreign web page makes a browser ask for, and what no client of ours sends.

A page from elsewhere can have a browser send requests to a service on the same machine, and by
rebinding its own name even read the replies. So the name that a request is for must be one of ours,
and a browser must say that it comes from our pages. Links from elsewhere may be followed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from veridical.service.entry.csrf import SAFE_METHODS
from veridical.service.entry.hosts import is_loopback
from veridical.service.errors import RefusedError, reply_to
from veridical.service.settings import Auth, ServiceSettings

MOST_HEADER_BYTES = 32 * 1024
MOST_PATH_BYTES = 8 * 1024

OF_BROWSERS = ("sec-fetch-site", "origin", "referer")
"""Headers that tell a browser, also an older one, from a program: each sends one with a form."""

_HOST = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([0-9A-Za-z._-]+))(?::[0-9]{0,5})?")
"""`name:port` or `[address]:port`."""


class Guard:
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
        host = _one(headers.getlist("host"))
        if sum(len(name) + len(value) for name, value in scope["headers"]) > MOST_HEADER_BYTES:
            return RefusedError(431, "headers_too_large", "The headers are too large.")
        query = scope.get("query_string", b"")
        if len(scope["path"]) + len(query) > MOST_PATH_BYTES:
            return RefusedError(414, "address_too_long", "The address is too long.")
        if "\x00" in scope["path"] or b"\x00" in query or b"%00" in query:
            return RefusedError(422, "invalid_request", "The address holds a null character.")
        if host is None or not self._is_ours(host):
            return RefusedError(
                421, "wrong_host", "This service does not answer for that host name. If it shall, "
                "start it with --allow-host NAME."
            )  # fmt: skip
        if _is_foreign(scope["method"], headers, host):
            return RefusedError(403, "foreign_page", "Another web site may not ask this.")
        return None

    def _is_ours(self, host: str) -> bool:
        found = _HOST.fullmatch(host)
        if found is None:
            return False
        name = (found[1] or found[2]).lower()
        return self._any_host or name in self._hosts or is_loopback(name)


def _is_foreign(method: str, headers: Headers, host: str) -> bool:
    site = headers.get("sec-fetch-site")
    if site in ("same-origin", "none"):
        return False
    if site is not None:
        followed = headers.get("sec-fetch-mode") == "navigate"
        return not (followed and method in SAFE_METHODS and _is_whole_page(headers))
    told = headers.get("origin") or (None if method in SAFE_METHODS else headers.get("referer"))
    return told is not None and _place_of(told) != host.lower()


def _is_whole_page(headers: Headers) -> bool:
    return headers.get("sec-fetch-dest", "document") == "document"


def _one(values: Sequence[str]) -> str | None:
    return values[0] if len(values) == 1 and values[0] else None


def _place_of(url: str) -> str:
    """`name:port` of an address; empty for what is none."""
    try:
        return urlsplit(url).netloc.lower()
    except ValueError:
        return ""
