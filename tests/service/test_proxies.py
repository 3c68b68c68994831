"""What proxies say of the client, and whose word is taken."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx2
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from starlette.requests import Request
from tests.service.visiting import HERE, a_place

from veridical.service.server import BehindProxies
from veridical.service.settings import Auth

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
