"""Questions that wait for a model, and a database that hangs or is locked, hold up nobody else."""

from __future__ import annotations

import asyncio
import socket
import sqlite3
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

import httpx2
import pytest
from starlette.requests import Request
from tests.service.policies import LEAVE, QUESTION
from tests.service.serving import serving, until
from tests.service.visiting import a_place

from veridical.cli.models import language_model
from veridical.service import context
from veridical.service.app import create_app
from veridical.service.context import ASKING, Bounds, Places
from veridical.service.entry.access import Access
from veridical.service.errors import RefusedError
from veridical.service.inquiring.asking import answer_in_turn
from veridical.service.settings import Auth, ServiceSettings
from veridical.store import jobs
from veridical.store.jobs import JobState
from veridical.store.store import Store
from veridical.store.workspaces import Role

CALLS = 60
FEW = Bounds(places=3, of_group=2, of_one=1, in_line=3, in_line_of_group=2, seconds=60.0)


class Hanging:
    """A model server that takes every call and replies to none, until it is gone."""

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=CALLS)
        self.taken: list[socket.socket] = []
        self._thread = threading.Thread(target=self._take)
        self._thread.start()
        self.address = f"http://127.0.0.1:{self._listener.getsockname()[1]}/v1"

    def _take(self) -> None:
        with suppress(OSError):
            while True:
                self.taken.append(self._listener.accept()[0])

    def end(self) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        for connection in (self._listener, *self.taken):
            connection.close()


@pytest.fixture
def model() -> Iterator[Hanging]:
    model = Hanging()
    yield model
    model.end()


def ask(client: httpx2.Client, path: str, number: int) -> tuple[int, str]:
    question = f"{QUESTION} {number}"
    if path == "/ask":
        reply = client.get(path, params={"question": question})
        return reply.status_code, reply.text
    reply = client.post(path, json={"question": question})
    if reply.status_code == 503:
        assert reply.headers["Retry-After"] == "5"
        return reply.status_code, reply.json()["error"]["code"]
    return reply.status_code, reply.text


@pytest.mark.parametrize("path", ["/chat", "/ask"])
def test_questions_that_a_model_never_answers_hold_up_nobody_else(
    tmp_path: Path, path: str, model: Hanging
) -> None:
    url = f"sqlite:///{tmp_path}/service.db"
    with Store.open(url) as store:
        secrets = [store.tokens.create(name, name, Role.READER)[1] for name in "ba"]
    asks, reads = ({"Authorization": f"Bearer {secret}"} for secret in secrets)
    (tmp_path / "leave.md").write_text(LEAVE, "utf-8")
    settings = ServiceSettings(
        database=url,
        documents=(str(tmp_path / "leave.md"),),
        workspace="b",
        auth=Auth.TOKEN,
        model=language_model("hanging", model.address, max_retries=0),
    )
    app = create_app(settings)
    places = app.state.service.asking
    places.bounds = replace(ASKING, seconds=600.0)
    with (
        serving(app) as client,
        httpx2.Client(base_url=client.base_url, timeout=60, headers=asks) as asking,
        ThreadPoolExecutor(CALLS) as pool,
    ):
        asked = [pool.submit(ask, asking, path, number) for number in range(CALLS)]
        until(lambda: len(places._line), lambda waiting: waiting == CALLS - ASKING.of_one)
        # None of them ends before the model does: what comes back is not held up by any.
        for other in ("/ready", "/health", "/api/v1/documents", "/api/v1/sessions"):
            assert client.get(other, headers=reads).status_code == 200
        places.bounds = replace(ASKING, seconds=0.2)
        turned_away = [ask(asking, path, CALLS + number) for number in range(3)]
        assert len(model.taken) == ASKING.of_one
        model.end()
        replies = [reply.result() for reply in asked]
    assert {status for status, _ in turned_away} == {503}
    assert all(
        "too_many_questions" in said or "Too many questions" in said for _, said in turned_away
    )
    assert {status for status, _ in replies} == {200}
    assert all("1.67 days" in said for _, said in replies)


def test_a_database_that_hangs_is_told_soon_and_holds_one_thread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(context, "SECONDS", 0.2)
    goes_on = threading.Event()
    asked: list[str] = []

    def hang(store: Store) -> None:
        asked.append(threading.current_thread().name)
        goes_on.wait(60)

    monkeypatch.setattr(Store, "ping", hang)
    url = f"sqlite:///{tmp_path}/service.db"
    with serving(create_app(ServiceSettings(database=url))) as client:
        with ThreadPoolExecutor(50) as pool:
            replies = list(pool.map(client.get, ["/ready"] * 50))
        # One that waited for the database would be told 200, in a minute.
        assert {reply.status_code for reply in replies} == {503}
        assert "the database does not answer" in replies[0].json()["reasons"]
        assert asked.count("veridical-own") == 1  # the job engine asks too, in threads of its own
        goes_on.set()
        until(lambda: client.get("/ready").json()["reasons"], lambda reasons: reasons == [])


def test_who_waits_in_line_gets_the_next_place_and_a_long_line_is_refused() -> None:
    async def story() -> None:
        places = Places(FEW)
        order: list[str] = []
        goes_on = asyncio.Event()

        async def come(group: str, one: str) -> None:
            async with places.one_for(group, one) as is_given:
                order.append(f"{group}{one}" if is_given else "refused")
                await goes_on.wait()

        tasks = []
        for group, one in ("a1", "a1", "a1", "a1", "b1", "b1", "b1"):
            tasks.append(asyncio.create_task(come(group, one)))
            await asyncio.sleep(0)
        assert order == ["a1", "refused", "b1", "refused"]  # two of a, and one of b, are in line
        tasks[1].cancel()  # went away while waiting
        await asyncio.sleep(0)
        goes_on.set()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert sorted(order[4:]) == ["a1", "b1"]
        async with places.one_for("a", "1") as is_given:
            assert is_given

    asyncio.run(story())


def test_who_goes_away_while_waiting_is_not_answered(tmp_path: Path) -> None:
    with a_place(tmp_path) as place:
        service = place.app.state.service
        asked: list[str] = []

        async def story() -> None:
            async def receive() -> dict[str, str]:
                return {"type": "http.disconnect"}

            request = Request({"type": "http", "app": place.app, "client": ("1.2.3.4", 5)}, receive)
            access = Access(place.store.shelf(), Role.READER, "ana")
            with pytest.raises(RefusedError, match="gone away"):
                await answer_in_turn(request, access, "Why?")

        service.folders.require_ready = asked.append
        asyncio.run(story())
        assert asked == []


# --- a locked database ---------------------------------------------------------------------------


MORE_THAN_THREADS = 42
ASKED = {"mode": "verify", "query": "", "answer": "Staff get 20 days."}


@pytest.mark.no_cover
def test_a_locked_database_is_told_soon_and_health_answers_meanwhile(tmp_path: Path) -> None:
    settings = ServiceSettings(database=f"sqlite:///{tmp_path}/service.db", busy_seconds=3.0)
    with (
        serving(create_app(settings)) as client,
        closing(sqlite3.connect(tmp_path / "service.db", isolation_level=None)) as other,
        ThreadPoolExecutor(MORE_THAN_THREADS) as pool,
    ):
        until(lambda: client.get("/ready").status_code, lambda status: status == 200)
        other.execute("BEGIN IMMEDIATE")
        calls = [
            pool.submit(client.post, "/api/v1/sessions", json=ASKED)
            for _ in range(MORE_THAN_THREADS)
        ]
        assert client.get("/health").status_code == 200
        assert not all(call.done() for call in calls)
        for call in calls:
            reply = call.result(timeout=60)
            assert reply.status_code == 503
            assert reply.json()["error"]["code"] == "database_unavailable"
            assert reply.headers["Retry-After"] == "1"
        other.execute("ROLLBACK")
        assert client.post("/api/v1/sessions", json=ASKED).status_code == 202


def test_more_jobs_than_are_taken_is_said_in_so_many_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "MOST_OPEN", 1)
    with a_place(tmp_path) as place:
        first = place.client().post("/api/v1/sessions", json=ASKED)
        assert first.status_code == 202
        more = place.client().post("/api/v1/sessions", json=ASKED)
        assert (more.status_code, more.json()["error"]["code"]) == (429, "too_many_jobs")
        assert "Retry-After" in more.headers
        place.store.job_board.end(first.json()["job_id"], JobState.DONE)
        assert place.client().post("/api/v1/sessions", json=ASKED).status_code == 202
