"""What the commands share: loading, running with progress, writing, and the exit code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from veridical.cli.errors import NEGATIVE_RESULT
from veridical.cli.files import STANDARD_INPUT, read_bytes, read_json, shown
from veridical.cli.terminal import live_bar
from veridical.errors import (
    ConfigurationError,
    DocumentParsingError,
    NoDocumentsError,
    ValidationError,
)
from veridical.sources.document import SourceLimits
from veridical.sources.loader import STANDARD_INPUT_NAME, Loaded, load_documents
from veridical.sources.sniff import decode
from veridical.validation.claims import Claim, parse_claims, quotes_as_claims
from veridical.validation.config import ValidationConfig
from veridical.validation.results import RunError, ValidationReport
from veridical.validation.validator import Progress, Validator


def read_config(path: str | None) -> ValidationConfig:
    """The configuration of a file, or the defaults."""
    if path is None:
        return ValidationConfig()
    settings = read_json(path, what="configuration")
    if not isinstance(settings, dict):
        raise ConfigurationError(
            f"configuration: {path} must hold an object of settings, such as the one that "
            "`veridical config` prints"
        )
    return ValidationConfig.from_mapping(settings)


def load(sources: Sequence[str], config: ValidationConfig) -> Loaded:
    """The documents of files, folders and standard input.

    A file that was named and cannot be read stops the run; one found in a folder is reported.
    """
    loaded = _load(sources, config)
    if not loaded.documents:
        reasons = "; ".join(failure.message for failure in loaded.failures)
        raise NoDocumentsError(f"none of the documents can be read: {reasons}")
    return loaded


def load_what_is_left(sources: Sequence[str], config: ValidationConfig) -> Loaded:
    """As `load`, but a folder may be empty by now, and there may be no document left at all."""
    try:
        return _load(sources, config)
    except NoDocumentsError:
        left = [source for source in sources if not _is_empty_folder(source, config)]
        return _load(left, config) if left else Loaded((), ())


def _is_empty_folder(source: str, config: ValidationConfig) -> bool:
    if not Path(source).is_dir():
        return False
    try:
        _load([source], config)
    except NoDocumentsError:
        return True
    return False


def _load(sources: Sequence[str], config: ValidationConfig) -> Loaded:
    limits = SourceLimits(
        max_bytes=config.performance_limits.max_document_bytes,
        max_text_chars=config.performance_limits.max_document_bytes,
    )
    loaded = load_documents(sources, limits=limits)
    named = {STANDARD_INPUT_NAME if source == STANDARD_INPUT else source for source in sources}
    for failure in loaded.failures:
        if failure.name in named:
            raise DocumentParsingError(failure.message)
    return loaded


def read_claims(path: str, config: ValidationConfig) -> tuple[Claim, ...]:
    """The claims of a file in their JSON form, with or without the object around their list."""
    data = read_json(path, what="claims")
    if isinstance(data, list):
        data = {"claims": data}
    return parse_claims(data, max_claims=config.performance_limits.max_claims)


def read_quotes(path: str | None, single: Sequence[str]) -> tuple[Claim, ...]:
    """Claims of bare quotes: those of a text file, one a line, then those given by themselves."""
    lines = decode(read_bytes(path), shown(path)).splitlines() if path is not None else []
    quotes = [line for line in lines if line.strip()]
    if path is not None and not quotes:
        raise ValidationError(f"{shown(path)} holds no quote; write one on each line")
    return quotes_as_claims([*quotes, *single])


def run(
    sources: Sequence[str], config: ValidationConfig, claims: Sequence[Claim], *, strict: bool
) -> ValidationReport:
    """Validate claims against documents, with a progress bar on a terminal."""
    loaded = load(sources, config)
    validator = Validator(loaded.documents, config)
    with progress_bar(len(claims)) as progress:
        report = validator.validate(claims, strict=strict, progress=progress)
    return with_unread(report, loaded)


def with_unread(report: ValidationReport, loaded: Loaded) -> ValidationReport:
    """The report with an error for each document that could not be read."""
    unread = tuple(
        RunError("DOCUMENT_PARSING_ERROR", failure.message, {"document": failure.name})
        for failure in loaded.failures
    )
    return replace(report, errors=(*report.errors, *unread))


@contextmanager
def progress_bar(total: int | None) -> Iterator[Progress | None]:
    """A progress bar on standard error, where that is a terminal; elsewhere nothing."""
    with live_bar(
        lambda rich: (
            rich.SpinnerColumn(),
            "checking claims",
            rich.BarColumn(),
            rich.MofNCompleteColumn(),
            rich.TimeElapsedColumn(),
        ),
        total,
    ) as update:
        yield update and (lambda done, total: update(completed=done, total=total))


def exit_code(report: ValidationReport, fail_under: float | None) -> int:
    """0 where all claims are validated, or as many as `fail_under` asks; else 1."""
    summary = report.summary
    if fail_under is None:
        complete = summary.validated == summary.total and not _unfinished(report)
        return 0 if complete else NEGATIVE_RESULT
    if _unfinished(report):
        return NEGATIVE_RESULT
    return 0 if summary.validation_rate >= fail_under else NEGATIVE_RESULT


def _unfinished(report: ValidationReport) -> bool:
    return any(error.affected_claims for error in report.errors)


def rate(value: float | None) -> float | None:
    """A rate between 0 and 1. Raises ValidationError for any other number."""
    if value is not None and not 0 <= value <= 1:
        raise ValidationError(f"--fail-under takes a rate from 0 to 1, got {value:g}")
    return value
