"""A real `veridical serve` for the rows that measure it, and what its process uses."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
from tests.store.postgres import URL_VARIABLE, new_database, postgres_server

START_SECONDS = 120.0
STOP_SECONDS = 20.0
_POLL_SECONDS = 0.01
_KEPT_OPEN = re.compile(r"http://127\.0\.0\.1:(\d+)")

_COMPILED = {"PYTHONDONTWRITEBYTECODE": ""}
"""With which the second process need not compile our modules: installing them compiles them too."""

SQLITE, POSTGRESQL = "SQLite", "PostgreSQL"


@dataclass(frozen=True, slots=True)
class Served:
    """A running server."""

    port: int
    process: subprocess.Popen[str]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @contextmanager
    def client(self) -> Iterator[httpx2.Client]:
        with httpx2.Client(base_url=self.url, timeout=START_SECONDS) as client:
            yield client

    def resident(self) -> int:
        """Bytes of memory that the process has now."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        found = re.search(r"^VmRSS:\s+(\d+) kB$", status, re.MULTILINE)
        assert found, "this system does not tell the memory of a process"
        return int(found[1]) * 1024

    def threads(self) -> int:
        return self._count("task")

    def files(self) -> int:
        """How many files, pipes and sockets the process holds open."""
        return self._count("fd")

    def _count(self, what: str) -> int:
        return len(list(Path(f"/proc/{self.process.pid}/{what}").iterdir()))


@contextmanager
def all_cores() -> Iterator[None]:
    """Undo `measure.stay_on_one_core` for what is started within: server and clients share all."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, range(os.cpu_count() or 1))
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


@contextmanager
def served(database: str | Path, *options: str) -> Iterator[Served]:
    """`veridical serve` on a free port in a process of its own, once it is ready."""
    command = [sys.executable, "-m", "veridical", "serve", "--port", "0"]
    with listening([*command, "--database", str(database), *options]) as server:
        wait_until(server, "/ready")
        yield server


@contextmanager
def listening(command: list[str], **environment: str) -> Iterator[Served]:
    """A server as soon as it says where it listens; its log goes to a file, which nobody reads."""
    with (
        tempfile.TemporaryFile("w+") as log,
        subprocess.Popen(
            command,
            stderr=log,
            text=True,
            env={**os.environ, **_COMPILED, **environment},
        ) as run,
    ):
        try:
            yield Served(_port(run, log.fileno()), run)
        finally:
            run.terminate()
            try:
                run.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                run.kill()


def _port(run: subprocess.Popen[str], log: int) -> int:
    deadline = time.monotonic() + START_SECONDS
    while True:
        said = os.pread(log, 65_536, 0).decode(errors="replace")
        if found := _KEPT_OPEN.search(said):
            return int(found[1])
        if run.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError(f"the server did not start:\n{said}")
        time.sleep(_POLL_SECONDS)


def wait_until(server: Served, path: str) -> None:
    """Until a request for this path is answered with 200."""
    deadline = time.monotonic() + START_SECONDS
    with server.client() as client:
        while True:
            try:
                if client.get(path).status_code == 200:
                    return
            except httpx2.TransportError:
                pass
            if time.monotonic() > deadline:
                raise RuntimeError(f"{path} was not ready within {START_SECONDS:g} s")
            time.sleep(_POLL_SECONDS)


@contextmanager
def databases() -> Iterator[dict[str, str]]:
    """An empty SQLite file and an empty database of a PostgreSQL server, by their names."""
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        server = os.environ.get(URL_VARIABLE) or stack.enter_context(postgres_server())
        name = f"bench_service_{os.getpid()}"
        yield {
            SQLITE: f"sqlite:///{folder}/served.db",
            POSTGRESQL: stack.enter_context(new_database(server, name)),
        }


def upload(client: httpx2.Client, name: str, content: bytes, kind: str = "text/markdown") -> str:
    """Upload a document, wait until it can be searched, and return its id."""
    reply = client.post("/api/v1/documents", files={"file": (name, content, kind)})
    document = checked(reply)["document_id"]
    until_state(client, f"/api/v1/documents/{document}", "ready")
    return str(document)


def session(client: httpx2.Client, **asked: str) -> str:
    """Ask, or have an answer checked; the id of the session once its ledger is there."""
    found = checked(client.post("/api/v1/sessions", json=asked))["id"]
    until_state(client, f"/api/v1/sessions/{found}", "ready")
    return str(found)


def until_state(client: httpx2.Client, path: str, wished: str) -> dict[str, Any]:
    """What is at a path, once its `state` is as wished."""
    deadline = time.monotonic() + START_SECONDS
    while True:
        seen = checked(client.get(path))
        if state_of(seen) == wished:
            return seen
        if state_of(seen) == "failed" or time.monotonic() > deadline:
            raise RuntimeError(f"{path} is not {wished}: {seen}")
        time.sleep(_POLL_SECONDS)


def state_of(seen: dict[str, Any]) -> str:
    """The state of a session, or of a document: that of the file given last."""
    latest = seen.get("latest_upload") or {}
    return str(seen.get("state") or latest.get("state") or "")


def checked(reply: httpx2.Response) -> dict[str, Any]:
    """The JSON of a reply. Raises RuntimeError for one that says that something went wrong."""
    if not reply.is_success:
        raise RuntimeError(f"{reply.request.url}: {reply.status_code} {reply.text[:500]}")
    data: dict[str, Any] = reply.json()
    return data
