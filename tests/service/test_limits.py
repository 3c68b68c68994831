"""Bodies that are too large, or never come."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest
from fastapi import FastAPI, Request
from tests.service.serving import serving

from veridical.service.errors import add_error_handlers
from veridical.service.limits import BodyLimit


@pytest.fixture(scope="module")
def place() -> Iterator[tuple[str, int]]:
    app = FastAPI()
    add_error_handlers(app)
    app.add_middleware(BodyLimit, most_bytes=2048, seconds=0.3)

    @app.post("/read")
    async def read(request: Request) -> int:
        return len(await request.body())

    with serving(app, wait_until_ready=False) as client:
        yield client.base_url.host, client.base_url.port or 0


def reply(place: tuple[str, int], head: str, body: bytes) -> tuple[int, str]:
    """What is replied to raw bytes, after which nothing more is sent."""
    with socket.create_connection(place, timeout=20) as connection:
        start = f"POST /read HTTP/1.1\r\nHost: here\r\nConnection: close\r\n{head}\r\n\r\n"
        connection.sendall(start.encode() + body)
        received = b""
        while piece := connection.recv(65_536):
            received += piece
    return int(received.split()[1]), received.decode()


@pytest.mark.parametrize(
    ("head", "body", "status"),
    [
        ("Content-Length: 5", b"hello", 200),
        ("Content-Length: 99999999999", b"h", 413),
        ("Transfer-Encoding: chunked", b"1000\r\n" + b"a" * 4096 + b"\r\n0\r\n\r\n", 413),
        ("Transfer-Encoding: chunked", b"5\r\nhello\r\n", 408),
        ("Content-Length: 100", b"hello", 408),
    ],
)
def test_a_body_is_bounded_in_size_and_time(
    place: tuple[str, int], head: str, body: bytes, status: int
) -> None:
    got, text = reply(place, head, body)
    assert got == status
    assert got == 200 or '"error"' in text
