"""Clients that ask one request after another over connections that they keep, as fast as they can.

They read replies and count them, and do nothing else: what is measured is the server.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

_BUFFER_BYTES = 1024 * 1024
_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)\r\n", re.IGNORECASE)
_HEAD_END = b"\r\n\r\n"
_WAIT_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Call:
    """A request, whole: `raw` is what is sent."""

    name: str
    raw: bytes


@dataclass(slots=True)
class Replies:
    """What came back: seconds of each reply, how many of which status, bytes in all; `failures`
    counts replies of 400 and more, and those that did not come, by what was asked.
    """

    seconds: list[float] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)
    bytes: int = 0
    elapsed: float = 0.0

    @property
    def errors(self) -> int:
        """Replies that say that something went wrong, and those that did not come."""
        return self.failures.total()


def call(name: str, method: str, path: str, body: bytes = b"", **headers: str) -> Call:
    """A request of this name. Header names are written with underscores."""
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", "Connection: keep-alive"]
    lines += [f"{key.replace('_', '-')}: {value}" for key, value in headers.items()]
    if body:
        lines.append(f"Content-Length: {len(body)}")
    return Call(name, "\r\n".join(lines).encode() + _HEAD_END + body)


def load(port: int, calls: Iterator[Call], clients: int, count: int) -> Replies:
    """Send `count` requests, drawn from `calls`, by so many clients at once."""
    return asyncio.run(_load(port, calls, clients, count))


async def _load(port: int, calls: Iterator[Call], clients: int, count: int) -> Replies:
    replies, left = Replies(), iter(range(count))
    began = time.perf_counter()
    await asyncio.gather(*(_client(port, calls, left, replies) for _ in range(clients)))
    replies.elapsed = time.perf_counter() - began
    return replies


async def _client(port: int, calls: Iterator[Call], left: Iterator[int], replies: Replies) -> None:
    loop = asyncio.get_running_loop()
    connection: _Connection | None = None
    for _ in left:
        asked = next(calls)
        try:
            async with asyncio.timeout(_WAIT_SECONDS):
                if connection is None or connection.closed:
                    _, connection = await loop.create_connection(_Connection, "127.0.0.1", port)
                began = time.perf_counter()
                status, size = await connection.ask(asked.raw)
        except (OSError, TimeoutError) as problem:
            replies.failures[f"{asked.name}: {type(problem).__name__}"] += 1
            if connection is not None:
                connection.close()
            connection = None
            continue
        replies.seconds.append(time.perf_counter() - began)
        replies.statuses[status] += 1
        replies.bytes += size
        if status >= 400:
            replies.failures[f"{asked.name}: {status}"] += 1
    if connection is not None:
        connection.close()


class _Connection(asyncio.BufferedProtocol):
    """One reply at a time, counted into a buffer that is used over and over."""

    def __init__(self) -> None:
        self.closed = False
        self._buffer = bytearray(_BUFFER_BYTES)
        self._transport: asyncio.Transport | None = None
        self._reply: asyncio.Future[tuple[int, int]] | None = None
        self._head = b""
        self._status, self._missing, self._size = 0, 0, 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def connection_lost(self, exc: Exception | None) -> None:
        self.closed = True
        if self._reply is not None and not self._reply.done():
            self._reply.set_exception(exc or ConnectionResetError("closed before the reply"))

    def close(self) -> None:
        """Hang up."""
        if self._transport is not None:
            self._transport.close()

    async def ask(self, raw: bytes) -> tuple[int, int]:
        """Send a request; its status and the bytes of its body."""
        assert self._transport is not None
        self._reply = asyncio.get_running_loop().create_future()
        self._head = b""
        self._transport.write(raw)
        return await self._reply

    def get_buffer(self, sizehint: int) -> bytearray:  # noqa: ARG002
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        if self._reply is None or self._reply.done():
            return
        if self._status:
            self._missing -= nbytes
        else:
            self._head += bytes(self._buffer[:nbytes])
            self._read_head()
        if self._status and self._missing <= 0:
            status, self._status = self._status, 0
            self._reply.set_result((status, self._size))

    def _read_head(self) -> None:
        end = self._head.find(_HEAD_END)
        if end < 0:
            return
        self._status = int(self._head[9:12])
        head = self._head[: end + 2]
        assert b"chunked" not in head.lower(), "replies must say how long they are"
        length = _LENGTH.search(head)
        self._size = int(length[1]) if length else 0
        self._missing = self._size - (len(self._head) - end - len(_HEAD_END))
