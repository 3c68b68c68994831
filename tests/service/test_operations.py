"""What whoever watches over the service sees: readiness, numbers, ids, spans and log lines."""

from __future__ import annotations

import json
import logging
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy
from prometheus_client.parser import text_string_to_metric_families
from tests.service.visiting import Place, a_place

from veridical.errors import StoreError, StoreUnavailable
from veridical.service import context
from veridical.service.observing.logs import ACCESS_LOG, LogFormat, handler_of, stack_of
from veridical.service.settings import Auth
from veridical.store.engine import LEAST_FREE_BYTES, Database
from veridical.store.inquiries import Mode
from veridical.store.workspaces import Role

LIST = "/api/v1/workspaces"
PRIVATE = "how ill is Ana Lopes"


# --- ids -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "is_kept"),
    [("abc-1.2_3", True), ("a" * 64, True), ("a" * 65, False), ("a b", False), ("ä", False)],
)
def test_a_harmless_request_id_is_kept(place: Place, given: str, is_kept: bool) -> None:
    reply = place.client().get("/nothing", headers={"X-Request-ID": given.encode()})
    assert (reply.headers["X-Request-ID"] == given) is is_kept
    assert reply.json()["error"]["request_id"] == reply.headers["X-Request-ID"]


# --- readiness -----------------------------------------------------------------------------------


def test_it_is_not_ready_before_jobs_are_worked_on(place: Place) -> None:
    reply = place.client().get("/ready")
    assert reply.status_code == 503
    assert reply.json() == {"status": "not_ready", "reasons": ["the job engine is starting"]}


def test_without_its_database_it_fails_clearly_and_recovers(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*_: object) -> None:
        raise StoreUnavailable("The database postgresql://ana@db/x cannot be reached.")

    with monkeypatch.context() as for_now:
        for_now.setattr("veridical.store.store.Store.ping", gone)
        for_now.setattr("veridical.store.store.Store.workspaces", gone)
        assert "the database does not answer" in place.client().get("/ready").json()["reasons"]
        reply = place.client().get(LIST)
        page = place.client().get("/workspaces", headers={"Accept": "text/html"})
    assert (reply.status_code, reply.json()["error"]["code"]) == (503, "database_unavailable")
    assert reply.headers["Retry-After"] == "1"
    assert page.status_code == 503
    assert "postgresql" not in reply.text + page.text
    assert place.client().get(LIST).status_code == 200


@pytest.fixture
def spoilt(tmp_path: Path) -> Iterator[Callable[[str], Place]]:
    """Of what SQLite is told, a service whose database is as it is then: for root reads and writes
    what is read-only, and no disk is to be filled.
    """
    with ExitStack() as stack:

        def spoil(pragma: str) -> Place:
            place = stack.enter_context(a_place(tmp_path))
            place.store._database.engine.dispose()

            def set_up(connection: Any, _: object) -> None:
                connection.execute(f"PRAGMA {pragma}")

            sqlalchemy.event.listen(place.store._database.engine, "connect", set_up)
            return place

        yield spoil


@pytest.mark.parametrize(
    ("pragma", "told"),
    [("query_only = ON", "cannot be written to"), ("max_page_count = 1", "the disk is full")],
)
def test_where_nothing_can_be_written_it_is_not_ready_and_nothing_is_taken(
    spoilt: Callable[[str], Place], pragma: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = spoilt(pragma).client()
    if "query_only" in pragma:  # with pages to spare a row can still be written
        monkeypatch.setattr(context, "SECONDS", 60.0)
        reply = client.get("/ready")
        assert reply.status_code == 503
        assert any(told in reason for reason in reply.json()["reasons"])
    assert client.get(LIST).status_code == 200
    long = {"mode": "verify", "answer": "Leave is 25 days. " * 3_000}
    for path, given in (
        ("/api/v1/sessions", {"json": long}),
        ("/api/v1/documents", {"files": {"file": ("leave.md", "x " * 50_000)}}),
    ):
        reply = client.post(path, **given)
        assert reply.status_code == 503, reply.text
        assert (reply.json()["error"]["code"], reply.headers["Retry-After"]) == (
            "database_unavailable",
            "1",
        )
        assert told in reply.json()["error"]["message"]


def test_a_disk_that_is_as_good_as_full_is_told_before_anything_is_lost(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage("/")._replace(free=LEAST_FREE_BYTES - 1)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    reasons = place.client().get("/ready").json()["reasons"]
    told = "the database cannot grow: the disk is full. Free some space, then try again"
    assert told in reasons


def test_what_is_wrong_with_the_database_is_told_as_it_is(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only what passes is 503, with a time to come again; and never a file, a host or a user."""
    told = "The ledger 7f cannot be read: rows of it in the database were changed or are damaged."
    full = StoreUnavailable("/srv/x.db is full.", public="The database cannot grow.")
    refused = StoreError("postgresql://ana@db/x refused.", public="The database refused the login.")
    for problem, status, message in (
        (StoreError(told), 500, told),
        (refused, 500, refused.public),
        (full, 503, full.public),
    ):

        def fail(*_: object, problem: StoreError = problem) -> None:
            raise problem

        with monkeypatch.context() as for_now:
            for_now.setattr("veridical.store.store.Store.workspaces", fail)
            reply = place.client().get(LIST)
        assert (reply.status_code, reply.json()["error"]["message"]) == (status, message)
        assert ("Retry-After" in reply.headers) == (status == 503)


def test_a_damaged_session_does_not_hide_the_others(place: Place) -> None:
    shelf = place.store.shelf()
    ids = [shelf.inquiries.add(Mode.ANSWER, f"Question {n}?", by="ana")[0].id for n in range(2)]
    database = Database(place.app.state.service.settings.database)
    with closing(database), database.engine.begin() as connection:
        connection.exec_driver_sql(
            "UPDATE inquiries SET details = '{' WHERE id = ?", (ids[0].replace("-", ""),)
        )
    listed = place.client().get("/api/v1/sessions")
    assert {item["id"] for item in listed.json()["items"]} == set(ids)
    reply = place.client().get(f"/api/v1/sessions/{ids[0]}")
    assert (reply.status_code, reply.json()["error"]["code"]) == (500, "database_error")
    assert "damaged" in reply.json()["error"]["message"]
    assert place.client().get(f"/api/v1/sessions/{ids[1]}").status_code == 200


def test_with_tokens_anybody_learns_only_whether_it_is_well(tmp_path: Path) -> None:
    with a_place(tmp_path, auth=Auth.TOKEN) as closed:
        assert closed.client().get("/health").json().keys() == {"status"}
    with a_place(tmp_path) as opened:
        assert {"status", "message", "documents"} <= opened.client().get("/health").json().keys()


# --- numbers -------------------------------------------------------------------------------------


def samples(place: Place) -> dict[tuple[str, ...], float]:
    text = place.client().get("/metrics").text
    return {
        (sample.name, *sorted(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_requests_are_counted_by_the_template_of_their_route(place: Place) -> None:
    before = samples(place)
    place.client().delete("/api/v1/tokens/5f0c6a9e-6f0d-5d0b-9d43-0d8a3c1f7b52")
    place.client().get(f"/{PRIVATE.replace(' ', '-')}")
    after = samples(place)
    counted = {key for key, value in after.items() if value != before.get(key)}
    route = "/api/v1/tokens/{token_id}"
    assert ("veridical_requests_total", "4xx", *sorted(("DELETE", route))) in {
        (name, *sorted(values, key=lambda value: (value[0] != "4", value)))
        for name, *values in counted
    }
    assert not any("ill" in part for key in after for part in key)
    assert after["veridical_database_up",] == 1.0
    assert after["veridical_jobs", "ingest", "waiting"] == 0.0
    assert after["veridical_requests_in_flight",] == 1.0


# --- log lines -----------------------------------------------------------------------------------


def lines(form: LogFormat, record: logging.LogRecord) -> str:
    return handler_of(form).format(record)


def test_a_request_is_logged_without_its_address(
    place: Place, caplog: pytest.LogCaptureFixture
) -> None:
    token, secret = place.store.tokens.create("default", "Ana", Role.ADMIN)
    with caplog.at_level(logging.DEBUG, "veridical"):
        client = place.client(secret)
        client.get(LIST, params={"question": PRIVATE}, headers={"X-Request-ID": "r1"})
        client.get(f"/api/v1/documents/{PRIVATE}")
        client.post("/login", data={"token": secret})
    records = [record for record in caplog.records if record.name == ACCESS_LOG]
    entry = json.loads(lines(LogFormat.JSON, records[0]))
    assert {
        "method": "GET",
        "route": LIST,
        "status": 200,
        "request_id": "r1",
        "token_id": token.id,
        "level": "info",
    }.items() <= entry.items()
    assert entry["bytes"] > 0
    assert entry["ms"] > 0
    assert entry["time"].endswith("+00:00")
    told = "".join(lines(form, record) for form in LogFormat for record in caplog.records)
    assert "Ana" not in told
    assert secret not in told


def test_a_defect_is_logged_by_its_place_not_its_words(
    place: Place, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError(PRIVATE) from KeyError(PRIVATE)

    monkeypatch.setattr("veridical.store.store.Store.workspaces", broken)
    reply = place.client().get(LIST)
    assert reply.status_code == 500
    assert reply.json()["error"]["code"] == "internal_error"
    (record,) = (record for record in caplog.records if record.levelno == logging.ERROR)
    told = lines(LogFormat.JSON, record)
    assert "RuntimeError" in told
    assert "KeyError" in told
    assert "test_operations.py" in told
    assert PRIVATE not in told + reply.text + caplog.text


def test_a_traceback_of_somebody_elses_has_no_words_either() -> None:
    with pytest.raises(ValueError, match="Ana") as raised:
        int(PRIVATE)
    error = raised.value
    record = logging.LogRecord("x", logging.ERROR, "", 0, "failed", None, None)
    record.exc_info = (ValueError, error, error.__traceback__)
    assert PRIVATE not in lines(LogFormat.JSON, record) + lines(LogFormat.TEXT, record)
    assert "ValueError" in lines(LogFormat.JSON, record)
    assert "test_operations.py" in stack_of(error)
