"""HTTP as uvicorn speaks it, with bounds on the head of a request, of which it has none itself."""

from __future__ import annotations

import asyncio
import logging
from typing import cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from veridical.service.entry.headers import SECURITY_HEADERS
from veridical.service.errors import HEADER, error_response, new_request_id

_log = logging.getLogger(__name__)

MOST_HEAD_BYTES = 64 * 1024
HEAD_SECONDS = 20.0
"""How long a connection may take to bring the head of a request."""


class BoundedHttp(HttpToolsProtocol):
    """Breaks off connections whose next head is too long, or too long in coming."""

    _timer: asyncio.TimerHandle | None = None
    _head_bytes = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A client is there."""
        super().connection_made(cast(asyncio.Transport, transport))
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """A client is gone."""
        self._head_is_there()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """More of a request is there."""
        if self._timer is not None:
            self._head_bytes += len(data)
        super().data_received(data)
        if self._timer is not None and self._head_bytes > MOST_HEAD_BYTES:
            self._head_is_there()
            self.send_400_response("The headers are too large.")

    def on_message_begin(self) -> None:
        """A request begins."""
        if self._timer is None:
            self._await_head()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """The head of a request is there."""
        self._head_is_there()
        super().on_headers_complete()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no request that the application could be given, as that refuses others."""
        request_id = new_request_id()
        _log.info("request %s was refused: %s", request_id, msg)
        headers = {**SECURITY_HEADERS, HEADER: request_id, "Connection": "close"}
        reply = error_response(400, "invalid_request", msg, headers, request_id)
        head = b"".join(b"%s: %s\r\n" % header for header in reply.raw_headers)
        self.transport.write(b"HTTP/1.1 400 Bad Request\r\n" + head + b"\r\n" + bytes(reply.body))
        self.transport.close()

    def _await_head(self) -> None:
        self._timer = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def _head_is_there(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer, self._head_bytes = None, 0
