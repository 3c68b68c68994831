"""What goes wrong with a server, as values: the message, and whether asking again may help.

A server's own words are never repeated. They may hold the key or the prompt; a code such as
`context_length_exceeded` cannot, and says as much.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import Enum
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from veridical.errors import ModelError, ModelUnavailable
from veridical.models.settings import ModelSettings

_TRANSIENT = {408, 409, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529}

_NO_CREDIT = {"insufficient_quota", "billing_hard_limit_reached"}
"""Codes of a 429 that waiting does not cure."""

_CODE = re.compile(r"[a-z0-9]{1,24}(?:_[a-z0-9]{1,24}){1,7}")

_TOO_LONG = re.compile(
    r"context.{0,20}(?:length|size|window)|maximum context|too many tokens", re.IGNORECASE
)


class Remedy(Enum):
    """What may help: the same request in a moment, one some time later, or only another one."""

    RETRY = "retry"
    LATER = "later"
    CHANGE = "change"


@dataclass(eq=False)
class Failure(Exception):
    """One attempt that failed.

    `retry_after` is the wait in seconds that the server asks for. `refusal` and `parameter` are
    what it said, for the program alone to read: they go into no message and no log.
    """

    message: str
    remedy: Remedy
    status: int | None = None
    retry_after: float | None = None
    refusal: str = field(default="", repr=False)
    parameter: str | None = field(default=None, repr=False)

    def shown(self, settings: ModelSettings) -> str:
        """The message, fit for a log."""
        return settings.without_key(self.message)

    def to_error(self, settings: ModelSettings) -> ModelError:
        """The exception for whoever asked."""
        if self.remedy is Remedy.CHANGE:
            return ModelError(self.shown(settings))
        return ModelUnavailable(self.shown(settings), self.retry_after)


def failure_of_status(
    status: int, headers: Mapping[str, str], body: bytes, settings: ModelSettings
) -> Failure:
    """What an answer other than 2xx means. `body` is its start; `headers` have lower-case names."""
    error = _error_object(body)
    code = _code(error, settings)
    words = str(error.get("message") or body.decode("utf-8", "replace"))
    message = _explain(status, headers, code, words, settings)
    transient = status in _TRANSIENT and code not in _NO_CREDIT
    parameter = error.get("param")
    return Failure(
        f"{settings.server} {message}",
        Remedy.RETRY if transient else Remedy.CHANGE,
        status=status,
        retry_after=_retry_after(headers.get("retry-after", "")),
        refusal=words,
        parameter=parameter if isinstance(parameter, str) else None,
    )


def _retry_after(value: str) -> float | None:
    """Seconds to wait, from a Retry-After of seconds or of a date; None where it is neither.

    Source: RFC 9110, section 10.2.3. More digits than fit come out as infinity.
    """
    try:
        seconds = float(value)
    except ValueError:
        try:
            date = parsedate_to_datetime(value)
        except (ValueError, OverflowError):
            return None
        date = date if date.tzinfo else date.replace(tzinfo=UTC)
        seconds = max(0.0, (date - datetime.now(UTC)).total_seconds())
    return None if math.isnan(seconds) or seconds < 0 else seconds


def _explain(
    status: int, headers: Mapping[str, str], code: str, words: str, settings: ModelSettings
) -> str:
    named = f"{status}, {code}" if code else str(status)
    if code in _NO_CREDIT:
        return f"answers that the account's quota is used up ({named}); see to its plan"
    if status in _TRANSIENT:
        return f"cannot answer now ({named} {_phrase(status)})"
    if HTTPStatus.MULTIPLE_CHOICES <= status < HTTPStatus.BAD_REQUEST:
        host = _shown_host(headers.get("location", ""))
        to = f" to {host}" if host else ""
        return (
            f"redirects{to} ({named}), which is not followed, as the key and the text would go "
            "along; set VERIDICAL_BASE_URL to the address itself"
        )
    if _TOO_LONG.search(f"{code} {words}") or status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
        return (
            f"answers that the request is too long ({named}); give less text or use a model with "
            "a larger context"
        )
    return f"{_REFUSALS.get(status, 'refuses the request')} ({named}){_advice(status, settings)}"


_REFUSALS = {
    401: "refuses the key",
    403: "denies the access",
    404: "knows no such model or address",
}


def _advice(status: int, settings: ModelSettings) -> str:
    if status in (401, 403):
        given = "" if settings.api_key else ", which is not set"
        return f"; check VERIDICAL_API_KEY{given}, and that it may use the model {settings.model!r}"
    if status in (404, 405):
        return (
            f"; check the model name {settings.model!r} and the base URL, which mostly ends in /v1"
        )
    return f"; check that the model {settings.model!r} serves such requests"


def _shown_host(url: str) -> str:
    """The host of an address that a server gave, if it is one that can be shown."""
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return ""
    return host if re.fullmatch(r"[a-z0-9.:-]{1,100}", host) else ""


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "server error"


def _error_object(body: bytes) -> Mapping[str, Any]:
    """The `error` object of an error's body, or an empty one."""
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    error = data.get("error", data) if isinstance(data, dict) else {}
    return error if isinstance(error, dict) else {}


def _code(error: Mapping[str, Any], settings: ModelSettings) -> str:
    """The error's code or type, where it has the form of one and holds no key."""
    for name in ("code", "type"):
        value = error.get(name)
        if isinstance(value, str) and _CODE.fullmatch(value):
            key = settings.api_key
            if key is None or (key not in value and value not in key):
                return value
    return ""
