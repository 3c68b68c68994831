"""`veridical quote`: one quote by hand, answered in plain lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from veridical.cli.errors import NEGATIVE_RESULT, with_exit_code
from veridical.cli.options import config_option, sources_argument, verbose_option
from veridical.cli.terminal import clean, colored, err, out, warn
from veridical.errors import ConfigurationError, ValidationError

if TYPE_CHECKING:
    from veridical.validation.claims import EvidenceType
    from veridical.validation.results import ClaimResult, Match

_CONTEXT_CHARS = 60
_STYLES = {
    "VALIDATED": "\x1b[32m",
    "FAILED": "\x1b[31m",
    "AMBIGUOUS": "\x1b[33m",
    "LOW_CONFIDENCE": "\x1b[33m",
}


@click.command()
@click.argument("text", metavar="TEXT")
@sources_argument
@click.option(
    "--type",
    "evidence_type",
    default="direct_quote",
    show_default=True,
    metavar="TYPE",
    help="direct_quote, paraphrase, concept_reference or section_reference.",
)
@click.option("--section", metavar="TITLE", help="Section it should stand in.")
@click.option("--hint", metavar="WORDS", help="Words expected around it.")
@config_option
@verbose_option
@with_exit_code
def quote(
    text: str,
    sources: tuple[str, ...],
    evidence_type: str,
    section: str | None,
    hint: str | None,
    config: str | None,
) -> int:
    """Look for one quote, and say where it stands and how faithful it is.

    SOURCE is a file (Markdown, HTML, plain text, PDF, Word, Excel, PowerPoint, EPUB, e-mail, CSV,
    JSON, images of pages), a folder of such files (its JSON files and images are left out), or -
    for standard input.

    Exit code 0: validated. 1: not. 2: the run could not be made.
    """
    from veridical.cli import run
    from veridical.cli.files import check_inputs
    from veridical.validation.claims import Claim
    from veridical.validation.results import Fidelity
    from veridical.validation.validator import Validator

    if not text.strip():
        raise ValidationError("the quote is empty; give the words to look for")
    claim = Claim(
        id="quote",
        quote=text,
        evidence_type=_type(evidence_type),
        expected_section=section,
        context_hint=hint,
    )
    check_inputs(sources, config)
    settings = run.read_config(config)
    loaded = run.load(sources, settings)
    report = run.with_unread(Validator(loaded.documents, settings).validate([claim]), loaded)
    for error in report.errors:
        err(f"veridical: {clean(error.message)}")
    if not report.results:
        return NEGATIVE_RESULT
    result = report.results[0]
    out("\n".join(lines(result)))
    if result.fidelity is Fidelity.FABRICATED:  # it may stand in what was not read
        warn(*(note.message for note in report.notes))
    return 0 if result.passed else NEGATIVE_RESULT


def _type(name: str) -> EvidenceType:
    from veridical.validation.claims import EvidenceType

    try:
        return EvidenceType(name)
    except ValueError:
        raise ConfigurationError(
            f"--type {name!r} is not one of {', '.join(EvidenceType)}"
        ) from None


def lines(result: ClaimResult) -> list[str]:
    """The answer, a fact a line."""
    from veridical.validation.wording import details, headline

    status = result.status.value
    if colored():
        status = f"{_STYLES[status]}{status}\x1b[0m"
    facts = details(result, _in_context)
    return [headline(result, status), *(f"  {clean(fact)}" for fact in facts)]


def _in_context(match: Match) -> str:
    from veridical.sources.document import Span

    document, span = match.document, match.span
    before = document.shown(Span(max(0, span.start - _CONTEXT_CHARS), span.start))
    after = document.shown(Span(span.end, min(len(document.text), span.end + _CONTEXT_CHARS)))
    return f"\u2026{clean(f'{before}[{match.shown}]{after}')}\u2026"
