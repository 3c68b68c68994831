"""What a database holds of a run: its attempts, and what was answered in them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from veridical.errors import StoreError, VeridicalError
from veridical.scoring.answer import SectionAnswer, SectionFailure
from veridical.scoring.durable.answer_wire import answer_from_mapping
from veridical.scoring.running import Outcome

if TYPE_CHECKING:
    from dbos import DBOSClient

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
