"""Creating calls that are sent twice."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from tests.service.visiting import Place, a_place, csrf_of, log_in
from tests.store.processes import killed_at
from tests.store.samples import sample_ledger

from veridical.service.entry import idempotency
from veridical.service.inquiring import asking as exporting
from veridical.service.settings import Auth
from veridical.store.records import RecordKind
from veridical.store.requests import Requests
from veridical.store.store import Store
from veridical.store.tables import keyed_requests, tokens
from veridical.store.workspaces import Role

TOKENS = "/api/v1/tokens"
ANA = {"name": "Ana", "role": "reader"}
CLAIM = {"id": "EV001", "task_id": "P1.T001", "quote": "Five unused days may be carried over.",
         "evidence_type": "direct_quote"}  # fmt: skip
TEXT = {"name": "leave.md", "text": "Five unused days may be carried over."}
PLACE = {"auth": Auth.TOKEN}


def names(place: Place, workspace: str) -> list[str]:
    return [token.name for token in place.store.tokens.of(workspace)]


def keyed(key: str) -> dict[str, str]:
    return {"Idempotency-Key": key}


def test_the_same_call_is_done_once(place: Place) -> None:
    client = place.client(place.token(workspace="once"))
    first = client.post(TOKENS, json=ANA, headers=keyed("a"))
    again = client.post(TOKENS, json=ANA, headers=keyed("a"))
    assert first.status_code == again.status_code == 201
    assert "Idempotency-Replayed" not in first.headers
    assert again.headers["Idempotency-Replayed"] == "true"
    assert again.headers["Location"] == first.headers["Location"]
    assert again.headers["Content-Type"] == "application/json"
    assert again.json() == {**first.json(), "secret": None}, "the secret is kept nowhere"
    assert names(place, "once").count("Ana") == 1
    assert client.post(TOKENS, json=ANA, headers=keyed("b")).json()["id"] != first.json()["id"]


def test_a_key_belongs_to_one_call_of_one_token(place: Place) -> None:
    client = place.client(place.token(workspace="mine"))
    first = client.post(TOKENS, json=ANA, headers=keyed("k"))
    other = client.post(TOKENS, json={**ANA, "role": "admin"}, headers=keyed("k"))
    assert (other.status_code, other.json()["error"]["code"]) == (422, "idempotency_mismatch")
    for workspace in ("mine", "yours"):
        someone = place.client(place.token(workspace=workspace))
        theirs = someone.post(TOKENS, json=ANA, headers=keyed("k"))
        assert theirs.status_code == 201
        assert theirs.json()["id"] != first.json()["id"]


@pytest.mark.parametrize("key", ["", "a" * 201, "ä", "a\tb", "\x7f"])
def test_keys_are_printable_and_short(place: Place, key: str) -> None:
    client = place.client(place.token(workspace="keys"))
    reply = client.post(TOKENS, json=ANA, headers={"Idempotency-Key": key.encode("utf-8")})
    assert reply.status_code == 422
    assert "Ana" not in names(place, "keys")


def test_what_is_refused_is_not_kept_and_what_is_wrong_with_a_call_stays_wrong(
    place: Place,
) -> None:
    for role, body, status, replayed in (
        (Role.READER, ANA, 403, None),
        (Role.ADMIN, {"name": ""}, 422, "true"),
    ):
        client = place.client(place.token(role, "refused"))
        first, second = (client.post(TOKENS, json=body, headers=keyed("r")) for _ in range(2))
        assert (first.status_code, second.status_code) == (status, status)
        assert second.headers.get("Idempotency-Replayed") == replayed


def test_a_defect_lets_go_of_the_key(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    client = place.client(place.token(workspace="defect"))

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("with a secret in it")

    with monkeypatch.context() as broken_for_now:
        broken_for_now.setattr("veridical.store.workspaces.Tokens.create", broken)
        reply = client.post(TOKENS, json=ANA, headers=keyed("d"))
    assert reply.status_code == 500
    assert "secret" not in reply.text
    assert client.post(TOKENS, json=ANA, headers=keyed("d")).status_code == 201


def test_one_of_two_at_a_time_is_asked_to_wait(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = place.client(place.token(workspace="two"))
    is_begun, may_end = threading.Event(), threading.Event()
    create = type(place.store.tokens).create

    def slowly(*given: object, **more: object) -> object:
        is_begun.set()
        assert may_end.wait(60)
        return create(*given, **more)  # type: ignore[arg-type]

    monkeypatch.setattr("veridical.store.workspaces.Tokens.create", slowly)
    replies: list[int] = []
    first = threading.Thread(
        target=lambda: replies.append(client.post(TOKENS, json=ANA, headers=keyed("t")).status_code)
    )
    first.start()
    assert is_begun.wait(60)
    meanwhile = client.post(TOKENS, json=ANA, headers=keyed("t"))
    assert (meanwhile.status_code, meanwhile.headers["Retry-After"]) == (409, "2")
    # A process that was killed never ends what it began: after a while the key can be claimed.
    monkeypatch.setattr(idempotency, "STALE_SECONDS", -1.0)
    monkeypatch.setattr("veridical.store.workspaces.Tokens.create", create)
    assert client.post(TOKENS, json=ANA, headers=keyed("t")).status_code == 201
    may_end.set()
    first.join()
    assert replies == [201]


@pytest.mark.parametrize("by_page", [False, True])
def test_nothing_is_told_of_what_was_deleted(place: Place, by_page: bool) -> None:
    workspace = f"deleted {by_page}"
    admin = place.client(place.token(workspace=workspace))
    calls = [
        ("/api/v1/sessions", {"json": {"mode": "answer", "query": "A hushed question?"}}),
        ("/api/v1/documents", {"files": {"file": ("a-hushed.txt", b"Words.", "text/plain")}}),
        (
            "/api/v1/validations",
            {"json": {"claims": [CLAIM], "texts": [TEXT], "title": "Hushed: hushed"}},
        ),
    ]
    for number, (path, body) in enumerate(calls):
        again = {**body, "headers": keyed(f"s{number}")}
        made = admin.post(path, **again)
        assert made.status_code == 202, made.text
        assert admin.post(path, **again).json() == made.json()
        where = made.headers["Location"]
        if by_page:
            gone = admin.post(f"{where.removeprefix('/api/v1')}/delete")
        else:
            gone = admin.delete(where)
        assert gone.status_code in (204, 303), gone.text
        replied = admin.post(path, **again)
        assert (replied.status_code, replied.json()["error"]["code"]) == (410, "deleted")
        assert "hushed" not in replied.text
        listed = admin.get(path).json()["items"]
        assert listed == [], "it is not made again either"
        with place.store._database.reading() as connection:
            bodies = connection.execute(sa.select(keyed_requests.c.body)).scalars().all()
        assert not any(b"hushed" in kept for kept in bodies)


def test_a_page_must_prove_itself_for_a_replay_too(place: Place) -> None:
    browser = place.browser()
    log_in(browser, place.token(workspace="pages"))
    token = {"X-CSRF-Token": csrf_of(browser.get("/workspaces").text)}
    first = browser.post(TOKENS, json=ANA, headers={**keyed("p"), **token})
    assert first.status_code == 201
    without = browser.post(TOKENS, json=ANA, headers=keyed("p"))
    assert (without.status_code, without.json()["error"]["code"]) == (403, "csrf")
    again = browser.post(TOKENS, json=ANA, headers={**keyed("p"), **token})
    assert again.headers["Idempotency-Replayed"] == "true"


def test_nothing_is_told_again_to_whoever_may_no_longer_ask(place: Place) -> None:
    token, secret = place.store.tokens.create("demoted", "Ana", Role.ADMIN)
    client = place.client(secret)
    assert client.post(TOKENS, json=ANA, headers=keyed("n")).status_code == 201
    place.app.state.service.identities.forget(token.id)
    row = sa.update(tokens).where(tokens.c.id == token.id).values(role="reader")
    place.store._database.write(lambda connection: connection.execute(row), token.id)
    again = client.post(TOKENS, json=ANA, headers=keyed("n"))
    assert (again.status_code, again.headers.get("Idempotency-Replayed")) == (403, None)


def test_a_reply_is_kept_before_it_is_sent(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []
    end = Requests.end

    def ending(*given: object) -> None:
        end(*given)  # type: ignore[arg-type]
        order.append("kept")

    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": json.dumps(ANA).encode(), "more_body": False}

    async def send(message: MutableMapping[str, Any]) -> None:
        order.append(message["type"])

    monkeypatch.setattr(Requests, "end", ending)
    headers = {"Host": "a", "Authorization": f"Bearer {place.token()}", **keyed("o"),
               "Content-Type": "application/json"}  # fmt: skip
    raw = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": "POST", "path": TOKENS, "headers": raw, "query_string": b""}
    asyncio.run(place.app(scope, receive, send))
    assert order == ["kept", "http.response.start", "http.response.body"]


# --- a process that was killed -------------------------------------------------------------------


LEDGER = sample_ledger()
CALLS = {
    "sessions": {"json": {"mode": "answer", "query": "How many days?"}},
    "documents": {"files": {"file": ("leave.md", b"# Leave", "text/markdown")}},
    "validations": {"json": {"claims": [CLAIM], "texts": [TEXT]}},
    f"sessions/{LEDGER.session_id}/ledger/export": {"json": {"format": "json"}},
}

PROGRAM = """
import sys, threading, time
from concurrent.futures import ThreadPoolExecutor
from fastapi.testclient import TestClient
from tests.service.test_idempotency import CALLS
from tests.service.visiting import HERE
from veridical.service.app import create_app
from veridical.service.jobs.engine import JobEngine
from veridical.service.settings import ServiceSettings

written = threading.Semaphore(0)

def halt(*_):
    written.release()
    time.sleep(60)

JobEngine.wake = halt
app = create_app(ServiceSettings(database=sys.argv[1]))

def call(path):
    client = TestClient(app, base_url=HERE)
    client.post(f"/api/v1/{path}", headers={"Idempotency-Key": "once"+path}, **CALLS[path])

for path in CALLS:
    threading.Thread(target=call, args=(path,), daemon=True).start()
for _ in CALLS:
    assert written.acquire(timeout=50)
print("written", flush=True)
time.sleep(60)
"""


def test_what_was_written_before_the_process_was_killed_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"sqlite:///{tmp_path}/service.db"
    with Store.open(url) as store:
        store.save(LEDGER)
    killed_at("written", PROGRAM, url)
    monkeypatch.setattr(idempotency, "STALE_SECONDS", -1.0)
    monkeypatch.setattr(exporting, "WAIT_SECONDS", 0.0)
    with a_place(tmp_path) as place:
        shelf = place.store.shelf()
        jobs = shelf.jobs.page().items
        for path, body in CALLS.items():
            key = {"Idempotency-Key": f"once{path}"}
            reply = place.client().post(f"/api/v1/{path}", headers=key, **body)  # type: ignore[arg-type]
            assert reply.status_code == 202, reply.text
            told = reply.json()
            assert told.get("subject_id", told["id"]) in {job.subject_id for job in jobs}, told
        assert shelf.jobs.page().items == jobs
        assert len(jobs) == len(CALLS)
        assert len(shelf.inquiries.page().items) == 2
        assert len(shelf.records.page(RecordKind.VALIDATION).items) == 1
