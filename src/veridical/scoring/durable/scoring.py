"""Scoring that goes on where it was when the process was killed. Needs the extra `durable`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from veridical.errors import MissingExtraError, ProcessingError
from veridical.scoring.asking.model_scorer import DEFAULT_CONTEXT_TOKENS
from veridical.scoring.checking.evidence import DEFAULT_TOLERANCE_SECONDS
from veridical.scoring.durable.identity import check_resume_id, identify
from veridical.scoring.scorer import prepare

if TYPE_CHECKING:
    from veridical.models.protocol import LanguageModel
    from veridical.scoring.rubric import Rubric
    from veridical.scoring.running import OnChange
    from veridical.scoring.scorecard import Scorecard
    from veridical.sources.transcript import Transcript


def score_durably(
    transcript: Transcript,
    rubric: Rubric,
    *,
    resume_id: str,
    model: LanguageModel | None = None,
    database: str | os.PathLike[str] | None = None,
    supplemental: str | None = None,
    tolerance_seconds: float = DEFAULT_TOLERANCE_SECONDS,
    context_tokens: int = DEFAULT_CONTEXT_TOKENS,
    concurrency: int | None = None,
    created_at: str | None = None,
    on_change: OnChange | None = None,
) -> Scorecard:
    """What `RubricScorer` gives, kept as it grows: called again, it goes on where it was.

    A run is named by `resume_id` (at most 64 letters, digits, dots, dashes and underscores) and
    kept in `database`: the path of an SQLite file, by default `<resume id>.sqlite` in
    `.veridical/scoring` below the working folder, or the URL of a PostgreSQL database. However the
    process ended, the next one with the same id asks for what has not been answered, and gives the
    same scorecard as one that was never stopped. A run that has been answered whole gives its
    scorecard again without asking. A section that failed is asked again the next time.

    The transcript, the rubric and the supplemental material are not stored, only their hashes, and
    what was answered; the scorecard is computed anew from those.

    `created_at` counts when a run is begun; its scorecard keeps that. `concurrency` and `on_change`
    may differ from time to time; sections that were answered before are told as done.

    Raises what `RubricScorer.score` raises; MissingExtraError without DBOS; ConfigurationError for
    an unfit id, and where the run was begun with another transcript, rubric, model, material or
    setting, which it names; ProcessingError where another process works on the run; StoreError
    where the database cannot be used.
    """
    check_resume_id(resume_id)
    try:
        import dbos  # noqa: F401
    except ImportError as error:
        raise MissingExtraError("durable runs", "durable") from error
    prepared = prepare(
        transcript,
        rubric,
        model=model,
        supplemental=supplemental,
        tolerance_seconds=tolerance_seconds,
        context_tokens=context_tokens,
        concurrency=concurrency,
    )
    identity = identify(
        transcript,
        prepared.rubric,
        scorer=prepared.scorer.name,
        supplemental=supplemental,
        settings={"tolerance_seconds": tolerance_seconds, "context_tokens": context_tokens},
    )
    from veridical.scoring.durable.place import run_database
    from veridical.scoring.durable.run import DurableRun

    with run_database(database, resume_id) as opened:
        run = DurableRun(opened, resume_id, identity, on_change=on_change)
        record = run.ask(prepared.scorer, rubric.sections, prepared.concurrency, created_at)
    outcomes = [record.outcome(section.id) for section in rubric.sections]
    if None in outcomes:
        raise ProcessingError(f"run {resume_id!r} lost a section. Take another resume id")
    answered = [outcome for outcome in outcomes if outcome is not None]
    return prepared.scorecard(answered, created_at=record.created_at)
