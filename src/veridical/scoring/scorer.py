"""Scoring a transcript against a rubric, from both of them to the scorecard."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, wait
from dataclasses import KW_ONLY, dataclass, replace
from enum import StrEnum
from threading import Lock, Thread
from typing import TypeAlias

from veridical.errors import (
    ConfigurationError,
    ModelError,
    ModelUnavailable,
    ValidationError,
    VeridicalError,
)
from veridical.models.protocol import LanguageModel
from veridical.scoring.asking.model_scorer import (
    DEFAULT_CONTEXT_TOKENS,
    DEFAULT_TIMEOUT_SECONDS,
    ModelScorer,
)
from veridical.scoring.checking.evidence import DEFAULT_TOLERANCE_SECONDS, EvidenceChecker
from veridical.scoring.checking.review import review_section
from veridical.scoring.merge import merge
from veridical.scoring.rubric import Rubric, Section
from veridical.scoring.rubrics.file import check_rubric
from veridical.scoring.rubrics.wire import content_hash
from veridical.scoring.scorecard import Scorecard, SectionAnswer, SectionFailure, SectionScorer
from veridical.sources.document import Span
from veridical.sources.transcript import Transcript
from veridical.sources.transcripts.lines import split_label


@dataclass(frozen=True, slots=True)
class RubricScorer:
    """Scores transcripts, in memory.

    Without a model the sections are scored by the cues of the rubric, with no network. A quote is
    verified within `tolerance_seconds` of the second that is claimed for it. `context_tokens` is
    what the model takes, prompt and reply together, and `timeout_seconds` how long it has for a
    section; then that one is incomplete. `created_at` is what scorecards give as their
    time; without it they have none, and the same input gives the same scorecard.
    """

    model: LanguageModel | None = None
    _: KW_ONLY
    tolerance_seconds: float = DEFAULT_TOLERANCE_SECONDS
    context_tokens: int = DEFAULT_CONTEXT_TOKENS
    timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS
    created_at: str | None = None

    def score(
        self,
        transcript: Transcript,
        rubric: Rubric,
        *,
        supplemental: str | None = None,
        concurrency: int | None = None,
        on_change: OnChange | None = None,
    ) -> Scorecard:
        """The scorecard. A section that could not be scored is incomplete, and all others stand.

        `supplemental` is text for the model to judge by. `concurrency` bounds the sections that
        are scored at once, by default to what the rubric says; `on_change` is told how far each is.

        Raises ValidationError for a transcript without words or a rubric that is not sound,
        ConfigurationError for settings that cannot work, and where the model scored no section at
        all ModelUnavailable, or ModelError if asking again would not help.
        """
        run = prepare(
            transcript,
            rubric,
            model=self.model,
            supplemental=supplemental,
            tolerance_seconds=self.tolerance_seconds,
            context_tokens=self.context_tokens,
            timeout_seconds=self.timeout_seconds,
            concurrency=concurrency,
        )
        sections, most = run.rubric.sections, run.concurrency
        outcomes = run_sections(run.scorer, sections, most, on_change=on_change)
        return run.scorecard(outcomes, created_at=self.created_at)


@dataclass(frozen=True, slots=True)
class ScoringRun:
    """A run whose inputs and settings have been found good: what `prepare` gives."""

    transcript: Transcript
    rubric: Rubric
    scorer: SectionScorer
    concurrency: int = 1
    tolerance_seconds: float = DEFAULT_TOLERANCE_SECONDS
    material: str = ""

    def scorecard(self, outcomes: Iterable[Outcome], *, created_at: str | None = None) -> Scorecard:
        """The scorecard of what the scorer said, in whatever order: evidence checked, times
        computed.

        Raises ModelUnavailable, or ModelError if asking again would not help, where a model scored
        no section at all.
        """
        known = tuple(outcomes)
        if not self.scorer.rule_based:
            _refuse_if_none_was_scored(known)
        checker = EvidenceChecker(
            self.transcript,
            self.rubric,
            tolerance_seconds=self.tolerance_seconds,
            material=self.material,
            rule_based=self.scorer.rule_based,
        )
        sections = {section.id: section for section in self.rubric.sections}
        reviewed = [
            outcome
            if isinstance(outcome, SectionFailure)
            else review_section(sections[outcome.section_id], outcome, checker)
            for outcome in known
        ]
        return merge(
            self.rubric,
            self.transcript,
            reviewed,
            scorer=self.scorer.name,
            rule_based=self.scorer.rule_based,
            created_at=created_at,
        )


def prepare(
    transcript: Transcript,
    rubric: Rubric,
    *,
    model: LanguageModel | None = None,
    supplemental: str | None = None,
    tolerance_seconds: float = DEFAULT_TOLERANCE_SECONDS,
    context_tokens: int = DEFAULT_CONTEXT_TOKENS,
    timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS,
    concurrency: int | None = None,
) -> ScoringRun:
    """What has to be done before the first section is scored, however runs are kept.

    The rubric is given the hash of what it says now, whatever it was made from.

    Raises ValidationError for inputs that cannot be scored, ConfigurationError for settings that
    cannot work.
    """
    check_inputs(transcript, rubric)
    most = rubric.llm.concurrency if concurrency is None else concurrency
    if most < 1:
        raise ConfigurationError(f"concurrency must be 1 or more, not {most}")
    if not 0 < timeout_seconds < math.inf:
        raise ConfigurationError(
            f"the timeout must be a number of seconds above 0, not {timeout_seconds:g}"
        )
    rubric = replace(rubric, sha256=content_hash(rubric))
    scorer: SectionScorer
    if model is None:
        from veridical.scoring.offline.scorer import CueScorer

        scorer = CueScorer(transcript, rubric)
    else:
        scorer = ModelScorer(
            model,
            transcript,
            rubric,
            supplemental=supplemental,
            context_tokens=context_tokens,
            timeout_seconds=timeout_seconds,
        )
    return ScoringRun(transcript, rubric, scorer, most, tolerance_seconds, supplemental or "")


def check_inputs(transcript: Transcript, rubric: Rubric) -> None:
    """Raises ValidationError where there is nothing to score, or nothing to score it against.

    A rubric is held against the rules of rubric files, wherever it comes from.
    """
    if not _has_words(transcript):
        raise ValidationError(
            f"the transcript {transcript.name!r} is empty: there are no words in it to score"
        )
    if not rubric.sections:
        raise ValidationError(f"the rubric {rubric.template.id!r} has no sections")
    check_rubric(rubric)


def _has_words(transcript: Transcript) -> bool:
    """Whether anything is said, besides what may be the labels of speakers."""
    spans = [segment.span for segment in transcript.segments] or [Span(0, len(transcript.text))]
    for said in (transcript.text[span.start : span.end] for span in spans):
        label = split_label(said)
        if any(map(str.isalnum, said if label is None else label.rest)):
            return True
    return False


def _refuse_if_none_was_scored(outcomes: tuple[Outcome, ...]) -> None:
    failures = [outcome for outcome in outcomes if isinstance(outcome, SectionFailure)]
    answered = any(isinstance(o, SectionAnswer) or o.answered for o in outcomes)
    if not failures or answered:
        return
    kind = ModelError if all(failure.permanent for failure in failures) else ModelUnavailable
    raise kind(f"the model scored no section: {failures[0].reason}")


# The sections of a rubric, several at once: as one is done the next begins.


logger = logging.getLogger(__name__)


class SectionState(StrEnum):
    """How far a section is."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    INCOMPLETE = "incomplete"


Outcome: TypeAlias = SectionAnswer | SectionFailure
_LOOK_SECONDS = 0.5
"""An interrupt that comes just before a wait begins, or to another thread, is seen at its end."""

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
        return tuple(map(_result, self._futures))

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


def _result(future: Future[Outcome]) -> Outcome:
    while not future.done():
        wait((future,), _LOOK_SECONDS)
    return future.result()
