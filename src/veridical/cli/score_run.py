"""`veridical score run`: from a transcript and a rubric to a scorecard."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from veridical.cli import setup
from veridical.cli.choices import parse_choice, suffix_choice
from veridical.cli.errors import NOT_ALL_VALIDATED
from veridical.cli.files import check_outputs, encode, read_text, write_whole
from veridical.cli.models import language_model, names_a_model
from veridical.cli.moment import given_moment
from veridical.cli.score_progress import section_progress
from veridical.cli.terminal import err, out, out_data
from veridical.errors import ConfigurationError
from veridical.scoring.asking.model_scorer import DEFAULT_CONTEXT_TOKENS
from veridical.scoring.checking.evidence import DEFAULT_TOLERANCE_SECONDS
from veridical.scoring.rubrics.file import load_rubric
from veridical.scoring.scorecard import Scorecard, Status
from veridical.scoring.scorer import RubricScorer
from veridical.sources.transcripts.loader import load_transcript

if TYPE_CHECKING:
    from veridical.models.protocol import LanguageModel
    from veridical.sources.transcript import Transcript


class CardFormat(StrEnum):
    """A form of a scorecard. `table` is for people at a terminal."""

    TABLE = "table"
    JSON = "json"
    MARKDOWN = "markdown"
    HTML = "html"


_BY_SUFFIX = {
    ".json": CardFormat.JSON,
    ".md": CardFormat.MARKDOWN,
    ".markdown": CardFormat.MARKDOWN,
    ".html": CardFormat.HTML,
    ".htm": CardFormat.HTML,
    ".txt": CardFormat.TABLE,
}


@dataclass(frozen=True, slots=True)
class Asked:
    """Which model is asked, and with what; no model for the rubric's cues."""

    model: str | None
    base_url: str | None
    supplemental: str | None
    context_tokens: int | None

    def language_model(self) -> LanguageModel | None:
        """The model. Its own attempts are left to the scorer, which counts them by the rubric.

        Raises ConfigurationError for options that need a model where none is named.
        """
        if names_a_model(self.model, self.base_url):
            return language_model(self.model, self.base_url, max_retries=0)
        for option in ("supplemental", "context_tokens"):
            if getattr(self, option) is not None:
                raise ConfigurationError(
                    f"--{option.replace('_', '-')} is for a model, and none is named: give --model"
                )
        return None


@dataclass(frozen=True, slots=True)
class Kept:
    """Under which name a run is kept, and where; no name for a run in memory."""

    resume_id: str | None
    database: str | None


def run(
    transcript_path: str,
    rubric_name: str,
    *,
    asked: Asked,
    concurrency: int | None,
    tolerance: float | None,
    kept: Kept,
    title: str | None,
    form: str,
    outputs: Sequence[Path],
    verbose: bool,
) -> int:
    """Score a transcript, print and write the scorecard, and return the exit code."""
    setup.set_up_logging(verbose=verbose)
    printed = parse_choice(CardFormat, form, option="--format")
    forms = [suffix_choice(_BY_SUFFIX, path) for path in outputs]
    setup.check_inputs([transcript_path, rubric_name], asked.supplemental)
    check_outputs(outputs, [transcript_path, rubric_name, asked.supplemental])
    if kept.database is not None and kept.resume_id is None:
        raise ConfigurationError("--database says where a run is kept: give it a --resume-id")
    model = asked.language_model()
    supplemental = read_text(asked.supplemental, what="supplement") if asked.supplemental else None
    rubric = load_rubric(rubric_name)
    transcript = load_transcript(transcript_path)
    created_at = (given_moment() or datetime.now(UTC)).isoformat(timespec="seconds")
    context = asked.context_tokens or DEFAULT_CONTEXT_TOKENS
    seconds = DEFAULT_TOLERANCE_SECONDS if tolerance is None else tolerance
    with section_progress(rubric.sections) as on_change:
        if kept.resume_id is None:
            scorer = RubricScorer(
                model, tolerance_seconds=seconds, context_tokens=context, created_at=created_at
            )
            card = scorer.score(
                transcript,
                rubric,
                supplemental=supplemental,
                concurrency=concurrency,
                on_change=on_change,
            )
        else:
            from veridical.scoring.durable.scoring import score_durably

            card = score_durably(
                transcript,
                rubric,
                resume_id=kept.resume_id,
                model=model,
                database=kept.database,
                supplemental=supplemental,
                tolerance_seconds=seconds,
                context_tokens=context,
                concurrency=concurrency,
                created_at=created_at,
                on_change=on_change,
            )
    # All are made before the first is written: either all of them are there afterwards or none.
    made = [_made(card, transcript, wanted, title) for wanted in forms]
    for path, data in zip(outputs, made, strict=True):
        write_whole(path, data)
    if printed is CardFormat.TABLE:
        out(_table(card))
    elif not outputs:
        out_data(_made(card, transcript, printed, title))
    for path in outputs:
        err(f"Written: {path}")
    incomplete = any(section.status is Status.INCOMPLETE for section in card.sections)
    return NOT_ALL_VALIDATED if incomplete else 0


def _made(card: Scorecard, transcript: Transcript, form: CardFormat, title: str | None) -> bytes:
    if form is CardFormat.JSON:
        from veridical.scoring.wire import scorecard_to_bytes

        return scorecard_to_bytes(card)
    if form is CardFormat.MARKDOWN:
        from veridical.scoring.report.markdown import render_markdown

        return encode(render_markdown(card, title=title))
    if form is CardFormat.HTML:
        from veridical.scoring.report.html import render_html

        return encode(render_html(card, transcript, title=title))
    return encode(_table(card) + "\n")


def _table(card: Scorecard) -> str:
    from veridical.scoring.report.table import render_table

    return "\n".join(render_table(card))
