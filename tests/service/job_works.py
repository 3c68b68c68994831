"""Kinds of work made up for tests, and engines that do them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.store.shelves import there

from veridical.service.corpora import Corpora
from veridical.service.jobs.engine import EngineState, JobEngine
from veridical.service.jobs.workers import Doing, Work
from veridical.service.settings import ServiceSettings
from veridical.store.jobs import Job, JobKind
from veridical.store.records import RecordKind
from veridical.store.store import Store

SECONDS = 60.0


def until(wished: Callable[[], bool], what: str = "it") -> None:
    """Wait until that is so."""
    deadline = time.monotonic() + SECONDS
    while not wished():
        assert time.monotonic() < deadline, f"after {SECONDS} s not yet: {what}"
        time.sleep(0.03)  # most of what is looked at is asked of a server, whose time it takes


def sqlite(folder: Path) -> str:
    return f"sqlite:///{folder / 'service.db'}"


class Place:
    """A store with jobs in it, each to be done by a work of the name that it asks for."""

    def __init__(self, url: str, store: Store, works: Mapping[str, Work] | None = None) -> None:
        self.url = url
        self.store = store
        self.shelf = store.shelf()
        self.works = dict(works or {})
        self.done: list[str] = []
        self.live: JobEngine | None = None

    def add(self, work: str, *, tell: bool = True) -> Job:
        """A job that asks for a work; the engine that runs, if one does, is told of it."""
        job = self.shelf.records.add(RecordKind.VALIDATION, work, {"work": work})[1]
        if self.live is not None and tell:
            self.live.wake(job.id)
        return job

    def job(self, job: Job) -> Job:
        """How it stands."""
        return there(self.shelf.jobs.get(job.id))

    def ended(self, job: Job) -> Job:
        """How it ended; waits for that."""
        until(lambda: self.job(job).state.is_over, f"the end of {self.job(job)}")
        return self.job(job)

    def registry(self, _kind: JobKind, /) -> Work:
        return self._work

    def _work(self, doing: Doing) -> None:
        record = there(self.shelf.records.get(RecordKind.VALIDATION, doing.job.subject_id))
        name = record.request["work"]
        self.works[name](doing)
        self.shelf.records.finish(record.id, {"work": name}, {})
        self.done.append(name)

    def engine(self, workers: int = 2) -> JobEngine:
        settings = ServiceSettings(database=self.url, workers=workers)
        return JobEngine(settings, self.store, Corpora(), registry=self.registry)

    @contextmanager
    def running(self, workers: int = 2, *, seconds: float = 5.0) -> Iterator[JobEngine]:
        """An engine at work; at the end what is under way may take so many seconds."""
        engine = self.live = self.engine(workers)
        engine.start()
        try:
            yield engine
        finally:
            self.live = None
            engine.stop(seconds)
            assert engine.state is EngineState.STOPPED


def nothing(_doing: Doing) -> None:
    """The quickest work."""
