"""Scoring a transcript against a rubric, from both of them to the scorecard."""

from __future__ import annotations

from collections.abc import Iterable

from veridical.errors import ModelError, ModelUnavailable, ProcessingError, ValidationError
from veridical.models.protocol import LanguageModel
from veridical.scoring.answer import SectionAnswer, SectionFailure, SectionScorer
from veridical.scoring.asking.model_scorer import DEFAULT_CONTEXT_TOKENS, ModelScorer
from veridical.scoring.checking.evidence import DEFAULT_TOLERANCE_SECONDS, EvidenceChecker
from veridical.scoring.checking.review import review_section
from veridical.scoring.merge import merge
from veridical.scoring.rubric import Rubric
from veridical.scoring.running import OnChange, Outcome, run_sections
from veridical.scoring.scorecard import Scorecard, SectionReview
from veridical.sources.transcript import Transcript


class RubricScorer:
    """Scores transcripts, in memory.

    Without a model the sections are scored by the cues of the rubric, with no network. A quote is
    verified within `tolerance_seconds` of the second that is claimed for it. `context_tokens` is
    what the model takes, prompt and reply together. `created_at` is what scorecards give as their
    time; without it they have none, and the same input gives the same scorecard.
    """

    def __init__(
        self,
        model: LanguageModel | None = None,
        *,
        tolerance_seconds: float = DEFAULT_TOLERANCE_SECONDS,
        context_tokens: int = DEFAULT_CONTEXT_TOKENS,
        created_at: str | None = None,
    ) -> None:
        self._model = model
        self._tolerance_seconds = tolerance_seconds
        self._context_tokens = context_tokens
        self._created_at = created_at

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

        Raises ValidationError for a transcript without words or a rubric without sections,
        ConfigurationError for settings that cannot work, and where the model scored no section at
        all ModelUnavailable, or ModelError if asking again would not help.
        """
        check_inputs(transcript, rubric)
        scorer = section_scorer(
            self._model,
            transcript,
            rubric,
            supplemental=supplemental,
            context_tokens=self._context_tokens,
        )
        most = rubric.llm.concurrency if concurrency is None else concurrency
        outcomes = run_sections(scorer, rubric.sections, most, on_change=on_change)
        return scorecard_of(
            transcript,
            rubric,
            outcomes,
            scorer,
            tolerance_seconds=self._tolerance_seconds,
            created_at=self._created_at,
        )


def check_inputs(transcript: Transcript, rubric: Rubric) -> None:
    """Raises ValidationError where there is nothing to score, or nothing to score it against."""
    if not any(map(str.isalnum, transcript.text)):
        raise ValidationError(
            f"the transcript {transcript.name!r} is empty: there are no words in it to score"
        )
    if not rubric.sections:
        raise ValidationError(f"the rubric {rubric.template.id!r} has no sections")


def section_scorer(
    model: LanguageModel | None,
    transcript: Transcript,
    rubric: Rubric,
    *,
    supplemental: str | None = None,
    context_tokens: int = DEFAULT_CONTEXT_TOKENS,
) -> SectionScorer:
    """The scorer of a run: the model, or without one the rubric's cues.

    Raises ConfigurationError where the model's context is too small for the rubric.
    """
    if model is not None:
        return ModelScorer(
            model, transcript, rubric, supplemental=supplemental, context_tokens=context_tokens
        )
    from veridical.scoring.offline import CueScorer

    return CueScorer(transcript, rubric)


def scorecard_of(
    transcript: Transcript,
    rubric: Rubric,
    outcomes: Iterable[Outcome],
    scorer: SectionScorer,
    *,
    tolerance_seconds: float = DEFAULT_TOLERANCE_SECONDS,
    created_at: str | None = None,
) -> Scorecard:
    """The scorecard of what a scorer said, in whatever order: evidence checked, times computed.

    Raises ProcessingError for an outcome of no section of the rubric; ModelUnavailable, or
    ModelError if asking again would not help, where a model scored no section at all.
    """
    known = tuple(outcomes)
    if not scorer.rule_based:
        _refuse_if_none_was_scored(known)
    checker = EvidenceChecker(transcript, rubric, tolerance_seconds=tolerance_seconds)
    return merge(
        rubric,
        transcript,
        [_reviewed(outcome, rubric, checker) for outcome in known],
        scorer=scorer.name,
        rule_based=scorer.rule_based,
        created_at=created_at,
    )


def _reviewed(
    outcome: Outcome, rubric: Rubric, checker: EvidenceChecker
) -> SectionReview | SectionFailure:
    if isinstance(outcome, SectionFailure):
        return outcome
    section = rubric.section(outcome.section_id)
    if section is None:
        raise ProcessingError(f"the rubric has no section {outcome.section_id!r} to review")
    return review_section(section, outcome, checker)


def _refuse_if_none_was_scored(outcomes: tuple[Outcome, ...]) -> None:
    failures = [outcome for outcome in outcomes if isinstance(outcome, SectionFailure)]
    if not failures or any(isinstance(outcome, SectionAnswer) for outcome in outcomes):
        return
    kind = ModelError if all(failure.permanent for failure in failures) else ModelUnavailable
    raise kind(f"the model scored no section: {failures[0].reason}")
