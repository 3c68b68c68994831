"""`veridical score run`: from a transcript and a rubric to a scorecard."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from veridical.cli.choices import Form, by_suffix, given_moment, parse_choice, suffix_choice
from veridical.cli.errors import NEGATIVE_RESULT, with_exit_code
from veridical.cli.files import (
    check_inputs,
    check_outputs,
    encode,
    read_rubric,
    write_whole,
)
from veridical.cli.models import language_model, names_a_model
from veridical.cli.options import (
    format_option,
    model_options,
    outputs_option,
    recording_options,
    transcript_argument,
    verbose_option,
)
from veridical.cli.places import Kind, expect
from veridical.cli.terminal import clean, err, excerpt, is_watched, out, out_data, warn
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
    if not is_watched():
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


_FORMS = (Form.TABLE, Form.JSON, Form.MARKDOWN, Form.HTML)
_BY_SUFFIX = by_suffix(".json .md .markdown .html .htm .txt .pdf")


@click.command()
@transcript_argument
@click.argument("rubric", metavar="RUBRIC")
@recording_options
@model_options
@click.option(
    "--concurrency",
    type=click.IntRange(1, 64),
    metavar="N",
    help="Sections asked for at once, in place of the rubric's.",
)
@click.option(
    "--supplemental",
    metavar="FILE",
    help="A document that the model is shown too, such as a policy; a folder for several.",
)
@click.option(
    "--context-tokens",
    type=click.IntRange(min=1),
    metavar="N",
    help="Tokens that the model can read; of longer transcripts it is shown parts.",
)
@click.option(
    "--tolerance",
    type=float,
    metavar="SECONDS",
    help="How far a quote may lie from the second that is given for it; 20 by default.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True, max=86_400),
    metavar="SECONDS",
    help="How long the model has for a section, all attempts together; 300 by default.",
)
@click.option(
    "--resume-id",
    metavar="ID",
    help="Keep what is finished below .veridical under this name, and go on there after a stop.",
)
@click.option("--title", metavar="TEXT", help="Title of the scorecard.")
@format_option(
    *_FORMS,
    help="What is printed, table by default; with -o the format of files whose suffix tells none.",
    default=False,
)
@outputs_option(
    "Write the scorecard to this file, in the format of its suffix (.json .html .md .txt .pdf). "
    "May be given several times."
)
@verbose_option
@with_exit_code
def run(
    transcript: str,
    rubric: str,
    hearing: Hearing,
    model: str | None,
    base_url: str | None,
    concurrency: int | None,
    supplemental: str | None,
    context_tokens: int | None,
    tolerance: float | None,
    timeout: float | None,
    resume_id: str | None,
    title: str | None,
    form: str | None,
    outputs: tuple[Path, ...],
) -> int:
    """Score a transcript, or a recording, which is heard first (see: veridical transcribe).

    With a model, each section of the rubric is one call, several at once; every quote in a reply is
    looked up in the transcript, and a verdict whose evidence is not there becomes not_observed.
    Without one, the rubric's cues are looked up: no cue, no verdict. Times are always computed
    here. VERIDICAL_API_KEY holds the key of a model's server.

    Exit code 0: all sections were scored. 1: one or more are incomplete. 2: the run could not be
    made.
    """
    wanted = None if form is None else parse_choice(_FORMS, form)
    forms = [_form_of(path, wanted) for path in outputs]
    check_inputs([transcript], rubric, supplemental)
    expect(("TRANSCRIPT", Kind.TRANSCRIPT, transcript), ("RUBRIC", Kind.RUBRIC, rubric))
    check_outputs([*outputs, *hearing.outputs], [transcript, rubric, supplemental])
    asked = _asked(model, base_url, supplemental, context_tokens, timeout)
    read = rubric_from_text(*read_rubric(rubric))
    if asked is None:
        _require_cues(read)
    said = hearing.transcript_or_file(transcript, outputs)
    material = _material(supplemental) if supplemental else None
    settings: dict[str, Any] = {
        "model": asked,
        "tolerance_seconds": _tolerance(tolerance),
        "context_tokens": context_tokens or DEFAULT_CONTEXT_TOKENS,
        "timeout_seconds": timeout or DEFAULT_TIMEOUT_SECONDS,
        "created_at": (given_moment() or datetime.now(UTC)).isoformat(timespec="seconds"),
    }
    with section_progress(read.sections) as on_change:
        wishes: dict[str, Any] = {
            "supplemental": material,
            "concurrency": concurrency,
            "on_change": on_change,
        }
        if resume_id is None:
            card = RubricScorer(**settings).score(said, read, **wishes)
        else:
            from veridical.scoring.journal import score_durably

            card = score_durably(said, read, **settings, **wishes, resume_id=resume_id)
    _deliver(card, said, outputs, forms, wanted, title)
    incomplete = any(section.status is Status.INCOMPLETE for section in card.sections)
    return NEGATIVE_RESULT if incomplete else 0


def _asked(
    model: str | None,
    base_url: str | None,
    supplemental: str | None,
    context_tokens: int | None,
    timeout: float | None,
) -> LanguageModel | None:
    """The model that is named, None for none, of which the others would be options."""
    if names_a_model(model, base_url):
        # Its own attempts are left to the scorer, which counts them by the rubric.
        return language_model(model, base_url, max_retries=0, timeout_seconds=timeout)
    options = {
        "supplemental": supplemental,
        "context-tokens": context_tokens,
        "timeout": timeout,
    }
    if given := [option for option, value in options.items() if value is not None]:
        raise ConfigurationError(f"--{given[0]} is for a model, and none is named: give --model")
    return None


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


def _form_of(path: Path, wanted: Form | None) -> Form:
    """The form of a file: that of its suffix, or where that tells none the one asked for."""
    if wanted is not None and path.suffix.lower() not in _BY_SUFFIX:
        return wanted
    return suffix_choice(_BY_SUFFIX, path)


def _deliver(
    card: Scorecard,
    transcript: Transcript,
    outputs: Sequence[Path],
    forms: Sequence[Form],
    wanted: Form | None,
    title: str | None,
) -> None:
    """Write the files; print the table, or where no file was named what was asked for."""
    # All are made before the first is written: either all of them are there afterwards or none.
    made = [_made(card, transcript, form, title) for form in forms]
    for path, data in zip(outputs, made, strict=True):
        write_whole(path, data)
    if wanted in (None, Form.TABLE):
        out(_table(card))
    elif not outputs:
        out_data(_made(card, transcript, wanted, title))
    for path in outputs:
        err(f"Written: {path}")


def _made(card: Scorecard, transcript: Transcript, form: Form, title: str | None) -> bytes:
    if form is Form.JSON:
        from veridical.scoring.wire import scorecard_to_bytes

        return scorecard_to_bytes(card)
    if form is Form.MARKDOWN:
        from veridical.scoring.report.markdown import render_markdown

        return encode(render_markdown(card, title=title))
    if form is Form.HTML:
        from veridical.scoring.report.html import render_html

        return encode(render_html(card, transcript, title=title))
    if form is Form.PDF:
        from veridical.scoring.report.pdf import render_pdf

        made = render_pdf(card, title=title)
        warn(*made.warnings)
        return made.data
    return encode(_table(card) + "\n")


def _table(card: Scorecard) -> str:
    from veridical.scoring.report.table import render_table

    return "\n".join(render_table(card))
