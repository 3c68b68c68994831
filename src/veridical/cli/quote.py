"""`veridical quote`: one quote by hand, answered in plain lines."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.cli import run as shared
from veridical.cli import setup
from veridical.cli.errors import NEGATIVE_RESULT
from veridical.cli.terminal import clean, colored, err, out
from veridical.errors import ConfigurationError, ValidationError
from veridical.matching.match import Match
from veridical.sources.span import Span
from veridical.validation import wording
from veridical.validation.claims import Claim, EvidenceType
from veridical.validation.results import ClaimResult, Status
from veridical.validation.validator import Validator

_CONTEXT_CHARS = 60
_STYLES = {
    Status.VALIDATED: "\x1b[32m",
    Status.FAILED: "\x1b[31m",
    Status.AMBIGUOUS: "\x1b[33m",
    Status.LOW_CONFIDENCE: "\x1b[33m",
}


def run(
    text: str,
    sources: Sequence[str],
    *,
    evidence_type: str,
    section: str | None,
    hint: str | None,
    config_path: str | None,
    verbose: bool,
) -> int:
    """Look for a quote, print the answer, and return the exit code."""
    setup.set_up_logging(verbose=verbose)
    if not text.strip():
        raise ValidationError("the quote is empty; give the words to look for")
    claim = Claim(
        id="quote",
        quote=text,
        evidence_type=_type(evidence_type),
        expected_section=section,
        context_hint=hint,
    )
    setup.check_inputs(sources, config_path)
    config = shared.read_config(config_path)
    loaded = shared.load(sources, config)
    report = shared.with_unread(Validator(loaded.documents, config).validate([claim]), loaded)
    for error in report.errors:
        err(f"veridical: {clean(error.message)}")
    if not report.results:
        return NEGATIVE_RESULT
    result = report.results[0]
    out("\n".join(lines(result)))
    return 0 if result.passed else NEGATIVE_RESULT


def _type(name: str) -> EvidenceType:
    try:
        return EvidenceType(name)
    except ValueError:
        raise ConfigurationError(
            f"--type {name!r} is not one of {', '.join(EvidenceType)}"
        ) from None


def lines(result: ClaimResult) -> list[str]:
    """The answer, a fact a line."""
    head = result.status.value
    if colored():
        head = f"{_STYLES[result.status]}{head}\x1b[0m"
    if result.fidelity is not None:
        head += f"  {result.fidelity.value}"
    if result.rules:
        head += f" (differs in {', '.join(result.rules)})"
    if result.match is not None:
        head += f"  {result.confidence:.0%}"
    answer = [head]
    if result.match is not None:
        answer.append(f"  {clean(wording.place(result.match))}")
        answer.append(f"  {_in_context(result.match)}")
    if result.status is Status.AMBIGUOUS:
        answer += [f"  also: {clean(wording.place(match))}" for match in result.alternatives]
    answer += [f"  {clean(line)}" for line in result.suggestions]
    answer += [f"  {clean(note.message)}" for note in result.notes]
    return answer


def _in_context(match: Match) -> str:
    document, span = match.document, match.span
    before = document.shown(Span(max(0, span.start - _CONTEXT_CHARS), span.start))
    after = document.shown(Span(span.end, min(len(document.text), span.end + _CONTEXT_CHARS)))
    return f"\u2026{clean(f'{before}[{match.shown}]{after}')}\u2026"
