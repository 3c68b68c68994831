"""Bounds on what a request may bring, and on how long it may take to bring it."""

from __future__ import annotations

import asyncio

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from veridical.service.errors import error_response

MAX_BODY_BYTES = 64 * 1024
"""A question has at most some thousand characters, in JSON with escapes."""

BODY_SECONDS = 10.0
"""How long the next piece of a body may be waited for, and the whole of it be on its way."""


class BodyLimit:
    """Refuses bodies of more than `most_bytes` with 413, at best before any of it is read, and
    those that are not there within `seconds` with 408.
    """

    def __init__(
        self, app: ASGIApp, most_bytes: int = MAX_BODY_BYTES, seconds: float = BODY_SECONDS
    ) -> None:
        self._app = app
        self._most_bytes = most_bytes
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, its body counted as it is read."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        declared = Headers(scope=scope).get("content-length", "")
        if _as_number(declared) > self._most_bytes:
            await error_response(413, "too_large", self._too_large)(scope, receive, send)
            return
        await self._app(scope, self._limited(receive), send)

    @property
    def _too_large(self) -> str:
        return f"The request is larger than {self._most_bytes // 1024} KB."

    def _limited(self, receive: Receive) -> Receive:
        read, whole = 0, False
        ends = asyncio.get_running_loop().time() + self._seconds

        async def limited() -> Message:
            nonlocal read, whole
            if whole:  # what comes after the body is that the client went away: no hurry
                return await receive()
            try:
                async with asyncio.timeout_at(ends):
                    message = await receive()
            except TimeoutError:
                raise HTTPException(408, "The request did not arrive in time.") from None
            read += len(message.get("body", b""))
            whole = not message.get("more_body", False)
            if read > self._most_bytes:
                raise HTTPException(413, self._too_large)
            return message

        return limited


def _as_number(declared: str) -> float:
    """A declared length; 0 for what is none, which the server itself refuses."""
    return float(declared) if declared.isdecimal() and declared.isascii() else 0.0
