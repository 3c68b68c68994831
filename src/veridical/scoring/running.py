"""The sections of a rubric, several at once: as one is done the next begins."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from enum import StrEnum
from threading import Lock, Thread
from typing import TypeAlias

from veridical.errors import ConfigurationError, ModelError, ModelUnavailable, VeridicalError
from veridical.scoring.answer import SectionAnswer, SectionFailure, SectionScorer
from veridical.scoring.rubric import Section

logger = logging.getLogger(__name__)


class SectionState(StrEnum):
    """How far a section is."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    INCOMPLETE = "incomplete"


Outcome: TypeAlias = SectionAnswer | SectionFailure
OnChange: TypeAlias = Callable[[Section, SectionState], None]
"""Told of each change, from several threads, but one at a time."""


def run_sections(
    scorer: SectionScorer,
    sections: Sequence[Section],
    concurrency: int,
    *,
    on_change: OnChange | None = None,
) -> tuple[Outcome, ...]:
    """What the scorer says of each section, in their order, with `concurrency` at most at a time.

    A VeridicalError of one section is that section's failure. Any other exception is a defect: no
    further section begins, and it is raised here. So it is with an interrupt, which waits for
    nothing: what is under way is left behind, and nobody is told of it any more.

    Raises ConfigurationError for a concurrency below 1.
    """
    if concurrency < 1:
        raise ConfigurationError(f"concurrency must be 1 or more, not {concurrency}")
    run = _Run(scorer, sections, on_change)
    try:
        return run.outcomes(min(concurrency, len(sections)))
    finally:
        run.stop()


class _Run:
    """One run: threads that each take the next section until there is none.

    They are daemons, unlike those of a ThreadPoolExecutor: an interpreter that ends does not wait
    for a model that takes minutes to answer.
    """

    def __init__(
        self, scorer: SectionScorer, sections: Sequence[Section], on_change: OnChange | None
    ) -> None:
        self._scorer = scorer
        self._on_change = on_change
        self._futures: tuple[Future[Outcome], ...] = tuple(Future() for _ in sections)
        self._waiting = iter(tuple(zip(sections, self._futures, strict=True)))
        self._lock = Lock()
        self._stopped = False
        for section in sections:
            self._tell(section, SectionState.QUEUED)

    def outcomes(self, workers: int) -> tuple[Outcome, ...]:
        for number in range(workers):
            Thread(target=self._work, name=f"veridical-section-{number}", daemon=True).start()
        # Sections begin in order: before one that failed, none is left that never began.
        return tuple(future.result() for future in self._futures)

    def stop(self) -> None:
        with self._lock:
            self._stopped = True

    def _work(self) -> None:
        while (taken := self._next()) is not None:
            section, future = taken
            try:
                future.set_result(self._scored(section))
            except BaseException as defect:  # noqa: BLE001 - raised again where it is waited for
                self.stop()
                future.set_exception(defect)

    def _next(self) -> tuple[Section, Future[Outcome]] | None:
        with self._lock:
            return None if self._stopped else next(self._waiting, None)

    def _scored(self, section: Section) -> Outcome:
        self._tell(section, SectionState.RUNNING)
        try:
            outcome = self._scorer.score(section)
        except VeridicalError as problem:
            refused = isinstance(problem, ModelError) and not isinstance(problem, ModelUnavailable)
            outcome = SectionFailure(section.id, str(problem), permanent=refused)
        failed = isinstance(outcome, SectionFailure)
        if failed:
            logger.warning("a section could not be scored")
        self._tell(section, SectionState.INCOMPLETE if failed else SectionState.DONE)
        return outcome

    def _tell(self, section: Section, state: SectionState) -> None:
        if self._on_change is not None:
            with self._lock:
                if not self._stopped:
                    self._on_change(section, state)
