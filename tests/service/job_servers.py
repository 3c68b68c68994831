"""Real `veridical serve` processes, killed and started again, and a model server that counts."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
from sqlalchemy import text
from tests.models.faulty_server import Client, FaultyServer, answer, completion, serve
from tests.scoring.samples import reply_to, sections
from tests.service.job_works import until
from tests.store.processes import ROOT, SECONDS

from veridical.store.engine import Database

API = "/api/v1"
OPEN = ("waiting", "running")
SECTIONS = sections(6)
RUBRIC = {
    "template": {"id": "sample", "name": "Sample", "version": "1"},
    "sections": [
        {
            "id": section.id,
            "title": section.title,
            "weight": section.weight,
            "criteria": [
                {"id": one.id, "title": one.title, "type": "boolean"} for one in section.criteria
            ],
        }
        for section in SECTIONS
    ],
    "llm": {"concurrency": 2},
}
TRANSCRIPT = "WEBVTT\n\n00:06.000 --> 00:09.000\n<v ENG25>Engine 25 assuming command.\n"
DAYS = "Full-time staff are entitled to 27 days of annual leave in each leave year"
LEAVE = f"# Leave\n\n{DAYS}. Part-time staff receive a share of it.\n"


QUESTION = "question"
ALL = frozenset((QUESTION, *(section.id for section in SECTIONS)))
"""What a model is asked for here: an answer to a question, and each section."""


@dataclass
class CountingModel:
    """A model on this machine: what it was asked for, and how often."""

    server: FaultyServer
    answered: frozenset[str]
    """What it answers; whoever asks for anything else waits until that is among it."""
    asked: Counter[str] = field(default_factory=Counter)


@contextmanager
def counting_model(*answered: str) -> Iterator[CountingModel]:
    """Answers questions and scores sections: at first those that are named, and no others."""
    known = {section.id: section for section in SECTIONS}
    lock = threading.Lock()

    def act(client: Client) -> None:
        body = client.received.json
        wanted = body.get("response_format", {}).get("json_schema", {}).get("schema")
        if wanted:
            name = wanted["properties"]["sectionId"]["enum"][0]
            reply = json.dumps(reply_to(known[name]))
        else:
            name, reply = QUESTION, f"- {DAYS} [1]."
        with lock:
            running.asked[name] += 1
        while name not in running.answered and not client.stop.wait(0.02):
            pass
        answer(completion(reply))(client)

    with serve(act) as server:
        running = CountingModel(server, frozenset(answered))
        yield running


HELD = """
import pkgutil, runpy, sys, time

place, name = sys.argv.pop(1).rsplit(".", 1)
home = pkgutil.resolve_name(place)
real = getattr(home, name)

def held(*given, **more):
    real(*given, **more)
    print("held", file=sys.stderr, flush=True)
    time.sleep(3_600)

setattr(home, name, held)
runpy.run_module("veridical", run_name="__main__")
"""
"""The command, which stands still after a function of its own: what comes of it goes no further."""


class Server:
    """A `veridical serve` process over a database."""

    def __init__(
        self,
        url: str,
        model: CountingModel | None,
        *,
        workers: int = 2,
        port: int = 0,
        held_after: str = "",
    ) -> None:
        asks = ["--model", "tiny", "--base-url", model.server.url] if model else []
        program = ["-c", HELD, held_after] if held_after else ["-m", "veridical"]
        self.process = subprocess.Popen(
            [sys.executable, *program, "serve", "--database", url, "--port", str(port),
             "--workers", str(workers), *asks],
            cwd=ROOT, env={**os.environ, "VERIDICAL_MODEL": "", "OMP_NUM_THREADS": "1"},
            stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        self.log: list[str] = []
        self.address = self._address()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.port = int(self.address.rpartition(":")[2].rstrip("/"))
        self.client = httpx2.Client(base_url=self.address, timeout=SECONDS)

    def _address(self) -> str:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.log.append(line)
            if found := re.search(r"http://\S+", line):
                return found[0]
        raise AssertionError(f"it did not start: {self.log}")

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.log.append(line)

    def kill(self) -> None:
        """End it as the system does where memory runs out."""
        self.client.close()
        self.process.kill()
        assert self.process.wait(SECONDS) == -9

    def stop(self) -> None:
        """End it as its owner does."""
        self.client.close()
        self.process.terminate()
        try:
            assert self.process.wait(SECONDS) == 0, self.log
        finally:
            self.process.kill()

    def get(self, path: str) -> Any:
        reply = self.client.get(f"{API}{path}")
        assert reply.status_code == 200, reply.text
        return reply.json()

    def post(self, path: str, body: Any) -> Any:
        reply = self.client.post(f"{API}{path}", json=body)
        assert reply.status_code in (201, 202), reply.text
        return reply.json()

    @contextmanager
    def asking(self, path: str, body: Any) -> Iterator[None]:
        """Make a call beside the block, which it need not outlive."""

        def ask() -> None:
            with suppress(httpx2.HTTPError):
                httpx2.post(f"{self.address}{API}{path}", json=body, timeout=SECONDS)

        thread = threading.Thread(target=ask)
        thread.start()
        try:
            yield
        finally:
            thread.join()

    def upload(self, name: str, words: str) -> Any:
        reply = self.client.post(f"{API}/documents", files={"file": (name, words.encode())})
        assert reply.status_code == 202, reply.text
        return reply.json()

    def job(self, job_id: str) -> Any:
        return self.get(f"/jobs/{job_id}")

    def job_about(self, subject_id: str) -> str:
        """The id of the job of a subject."""
        (found,) = (
            job["id"]
            for job in self.get("/jobs?limit=200")["items"]
            if job["subject_id"] == subject_id
        )
        return str(found)

    def open_jobs(self) -> list[Any]:
        return list(self.get("/jobs?active=true&limit=200")["items"])

    def until_held(self) -> None:
        until(lambda: "held\n" in self.log, "where it is to stand still")

    def until_over(self, job_id: str) -> Any:
        until(lambda: self.job(job_id)["state"] not in OPEN, f"the end of {self.job(job_id)}")
        return self.job(job_id)


@contextmanager
def started(url: str, model: CountingModel | None = None, **more: Any) -> Iterator[Server]:
    """A server, ended by its owner at the end of the block if nobody killed it."""
    made = Server(url, model, **more)
    try:
        yield made
    finally:
        if made.process.poll() is None:
            made.stop()
        made.client.close()
        made._reader.join(SECONDS)
        assert made.process.stderr is not None
        made.process.stderr.close()


def asked_of(url: str, query: str) -> set[str]:
    """The values of a query that the server knows nothing of."""
    with closing(Database(url)) as database, database.reading() as connection:
        return set(connection.execute(text(query)).scalars())


def kept_steps(url: str) -> set[str]:
    """The names of the steps that are stored of all jobs: what has been paid for."""
    return asked_of(url, "SELECT name FROM job_steps")


class Watched:
    """What the API showed of a session's ledger while a test killed servers: all or nothing."""

    def __init__(self) -> None:
        self.sizes: set[int] = set()
        self.other: set[int] = set()

    @contextmanager
    def looking(self, address: str, session_id: str) -> Iterator[None]:
        """Look at the ledger over and over, as long as the block runs."""
        over = threading.Event()

        def look() -> None:
            while not over.wait(0.02):
                try:
                    reply = httpx2.get(
                        f"{address}{API}/sessions/{session_id}/ledger", timeout=SECONDS
                    )
                except httpx2.HTTPError:
                    continue
                if reply.status_code == 200:
                    self.sizes.add(len(reply.json()["ledger"]["entries"]))
                else:
                    self.other.add(reply.status_code)

        thread = threading.Thread(target=look)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()


def sqlite_url(folder: Path) -> str:
    return f"sqlite:///{folder / 'service.db'}"
