"""Talking to a server that may be slow, broken or hostile: bounded in time, bytes and attempts.

The openai SDK builds the requests. Everything that makes a request end in bounded time is here,
and not left to the SDK's own settings: those bound the wait for the next byte only, so that a
server which drips one byte a second is waited for without end.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from functools import lru_cache
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from veridical.models.failures import Failure, Remedy, failure_of_status
from veridical.models.settings import ModelSettings

if TYPE_CHECKING:
    import ssl

    import httpx2
    import openai

logger = logging.getLogger(__name__)

_MOST_DOUBLINGS = 16
_MAX_ERROR_BYTES = 64 * 1024
_ERROR_BODY_SECONDS = 5.0
"""A status says most of it: its body is worth no long wait."""

_GRACE_SECONDS = 2.0
"""How long to wait for an exchange to wind up after its time. It is left behind after that: a
name look-up, for one, cannot be broken off."""

_KEPT_HEADERS = ("Content-Length", "Transfer-Encoding", "X-Stainless-Raw-Response")
"""What the transport needs, and what tells the SDK to leave the reading of the body to us."""

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Answer:
    """The body of a 2xx answer, whole. `content_type` is lower-case, without parameters."""

    body: bytes
    content_type: str


Send: TypeAlias = "Callable[[openai.AsyncOpenAI], AbstractAsyncContextManager[Any]]"
"""Sends one request through a method of the SDK's `with_streaming_response`."""


class Exchange:
    """All the requests of one call, with one deadline."""

    def __init__(self, settings: ModelSettings, client: openai.AsyncOpenAI) -> None:
        self._settings = settings
        self._client = client
        self._deadline = asyncio.get_running_loop().time() + settings.total_seconds

    async def ask(self, send: Send, read: Callable[[Answer], _T | Failure]) -> _T | Failure:
        """What `read` makes of the answer, after as many attempts as it takes and is allowed.

        A failure for which another attempt may help is tried again after the wait that the server
        asks for, or a growing one. Where the time left is shorter than the wait it ends at once.
        """
        attempt = 0
        while True:
            attempt += 1
            outcome = await self._attempt(send, read)
            if not isinstance(outcome, Failure) or outcome.remedy is not Remedy.RETRY:
                return outcome
            if attempt > self._settings.max_retries:
                return _given_up(outcome, attempt)
            pause = max(
                self._settings.backoff_seconds * 2 ** min(attempt - 1, _MOST_DOUBLINGS),
                outcome.retry_after or 0.0,
            )
            if pause >= self._time_left():
                return _without_time(outcome)
            logger.info(
                "%s; next attempt in %.1f s", self._settings.without_key(outcome.message), pause
            )
            await asyncio.sleep(pause)

    async def _attempt(self, send: Send, read: Callable[[Answer], _T | Failure]) -> _T | Failure:
        import httpx2
        import openai

        seconds = min(self._settings.timeout_seconds, self._time_left())
        server = self._settings.server
        try:
            async with asyncio.timeout(seconds):
                async with send(self._client) as response:
                    body = await _read_up_to(response.iter_bytes(), self._settings.max_reply_bytes)
        except (TimeoutError, openai.APITimeoutError, httpx2.TimeoutException):
            return Failure(f"{server} gave no whole answer within {seconds:.3g} s", Remedy.RETRY)
        except _Refused as refused:
            return refused.failure
        except openai.APIConnectionError as problem:
            return Failure(f"{server} cannot be reached ({_cause(problem)})", Remedy.RETRY)
        except (
            openai.OpenAIError,
            httpx2.HTTPError,
            httpx2.InvalidURL,
            EOFError,
            OSError,
        ) as problem:
            return Failure(f"{server} broke off its answer ({_cause(problem)})", Remedy.RETRY)
        if len(body) > self._settings.max_reply_bytes:
            return Failure(
                f"{server} sends more than {self._settings.max_reply_bytes:,} bytes, the most "
                "that is read of a reply",
                Remedy.LATER,
            )
        content_type = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        return read(Answer(body, content_type))

    def _time_left(self) -> float:
        return self._deadline - asyncio.get_running_loop().time()


def converse(settings: ModelSettings, work: Callable[[Exchange], Awaitable[_T | Failure]]) -> _T:
    """Run `work` to its end, or to the end of `settings.total_seconds`, and give what it gives.

    It runs on an event loop in a thread of its own, whatever the caller runs on: only there can a
    request be cut short wherever it hangs.

    Raises ModelError, or ModelUnavailable, for a failure.
    """
    outcome: Future[_T | Failure] = Future()

    def run() -> None:
        try:
            outcome.set_result(asyncio.run(_converse(settings, work)))
        except BaseException as problem:  # noqa: BLE001 - it is raised again where it is waited for
            outcome.set_exception(problem)

    Thread(target=run, name="veridical-model", daemon=True).start()
    try:
        result = outcome.result(settings.total_seconds + _GRACE_SECONDS)
    except TimeoutError:
        result = _out_of_time(settings)
    if isinstance(result, Failure):
        raise result.to_error(settings)
    return result


async def _converse(
    settings: ModelSettings, work: Callable[[Exchange], Awaitable[_T | Failure]]
) -> _T | Failure:
    try:
        async with asyncio.timeout(settings.total_seconds), _client(settings) as client:
            return await work(Exchange(settings, client))
    except TimeoutError:
        return _out_of_time(settings)


def _client(settings: ModelSettings) -> openai.AsyncOpenAI:
    """The SDK's client, with nothing left to the environment but the way to an encrypted server.

    A proxy passes what goes to an https address on unread. To an http address, mostly one on this
    machine, nothing goes by way of others.
    """
    import openai

    _quieten()

    async def only_what_is_needed(request: httpx2.Request) -> None:
        # Whatever variables such as OPENAI_CUSTOM_HEADERS add, and what the SDK tells of this
        # machine, stays here.
        kept = {name: request.headers[name] for name in _KEPT_HEADERS if name in request.headers}
        request.headers.clear()
        request.headers.update(
            {
                **kept,
                "Host": request.url.netloc.decode("ascii"),
                "Authorization": f"Bearer {settings.bearer}",
                "Content-Type": "application/json",
                "Accept": "*/*",
                "Accept-Encoding": "identity",
                "User-Agent": "veridical",
            }
        )

    async def only_what_was_asked_for(response: httpx2.Response) -> None:
        if not response.is_success:
            body = await _start_of(response)
            raise _Refused(
                failure_of_status(response.status_code, response.headers, body, settings)
            )
        if response.headers.get("content-encoding", "identity") != "identity":
            # A few compressed bytes can become a great many.
            raise _Refused(
                Failure(f"{settings.server} compresses its answer unasked", Remedy.CHANGE)
            )

    return openai.AsyncOpenAI(
        api_key=settings.bearer,
        admin_api_key="",
        organization="",
        project="",
        webhook_secret="",
        base_url=settings.base_url,
        timeout=settings.timeout_seconds,
        max_retries=0,
        http_client=openai.DefaultAsyncHttpxClient(
            timeout=settings.timeout_seconds,
            verify=_certificates(),
            # The key and the text go to the address that was named, and to no other.
            follow_redirects=False,
            trust_env=settings.is_encrypted,
            event_hooks={"request": [only_what_is_needed], "response": [only_what_was_asked_for]},
        ),
    )


@lru_cache(maxsize=1)
def _certificates() -> ssl.SSLContext:
    """What tells a true server from a false one. Reading it takes 50 ms, so that is done once."""
    import httpx2

    return httpx2.create_ssl_context()


class _Refused(Exception):
    """Carries a failure past the SDK, which would read an error's body without any bound."""

    def __init__(self, failure: Failure) -> None:
        super().__init__("refused")
        self.failure = failure


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


def _given_up(failure: Failure, attempts: int) -> Failure:
    tried = f"; gave up after {attempts} attempts" if attempts > 1 else ""
    return replace(failure, message=f"{failure.message}{tried}")


def _without_time(failure: Failure) -> Failure:
    asked = failure.retry_after
    reason = f", and asks for a wait of {asked:.0f} s" if asked is not None else ""
    return replace(
        failure,
        message=f"{failure.message}{reason}; there is no time left for another attempt",
        remedy=Remedy.LATER,
    )


def _out_of_time(settings: ModelSettings) -> Failure:
    return Failure(
        f"{settings.server} gave no whole answer within {settings.total_seconds:.3g} s in all",
        Remedy.LATER,
    )


def _cause(problem: BaseException) -> str:
    """The kind of a connection's end. Its message is left out: it may hold a server's words."""
    return type(problem.__cause__ or problem).__name__


def _quieten() -> None:
    """Keep the transport's own records out of the log, but where the program asked for them.

    They hold header lines and reason phrases as the server gave them, and so perhaps the key.
    """
    for name in ("openai", "httpx2", "httpcore2"):
        its_logger = logging.getLogger(name)
        if its_logger.level == logging.NOTSET:
            its_logger.setLevel(logging.WARNING)
