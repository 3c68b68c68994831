"""`veridical score run`: from a transcript and a rubric to a scorecard."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veridical.cli.choices import given_moment, parse_choice, suffix_choice
from veridical.cli.errors import NEGATIVE_RESULT
from veridical.cli.files import (
    check_inputs,
    check_outputs,
    encode,
    read_rubric,
    set_up_logging,
    write_whole,
)
from veridical.cli.models import language_model, names_a_model
from veridical.cli.places import Kind, expect
from veridical.cli.terminal import clean, err, excerpt, out, out_data
from veridical.cli.transcribe import Hearing
from veridical.errors import ConfigurationError, DocumentParsingError
from veridical.scoring.asking.model_scorer import DEFAULT_CONTEXT_TOKENS, DEFAULT_TIMEOUT_SECONDS
from veridical.scoring.checking.evidence import DEFAULT_TOLERANCE_SECONDS
from veridical.scoring.rubric import Section
from veridical.scoring.rubrics.file import rubric_from_text
from veridical.scoring.scorecard import Scorecard, Status
from veridical.scoring.scorer import OnChange, RubricScorer, SectionState

if TYPE_CHECKING:
    from veridical.models.protocol import LanguageModel
    from veridical.scoring.rubric import Rubric
    from veridical.scoring.scorer import OnChange
    from veridical.sources.transcript import Transcript

# What each section of a scoring run is doing, live.


_SIGNS = {
    SectionState.QUEUED: " ",
    SectionState.RUNNING: "…",
    SectionState.DONE: "✓",
    SectionState.INCOMPLETE: "✕",
}
_MOST_TITLE = 48


@contextmanager
def section_progress(sections: Sequence[Section]) -> Iterator[OnChange | None]:
    """A line for each section on standard error, where that is a terminal; elsewhere nothing."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
    from rich.text import Text

    columns = (
        SpinnerColumn(finished_text=" "),
        TextColumn("{task.fields[sign]} {task.description}", markup=False),
        TextColumn("{task.fields[state]}", style="dim", markup=False),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        tasks = {
            section.id: bar.add_task(
                Text(excerpt(section.title, _MOST_TITLE)).plain,
                total=1,
                start=False,
                sign=_SIGNS[SectionState.QUEUED],
                state=SectionState.QUEUED.value,
            )
            for section in sections
        }

        def on_change(section: Section, state: SectionState) -> None:
            task = tasks[section.id]
            if state is SectionState.RUNNING:
                bar.start_task(task)
            ended = state in (SectionState.DONE, SectionState.INCOMPLETE)
            bar.update(task, sign=_SIGNS[state], state=state.value, completed=int(ended))

        yield on_change


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
class Options:
    """What a run is given besides its transcript and rubric; None for what is not given.

    `model` and `base_url` name a model, without which the rubric's cues are looked up; a run with
    a `resume_id` is kept in `database`.
    """

    model: str | None
    base_url: str | None
    concurrency: int | None
    supplemental: str | None
    context_tokens: int | None
    tolerance: float | None
    timeout: float | None
    resume_id: str | None
    database: str | None
    hearing: Hearing

    def language_model(self) -> LanguageModel | None:
        """The model. Its own attempts are left to the scorer, which counts them by the rubric.

        Raises ConfigurationError for options that need a model where none is named.
        """
        if names_a_model(self.model, self.base_url):
            return language_model(
                self.model, self.base_url, max_retries=0, timeout_seconds=self.timeout
            )
        for option in ("supplemental", "context_tokens", "timeout"):
            if getattr(self, option) is not None:
                raise ConfigurationError(
                    f"--{option.replace('_', '-')} is for a model, and none is named: give --model"
                )
        return None


def run(
    transcript_path: str,
    rubric_name: str,
    options: Options,
    *,
    title: str | None,
    form: str | None,
    outputs: Sequence[Path],
    verbose: bool,
) -> int:
    """Score a transcript, print and write the scorecard, and return the exit code."""
    set_up_logging(verbose=verbose)
    wanted = None if form is None else parse_choice(CardFormat, form)
    forms = [_form_of(path, wanted) for path in outputs]
    check_inputs([transcript_path], rubric_name, options.supplemental)
    expect(("TRANSCRIPT", Kind.TRANSCRIPT, transcript_path), ("RUBRIC", Kind.RUBRIC, rubric_name))
    files = [*outputs, *options.hearing.outputs]
    check_outputs(files, [transcript_path, rubric_name, options.supplemental])
    if options.database is not None and options.resume_id is None:
        raise ConfigurationError("--database says where a run is kept: give it a --resume-id")
    model = options.language_model()
    rubric = rubric_from_text(*read_rubric(rubric_name))
    if model is None:
        _require_cues(rubric)
    transcript = options.hearing.transcript_or_file(transcript_path, outputs)
    card = _scored(transcript, rubric, model, options)
    _deliver(card, transcript, outputs, forms, wanted, title)
    incomplete = any(section.status is Status.INCOMPLETE for section in card.sections)
    return NEGATIVE_RESULT if incomplete else 0


def _scored(
    transcript: Transcript, rubric: Rubric, model: LanguageModel | None, options: Options
) -> Scorecard:
    """The scorecard, with what each section is doing shown on a terminal."""
    supplemental = _material(options.supplemental) if options.supplemental else None
    settings: dict[str, Any] = {
        "tolerance_seconds": _tolerance(options.tolerance),
        "context_tokens": options.context_tokens or DEFAULT_CONTEXT_TOKENS,
        "timeout_seconds": options.timeout or DEFAULT_TIMEOUT_SECONDS,
        "created_at": (given_moment() or datetime.now(UTC)).isoformat(timespec="seconds"),
    }
    with section_progress(rubric.sections) as on_change:
        asked: dict[str, Any] = {
            "supplemental": supplemental,
            "concurrency": options.concurrency,
            "on_change": on_change,
        }
        if options.resume_id is None:
            return RubricScorer(model, **settings).score(transcript, rubric, **asked)
        from veridical.scoring.journal import score_durably

        return score_durably(
            transcript,
            rubric,
            resume_id=options.resume_id,
            database=options.database,
            model=model,
            **settings,
            **asked,
        )


def _material(source: str) -> str:
    """The text of a document of any kind that can be read.

    Raises DocumentParsingError that says why it cannot.
    """
    from veridical.sources.loader import load_documents

    loaded = load_documents([source])
    for failure in loaded.failures:
        raise DocumentParsingError(f"supplement: {failure.message}")
    return "\n\n".join(document.text for document in loaded.documents)


def _require_cues(rubric: Rubric) -> None:
    if not any(criterion.cues for section in rubric.sections for criterion in section.criteria):
        raise ConfigurationError(
            f"the rubric {clean(rubric.template.id)!r} has no cues, and without a model only cues "
            "are looked up: give --model, or add cues to its criteria"
        )


def _tolerance(asked: float | None) -> float:
    """The tolerance, checked before any model is asked."""
    if asked is None:
        return DEFAULT_TOLERANCE_SECONDS
    if not 0 <= asked < inf:
        raise ConfigurationError(f"--tolerance must be a number of seconds from 0 up, not {asked}")
    return asked


def _form_of(path: Path, wanted: CardFormat | None) -> CardFormat:
    """The form of a file: that of its suffix, or where that tells none the one asked for."""
    if wanted is not None and path.suffix.lower() not in _BY_SUFFIX:
        return wanted
    return suffix_choice(_BY_SUFFIX, path)


def _deliver(
    card: Scorecard,
    transcript: Transcript,
    outputs: Sequence[Path],
    forms: Sequence[CardFormat],
    wanted: CardFormat | None,
    title: str | None,
) -> None:
    """Write the files; print the table, or where no file was named what was asked for."""
    # All are made before the first is written: either all of them are there afterwards or none.
    made = [_made(card, transcript, form, title) for form in forms]
    for path, data in zip(outputs, made, strict=True):
        write_whole(path, data)
    if wanted in (None, CardFormat.TABLE):
        out(_table(card))
    elif not outputs:
        out_data(_made(card, transcript, wanted, title))
    for path in outputs:
        err(f"Written: {path}")


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
