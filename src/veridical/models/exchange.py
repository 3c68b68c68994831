"""Talking to a server that may be slow, broken or hostile: bounded in time, bytes and attempts.

The timeouts of an HTTP client bound the wait for the next byte only, so that a server which drips
one byte a second is waited for without end. So each attempt and each call has its own end here.
"""

from __future__ import annotations

import asyncio
import json
import logging
import math
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import Enum
from functools import lru_cache
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from veridical.errors import ModelError, ModelUnavailable, require_package
from veridical.models.deadline import TimeLimit, within
from veridical.models.settings import ModelSettings

if TYPE_CHECKING:
    import ssl

    import httpx2

# What goes wrong with a server, as values. Its own words are never repeated: they may hold the key
# or the prompt; a code such as `context_length_exceeded` cannot, and says as much.


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


# Talking to it.

logger = logging.getLogger(__name__)

_MOST_DOUBLINGS = 16
_MAX_ERROR_BYTES = 64 * 1024
_ERROR_BODY_SECONDS = 5.0
"""A status says most of it: its body is worth no long wait."""

_GRACE_SECONDS = 2.0
"""How long to wait for an exchange to wind up after its time. It is left behind after that: a
name look-up, for one, cannot be broken off."""

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Answer:
    """The body of a 2xx answer, whole. `content_type` is lower-case, without parameters."""

    body: bytes
    content_type: str


class Exchange:
    """All the requests of one call, with one deadline."""

    def __init__(self, settings: ModelSettings, client: httpx2.AsyncClient) -> None:
        self._settings = settings
        self._client = client
        self._deadline = asyncio.get_running_loop().time() + settings.total_seconds

    async def post(
        self,
        path: str,
        body: Mapping[str, Any],
        read: Callable[[Answer], _T],
        *,
        files: Mapping[str, tuple[str, bytes, str]] | None = None,
    ) -> _T:
        """What `read` makes of the answer, after as many attempts as it takes and is allowed.

        The body is sent as JSON; with `files`, each a name, its bytes and their type, as a form.
        A failure for which another attempt may help is tried again after the wait that the server
        asks for, or a growing one. Where the time left is shorter than the wait it ends at once.
        Raises Failure.
        """
        attempt = 0
        while True:
            attempt += 1
            try:
                return read(await self._answer(path, body, files))
            except Failure as problem:
                failure = problem
            if failure.remedy is not Remedy.RETRY:
                raise failure
            growing = self._settings.backoff_seconds * 2 ** min(attempt - 1, _MOST_DOUBLINGS)
            pause = max(growing, failure.retry_after or 0.0)
            if attempt > self._settings.max_retries:
                failure.message += f"; gave up after {attempt} attempts" if attempt > 1 else ""
                raise failure
            if pause >= self._time_left():
                asked = failure.retry_after
                failure.message += (
                    "" if asked is None else f", and asks for a wait of {asked:.0f} s"
                )
                failure.message += "; there is no time left for another attempt"
                failure.remedy = Remedy.LATER
                raise failure
            logger.info("%s; next attempt in %.1f s", failure.shown(self._settings), pause)
            await asyncio.sleep(pause)

    async def _answer(
        self,
        path: str,
        body: Mapping[str, Any],
        files: Mapping[str, tuple[str, bytes, str]] | None,
    ) -> Answer:
        """One attempt."""
        import httpx2

        sent: dict[str, Any] = {"json": body} if files is None else {"data": body, "files": files}
        seconds = min(self._settings.timeout_seconds, self._time_left())
        server = self._settings.server
        try:
            async with (
                asyncio.timeout(seconds),
                self._client.stream("POST", path, **sent) as response,
            ):
                return await self._read(response)
        except (TimeoutError, httpx2.TimeoutException):
            problem = f"gave no whole answer within {seconds:.3g} s"
        except httpx2.ConnectError as error:
            problem = f"cannot be reached ({_cause(error)})"
        except (httpx2.HTTPError, httpx2.InvalidURL, EOFError, OSError) as error:
            problem = f"broke off its answer ({_cause(error)})"
        raise Failure(f"{server} {problem}", Remedy.RETRY)

    async def _read(self, response: httpx2.Response) -> Answer:
        settings = self._settings
        if not response.is_success:
            start = await _start_of(response)
            raise failure_of_status(response.status_code, response.headers, start, settings)
        if response.headers.get("content-encoding", "identity") != "identity":
            # A few compressed bytes can become a great many.
            raise Failure(f"{settings.server} compresses its answer unasked", Remedy.CHANGE)
        body = await _read_up_to(response.aiter_raw(), settings.max_reply_bytes)
        if len(body) > settings.max_reply_bytes:
            raise Failure(
                f"{settings.server} sends more than {settings.max_reply_bytes:,} bytes, the most "
                "that is read of a reply",
                Remedy.LATER,
            )
        kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        return Answer(body, kind)

    def _time_left(self) -> float:
        return self._deadline - asyncio.get_running_loop().time()


def require_client() -> None:
    """Raises MissingExtraError where the HTTP client is missing."""
    require_package("httpx2", "Asking a language model", "model")


def converse(settings: ModelSettings, work: Callable[[Exchange], Awaitable[_T]]) -> _T:
    """Run `work` to its end, or to the end of `settings.total_seconds`, and give what it gives.

    It runs on an event loop in a thread of its own, whatever the caller runs on: only there can a
    request be cut short wherever it hangs.

    Raises ModelError, or ModelUnavailable, for a failure; MissingExtraError without a client.
    """
    require_client()
    try:
        result = within(
            settings.total_seconds + _GRACE_SECONDS, lambda: asyncio.run(_converse(settings, work))
        )
    except TimeLimit:
        result = _out_of_time(settings)
    if isinstance(result, Failure):
        # Not from within a handler: what the server said would hang on as the error's context.
        raise result.to_error(settings)
    return result


async def _converse(
    settings: ModelSettings, work: Callable[[Exchange], Awaitable[_T]]
) -> _T | Failure:
    try:
        async with asyncio.timeout(settings.total_seconds), _client(settings) as client:
            return await work(Exchange(settings, client))
    except TimeoutError:
        return _out_of_time(settings)
    except Failure as failure:
        return failure


def _client(settings: ModelSettings) -> httpx2.AsyncClient:
    """A client that goes to no other address than the one that was named.

    A proxy of the environment passes what goes to an https address on unread. To an http address,
    mostly one on this machine, nothing goes by way of others.
    """
    import httpx2

    _quieten()
    return httpx2.AsyncClient(
        base_url=settings.base_url,
        headers={
            "Authorization": f"Bearer {settings.bearer}",
            "Accept-Encoding": "identity",
            "User-Agent": "veridical",
        },
        timeout=settings.timeout_seconds,
        verify=_certificates(),
        follow_redirects=False,
        trust_env=settings.is_encrypted,
    )


@lru_cache(maxsize=1)
def _certificates() -> ssl.SSLContext:
    """What tells a true server from a false one. Reading it takes 50 ms, so that is done once."""
    import httpx2

    return httpx2.create_ssl_context()


async def _start_of(response: httpx2.Response) -> bytes:
    import httpx2

    try:
        async with asyncio.timeout(_ERROR_BODY_SECONDS):
            return await _read_up_to(response.aiter_raw(), _MAX_ERROR_BYTES)
    except (TimeoutError, httpx2.HTTPError):
        return b""


async def _read_up_to(chunks: AsyncIterator[bytes], most: int) -> bytes:
    """The bytes, or the first few more than `most` of them."""
    read = bytearray()
    async for chunk in chunks:
        read += chunk
        if len(read) > most:
            break
    return bytes(read)


def _out_of_time(settings: ModelSettings) -> Failure:
    return Failure(
        f"{settings.server} gave no whole answer within {settings.total_seconds:.3g} s in all",
        Remedy.LATER,
    )


def _cause(problem: BaseException) -> str:
    """The kind of a connection's end. Its message is left out: it may hold a server's words."""
    return type(problem).__name__


def _quieten() -> None:
    """Keep the transport's own records out of the log, but where the program asked for them.

    They hold header lines and reason phrases as the server gave them, and so perhaps the key.
    """
    for name in ("httpx2", "httpcore2"):
        its_logger = logging.getLogger(name)
        if its_logger.level == logging.NOTSET:
            its_logger.setLevel(logging.WARNING)
