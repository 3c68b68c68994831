"""Creating calls that may be sent twice and are done once: those with the header Idempotency-Key.

The middleware covers every POST under `/api/v1`. It reads the body whole, so that it can tell the
same call from another one, and hands it on. What was replied is kept for a day, for whoever made
the call: the same token in the same workspace. It is kept before it is sent, so that whoever learns
from it of something, and deletes that, has the reply emptied too. A process that was killed half
way lets go of a key after `STALE_SECONDS`; what it had made by then is found by its id, which each
try of a call is given, and not made a second time.

Nothing is replied anew to whoever would be refused now: `Authentication` comes before, and the
token of our own pages is looked at here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from email.message import Message as HeaderMessage
from hashlib import sha256
from tempfile import SpooledTemporaryFile
from typing import IO

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from veridical.service.context import service_of
from veridical.service.entry.access import access_of, require_csrf
from veridical.service.errors import RefusedError
from veridical.service.settings import API_PREFIX
from veridical.store.columns import is_id
from veridical.store.requests import KeptReply, Requests

HEADER = "Idempotency-Key"
REPLAYED = "Idempotency-Replayed"
STALE_SECONDS = 60.0

_MOST_KEY_CHARS = 200
_MOST_REPLY_BYTES = 1024 * 1024
_PIECE_BYTES = 64 * 1024
_MEMORY_BYTES = 1024 * 1024
_KEPT_HEADERS = ("content-type", "location")
_FIRST_OF_SERVER_ERRORS = 500
_NOT_KEPT = frozenset({401, 403, 408, 413, 429})
"""What is said of a caller or a moment rather than of the call: worth another try."""
_DELETED = f"What this call made was deleted since. To make it again, choose a new {HEADER}."


def keep_instead(request: Request, content: object) -> None:
    """Keep this for a repeated call in place of what is replied now: without what only the first
    reply may tell.
    """
    request.state.kept_instead = json.dumps(content).encode()


class Idempotency:
    """Does calls with a key once."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; or reply what was replied before."""
        is_creating = (
            scope["type"] == "http"
            and scope["method"] == "POST"
            and scope["path"].startswith(f"{API_PREFIX}/")
        )
        if not is_creating or HEADER not in Headers(scope=scope):
            await self._app(scope, receive, send)
            return
        request = Request(scope, receive)
        access = access_of(request)
        if access is None:  # an open route: nobody whose key it could be
            await self._app(scope, receive, send)
            return
        await require_csrf(request, may_be_form=False)
        key = _key_of(request, access.token_id or "")
        requests = service_of(request).store.requests(access.workspace)
        with SpooledTemporaryFile(_MEMORY_BYTES) as body:
            await _read(request, body)
            digest = await run_in_threadpool(_digest, request, body)
            begun = await run_in_threadpool(
                requests.begin, key, digest, stale_seconds=STALE_SECONDS
            )
            if isinstance(begun, KeptReply):
                await _replayed(begun, digest)(scope, receive, send)
                return
            request.state.access = replace(access, new_id=begun.subject_id)
            reply = _Recorded(send)
            try:
                await self._app(scope, _again(body, receive), reply.send)
            except BaseException:
                await run_in_threadpool(requests.forget, key)
                raise
            try:
                await run_in_threadpool(_keep, requests, key, request, reply)
            finally:
                await reply.release()


def _keep(requests: Requests, key: str, request: Request, reply: _Recorded) -> None:
    """Keep a reply, where it is worth that; else let the call be made once more."""
    body = reply.body_worth_keeping
    if body is None:
        requests.forget(key)
        return
    body = getattr(request.state, "kept_instead", body)
    packed = json.dumps(reply.headers).encode() + b"\n" + body
    subject = _subject_of(request.scope["path"], reply.headers.get("location", ""))
    requests.end(key, reply.status, packed, subject)


def _key_of(request: Request, token_id: str) -> str:
    keys = request.headers.getlist(HEADER)
    key = keys[0]
    is_plain = key.isascii() and key.isprintable()
    if len(keys) != 1 or not 1 <= len(key) <= _MOST_KEY_CHARS or not is_plain:
        message = f"{HEADER} must be 1 to {_MOST_KEY_CHARS} printable ASCII characters."
        raise RefusedError(422, "invalid_request", message)
    return sha256(f"{token_id}\n{key}".encode()).hexdigest()


async def _read(request: Request, body: IO[bytes]) -> None:
    try:
        async for piece in request.stream():
            body.write(piece)
    except ClientDisconnect:
        raise RefusedError(408, "too_slow", "The request did not arrive whole.") from None


def _digest(request: Request, body: IO[bytes]) -> str:
    """What a call is known by: its method, address, kind and body. The marks between the parts of a
    form are chosen anew for each sending, so they are left out.
    """
    header = HeaderMessage()
    header["content-type"] = request.headers.get("content-type", "")
    mark = str(header.get_param("boundary", "") or "").encode("latin-1", "replace")
    query = request.scope.get("query_string", b"").decode("latin-1")
    told = [request.method, request.scope["path"], query, header.get_content_type()]
    digest = sha256(json.dumps(told).encode())
    for piece in _without(mark, body) if mark else _pieces(body):
        digest.update(piece)
    return digest.hexdigest()


def _pieces(body: IO[bytes]) -> Iterator[bytes]:
    body.seek(0)
    while piece := body.read(_PIECE_BYTES):
        yield piece


def _without(mark: bytes, body: IO[bytes]) -> Iterator[bytes]:
    tail = b""
    for piece in _pieces(body):
        joined = (tail + piece).replace(mark, b"")
        cut = max(0, len(joined) - len(mark) + 1)
        yield joined[:cut]
        tail = joined[cut:]
    yield tail


def _again(body: IO[bytes], receive: Receive) -> Receive:
    """Receives the body that was read, and then what comes after it."""
    pieces = _pieces(body)
    whole = False

    async def receiving() -> Message:
        nonlocal whole
        if whole:
            return await receive()
        piece = next(pieces, b"")
        whole = not piece
        return {"type": "http.request", "body": piece, "more_body": not whole}

    return receiving


class _Recorded:
    """Holds a reply back until its `release`; one of more than `_MOST_REPLY_BYTES` is sent on."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._size = 0
        self._held: list[Message] = []
        self.status = 0
        self.headers: dict[str, str] = {}

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = MutableHeaders(scope=message)
            self.headers = {name: headers[name] for name in _KEPT_HEADERS if name in headers}
        elif message["type"] == "http.response.body":
            self._size += len(message.get("body", b""))
        self._held.append(message)
        if self._size > _MOST_REPLY_BYTES:
            await self.release()

    async def release(self) -> None:
        held, self._held = self._held, []
        for message in held:
            await self._send(message)

    @property
    def body_worth_keeping(self) -> bytes | None:
        if not 0 < self.status < _FIRST_OF_SERVER_ERRORS or self.status in _NOT_KEPT:
            return None
        if self._size > _MOST_REPLY_BYTES:
            return None
        return b"".join(message.get("body", b"") for message in self._held)


def _subject_of(path: str, location: str) -> str | None:
    """The id of what a call was about: `/api/v1/sessions/{id}/…`, or that of what it made."""
    for address in (path, location):
        parts = address.removeprefix(f"{API_PREFIX}/").split("/")
        if len(parts) > 1 and is_id(parts[1]):
            return parts[1]
    return None


def _replayed(kept: KeptReply, digest: str) -> Response:
    if kept.request_sha256 != digest:
        message = f"This {HEADER} was used for another call. Choose a new one for each call."
        raise RefusedError(422, "idempotency_mismatch", message)
    if not kept.status:
        message = "The first call with this key is still under way."
        raise RefusedError(409, "idempotency_under_way", message, {"Retry-After": "2"})
    if not kept.body:
        raise RefusedError(410, "deleted", _DELETED)
    headers, _, body = kept.body.partition(b"\n")
    return Response(body, kept.status, {**json.loads(headers), REPLAYED: "true"})
