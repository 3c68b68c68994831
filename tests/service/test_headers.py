"""What goes with every reply, how files are given away, and whose word is taken for the client."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import httpx2
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from starlette.requests import Request
from tests.service.visiting import HERE, Place, a_place

from veridical.service.entry.headers import CONTENT_POLICY, attachment, file_response
from veridical.service.server import BehindProxies
from veridical.service.settings import Auth


@pytest.mark.parametrize(
    "path",
    ["/ask", "/api/v1/workspaces", "/nothing", "/static/ask.css", "/metrics"],
)
def test_every_reply_is_closed_to_others(place: Place, path: str) -> None:
    headers = place.client().get(path, headers={"Accept": "text/html"}).headers
    assert headers["Content-Security-Policy"] == CONTENT_POLICY
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert "Access-Control-Allow-Origin" not in headers
    assert "server" not in headers


@pytest.mark.parametrize("method", ["OPTIONS", "TRACE", "CONNECT", "PUT", "NONSENSE"])
def test_no_other_methods(place: Place, method: str) -> None:
    assert place.client().request(method, "/api/v1/workspaces").status_code in (400, 405)


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("/api/v1/workspaces", "GET, POST"),
        (f"/api/v1/documents/{'0' * 8}-0000-4000-8000-{'0' * 12}", "DELETE, GET"),
        ("/health", "GET, HEAD"),
        ("/chat", "POST"),
        ("/static/app.css", "GET, HEAD"),
    ],
)
def test_what_may_be_done_instead_is_named(place: Place, path: str, allowed: str) -> None:
    reply = place.client().request("PATCH", path)
    assert (reply.status_code, reply.headers["allow"]) == (405, allowed)
    assert reply.json()["error"]["message"] == f"PATCH cannot be done here, only {allowed}."


@pytest.mark.parametrize(
    ("given", "saved_as"),
    [
        ("policy.pdf", "policy.pdf"),
        ("Prüfung 2026.pdf", "Prüfung 2026.pdf"),
        ("休暇.md", "休暇.md"),
        ('a"; filename="b.exe', "a__ filename=_b.exe"),
        ("a\r\nSet-Cookie: x=1", "a__Set-Cookie: x=1"),
        ("../../etc/passwd", "_.._etc_passwd"),
        ("..\\..\\boot.ini", "_.._boot.ini"),
        ("fdp.\u202eexe.txt", "fdp._exe.txt"),
        ("\ud800.pdf", "_.pdf"),
        ("   ", "file"),
        ("", "file"),
        ("a" * 500 + ".pdf", "a" * 196 + ".pdf"),
    ],
)
def test_a_file_is_saved_under_a_harmless_name(given: str, saved_as: str) -> None:
    assert parsed(attachment(given)) == saved_as


def parsed(header: str) -> str:
    """The name that a browser takes from a header: the exact one."""
    found = re.fullmatch(r"attachment; filename=\"([^\"]+)\"; filename\*=UTF-8''([^;\s]+)", header)
    assert found, header
    assert len(found[1]) == len(unquote(found[2]))
    return unquote(found[2])


@pytest.mark.parametrize("media_type", ["text/html", "a\r\nb: c", "text/html; charset=utf-7", ""])
def test_a_file_does_nothing_in_a_browser(media_type: str) -> None:
    reply = file_response(b"<script>alert(1)</script>", filename="x.html", media_type=media_type)
    assert reply.headers["Content-Security-Policy"].startswith("sandbox; default-src 'none'")
    assert reply.headers["Content-Disposition"].startswith("attachment;")
    usual = "text/html; charset=utf-8"
    assert reply.headers["Content-Type"] in (usual, "text/html", "application/octet-stream")


def test_a_database_file_is_not_served(place: Place) -> None:
    outside = ("/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py", "/service.db")
    for path in outside:
        assert place.client().get(path).status_code == 404


# --- proxies -------------------------------------------------------------------------------------


PROXY = "10.9.9.9"
ANYBODY = "203.0.113.7"


def seen(proxies: str, peer: str, *headers: tuple[str, str]) -> tuple[str, str]:
    """The scheme and the address that the application sees."""
    app = FastAPI()

    @app.get("/")
    def look(request: Request) -> dict[str, Any]:
        assert request.client is not None
        return {"scheme": request.scope["scheme"], "client": request.client.host}

    sent = [(name, value.encode("latin-1")) for name, value in headers]
    with TestClient(BehindProxies(app, proxies), HERE, client=(peer, 1)) as client:
        found = client.get("/", headers=sent).json()
    return found["scheme"], found["client"]


@pytest.mark.parametrize("peer", [ANYBODY, "127.0.0.1", "::1"])
def test_only_the_proxies_that_were_named_are_believed(peer: str) -> None:
    told = ("X-Forwarded-For", "1.2.3.4"), ("X-Forwarded-Proto", "https")
    assert seen(PROXY, peer, *told) == ("http", peer)
    assert seen(PROXY, PROXY, *told) == ("https", "1.2.3.4")
    assert seen("10.0.0.0/8", PROXY, *told) == ("https", "1.2.3.4")


@pytest.mark.parametrize(
    ("said", "scheme"),
    [
        ("https", "https"),
        ("HTTPS", "https"),
        (" Https ", "https"),
        ("http, https", "https"),
        ("https,HTTP", "http"),
        ("javascript", "http"),
        ("", "http"),
        (",", "http"),
        ("\xff", "http"),
    ],
)
def test_the_scheme_in_any_form_is_that_which_the_nearest_proxy_saw(said: str, scheme: str) -> None:
    header = ("X-Forwarded-Proto", said)
    assert seen(PROXY, PROXY, ("X-Forwarded-For", ANYBODY), header)[0] == scheme


def test_of_two_lists_the_entries_of_one_place_belong_together() -> None:
    chain = ("X-Forwarded-For", f"6.6.6.6, {ANYBODY}, [{PROXY}]:443, {PROXY}:8080")
    for place, said in enumerate(("http,https,http,http", "https,http,https,https")):
        told = seen(PROXY, PROXY, chain, ("X-Forwarded-Proto", said))
        assert told == (("https", "http")[place], ANYBODY)
    twice = ("X-Forwarded-Proto", "https"), ("X-Forwarded-Proto", "http")
    assert seen(PROXY, PROXY, ("X-Forwarded-For", f"{ANYBODY}, {PROXY}"), *twice)[0] == "https"
    ours = ("X-Forwarded-For", f"{PROXY}, {PROXY}")
    assert seen(PROXY, PROXY, ours, *twice) == ("https", PROXY)


def test_where_all_are_believed_the_first_is_the_client() -> None:
    told = ("X-Forwarded-For", f"1.2.3.4, {ANYBODY}"), ("X-Forwarded-Proto", "https, http, http")
    assert seen("*", ANYBODY, *told) == ("https", "1.2.3.4")


@pytest.mark.parametrize(("said", "is_secure"), [("HTTPS", True), ("http", False)])
def test_cookies_of_https_are_kept_to_it(tmp_path: Path, said: str, is_secure: bool) -> None:
    with a_place(tmp_path, auth=Auth.TOKEN) as place:
        app = BehindProxies(place.app, PROXY)
        client = TestClient(app, HERE, client=(PROXY, 1))
        reply: httpx2.Response = client.get("/login", headers={"X-Forwarded-Proto": said})
    assert reply.headers["Set-Cookie"].endswith("; Secure") is is_secure
