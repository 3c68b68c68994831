"""Asks a scorer for the sections of a rubric so that no answer is lost when the process is."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from dbos import DBOS, SetWorkflowID

from veridical.errors import ProcessingError
from veridical.scoring.answer import SectionScorer
from veridical.scoring.durable.identity import RunIdentity
from veridical.scoring.durable.launch import dbos_launched, dbos_prepared, version_of
from veridical.scoring.durable.record import (
    CREATED_AT,
    IDENTITY,
    UNFINISHED,
    Attempt,
    RunRecord,
    read_record,
    workflow_id,
)
from veridical.scoring.durable.workflow import RUNS, SECTIONS, OpenRun, score_sections
from veridical.scoring.rubric import Section
from veridical.scoring.running import OnChange, SectionState
from veridical.store.engine import Database

if TYPE_CHECKING:
    from dbos import DBOSClient

_POLL_SECONDS = 0.2
_SOON_SECONDS = 0.01

_RECORDING_SECONDS = 10.0
"""A workflow that has ended is stored as ended within this time, or its database is broken."""

_STOP_SECONDS = 10.0


class DurableRun:
    """One run in one database, which nobody else works on meanwhile.

    `on_change` is told of the sections that were answered before, too: they are done at once.
    """

    def __init__(
        self,
        database: Database,
        run_id: str,
        identity: RunIdentity,
        *,
        on_change: OnChange | None = None,
    ) -> None:
        self._database = database
        self._run_id = run_id
        self._identity = identity
        self._on_change = on_change
        self._answered: frozenset[str] = frozenset()

    def ask(
        self,
        scorer: SectionScorer,
        sections: Sequence[Section],
        concurrency: int,
        created_at: str | None,
    ) -> RunRecord:
        """Ask for what has not been answered yet. `created_at` counts where the run is new.

        An interrupt ends it soon: what is under way is left behind, what is answered is kept.
        Raises ConfigurationError where the run was begun with something else, StoreError where the
        database cannot be used, ProcessingError where the work was ended from outside; and what
        the scorer raised where that has a defect.
        """
        by_id = {section.id: section for section in sections}
        run = OpenRun(scorer, by_id, concurrency, self._tell)
        # A thread of its own has no event loop, whatever the caller's has: DBOS would adopt it.
        return _in_a_thread(lambda: self._asked(run, created_at), run.stop)

    def _asked(self, run: OpenRun, created_at: str | None) -> RunRecord:
        with dbos_prepared(self._database) as client:
            record = self._read(client)
            if record.identity is not None:
                self._identity.refuse_another(record.identity, self._run_id)
            self._tell_answered(record, run)
            attempt = self._next_attempt(record, run, created_at)
            if attempt is None:
                return record
            with RUNS.holding(self._run_id, run), dbos_launched(self._database, self._run_id):
                self._work(client, run, attempt)
            record = self._read(client)
            _raise_problem(record, run, self._run_id)
            return record

    def _read(self, client: DBOSClient) -> RunRecord:
        return read_record(client, self._run_id, self._database.place)

    def _next_attempt(
        self, record: RunRecord, run: OpenRun, created_at: str | None
    ) -> Attempt | None:
        """The attempt to work on: the one that was broken off, a new one, or none."""
        last = record.last
        if last is not None and last.status in UNFINISHED:
            if last.version != version_of(self._run_id):
                raise ProcessingError(
                    f"run {self._run_id!r} was begun by a service and has not ended. It goes on "
                    "there; or take another resume id"
                )
            return last
        missing = [section_id for section_id in run.sections if section_id not in record.answers]
        if not missing:
            return None
        request = {
            IDENTITY: self._identity.to_mapping(),
            CREATED_AT: record.created_at if last else created_at,
            SECTIONS: missing,
        }
        return Attempt(last.number + 1 if last else 1, None, version_of(self._run_id), request, {})

    def _work(self, client: DBOSClient, run: OpenRun, attempt: Attempt) -> None:
        """Start it, or let DBOS resume it, which it does by itself, and wait for its end."""
        name = workflow_id(self._run_id, attempt.number)
        if attempt.status is None:
            with SetWorkflowID(name):
                DBOS.start_workflow(score_sections, self._run_id, dict(attempt.request))
        deadline = None
        while not run.stopped and (deadline is None or time.monotonic() < deadline):
            (found,) = client.list_workflows(
                workflow_ids=[name], load_input=False, load_output=False
            )
            if found.status not in UNFINISHED:
                return
            if run.over.wait(_POLL_SECONDS):
                deadline = deadline or time.monotonic() + _RECORDING_SECONDS
                time.sleep(_SOON_SECONDS)
        run.over.wait(_POLL_SECONDS)

    def _tell_answered(self, record: RunRecord, run: OpenRun) -> None:
        self._answered = frozenset(record.answers)
        for section in run.sections.values():
            if self._on_change is not None and section.id in self._answered:
                self._on_change(section, SectionState.DONE)

    def _tell(self, section: Section, state: SectionState) -> None:
        if self._on_change is not None and section.id not in self._answered:
            self._on_change(section, state)


def _raise_problem(record: RunRecord, run: OpenRun, run_id: str) -> None:
    status = record.last.status if record.last else None
    if run.stopped or status == "SUCCESS":
        return
    if run.problem is not None and status != "CANCELLED":
        raise run.problem
    raise ProcessingError(
        f"run {run_id!r} was ended from outside ({status}). What was answered is kept: run the "
        "same command again"
    )


def _in_a_thread(work: Callable[[], RunRecord], stop: Callable[[], None]) -> RunRecord:
    """Do it in a thread of its own; `stop` makes it end when this one is interrupted."""
    results: list[RunRecord] = []
    problems: list[BaseException] = []

    def keep() -> None:
        try:
            results.append(work())
        except BaseException as problem:  # noqa: BLE001 - raised again where it is waited for
            problems.append(problem)

    thread = threading.Thread(target=keep, daemon=True, name="veridical-durable-run")
    thread.start()
    try:
        thread.join()
    except BaseException:
        stop()
        thread.join(_STOP_SECONDS)
        raise
    if problems:
        raise problems[0]
    return results[0]
