"""Talking to a server that may be slow, broken or hostile: bounded in time, bytes and attempts.

The timeouts of an HTTP client bound the wait for the next byte only, so that a server which drips
one byte a second is waited for without end. So each attempt and each call has its own end here.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from functools import lru_cache
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeVar

from veridical.errors import require_package
from veridical.models.failures import Failure, Remedy, failure_of_status
from veridical.models.settings import ModelSettings

if TYPE_CHECKING:
    import ssl

    import httpx2

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
