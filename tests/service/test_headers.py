"""What goes with every reply, and how files are given away."""

from __future__ import annotations

import re
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.service.visiting import Place

from veridical.service.entry.headers import CONTENT_POLICY, attachment, file_response


@pytest.mark.parametrize(
    "path", ["/workspaces", "/api/v1/workspaces", "/nothing", "/static/look/base.css", "/metrics"]
)
def test_every_reply_is_closed_to_others(place: Place, path: str) -> None:
    headers = place.client().get(path, headers={"Accept": "text/html"}).headers
    assert headers["Content-Security-Policy"] == CONTENT_POLICY
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert "Access-Control-Allow-Origin" not in headers
    assert "server" not in headers


def test_the_policy_lets_nothing_in_from_elsewhere() -> None:
    parts = dict(part.split(" ", 1) for part in CONTENT_POLICY.split("; "))
    assert parts["default-src"] == parts["frame-ancestors"] == parts["base-uri"] == "'none'"
    assert parts["script-src"] == "'self'"
    assert parts["style-src"] == "'self'"
    assert not {"unsafe-inline", "unsafe-eval", "https:", "*"} & set(CONTENT_POLICY.split())


@pytest.mark.parametrize("method", ["OPTIONS", "TRACE", "CONNECT", "PUT", "NONSENSE"])
def test_no_other_methods(place: Place, method: str) -> None:
    assert place.client().request(method, "/api/v1/workspaces").status_code in (400, 405)


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


@given(st.text(max_size=40))
def test_any_name_makes_one_header_of_one_line(name: str) -> None:
    header = attachment(name)
    assert header.isascii()
    assert header.isprintable()
    assert not set(parsed(header)) & set('/\\"\r\n')
    assert header.count('"') == 2


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
