"""An id for each request, in replies, errors and logs: what a user reports, and we look for."""

from __future__ import annotations

import re
import secrets

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.types import Scope

HEADER = "X-Request-ID"
_USABLE = re.compile(r"[A-Za-z0-9._-]{1,64}")


def new_request_id() -> str:
    """One that no other request has."""
    return secrets.token_hex(8)


def give_request_id(scope: Scope) -> str:
    """The id of a request from here on: the one that it came with, where that is harmless."""
    given = Headers(scope=scope).get(HEADER, "")
    request_id = given if _USABLE.fullmatch(given) else new_request_id()
    scope.setdefault("state", {})["request_id"] = request_id
    return request_id


def request_id_of(connection: HTTPConnection) -> str:
    """The id of a request; empty where nobody gave it one."""
    return str(connection.scope.get("state", {}).get("request_id", ""))
