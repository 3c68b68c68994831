"""Asks a scorer for the sections of a rubric so that no answer is lost when the process is."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dbos import DBOS, DBOSClient, DBOSPortableJSONSerializer, SetWorkflowID, error

from veridical.errors import ProcessingError, StoreError, VeridicalError
from veridical.scoring.answer import SectionAnswer, SectionFailure, SectionScorer
from veridical.scoring.durable.identity import STORED_FORM, RunIdentity
from veridical.scoring.durable.kept import answer_from_mapping
from veridical.scoring.durable.workflow import RUNS, SECTIONS, OpenRun, score_sections
from veridical.scoring.rubric import Section
from veridical.scoring.running import OnChange, Outcome, SectionState
from veridical.store.dbos_process import dbos_log_level, dbos_to_ourselves, dbos_url
from veridical.store.engine import Database

if TYPE_CHECKING:
    from dbos import DBOSClient

# DBOS for one run, in a process that does not use it otherwise: quiet, and gone at the end.


APPLICATION = "veridical-scoring"
SCHEMA = "veridical_scoring"
"""Where DBOS keeps its tables on PostgreSQL, apart from those of whoever else uses DBOS there."""

_LOGGER = logging.getLogger(__name__)
_CONNECTIONS = 6
"""In one run: its steps write one after the other for the most part, and short."""

_POLL_SECONDS = 0.05


@contextmanager
def dbos_prepared(database: Database) -> Iterator[DBOSClient]:
    """A client of a database that has the tables of DBOS; made if it has none.

    DBOS is one to a process, so threads wait here for each other.
    Raises ProcessingError where this process uses DBOS for something else, StoreError where the
    database cannot be used.
    """
    url = dbos_url(database)
    with dbos_to_ourselves(_LOGGER), database.errors(), ExitStack() as stack:
        DBOS.migrate(url, schema=SCHEMA)
        client = DBOSClient(
            system_database_url=url,
            dbos_system_schema=SCHEMA,
            serializer=DBOSPortableJSONSerializer(),
            system_database_pool_size=2,
            application_name=APPLICATION,
        )
        stack.callback(client.destroy)
        try:
            yield client
        except error.DBOSException as problem:
            raise ProcessingError(
                f"{database.place}: DBOS cannot go on ({type(problem).__name__}). Run the same "
                "command again, or take another resume id"
            ) from problem


@contextmanager
def dbos_launched(database: Database, run_id: str) -> Iterator[None]:
    """DBOS at work for one run, and for no other: what another run left behind is not recovered.

    Recovery asks for the executor and the version of the application, and what is to be recovered
    waits in a queue where only the version counts; so both are the run's own.
    """
    DBOS(
        config={
            "name": APPLICATION,
            "system_database_url": dbos_url(database),
            "dbos_system_schema": SCHEMA,
            "sys_db_pool_size": _CONNECTIONS,
            "executor_id": run_id,
            "application_version": version_of(run_id),
            "serializer": DBOSPortableJSONSerializer(),
            "log_level": dbos_log_level(),
            "notification_listener_polling_interval_sec": _POLL_SECONDS,
            "enable_otlp": False,
        }
    )
    try:
        DBOS.launch()
        yield
    finally:
        DBOS.destroy()


def version_of(run_id: str) -> str:
    """The application version under which a run's workflows are stored."""
    return f"{STORED_FORM}/{run_id}"


# What a database holds of a run: its attempts, and what was answered in them.


IDENTITY = "identity"
CREATED_AT = "createdAt"

UNFINISHED = frozenset({"PENDING", "ENQUEUED", "DELAYED"})
"""States of a workflow that is at work, or was when its process ended."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One workflow of a run: the first, or one for the sections that the one before left open.

    `status` is None for one that has not been started, `version` that of the application which
    started it.
    """

    number: int
    status: str | None
    version: str | None
    request: Mapping[str, Any]
    outcomes: Mapping[str, Outcome]


@dataclass(frozen=True, slots=True)
class RunRecord:
    """The attempts of a run, in their order. Answers are final, failures are not."""

    attempts: tuple[Attempt, ...]

    @property
    def last(self) -> Attempt | None:
        """The newest attempt, if there is any."""
        return self.attempts[-1] if self.attempts else None

    @property
    def identity(self) -> Mapping[str, Any] | None:
        """Whose answers these are; None where nothing has been stored."""
        return self.attempts[0].request[IDENTITY] if self.attempts else None

    @property
    def created_at(self) -> str | None:
        """When the run was begun, which is what its scorecard bears however often it goes on."""
        return self.attempts[0].request[CREATED_AT] if self.attempts else None

    @property
    def answers(self) -> dict[str, SectionAnswer]:
        """The sections that need not be asked again."""
        return {
            section_id: outcome
            for attempt in self.attempts
            for section_id, outcome in attempt.outcomes.items()
            if isinstance(outcome, SectionAnswer)
        }

    def outcome(self, section_id: str) -> Outcome | None:
        """What came of a section: its answer, else why there was none the last time."""
        last = self.attempts[-1].outcomes.get(section_id) if self.attempts else None
        return self.answers.get(section_id) or last


def workflow_id(run_id: str, attempt: int) -> str:
    """How the workflow of an attempt is called. No run id has a slash in it."""
    return f"{_prefix(run_id)}{attempt}"


def read_record(client: DBOSClient, run_id: str, place: str) -> RunRecord:
    """What is stored of a run. `place` names the database in messages.

    Raises StoreError where it was not stored by this module, or has been changed since.
    """
    prefix = _prefix(run_id)
    listed = client.list_workflows(workflow_id_prefix=prefix, load_output=False)
    # SQLite does not tell capitals apart when it looks for a prefix.
    found = [status for status in listed if status.workflow_id.startswith(prefix)]
    attempts = []
    try:
        for status in found:
            number = int(status.workflow_id.removeprefix(prefix))
            steps = client.list_workflow_steps(status.workflow_id)
            request, outcomes = _request(status.input), _outcomes(steps)
            attempts.append(Attempt(number, status.status, status.app_version, request, outcomes))
    except (ValueError, LookupError, TypeError, RecursionError, VeridicalError) as problem:
        raise StoreError(
            f"{place} holds something else than run {run_id!r} under its name "
            f"({type(problem).__name__}). Take another resume id or database"
        ) from problem
    return RunRecord(tuple(sorted(attempts, key=lambda attempt: attempt.number)))


def _prefix(run_id: str) -> str:
    return f"veridical-scoring/{run_id}/"


def _request(stored: Any) -> Mapping[str, Any]:
    request = stored["args"][1]
    if not isinstance(request[IDENTITY], dict):
        raise TypeError(IDENTITY)
    if not isinstance(request[CREATED_AT], str | None):
        raise TypeError(CREATED_AT)
    return dict(request)


def _outcomes(steps: Sequence[Any]) -> dict[str, Outcome]:
    return {step["function_name"]: _outcome(step) for step in steps}


def _outcome(step: Any) -> Outcome:
    """What a step came to. Where it ended with an error, that is why there is no answer."""
    if step["output"] is None and step["error"] is not None:
        return SectionFailure(step["function_name"], str(step["error"]))
    outcome = answer_from_mapping(json.loads(step["output"]))
    if outcome.section_id != step["function_name"]:
        raise ValueError("the answer of another section")
    return outcome


_RESULT_POLL_SECONDS = 0.2
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
            if run.over.wait(_RESULT_POLL_SECONDS):
                deadline = deadline or time.monotonic() + _RECORDING_SECONDS
                time.sleep(_SOON_SECONDS)
        run.over.wait(_RESULT_POLL_SECONDS)

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
