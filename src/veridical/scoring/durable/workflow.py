"""The workflow of a scoring run, whoever has launched DBOS: a step for each section.

Imports DBOS. What cannot be stored, the scorer first of all, a workflow takes from `RUNS`, where
whoever starts or recovers it has put it before.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import copy_context
from typing import Any

from dbos import DBOS, PortableWorkflowError, StepReservation

from veridical.errors import ProcessingError
from veridical.scoring.answer import SectionScorer
from veridical.scoring.durable.kept import KeptScorer
from veridical.scoring.rubric import Section
from veridical.scoring.running import OnChange, run_sections

WORKFLOW = "veridical.score_sections"
SECTIONS = "sections"
"""What the stored request of a workflow says beside whose it is: the ids of the sections to ask."""


class OpenRun:
    """A run that this process works on: what its workflow needs and the database does not hold."""

    def __init__(
        self,
        scorer: SectionScorer,
        sections: Mapping[str, Section],
        concurrency: int,
        on_change: OnChange,
    ) -> None:
        self.sections = sections
        self.over = threading.Event()
        self.problem: BaseException | None = None
        self._scorer = scorer
        self._concurrency = concurrency
        self._on_change = on_change
        self._done_or_stopped = threading.Event()
        self._stopped = False

    @property
    def stopped(self) -> bool:
        """Whether it is to end as it is."""
        return self._stopped

    def stop(self) -> None:
        """Leave what is under way behind; the workflow stays as it is, to be resumed."""
        self._stopped = True
        self._done_or_stopped.set()

    def work(self, steps: Mapping[str, StepReservation]) -> None:
        """Ask for the sections of these steps. Ends when all are answered, or when it is stopped.

        DBOS waits for the thread that this is called in, and the interpreter for DBOS, so the
        asking is done in another one, which nobody waits for.
        """
        asking = KeptScorer(self._scorer, _Steps(steps, lambda: self._stopped).once)
        sections = [self.sections[section_id] for section_id in steps]

        def ask_all() -> None:
            try:
                run_sections(asking, sections, self._concurrency, on_change=self._on_change)
            except BaseException as problem:  # noqa: BLE001 - raised again where it is waited for
                self.problem = problem
            finally:
                self._done_or_stopped.set()

        try:
            if not self._stopped:
                threading.Thread(target=ask_all, daemon=True, name="veridical-scoring").start()
            self._done_or_stopped.wait()
            if self._stopped:
                raise _StoppedError
            if isinstance(self.problem, Exception):
                raise self.problem
            if self.problem is not None:
                raise ProcessingError(type(self.problem).__name__) from self.problem
        finally:
            self.over.set()


class _StoppedError(BaseException):
    """Ends a workflow that is to go on later. An Exception, DBOS would keep as its result."""


class _Steps:
    """The steps of a workflow by the ids of their sections: each is done once, and kept."""

    def __init__(self, steps: Mapping[str, StepReservation], stopped: Callable[[], bool]) -> None:
        self._steps = steps
        self._stopped = stopped
        # A step knows its workflow by the context; sections are scored in threads of their own.
        self._context = copy_context()

    def once(self, section_id: str, ask: Callable[[], str]) -> str:
        """What is kept of a section, or `ask` gives now."""
        if self._stopped():
            raise _StoppedError
        step = self._steps[section_id]
        try:
            return self._context.copy().run(lambda: step.run({"name": section_id}, ask))
        except PortableWorkflowError as before:
            raise ProcessingError(before.message) from before


class OpenRuns:
    """The runs that this process works on, by the ids that their workflows carry."""

    def __init__(self) -> None:
        self._runs: dict[str, OpenRun] = {}

    @contextmanager
    def holding(self, run_id: str, run: OpenRun) -> Iterator[None]:
        """Keep a run at hand for its workflow."""
        self._runs[run_id] = run
        try:
            yield
        finally:
            del self._runs[run_id]

    def get(self, run_id: str) -> OpenRun:
        """Raises ProcessingError for a run that is not open here."""
        try:
            return self._runs[run_id]
        except KeyError:
            raise ProcessingError(f"run {run_id!r} is not open in this process") from None


RUNS = OpenRuns()


@DBOS.workflow(name=WORKFLOW, max_recovery_attempts=None)
def score_sections(run_id: str, request: dict[str, Any]) -> None:
    """Ask for the sections of a request; each answer is kept as soon as it is there.

    The answers are the outputs of its steps, which bear the names of the sections. When it is
    resumed, a section whose step has ended is not asked again.
    """
    run = RUNS.get(run_id)
    # A step is known by its number, so all are numbered before any runs.
    run.work({section_id: DBOS.reserve_step() for section_id in request[SECTIONS]})
