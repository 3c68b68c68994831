"""Bounds on what a request may bring, and on how long it may take to bring it."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from veridical.service.entry.access import caller_of, is_open
from veridical.service.entry.slots import Slots
from veridical.service.errors import RefusedError, reply_to
from veridical.service.settings import ServiceSettings

MOST_UPLOADS = 8
"""Files that are received at a time: each is held in memory once while it is kept."""

MOST_UPLOADS_OF_ONE = 4
"""Of them from one caller: nobody can keep all others from sending theirs."""

MOST_OPEN_BYTES = 16 * 1024
"""Of a call that anybody can make: the form of a log-in is all that there is."""

SLOWEST_BYTES_PER_SECOND = 64 * 1024
"""What is on its way may take this much longer than `body_seconds` for each byte that has come."""

_KILOBYTE = 1024
_UPLOAD = "multipart/form-data"


class BodyLimit:
    """Refuses bodies that are too large with 413, at best before any of it is read, those that are
    not there in time with 408, and more than `MOST_UPLOADS` files at a time with 503.

    A form may be as large as a file is where `Door` noted that the route takes one, and for whoever
    came past it: those who may send that file.
    """

    def __init__(self, app: ASGIApp, settings: ServiceSettings) -> None:
        self._app = app
        self._settings = settings
        self._uploads = Slots(most_of_one=MOST_UPLOADS_OF_ONE, most=MOST_UPLOADS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, its body counted as it is read."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope, receive)
        is_upload = _is_upload(request)
        most = self._most(request, is_upload=is_upload)
        limited = _limited(receive, most, self._settings.body_seconds)
        if _as_number(request.headers.get("content-length", "")) > most:
            await reply_to(request, _too_large(most))(scope, receive, send)
        elif not is_upload:
            await self._app(scope, limited, send)
        else:
            with self._uploads.one_for(caller_of(request)) as is_free:
                app = self._app if is_free else reply_to(request, _too_many())
                await app(scope, limited, send)

    def _most(self, request: Request, *, is_upload: bool) -> int:
        if is_open(request.scope["path"]):
            return min(MOST_OPEN_BYTES, self._settings.max_body_bytes)
        return self._settings.max_upload_bytes if is_upload else self._settings.max_body_bytes


def _is_upload(request: Request) -> bool:
    kind = request.headers.get("content-type", "").lower()
    return getattr(request.state, "takes_file", False) and kind.startswith(_UPLOAD)


def _limited(receive: Receive, most: int, seconds: float) -> Receive:
    read, whole = 0, False
    begun = asyncio.get_running_loop().time()

    async def limited() -> Message:
        nonlocal read, whole
        if whole:  # what comes after the body is that the client went away: no hurry
            return await receive()
        try:
            async with asyncio.timeout_at(begun + seconds + read / SLOWEST_BYTES_PER_SECOND):
                message = await receive()
        except TimeoutError:
            raise _too_slow() from None
        read += len(message.get("body", b""))
        whole = not message.get("more_body", False)
        if read > most:
            raise _too_large(most)
        return message

    return limited


def _too_large(most: int) -> RefusedError:
    return RefusedError(413, "too_large", f"The request is larger than {most // _KILOBYTE} KB.")


def _too_many() -> RefusedError:
    message = "Too many files are being received just now; send this one again soon."
    return RefusedError(503, "too_many_uploads", message, {"Retry-After": "2"})


def _too_slow() -> RefusedError:
    return RefusedError(408, "too_slow", "The request did not arrive in time.")


def _as_number(declared: str) -> float:
    """A declared length; 0 for what is none, which the server itself refuses."""
    return float(declared) if declared.isdecimal() and declared.isascii() else 0.0
