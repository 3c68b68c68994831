"""Who gets in, where to, and what they may do there."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.requests import HTTPConnection
from tests.service.visiting import (
    BROWSER,
    HERE,
    Place,
    a_place,
    csrf_of,
    log_in,
    two_hours_later,
)

from veridical.service.entry import access as cookies
from veridical.service.entry import identity
from veridical.service.entry.access import SESSION, is_signed, new_session, sign
from veridical.service.entry.identity import LOG_INS_PER_MINUTE, Identities, Rates, network_of
from veridical.service.pages.access import local_path
from veridical.service.settings import Auth, ServiceSettings
from veridical.store.workspaces import Role

LIST = "/api/v1/workspaces"
TOKENS = "/api/v1/tokens"


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with a_place(tmp_path_factory.mktemp("guarded"), auth=Auth.TOKEN) as place:
        yield place


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    folder = tmp_path_factory.mktemp("opened")
    with a_place(folder, allowed_hosts=("Named.example",)) as place:
        yield place


def code_of(reply: object) -> str:
    return str(reply.json()["error"]["code"])  # type: ignore[attr-defined]


# --- with tokens ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "header",
    [
        None,
        "Bearer",
        "Bearer vrd_unknown",
        "Bearer " + "v" * 10_000,
        "Bearer vrd_\N{LATIN SMALL LETTER E WITH ACUTE}",
        "Basic dXNlcjpwYXNz",
        "Bearer vrd_a, Bearer vrd_b",
    ],
)
def test_nobody_gets_in_without_a_good_token(guarded: Place, header: str | None) -> None:
    sent = {} if header is None else {"Authorization": header.encode("utf-8")}
    reply = guarded.client().get(LIST, headers=sent)
    assert reply.status_code == 401
    assert reply.headers["WWW-Authenticate"].startswith("Bearer")
    assert code_of(reply) == "unauthorized"
    assert reply.json()["error"]["request_id"] == reply.headers["X-Request-ID"]


def test_a_token_is_good_until_it_expires_or_is_revoked(
    guarded: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    soon = datetime.now(UTC) + timedelta(hours=1)
    brief = guarded.client(guarded.token(expires_at=soon))
    assert brief.get(LIST).status_code == 200
    with monkeypatch.context() as later:
        two_hours_later(later)
        assert brief.get(LIST).status_code == 401

    token, secret = guarded.store.tokens.create("default", "somebody", Role.READER)
    client = guarded.client(secret)
    assert client.get(LIST).status_code == 200
    guarded.store.tokens.revoke(token.id)  # by another process
    monkeypatch.setattr(identity, "TOKEN_CACHE_SECONDS", -1.0)
    assert client.get(LIST).status_code == 401


def test_a_token_that_is_revoked_here_is_useless_at_once(guarded: Place) -> None:
    admin = guarded.client(guarded.token())
    made = admin.post(TOKENS, json={"name": "Ana", "role": "reader", "expires_in_days": 3})
    assert made.status_code == 201
    assert made.headers["Cache-Control"] == "no-store"
    ana = guarded.client(made.json()["secret"])
    assert ana.get(LIST).status_code == 200
    assert admin.delete(f"{TOKENS}/{made.json()['id']}").status_code == 204
    assert ana.get(LIST).status_code == 401
    assert "secret" not in admin.get(TOKENS).text


@pytest.mark.parametrize(
    ("role", "method", "path", "status"),
    [
        (Role.READER, "GET", LIST, 200),
        (Role.READER, "GET", TOKENS, 403),
        (Role.REVIEWER, "POST", TOKENS, 403),
        (Role.READER, "GET", "/metrics", 403),
        (Role.ADMIN, "GET", "/metrics", 200),
    ],
)
def test_roles(guarded: Place, role: Role, method: str, path: str, status: int) -> None:
    client = guarded.client(guarded.token(role))
    body = {"name": "x", "role": "admin"} if method == "POST" else None
    assert client.request(method, path, json=body).status_code == status


def test_a_token_is_of_one_workspace(guarded: Place) -> None:
    client = guarded.client(guarded.token(workspace="audits"))
    assert client.get(LIST).json()["items"] == [{"name": "audits"}]
    assert client.get(LIST, headers={"Veridical-Workspace": "audits"}).status_code == 200
    assert client.get(LIST, headers={"Veridical-Workspace": "default"}).status_code == 404
    assert client.post(LIST, json={"name": "another"}).status_code == 403
    other = guarded.client(guarded.token(workspace="default"))
    (token, *_) = client.get(TOKENS).json()["items"]
    assert other.delete(f"{TOKENS}/{token['id']}").status_code == 404


# --- log-ins -------------------------------------------------------------------------------------


def test_a_page_leads_to_the_log_in_and_back_until_it_is_ended_in_any_process(
    guarded: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser, secret = guarded.browser(), guarded.token(Role.READER)
    asked = browser.get("/sessions/1?verdict=weak")
    assert asked.status_code == 303
    assert asked.headers["Location"] == "/login?next=" + quote("/sessions/1?verdict=weak", safe="")
    reply = log_in(browser, secret, "/workspaces")
    assert (reply.status_code, reply.headers["Location"]) == (303, "/workspaces")
    cookie = reply.headers["Set-Cookie"]
    assert {"HttpOnly", "SameSite=Lax", "Path=/", "Max-Age=43200"} <= set(cookie.split("; "))
    copied = guarded.client(**BROWSER, Cookie=f"{SESSION}={browser.cookies[SESSION]}")
    page = copied.get("/workspaces")
    assert page.status_code == 200
    elsewhere = Identities(ServiceSettings(auth=Auth.TOKEN), guarded.store)
    connection = HTTPConnection({"type": "http", "headers": [
        (b"cookie", f"{SESSION}={browser.cookies[SESSION]}".encode())
    ]})  # fmt: skip
    assert asyncio.run(elsewhere.is_known_still(connection))
    assert browser.post("/logout", data={"csrf_token": csrf_of(page.text)}).status_code == 303
    for ended in (browser, copied):
        assert ended.get("/workspaces").status_code == 303
        assert ended.get(LIST).status_code == 401
    monkeypatch.setattr(identity, "TOKEN_CACHE_SECONDS", -1.0)
    assert not asyncio.run(elsewhere.is_known_still(connection))
    log_in(browser, secret)
    assert browser.get("/workspaces").status_code == 200, "others of the same token go on"


def test_the_log_in_tells_nothing_and_is_limited(tmp_path: Path) -> None:
    with a_place(tmp_path, auth=Auth.TOKEN, secure_cookies=True) as place:
        browser = place.browser()
        # No time passes: on a slow machine some attempts would be given back meanwhile.
        attempts = Rates(LOG_INS_PER_MINUTE, key=network_of, clock=lambda: 0.0)
        place.app.state.service.identities.attempts = attempts
        page = browser.get("/login")
        assert page.headers["Set-Cookie"].endswith("; Secure")
        form = {"csrf_token": csrf_of(page.text), "next": "//evil.example/"}
        browser.headers["Cookie"] = page.headers["Set-Cookie"].partition(";")[0]
        replies = [browser.post("/login", data={**form, "token": f"vrd_{n}"}) for n in range(12)]
    assert [reply.status_code for reply in replies] == [401] * 10 + [429] * 2
    assert "evil.example" not in replies[0].text
    assert "Set-Cookie" not in replies[0].headers


@pytest.mark.parametrize("tampered", ["", "~", "a~b~c~d", "~1~~", "é~1~x~y", "{}x", "x{}", "later"])
def test_an_altered_cookie_is_nobody(guarded: Place, tampered: str) -> None:
    token, _ = guarded.store.tokens.create("default", "Ana", Role.ADMIN)
    secret = guarded.app.state.service.identities.secret
    value = tampered.format(new_session(secret, token.id))
    if tampered == "later":
        parts = (token.id, str(int(time.time()) + 3600), "n" * 22)
        value = "~".join((*parts, sign(secret, "session", *parts)))
    browser = guarded.browser()
    reply = browser.get("/workspaces", headers={"Cookie": f"{SESSION}={value}".encode()})
    assert reply.status_code == 303


def test_a_log_in_ends_after_twelve_hours_and_with_its_token(
    guarded: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    token, _ = guarded.store.tokens.create("default", "Ana", Role.ADMIN)
    secret = guarded.app.state.service.identities.secret
    value = new_session(secret, token.id)
    browser = guarded.client(**BROWSER, Cookie=f"{SESSION}={value}")
    assert browser.get("/workspaces").status_code == 200
    now = time.time()
    monkeypatch.setattr(cookies.time, "time", lambda: now + cookies.SESSION_SECONDS + 1)
    assert browser.get("/workspaces").status_code == 303
    monkeypatch.undo()
    assert browser.get("/workspaces").status_code == 200
    guarded.app.state.service.identities.forget(token.id)
    guarded.store.tokens.revoke(token.id)
    assert browser.get("/workspaces").status_code == 303


@pytest.mark.parametrize(
    ("given", "leads_to"),
    [
        ("/sessions/1?sort=order", "/sessions/1?sort=order"),
        ("/", "/"),
        ("", "/"),
        ("//evil.example", "/"),
        ("/\\evil.example", "/"),
        ("https://evil.example/", "/"),
        ("javascript:alert(1)", "/"),
        ("/a\r\nSet-Cookie: x=1", "/"),
        ("/\t/evil.example", "/"),
        ("/" + "a" * 3_000, "/"),
    ],
)
def test_a_log_in_leads_nowhere_else(given: str, leads_to: str) -> None:
    assert local_path(given) == leads_to


# --- forms and foreign pages ---------------------------------------------------------------------


def test_a_form_needs_the_token_of_its_own_browser(guarded: Place) -> None:
    browser, other = guarded.browser(), guarded.browser()
    log_in(browser, guarded.token(Role.READER))
    log_in(other, guarded.token(Role.READER))
    theirs = csrf_of(other.get("/workspaces").text)
    ours = csrf_of(browser.get("/workspaces").text)
    for wrong in ({}, {"csrf_token": ""}, {"csrf_token": theirs}, {"csrf_token": "\u00e9"}):
        assert browser.post("/logout", data=wrong).status_code == 403
    assert browser.post("/logout", headers={"X-CSRF-Token": theirs}).status_code == 403
    assert browser.post("/logout", headers={"X-CSRF-Token": ours}).status_code == 303


def test_a_program_needs_no_token_of_a_form_and_a_browser_does(opened: Place) -> None:
    assert opened.client().post(LIST, json={"name": "mine"}).status_code == 201
    assert opened.client().post(LIST, json={"name": "mine"}).status_code == 200
    browser, asked = opened.browser(), {"name": "my own"}
    assert browser.post(LIST, json=asked).status_code == 403
    headers = {"X-CSRF-Token": csrf_of(browser.get("/workspaces").text)}
    assert browser.post(LIST, json=asked, headers=headers).status_code == 201


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"},
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:9000"},
        {"Origin": "http://[", "Referer": "http://127.0.0.1:8000/"},
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_foreign_page_may_neither_read_nor_write(
    opened: Place, method: str, headers: dict[str, str]
) -> None:
    reply = opened.client().request(method, LIST, headers=headers, json={"name": "theirs"})
    assert (reply.status_code, code_of(reply)) == (403, "foreign_page")
    assert "theirs" not in opened.store.workspaces()


def test_a_form_of_an_older_browser_is_told_by_its_referrer(opened: Place) -> None:
    form, client = {"workspace": "of a form"}, opened.client(Accept="text/html")
    for page, code in (("http://evil.example/a", 403), ("http://[", 403), (f"{HERE}/x", 403)):
        sent = {"Referer": page}
        assert client.post("/workspaces", data=form, headers=sent).status_code == code
    assert "of a form" not in opened.store.workspaces()
    ours = {"Referer": f"{HERE}/workspaces"}
    token = {"csrf_token": csrf_of(client.get("/workspaces", headers=ours).text)}
    assert client.post("/workspaces", data=form | token, headers=ours).status_code == 303
    assert client.get("/workspaces", headers={"Referer": "http://evil.example/"}).is_success


def test_a_link_from_elsewhere_may_be_followed(opened: Place) -> None:
    followed = {
        "Sec-Fetch-Site": "cross-site",
        "Sec-Fetch-Mode": "navigate",
        "Sec-Fetch-Dest": "document",
        "Accept": "text/html",
    }
    assert opened.client().get("/workspaces", headers=followed).status_code == 200
    assert opened.client().post("/workspaces", headers=followed).status_code == 403


OURS = """127.0.0.1:8000 127.0.0.1: 127.8.9.1 localhost LOCALHOST:1 veridical.localhost:8000
    [::1]:8000 named.example:8000""".split()
OTHERS = """evil.example evil.example:8000 127.0.0.1.evil.example localhost.evil.example
    evil-localhost [::2] 127.0.0.1:8000@evil.example 127.0.0.1:evil.example [::1]evil.example [::1
    [127.0.0.1 localhost:8000:1""".split()


def test_open_access_answers_for_names_of_this_machine_only(opened: Place, guarded: Place) -> None:
    """With tokens, any name will do unless some are named."""
    for hosts, status in ((OURS, 200), ([*OTHERS, ""], 421)):
        for host in hosts:
            found = opened.client().get(LIST, headers={"Host": host}).status_code
            assert found == status, host
    client = guarded.client(guarded.token(), Host="veridical.example")
    assert client.get(LIST).status_code == 200
    assert client.get(LIST, headers={"Host": "a:1@evil.example"}).status_code == 421


def test_nothing_leads_to_the_host_that_a_request_names(guarded: Place) -> None:
    client = guarded.client(guarded.token(), Host="evil.example", Accept="text/html")
    for path in ("/sessions/", "/workspaces/", f"{LIST}/", "//", "/static", "/login/"):
        reply = client.get(path)
        assert "evil.example" not in reply.headers.get("Location", ""), path


# --- workspaces with open access -----------------------------------------------------------------


def test_the_header_names_the_workspace_and_a_browser_remembers_one(opened: Place) -> None:
    made = opened.client().post(TOKENS, json={"name": "x", "role": "reader"},
                                headers={"Veridical-Workspace": quote("Prüfung")})  # fmt: skip
    assert made.json()["workspace"] == "Prüfung"
    browser = opened.browser()
    form = {"csrf_token": csrf_of(browser.get("/workspaces").text), "workspace": "Prüfung"}
    assert browser.post("/workspaces", data=form).status_code == 303
    assert "Prüfung" in browser.get("/workspaces").text
    assert opened.client().get(TOKENS).json()["items"] == []
    assert len(browser.get(TOKENS).json()["items"]) == 1


def test_an_unusable_workspace_is_told(opened: Place) -> None:
    reply = opened.client().get(LIST, headers={"Veridical-Workspace": "%00"})
    assert (reply.status_code, code_of(reply)) == (422, "invalid_request")
    assert opened.client().get(LIST, headers={"Cookie": "veridical_workspace=%00"}).is_success


# --- signatures ----------------------------------------------------------------------------------


@given(st.binary(min_size=32, max_size=32), st.lists(st.text(max_size=8), max_size=4), st.data())
def test_a_signature_is_good_for_these_parts_only(
    secret: bytes, parts: list[str], data: st.DataObject
) -> None:
    if any("\ud800" <= character <= "\udfff" for part in parts for character in part):
        return
    signature = sign(secret, *parts)
    assert is_signed(secret, signature, *parts)
    others = data.draw(st.lists(st.text(st.characters(codec="utf-8"), max_size=8), max_size=4))
    assert is_signed(secret, signature, *others) == (others == parts)
    assert not is_signed(bytes(32) if secret != bytes(32) else b"x" * 32, signature, *parts)
