"""Asking a server: `POST /chat`, bounded in time and bytes, whatever the server does."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Self
from urllib.parse import SplitResult, urlsplit

from veridical.errors import ConfigurationError, require_package
from veridical.evaluation.chat import MAX_REPLY_BYTES, Unreachable, read_reply
from veridical.evaluation.run import (
    DEFAULT_TIMEOUT_SECONDS,
    MAX_TIMEOUT_SECONDS,
    ChatError,
    ChatResponse,
)
from veridical.models.deadline import TimeLimit, within

if TYPE_CHECKING:
    import httpx2

_MOST_CONNECTIONS = 64
"""A request that hangs keeps one."""

HOW_TO_START = "veridical serve --documents DIR (or, in the repository: uvicorn app.main:app)"


class HttpChat:
    """Asks the server at `base_url` (`http://127.0.0.1:8000`). A context manager.

    Each request runs in a thread of its own, which is left behind wherever it hangs, as with a
    server that drips a byte a second. Redirects are not followed, and proxies and credentials of
    the environment are not used.

    Raises ConfigurationError for what is no http or https address, and for a time-out that is not
    above 0 and at most an hour; MissingExtraError without httpx2.
    """

    def __init__(self, base_url: str, *, timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS) -> None:
        if not 0 < timeout_seconds <= MAX_TIMEOUT_SECONDS:
            raise ConfigurationError(
                f"the time-out must be above 0 and at most {MAX_TIMEOUT_SECONDS:.0f} seconds, not "
                f"{timeout_seconds}"
            )
        self._address = _checked(base_url)
        require_package("httpx2", "Asking a server", "model")
        self._seconds = timeout_seconds
        self._client = _client(timeout_seconds)

    @property
    def url(self) -> str:
        """The address that questions are sent to."""
        return f"{self._address}/chat"

    def ask(self, question: str) -> ChatResponse | ChatError:
        """The response, or why there is none; `Unreachable` where nobody takes the call."""
        try:
            outcome = within(self._seconds, lambda: self._asked(question))
        except TimeLimit:
            return self._too_slow()
        return outcome if isinstance(outcome, ChatError) else read_reply(outcome)

    def close(self) -> None:
        """Close the connections. Nothing can be asked after that."""
        self._client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _asked(self, question: str) -> bytes | ChatError:
        import httpx2

        ends = time.monotonic() + self._seconds
        try:
            with self._client.stream("POST", self.url, json={"question": question}) as reply:
                return self._refused(reply) or _read(reply.iter_raw(), ends)
        except (TimeoutError, httpx2.TimeoutException):
            return self._too_slow()
        except (httpx2.ConnectError, httpx2.UnsupportedProtocol):
            return Unreachable(
                f"{self.url} cannot be reached. Is the server running? Start it with: "
                f"{HOW_TO_START}"
            )
        except (httpx2.HTTPError, httpx2.InvalidURL, EOFError, OSError) as error:
            return ChatError(f"{self.url} broke off its reply ({type(error).__name__})")

    def _refused(self, reply: httpx2.Response) -> ChatError | None:
        """Why a reply is not worth reading, from its head."""
        status = reply.status_code
        if reply.is_redirect:
            return ChatError(
                f"{self.url} redirects to another address (HTTP {status}), which is not followed; "
                "name the address itself"
            )
        if status == 404:
            return ChatError(f"{self.url} does not exist (HTTP 404); check the address")
        if status != 200:
            return ChatError(f"{self.url} replied HTTP {status}; its log says why")
        if reply.headers.get("content-encoding", "identity") != "identity":
            # A few compressed bytes can become a great many.
            return ChatError(f"{self.url} compresses its reply unasked")
        return None

    def _too_slow(self) -> ChatError:
        return ChatError(f"{self.url} gave no whole reply within {self._seconds:g} s")


def _client(seconds: float) -> httpx2.Client:
    import httpx2

    return httpx2.Client(
        timeout=seconds,
        follow_redirects=False,
        trust_env=False,
        headers={"Accept": "application/json", "Accept-Encoding": "identity"},
        limits=httpx2.Limits(max_connections=_MOST_CONNECTIONS),
    )


def _read(chunks: Iterator[bytes], ends: float) -> bytes | ChatError:
    body = bytearray()
    for chunk in chunks:
        if time.monotonic() > ends:
            raise TimeoutError
        body += chunk
        if len(body) > MAX_REPLY_BYTES:
            return ChatError(f"the reply has more than {MAX_REPLY_BYTES:,} bytes")
    return bytes(body)


def _checked(base_url: str) -> str:
    """The address without a slash at its end."""
    try:
        parts = urlsplit(base_url.strip())
        usable = _is_usable(parts)
    except ValueError:
        usable = False
    if not usable:
        raise ConfigurationError(
            "the server's address must be like http://127.0.0.1:8000, without a name, a password, "
            "a query or a fragment"
        )
    return base_url.strip().rstrip("/")


def _is_usable(parts: SplitResult) -> bool:
    _ = parts.port  # ValueError for one that is no number
    plain = not (parts.username or parts.password or parts.query or parts.fragment)
    return parts.scheme in ("http", "https") and bool(parts.hostname) and plain
