"""A server on this machine that does to its clients whatever a test wants."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Event, Thread
from typing import Any

DRIP_SECONDS = 0.02
MOST_DRIPS = 1_000


@dataclass(frozen=True)
class Received:
    """One request: its path, its headers by lower-case name, its body, and when it came."""

    path: str
    headers: dict[str, str]
    body: bytes
    at: float

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Client:
    """The other end of a connection, for an act to write to."""

    socket: socket.socket
    received: Received
    stop: Event

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def drip(self, data: bytes) -> None:
        """Send some bytes again and again, slowly, until the client leaves or the test ends."""
        for _ in range(MOST_DRIPS):
            if self.stop.wait(DRIP_SECONDS):
                return
            self.send(data)

    def wait(self) -> None:
        """Send nothing more, until the test ends."""
        self.stop.wait(MOST_DRIPS * DRIP_SECONDS)


Act = Callable[[Client], None]
"""What is done with one request."""


@dataclass
class FaultyServer:
    """A running server: where it is, and what came in."""

    port: int
    received: list[Received] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def bodies(self) -> list[Any]:
        return [received.json for received in self.received]


@contextmanager
def serve(*acts: Act) -> Iterator[FaultyServer]:
    """A server that does one act a request, in order, and the last one ever after."""
    stop = Event()

    class Handler(StreamRequestHandler):
        def handle(self) -> None:
            received = _read_request(self)
            act = acts[min(len(running.received), len(acts) - 1)]
            running.received.append(received)
            with suppress(OSError):  # the client has had enough
                act(Client(self.request, received, stop))

    class Server(ThreadingTCPServer):
        allow_reuse_address = True
        daemon_threads = True
        block_on_close = True

    with Server(("127.0.0.1", 0), Handler) as server:
        running = FaultyServer(server.server_address[1])
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield running
        finally:
            stop.set()
            server.shutdown()
            thread.join(10)


def _read_request(handler: StreamRequestHandler) -> Received:
    path = handler.rfile.readline().split()[1].decode()
    headers: dict[str, str] = {}
    while (line := handler.rfile.readline().strip()) != b"":
        name, _, value = line.decode("latin-1").partition(":")
        headers[name.lower()] = value.strip()
    body = handler.rfile.read(int(headers.get("content-length", 0)))
    return Received(path, headers, body, time.monotonic())


def answer(
    body: bytes | str | object,
    status: int = 200,
    headers: dict[str, str] | None = None,
    *,
    content_type: str = "application/json",
) -> Act:
    """An answer as it should be: text and bytes as they are, anything else as JSON."""
    if isinstance(body, str):
        body = body.encode()
    if not isinstance(body, bytes):
        body = json.dumps(body).encode()
    lines = {
        "Content-Type": content_type,
        "Content-Length": str(len(body)),
        "Connection": "close",
        **(headers or {}),
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    data = f"HTTP/1.1 {status} Whatever\r\n{head}\r\n".encode() + body
    return lambda client: client.send(data)


def completion(content: object = "fine", **choice: object) -> dict[str, Any]:
    """The body of a chat completion."""
    return {
        "model": "tiny-1",
        "choices": [
            {"message": {"role": "assistant", "content": content}, "finish_reason": "stop"} | choice
        ],
        "usage": {"prompt_tokens": 7, "completion_tokens": 3},
    }


FINE = answer(completion())


def error(status: int, error: object = None, headers: dict[str, str] | None = None) -> Act:
    """An error in OpenAI's form."""
    return answer({"error": error or {"message": "no"}}, status, headers)


def silence(client: Client) -> None:
    """No byte of an answer."""
    client.wait()


def cut_at_once(client: Client) -> None:
    """The connection is closed before any answer."""


def cut_in_the_body(client: Client) -> None:
    client.send(b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n" + b'{"choices": [')


def endless_headers(client: Client) -> None:
    client.send(b"HTTP/1.1 200 OK\r\n")
    client.drip(b"X-More: and more\r\n")


def dripping_status_line(client: Client) -> None:
    client.drip(b"H")


def endless_informational(client: Client) -> None:
    client.drip(b"HTTP/1.1 100 Continue\r\n\r\n")


def dripping_body(client: Client) -> None:
    client.send(b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n")
    client.drip(b" ")


def endless_stream(client: Client) -> None:
    client.send(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    client.drip(b"7\r\ndata: x\r\n")


def flood(client: Client) -> None:
    """Bytes without end, as fast as they are taken."""
    client.send(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    chunk = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
    for _ in range(MOST_DRIPS * 10):
        if client.stop.is_set():
            return
        client.send(chunk)


def dripping_error(client: Client) -> None:
    client.send(b"HTTP/1.1 500 Oh\r\nContent-Length: 5000\r\n\r\n")
    client.drip(b" ")


def not_http(client: Client) -> None:
    client.send(b"220 mail.example ESMTP\r\n")
