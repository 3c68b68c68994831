"""Requests that no client of ours would send, to a real server: refused, and it stays up."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from tests.service.serving import serving
from tests.service.visiting import a_place

from veridical.service.entry import protocol
from veridical.service.entry.protocol import MOST_HEAD_BYTES

SESSIONS = "/api/v1/sessions"
ODD_IDS = [
    "..%2f..%2fetc%2fpasswd",
    "%2e%2e%2f%2e%2e%2fetc",
    "%00",
    "a%00b",
    "%ff%fe",
    "%ed%a0%80",
    "'%20OR%201=1--",
    "{}",
    "a" * 5_000,
    "%F0%9F%98%80",
    "-1",
    "1e999",
]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx2.Client]:
    folder = tmp_path_factory.mktemp("hostile")
    with a_place(folder) as place, serving(place.app, wait_until_ready=False) as client:
        yield client


def is_up(client: httpx2.Client) -> bool:
    return client.get("/api/v1/workspaces").status_code == 200


def raw(client: httpx2.Client, sent: bytes) -> bytes:
    """What comes back for raw bytes, until the server closes or has nothing more to say."""
    address = (client.base_url.host, client.base_url.port or 0)
    received = b""
    with socket.create_connection(address, timeout=60) as connection:
        try:
            connection.sendall(sent)
            while piece := connection.recv(65_536):
                received += piece
        except ConnectionError:
            pass
    return received


@pytest.mark.parametrize(
    "path",
    [
        "/api/v1/sessions/{}",
        "/api/v1/sessions/{}/ledger",
        "/api/v1/documents/{}/text",
        "/api/v1/jobs/{}",
        "/api/v1/citations/{}",
        "/api/v1/downloads/{}",
        "/api/v1/validations/{}",
        "/sessions/{}",
        "/documents/{}",
        "/static/{}",
    ],
)
def test_ids_that_are_none(client: httpx2.Client, path: str) -> None:
    for odd in ODD_IDS:
        for headers in ({}, {"Accept": "text/html"}):
            status = client.get(path.format(odd), headers=headers).status_code
            assert 400 <= status < 500, odd


@pytest.mark.parametrize("path", ["/api/v1/sessions", "/api/v1/documents", "/api/v1/jobs"])
def test_queries_that_are_unusable(client: httpx2.Client, path: str) -> None:
    for query in (
        "limit=-1",
        "limit=0",
        "limit=201",
        "limit=1e9",
        "limit=NaN",
        "limit=" + "9" * 5_000,
        "after=%00",
        "after=%ff",
        "after=" + "A" * 2_000,
        "after=bm90IGEgY3Vyc29y",
        "q=%00",
        *(() if path.endswith("/jobs") else ("q=" + "x" * 201,)),
    ):
        assert client.get(f"{path}?{query}").status_code in (414, 422), query


BODIES = {
    "nothing": b"",
    "not JSON": b"{",
    "not UTF-8": b'{"query": "\xff\xfe"}',
    "deep": b"[" * 200_000 + b"]" * 200_000,
    "deep objects": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "NaN": b'{"query": NaN}',
    "infinite": b'{"query": 1e999}',
    "a huge number": b'{"query": ' + b"9" * 10_000 + b"}",
    "a lone surrogate": b'{"mode": "answer", "query": "\\ud800"}',
    "another type": b"[1, 2]",
    "null": b"null",
    "unknown fields": b'{"mode": "answer", "query": "q", "is_admin": true}',
    "too large": b'{"query": "' + b"a" * 1_100_000 + b'"}',
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
@pytest.mark.parametrize("path", [SESSIONS, "/chat", "/api/v1/tokens", "/api/v1/validations"])
def test_bodies_that_are_unusable(client: httpx2.Client, path: str, body: bytes) -> None:
    headers = {"Content-Type": "application/json"}
    reply = client.post(path, content=body, headers=headers)
    assert reply.status_code in (413, 422)
    assert reply.json()["error"]["code"] in ("too_large", "invalid_request")
    assert len(reply.content) < 2_000, "what was sent is not sent back"


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/xml", "multipart/form-data", "\xff", ""]
)
def test_bodies_of_another_kind(client: httpx2.Client, kind: str) -> None:
    body = json.dumps({"mode": "answer", "query": "q"}).encode()
    headers = {"Content-Type": kind.encode("latin-1")}
    for path in (SESSIONS, "/api/v1/documents", "/sessions", "/documents", "/login"):
        assert 400 <= client.post(path, content=body, headers=headers).status_code < 500


FIELDS = b"".join(
    b'--x\r\nContent-Disposition: form-data; name="f%d"\r\n\r\n1\r\n' % n for n in range(1_100)
)
PARTS = {
    "a path": b'name="file"; filename="../../evil.txt"',
    "no text": b'name="file"; filename="a\x00b.txt"',
    "a long name": b'name="file"; filename="' + b"a" * 9_000 + b'.txt"',
    "another field": b'name="other"; filename="a.txt"',
    "no file": b'name="file"',
    "no name": b'filename="a.txt"',
    "nothing": b"",
}


@pytest.mark.parametrize("part", PARTS)
def test_odd_parts_of_a_form(client: httpx2.Client, part: str) -> None:
    head = b"--x\r\nContent-Disposition: form-data; " + PARTS[part]
    reply = sent_as_form(client, head + b"\r\n\r\nWords.\r\n--x--\r\n")
    assert reply.status_code < 500
    assert ".." not in reply.text
    if part == "a long name":
        assert reply.status_code == 422
        assert "JSON" not in reply.text
        assert "aaaa" not in reply.text


def test_a_form_of_too_many_fields_and_no_form_at_all(client: httpx2.Client) -> None:
    many = sent_as_form(client, FIELDS + b"--x--\r\n")
    assert "the form cannot be read: Too many fields" in many.text
    assert (many.status_code, sent_as_form(client, b"no form at all").status_code) == (422, 422)


def sent_as_form(client: httpx2.Client, body: bytes) -> httpx2.Response:
    headers = {"Content-Type": "multipart/form-data; boundary=x"}
    return client.post("/api/v1/documents", content=body, headers=headers)


GET = b"GET / HTTP/1.1\r\n"
HEAD = b"GET /api/v1/workspaces HTTP/1.1\r\nHost: 127.0.0.1\r\n"
POST = b"POST /chat HTTP/1.1\r\nHost: 127.0.0.1\r\n"
END = b"Connection: close\r\n\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n"
RAW = {
    "no HTTP": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" * 20,
    "a huge header": HEAD + b"X: " + b"a" * 3_000_000 + b"\r\n\r\n",
    "many headers": HEAD + b"".join(b"X-%d: y\r\n" % n for n in range(100_000)) + b"\r\n",
    "two hosts": HEAD + b"Host: evil.example\r\n" + END,
    "no host": GET + END,
    "a proxy's": b"GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n" + END,
    "two lengths": HEAD + b"Content-Length: 1\r\nContent-Length: 2\r\n" + END + b"ab",
    "smuggled": HEAD + b"Content-Length: 4\r\n" + CHUNKED + END + b"0\r\n\r\n",
    "a split header": HEAD + b"X-Request-ID: a\r\n b\r\n" + END,
    "bytes in a path": b"GET /\xff\xfe HTTP/1.1\r\nHost: 127.0.0.1\r\n" + END,
}


@pytest.mark.parametrize("sent", RAW.values(), ids=RAW)
def test_what_is_hardly_http(client: httpx2.Client, sent: bytes) -> None:
    received = raw(client, sent)
    assert not received or received.split(b" ", 2)[1][:1] in b"234"
    assert is_up(client)


def test_a_body_that_never_ends_is_broken_off(tmp_path: Path) -> None:
    with (
        a_place(tmp_path, body_seconds=0.5) as place,
        serving(place.app, wait_until_ready=False) as client,
    ):
        sent = POST + b"Content-Length: 9\r\n" + END + b"{"
        assert raw(client, sent).startswith(b"HTTP/1.1 408")
        assert is_up(client)


def test_what_is_no_http_is_refused_as_all_else_is(client: httpx2.Client) -> None:
    head, _, body = raw(client, b"BAD\r\n\r\n").partition(b"\r\n\r\n")
    status, *lines = head.decode().split("\r\n")
    assert status == "HTTP/1.1 400 Bad Request"
    headers = dict(line.lower().split(": ", 1) for line in lines)
    error = json.loads(body)["error"]
    assert error["code"] == "invalid_request"
    assert error["request_id"] == headers["x-request-id"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["content-security-policy"].startswith("default-src 'none'")
    assert (headers["connection"], int(headers["content-length"])) == ("close", len(body))


def test_a_head_that_never_ends_is_broken_off(
    client: httpx2.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as hasty:
        hasty.setattr(protocol, "HEAD_SECONDS", 0.2)
        assert raw(client, HEAD) == b""
        assert raw(client, b"") == b""
    assert b"400 Bad Request" in raw(client, HEAD + b"X: " + b"a" * (MOST_HEAD_BYTES + 300_000))
    assert is_up(client)


def test_a_large_body_in_one_piece_with_its_head_is_no_long_head(client: httpx2.Client) -> None:
    body = json.dumps({"question": "a" * 300_000}).encode()
    head = b"POST /chat HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    sent = head + b"Connection: close\r\nContent-Length: %d\r\n\r\n" % len(body) + body
    assert raw(client, sent).startswith(b"HTTP/1.1 422")
