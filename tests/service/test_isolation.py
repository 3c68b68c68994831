"""For every route that there is: what belongs to another workspace is not there, and a reader does
not write. The routes are enumerated, so that a new one is held to it too."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import httpx2
import pytest
from fastapi import FastAPI
from fastapi.dependencies.models import Dependant
from fastapi.routing import RouteContext, iter_route_contexts
from tests.service.visiting import BROWSER, HERE, Place, a_place
from tests.store.samples import text_pair
from tests.store.shelves import RUBRIC, TEXT, filled

from veridical.service.entry.access import (
    OPEN_ROUTES,
    SESSION,
    admin,
    new_session,
    reader,
    reviewer,
    template_of,
)
from veridical.service.settings import Auth, ServiceSettings
from veridical.store.jobs import JobState
from veridical.store.recordings import NewRecording
from veridical.store.records import RecordKind
from veridical.store.workspaces import Role

SAFE = ("GET", "HEAD")
KINDS = {
    "validations": RecordKind.VALIDATION,
    "speech": RecordKind.SPEECH,
    "speech-evaluations": RecordKind.SPEECH,
    "scorecards": RecordKind.SCORECARD,
    "recordings": RecordKind.SPEECH,
    "evaluations": RecordKind.EVALUATION,
}

A_READER_MAY = {
    ("POST", "/chat"): "asking keeps nothing",
    ("POST", "/api/v1/sessions/{}/ledger/export"): "a file of what they may read",
    ("POST", "/sessions/{}/export"): "a file of what they may read",
    ("POST", "/logout"): "of themselves",
    ("POST", "/workspaces"): "which is refused with any token",
}
"""Unsafe methods that need no more than the role of a reader, and why."""

BODIES: dict[tuple[str, str], dict[str, Any]] = {
    ("POST", "/api/v1/documents/{}/versions"): {"files": {"file": ("leave.txt", b"Words.")}},
    ("POST", "/api/v1/sessions/{}/entries/{}/reviews"): {"json": {"decision": "accept"}},
    ("POST", "/api/v1/sessions/{}/ledger/export"): {"json": {"format": "json"}},
    ("POST", "/documents/{}/versions"): {"files": {"file": ("leave.txt", b"Words.")}},
    ("POST", "/sessions/{}/claims/{}/review"): {"data": {"decision": "accept"}},
    ("POST", "/sessions/{}/export"): {"data": {"format": "json"}},
    ("POST", "/scorecards/{}/rulings"): {"data": {"criterion": "announce-command"}},
    ("POST", "/rubrics/{}"): {"data": {"text": "template: none", "seen": "1"}},
}
"""What must be sent along so that a call is not refused for its form."""

QUERIES = {"boxes": {"start": "0", "end": "1"}}


@dataclass(frozen=True)
class Case:
    """A method of a route."""

    method: str
    path: str

    @property
    def key(self) -> tuple[str, str]:
        return self.method, template_of(self.path)

    @property
    def parameters(self) -> list[str]:
        return re.findall(r"{(\w+)}", self.path)

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


def is_open(template: str) -> bool:
    return template in OPEN_ROUTES or template.startswith("/static/")


def contexts() -> list[RouteContext]:
    """All routes of the application that are not open; what is mounted is static files."""
    from veridical.service.app import API_ROUTERS, ROOT_ROUTERS

    app = FastAPI(openapi_url=None)
    for router in API_ROUTERS:
        app.include_router(router, prefix="/api/v1")
    for router in ROOT_ROUTERS:
        app.include_router(router)
    found = [context for context in iter_route_contexts(app.routes) if context.methods]
    return [context for context in found if not is_open(template_of(context.path_format or ""))]


CONTEXTS = contexts()
CASES = [
    Case(*found)
    for found in sorted({(how, str(it.path_format)) for it in CONTEXTS for how in it.methods or ()})
]
WITH_IDS = [case for case in CASES if case.parameters]
UNSAFE = [case for case in CASES if case.method not in SAFE]


@dataclass(frozen=True)
class World:
    """A service with a thing of every kind in the workspace A."""

    place: Place
    ids: dict[str, str]
    records: dict[RecordKind, str]
    tokens: dict[str, str]
    log_in: str
    runner: asyncio.Runner
    client: httpx2.AsyncClient

    def ids_of(self, case: Case) -> dict[str, str]:
        """What stands in the path of a case. A parameter that is not known here fails the test:
        say in `world` what it is."""
        kind = next((kind for part, kind in KINDS.items() if f"/{part}/" in case.path), None)
        known = {**self.ids, **({"record_id": self.records[kind]} if kind else {})}
        return {name: known[name] for name in case.parameters}

    def reply(self, case: Case, who: str, ids: dict[str, str]) -> tuple[int, str]:
        """Status and text, without what is different in each reply."""
        query = QUERIES.get(case.path.rpartition("/")[2], {})
        headers = {"Authorization": f"Bearer {self.tokens[who]}"}
        more = BODIES.get(case.key, {})
        path = case.path.format(**ids)
        sent = self.request(case.method, path, params=query, headers=headers, **more)
        text = re.sub(r'"request_id":"\w+"|<code>\w+</code>', "", sent.text)
        for value in ids.values():
            text = text.replace(value, "ID")
        return sent.status_code, re.sub(r"[0-9a-f]{64}", "", text)

    def request(self, method: str, path: str, **more: Any) -> httpx2.Response:
        """A request, in one loop for all of them: there are hundreds."""
        return self.runner.run(self.client.request(method, path, **more))


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with a_place(tmp_path_factory.mktemp("worlds"), auth=Auth.TOKEN, rate_per_minute=0) as place:
        there = filled(place.store, "A")
        place.store.job_board.end(there.job.id, JobState.DONE)  # or its events would not end
        shelf = place.store.shelf("A")
        sound = NewRecording("a.wav", "audio/wav", b"RIFF")
        records = {
            kind: shelf.records.add(kind, "Mine", {}, recording=sound)[0].id for kind in RecordKind
        }
        of_a, of_b = ({role: place.token(role, name) for role in Role} for name in "AB")
        tokens = place.store.tokens.of("A")
        ids = {
            "document_id": there.upload.document_id,
            "session_id": there.inquiry.id,
            "entry_id": there.ledger.entries[0].id,
            "export_id": there.export.id,
            "job_id": there.job.id,
            "token_id": tokens[0].id,
            "anchor": text_pair("leave.txt", TEXT)[1][0].sha256[:8],
            "number": "1",
            "page": "1",
            "name": RUBRIC,
        }
        named = {f"A {role}": secret for role, secret in of_a.items()}
        (admin_id,) = (token.id for token in tokens if token.role is Role.ADMIN)
        session = new_session(place.app.state.service.identities.secret, admin_id)
        log_in = f"{SESSION}={session}"
        transport = httpx2.ASGITransport(app=place.app, raise_app_exceptions=False)
        client = httpx2.AsyncClient(transport=transport, base_url=HERE)
        with asyncio.Runner() as runner:
            told = {**named, "B": of_b[Role.ADMIN]}
            yield World(place, ids, records, told, log_in, runner, client)
            runner.run(client.aclose())


def made_up(case: Case, ids: dict[str, str]) -> dict[str, str]:
    """Ids of the same form that nothing has."""
    anchor = {"anchor": "0123456789abcdef", "name": "no-such"}
    return {name: anchor.get(name) or (str(uuid4()) if "id" in name else ids[name]) for name in ids}


# Before the ones that take away.
@pytest.mark.parametrize("case", [case for case in WITH_IDS if case.method in SAFE], ids=str)
def test_the_ids_of_this_test_are_those_of_something(world: World, case: Case) -> None:
    ids = world.ids_of(case)
    reply = world.reply(case, "A admin", ids)
    assert reply != world.reply(case, "A admin", made_up(case, ids))
    assert reply[0] not in (401, 403, 405, 422), reply


@pytest.mark.parametrize("case", WITH_IDS, ids=str)
def test_what_is_of_another_workspace_is_not_there(world: World, case: Case) -> None:
    ids = world.ids_of(case)
    theirs, nobodys = world.reply(case, "B", ids), world.reply(case, "B", made_up(case, ids))
    assert theirs == nobodys, "it can be told from what there is not"
    expected = 200 if case.path.endswith("/{anchor}") else 404
    assert theirs[0] == expected, theirs


@pytest.mark.parametrize("case", [case for case in CASES if not case.parameters], ids=str)
def test_lists_hold_nothing_of_another_workspace(world: World, case: Case) -> None:
    if case.method not in SAFE:
        return
    _, text = world.reply(case, "B", {})
    for value in (*world.ids.values(), *world.records.values(), "leave.txt", "How many days?"):
        assert len(value) < 3 or value not in text


@pytest.mark.parametrize("case", UNSAFE, ids=str)
def test_a_reader_does_not_write(world: World, case: Case) -> None:
    if case.key in A_READER_MAY:
        ids = made_up(case, world.ids_of(case))
        assert world.reply(case, "A reader", ids)[0] != 401
        return
    status, text = world.reply(case, "A reader", world.ids_of(case))
    assert status == 403, text


@pytest.mark.parametrize("case", CASES, ids=str)
def test_nobody_comes_in_without_a_token(world: World, case: Case) -> None:
    path = case.path.format(**world.ids_of(case))
    assert world.request(case.method, path).status_code == 401
    led = 401 if path.startswith("/api/") else 303
    assert world.request(case.method, path, headers=BROWSER).status_code == led


@pytest.mark.parametrize("case", UNSAFE, ids=str)
def test_whoever_is_logged_in_needs_the_token_of_a_form(world: World, case: Case) -> None:
    headers = {**BROWSER, "Cookie": world.log_in}
    path, body = case.path.format(**world.ids_of(case)), BODIES.get(case.key, {})
    reply = world.request(case.method, path, headers=headers, **body)
    assert reply.status_code == 403, reply.text


@pytest.mark.parametrize("context", CONTEXTS, ids=lambda context: str(context.path_format))
def test_every_route_says_whom_it_is_for(context: RouteContext) -> None:
    assert set(calls_of(context.dependant)) & {reader, reviewer, admin}


def calls_of(dependant: Dependant) -> Iterator[Any]:
    for dependency in dependant.dependencies:
        yield dependency.call
        yield from calls_of(dependency)


def test_these_are_the_routes_of_the_application(world: World) -> None:
    served = {
        (method, str(context.path_format))
        for context in iter_route_contexts(world.place.app.routes)
        for method in context.methods or ()
        if not is_open(template_of(str(context.path_format)))
    }
    assert served == {(case.method, case.path) for case in CASES}
    assert ServiceSettings().auth is Auth.OPEN, "on the loopback address, by default"
