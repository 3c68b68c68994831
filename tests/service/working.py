"""The work of jobs, done at once by the test itself: by the workers of a service, but no engine."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

from fastapi.testclient import TestClient
from tests.service.visiting import Place

from veridical.service.entry.identity import WORKSPACE_HEADER
from veridical.service.jobs.workers import Run, Worker

API = "/api/v1"
_NUMBERS = count(1)


class MemorySteps:
    """Steps of one job that nobody kills."""

    def __init__(self) -> None:
        self.kept: dict[str, str] = {}

    def once(self, name: str, work: Callable[[], str]) -> str:
        if name not in self.kept:
            self.kept[name] = work()
        return self.kept[name]


def work_off(place: Place) -> None:
    """Do all jobs that there are, in their order, until none is left."""
    service = place.app.state.service
    worker = Worker(service.settings, place.store, service.corpora)
    while waiting := place.store.job_board.open_jobs():
        for found in waiting:
            if begun := place.store.job_board.begin(found.job.id):
                worker.do(Run(begun, place.store))


def in_new_workspace(place: Place) -> TestClient:
    """A client of a workspace in which there is nothing yet."""
    return place.client(**{WORKSPACE_HEADER: f"workspace-{next(_NUMBERS)}"})


def upload(place: Place, client: TestClient, name: str, content: bytes | str) -> dict[str, Any]:
    """A document that was uploaded and read."""
    data = content.encode() if isinstance(content, str) else content
    reply = client.post(f"{API}/documents", files={"file": (name, data)})
    assert reply.status_code == 202, reply.text
    work_off(place)
    found = client.get(reply.headers["location"])
    assert found.status_code == 200, found.text
    return dict(found.json())


def ask(place: Place, client: TestClient, **asked: Any) -> dict[str, Any]:
    """A session that was worked on."""
    reply = client.post(f"{API}/sessions", json=asked)
    assert reply.status_code == 202, reply.text
    work_off(place)
    return dict(client.get(reply.headers["location"]).json())


def refused(reply: Any, status: int, code: str) -> str:
    """The message of an error, which must have this status and code."""
    assert reply.status_code == status, reply.text
    error = reply.json()["error"]
    assert error["code"] == code, error
    assert error.keys() == {"code", "message", "request_id"}
    return str(error["message"])
