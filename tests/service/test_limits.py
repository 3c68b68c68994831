"""Bodies that are too large, or never come, and files that come all at once."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest
from fastapi import FastAPI, Request
from fastapi.testclient import TestClient
from starlette.types import ASGIApp, Receive, Scope, Send
from tests.service.serving import serving
from tests.service.visiting import Place, a_place

from veridical.service.entry.middleware import (
    MOST_OPEN_BYTES,
    UPLOADS,
    BodyLimit,
)
from veridical.service.errors import add_error_handlers
from veridical.service.settings import Auth, ServiceSettings
from veridical.store.workspaces import Role

FILE = "Content-Type: multipart/form-data; boundary=x"


class FilesWelcome:
    """Notes what `Authentication` would."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope.setdefault("state", {})["takes_file"] = True
        await self._app(scope, receive, send)


@contextmanager
def taking(body_seconds: float) -> Iterator[tuple[str, int]]:
    """Where a server takes bodies that come within that time."""
    app = FastAPI()
    add_error_handlers(app)
    settings = ServiceSettings(
        max_body_bytes=2048, max_upload_bytes=8192, body_seconds=body_seconds
    )
    app.add_middleware(BodyLimit, settings=settings)
    app.add_middleware(FilesWelcome)

    @app.post("/read")
    async def read(request: Request) -> int:
        return len(await request.body())

    with serving(app, wait_until_ready=False) as client:
        yield client.base_url.host, client.base_url.port or 0


@pytest.fixture(scope="module")
def place() -> Iterator[tuple[str, int]]:
    with taking(body_seconds=60.0) as patient:
        yield patient


def begun(place: tuple[str, int], head: str, body: bytes, path: str = "/read") -> socket.socket:
    """A connection on which these raw bytes were sent."""
    connection = socket.create_connection(place, timeout=60)
    start = f"POST {path} HTTP/1.1\r\nHost: here\r\nConnection: close\r\n{head}\r\n\r\n"
    connection.sendall(start.encode() + body)
    return connection


def received(connection: socket.socket) -> tuple[int, str]:
    text = b""
    with connection:
        while piece := connection.recv(65_536):
            text += piece
    return int(text.split()[1]), text.decode()


@pytest.mark.parametrize(
    ("head", "body", "status"),
    [
        ("Content-Length: 5", b"hello", 200),
        ("Content-Length: 99999999999", b"h", 413),
        ("Transfer-Encoding: chunked", b"1000\r\n" + b"a" * 4096 + b"\r\n0\r\n\r\n", 413),
        (f"Content-Length: 4096\r\n{FILE}", b"a" * 4096, 200),
        (f"Content-Length: 9000\r\n{FILE}", b"a" * 9000, 413),
    ],
)
def test_a_body_is_bounded_in_size(
    place: tuple[str, int], head: str, body: bytes, status: int
) -> None:
    got, text = received(begun(place, head, body))
    assert got == status
    assert got == 200 or '"error"' in text


@pytest.mark.parametrize(
    ("head", "body"),
    [("Transfer-Encoding: chunked", b"5\r\nhello\r\n"), ("Content-Length: 100", b"hello")],
)
def test_a_body_is_bounded_in_time(head: str, body: bytes) -> None:
    with taking(body_seconds=0.3) as hasty:
        got, text = received(begun(hasty, head, body))
    assert (got, '"error"' in text) == (408, True)


def test_so_many_files_at_a_time(place: tuple[str, int]) -> None:
    head = f"Content-Length: 4096\r\n{FILE}"
    under_way = [begun(place, head, b"a") for _ in range(UPLOADS.of_one)]
    refused, text = received(begun(place, head, b"a" * 4096))
    assert (refused, "too_many_uploads" in text, "retry-after: 2" in text) == (503, True, True)
    for connection in under_way:
        connection.sendall(b"a" * 4095)
    assert [received(connection)[0] for connection in under_way] == [200] * UPLOADS.of_one
    assert received(begun(place, head, b"a" * 4096))[0] == 200


# --- who may send what ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    folder = tmp_path_factory.mktemp("limits")
    with a_place(folder, auth=Auth.TOKEN, max_body_bytes=32_768) as guarded:
        yield guarded


def form(size: int) -> dict[str, dict[str, tuple[str, bytes, str]]]:
    return {"files": {"file": ("a.txt", b"a" * size, "text/plain")}}


def test_only_a_route_that_takes_a_file_takes_a_large_form(guarded: Place) -> None:
    reviewer = guarded.reviewer()
    large = form(40_000)
    assert reviewer.post("/api/v1/documents", **large).status_code == 202
    for path in ("/validations", "/speech", "/scorecards", "/evaluations", "/documents"):
        assert reviewer.post(path, **large).status_code in (303, 422), path
    for path in ("/chat", "/api/v1/sessions", "/sessions", "/nowhere"):
        reply = reviewer.post(path, **large)
        assert (reply.status_code, reply.json()["error"]["code"]) == (413, "too_large"), path


@pytest.mark.parametrize("path", ["/api/v1/documents", "/documents", "/validations"])
def test_a_body_that_somebody_may_not_send_is_not_read(
    guarded: Place, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    class Unread:
        def __init__(self, *_: object, **__: object) -> None:
            raise AssertionError("the body came as far as this")

    monkeypatch.setattr(BodyLimit, "__call__", Unread)
    for token, status in ((guarded.token(Role.READER), 403), (None, 401)):
        reply = guarded.client(token).post(path, **form(10))
        assert reply.status_code == status


def test_what_anybody_may_send_is_small(guarded: Place) -> None:
    stranger = guarded.client()
    for sent in (form(MOST_OPEN_BYTES), {"data": {"token": "a" * MOST_OPEN_BYTES}}):
        assert stranger.post("/login", **sent).status_code == 413
    assert stranger.post("/login", **form(10)).status_code == 403


def test_strangers_and_one_caller_leave_room_for_the_files_of_others(guarded: Place) -> None:
    busy, free = guarded.token(Role.REVIEWER), guarded.token(Role.REVIEWER)
    with serving(guarded.app, wait_until_ready=False) as client:
        address = (client.base_url.host, client.base_url.port or 0)
        head = f"Content-Length: 9000\r\n{FILE}"
        theirs, path = f"{head}\r\nAuthorization: Bearer {busy}", "/api/v1/documents"
        part = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'
        assert guarded.client(busy).get(path).status_code == 200  # so that it is known from here on
        with ExitStack() as waiting:
            for _ in range(2 * UPLOADS.places):
                waiting.enter_context(begun(address, head, part, "/login"))
            for _ in range(UPLOADS.of_one):
                waiting.enter_context(begun(address, theirs, part, path))
            refused, text = received(begun(address, theirs, part, path))
            assert (refused, "too_many_uploads" in text) == (503, True)
            ours = {"Authorization": f"Bearer {free}"}
            assert client.post(path, headers=ours, **form(10)).status_code == 202


def test_a_large_body_without_a_length_is_told_to_be_too_large(guarded: Place) -> None:
    def pieces() -> Iterator[bytes]:
        yield from [b" " * 10_000] * 5

    reviewer: TestClient = guarded.reviewer()
    headers = {"Content-Type": "application/json"}
    reply = reviewer.post("/api/v1/sessions", content=pieces(), headers=headers)
    assert (reply.status_code, reply.json()["error"]["code"]) == (413, "too_large")
