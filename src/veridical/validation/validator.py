"""The validator: documents are made ready once, and then any number of claims is checked."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib import import_module
from mmap import PAGESIZE
from pathlib import Path
from typing import Any

from veridical.errors import (
    ConfigurationError,
    DocumentParsingError,
    NoDocumentsError,
    ProcessingError,
    ValidationError,
    VeridicalError,
)
from veridical.matching.embeddings import Embedder, default_embedder
from veridical.matching.exact import single_places
from veridical.matching.passages import DocumentIndex
from veridical.sources.document import Document, Format, SourceLimits, Span
from veridical.sources.loader import document_from_text
from veridical.text.normalize import fold
from veridical.tracing import evaluated, is_on, tell, traced
from veridical.validation.claims import Claim, EvidenceType, parse_claims
from veridical.validation.config import BYTES_PER_MB, ValidationConfig
from veridical.validation.cuts import cut_alterations
from veridical.validation.direct import judge_direct, names_source, plain_result
from veridical.validation.free import judge_free
from veridical.validation.gather import Gatherer
from veridical.validation.results import (
    ClaimResult,
    FailureReason,
    Note,
    RunError,
    SenseReader,
    Status,
    ValidationReport,
)
from veridical.validation.settle import NEIGHBOURHOOD, Quote, addressed_at, struck_span

# Quotes that plainly stand in the documents: once, letter for letter, and no word of them cut.


def plain_span(document: Document, near: Span, quote: str) -> Span | None:
    """Where a quote plainly stands whose folded words stand `near` and nowhere else; None where it
    has to be looked at more closely.

    A quote that stands as it is written is taken at its letters: whether some other place would
    show the same words without its markup is not asked.
    """
    text = document.text
    start = text.find(quote, max(0, near.end - len(quote)), near.start + len(quote))
    if start < 0 or document.format is Format.TRANSCRIPT:  # there, who speaks is asked too
        return None
    end = start + len(quote)
    if len(document.masks) and _is_marked(document, Span(start, end)):
        return None
    before, after = text[max(0, start - NEIGHBOURHOOD) : start], text[end : end + NEIGHBOURHOOD]
    return None if cut_alterations(quote, quote, before, after) else Span(start, end)


def _is_marked(document: Document, span: Span) -> bool:
    """Whether a reader sees anything else than what is written, at the span or beside it."""
    near = document.masks.between(max(0, span.start - NEIGHBOURHOOD), span.end + NEIGHBOURHOOD)
    return next(near, None) is not None or struck_span(document, span) is not None


logger = logging.getLogger(__name__)

BATCH_CHARS = 16 * 1024 * 1024
"""Above this many characters of documents, claims are searched for in batches, so that a run that
reaches its time limit has finished some of them."""

BATCH_CLAIMS = 250

Progress = Callable[[int, int], None]
"""Called with the claims that are finished and the claims in all."""


class _AtLimit(Exception):
    """The run has reached a limit: which setting, and what to say of it."""

    def __init__(self, setting: str, told: str) -> None:
        super().__init__(told)
        self.setting = setting


def _resident_bytes() -> int:
    """Memory of this process now; where the system does not tell, the most that it ever had."""
    try:
        return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * PAGESIZE
    except OSError:
        try:
            from resource import RUSAGE_SELF, getrusage
        except ImportError as problem:  # Windows
            raise ConfigurationError(
                "performance_limits.max_memory_mb: this system does not tell how much memory a "
                "process has; set it to 0"
            ) from problem
        peak = getrusage(RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak * 1024


class Validator:
    """Checks claims against a fixed set of documents.

    Documents are folded, split and embedded when first needed, and that work is kept: make one
    validator and use it for all claims. It is not safe to use from several threads at once.
    """

    def __init__(
        self,
        documents: Iterable[Document],
        config: ValidationConfig | None = None,
        *,
        embedder: Embedder | None = None,
        reader: Callable[[], SenseReader] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Raises NoDocumentsError without documents, and ValidationError for one above the size
        limit or two of one name. `embedder` takes the place of the embedded model, and what
        `reader` makes that of the embedded reader.
        """
        self.documents = tuple(documents)
        self.config = config or ValidationConfig()
        self._clock = clock
        self._embedder: Callable[[], Embedder] = (
            (lambda: embedder) if embedder is not None else default_embedder
        )
        self._reader = cache(reader or _embedded_reader)
        self._check_documents()
        self._indexes = {document.name: DocumentIndex(document) for document in self.documents}

    def _check_documents(self) -> None:
        if not self.documents:
            raise NoDocumentsError("no documents were given; name at least one file or folder")
        limit = self.config.performance_limits
        names: set[str] = set()
        for document in self.documents:
            if document.name in names:
                raise ValidationError(f"two documents are named {document.name!r}; rename one")
            names.add(document.name)
            size = document.size_bytes or len(document.text.encode("utf-8", "surrogatepass"))
            if size > limit.max_document_bytes:
                raise ValidationError(
                    f"{document.name}: the document has {size / BYTES_PER_MB:.2f} MB, the limit is "
                    f"{limit.max_document_size_mb} MB. Split it, or raise "
                    "performance_limits.max_document_size_mb in the configuration."
                )

    @traced("validation.validate")
    def validate(
        self,
        claims: Iterable[Claim],
        *,
        strict: bool = False,
        progress: Progress | None = None,
    ) -> ValidationReport:
        """Check claims; the results stand in their order.

        With `strict`, ambiguous and uncertain claims count as failed. When the configured time or
        memory is used up, the finished claims are reported, and an error lists the others.
        """
        listed = tuple(claims)
        limit = self.config.performance_limits.max_claims
        if len(listed) > limit:
            raise ValidationError(
                f"{len(listed):,} claims, the limit is {limit:,}. Check them in parts, or raise "
                "performance_limits.max_claims in the configuration."
            )
        results: dict[int, ClaimResult] = {}
        errors: tuple[RunError, ...] = ()
        told = is_on()
        tell(documents=len(self.documents), claims=len(listed))
        try:
            for index, result in self._run(listed, self._watch()):
                results[index] = _strict(result) if strict else result
                if told:
                    _tell_result(results[index])
                if progress is not None:
                    progress(len(results), len(listed))
        except _AtLimit as limit_reached:
            left = [claim for i, claim in enumerate(listed) if i not in results]
            errors = (self._unfinished(left, limit_reached),)
        return ValidationReport(
            tuple(results[index] for index in sorted(results)),
            self.documents,
            self.config,
            errors=errors,
            notes=self._document_notes(),
            strict=strict,
        )

    def check(self, quote: str, **details: object) -> ClaimResult:
        """Check one quote. `details` are further fields of `Claim`.

        Raises ValidationError for a quote that is empty or too long, and ProcessingError when the
        configured time is up before it is checked.
        """
        claim = Claim(**{"id": "EV1", "quote": quote, **details})  # type: ignore[arg-type]
        report = self.validate([claim])
        if not report.results:
            raise ProcessingError(report.errors[0].message)
        return report.results[0]

    def _watch(self) -> Callable[[], None]:
        """What raises _AtLimit once the run has taken more than it may, counted from now."""
        limits = self.config.performance_limits
        deadline = self._clock() + limits.max_processing_time_seconds
        most = limits.max_memory_mb * BYTES_PER_MB
        before = _resident_bytes() if most else 0

        def check() -> None:
            if self._clock() > deadline:
                told = f"time limit of {limits.max_processing_time_seconds:g} seconds"
                raise _AtLimit("max_processing_time_seconds", told)
            if most and _resident_bytes() - before > most:
                raise _AtLimit("max_memory_mb", f"memory limit of {limits.max_memory_mb:g} MB")

        return check

    def _run(
        self, claims: Sequence[Claim], check: Callable[[], None]
    ) -> Iterable[tuple[int, ClaimResult]]:
        indexes = tuple(self._indexes.values())
        gatherer = Gatherer(indexes, self.config, self._embedder, self._reader, check)
        large = sum(len(document.text) for document in self.documents) > BATCH_CHARS
        size = BATCH_CLAIMS if large else max(len(claims), 1)
        for start in range(0, len(claims), size):
            batch = claims[start : start + size]
            check()
            plain = self._plain(batch, check)
            for offset, result in plain.items():
                yield start + offset, self._noted(result)
            left = [offset for offset in range(len(batch)) if offset not in plain]
            quotes = [Quote(batch[offset]) for offset in left]
            found, said = gatherer.gather(quotes)
            for offset, quote in zip(left, quotes, strict=True):
                check()
                claim, candidates = quote.claim, found[quote]
                if claim.evidence_type is EvidenceType.DIRECT_QUOTE:
                    result = judge_direct(claim, candidates, self.config, self._indexes)
                else:
                    sense = said.get(quote)
                    result = judge_free(claim, candidates, self.config, self._indexes, sense)
                yield start + offset, self._noted(result, is_read=quote in said)

    def _plain(self, claims: Sequence[Claim], check: Callable[[], None]) -> dict[int, ClaimResult]:
        """The results of the direct quotes that plainly stand, by their places in `claims`."""
        if not self.config.exact_matching.enabled:
            return {}
        asked = [
            i
            for i, claim in enumerate(claims)
            if claim.evidence_type is EvidenceType.DIRECT_QUOTE
            and (claim.source, claim.expected_section, claim.context_hint) == (None, None, None)
        ]
        texts = [index.folded for index in self._indexes.values()]
        places = single_places(texts, [fold(claims[i].quote) for i in asked], check=check)
        return {
            i: plain_result(claims[i], place[0], span)
            for i, place in zip(asked, places, strict=True)
            if place is not None and (span := plain_span(*place, claims[i].quote)) is not None
        }

    def _noted(self, result: ClaimResult, *, is_read: bool = False) -> ClaimResult:
        """The result with notes on where it rests, some of which leave it to a person.

        What speaks to a model is told as the reader tells it where the claim was read, else by
        words alone.
        """
        speaks = self._reader().passes_over if is_read else addressed_at
        claim, match, found = result.claim, result.match, result.match or result.found_at
        quotes = claim.evidence_type is EvidenceType.DIRECT_QUOTE
        doubted, told = False, list[tuple[str, str]]()
        if match is not None and speaks(match.document, match.span):
            # Words to a language model may be quoted, and bear nothing out in other words.
            doubted = not quotes
            message = f"the words stand in text of {match.document.name} that speaks to a language"
            told.append(
                ("INSTRUCTION_IN_SOURCE", f"{message} model: they are there, and prove nothing")
            )
        moment = match.moment if match is not None and quotes and result.passed else None
        if moment is not None and moment.speakers and moment.speaker is None:
            doubted, known = True, ", ".join(moment.speakers)
            message = f"the words are not all known to be those of one speaker; known are {known}"
            told.append(("SEVERAL_SPEAKERS", message))
        if found is not None and (unsure := found.document.unsure_words(found.span)):
            doubted, name = True, found.document.name
            message = f"{name} was read by text recognition, which is not sure of these words: "
            told.append(("UNSURE_WORDS", f"{message}{', '.join(unsure)}. Look at the page."))
        if not any(names_source(claim, document, self._indexes) for document in self.documents):
            # What was not read cannot be said to lack the words.
            result = replace(result, fidelity=None)
            message = f"the claim names {claim.source!r}, which is not among the documents of this"
            told.append(("UNKNOWN_SOURCE", f"{message} run"))
        if not told:
            return result
        notes = tuple(Note(code, message, claim.id) for code, message in told)
        doubtful = doubted and result.passed
        status = Status.LOW_CONFIDENCE if doubtful else result.status
        return replace(result, status=status, notes=(*result.notes, *notes))

    def _unfinished(self, claims: Sequence[Claim], reached: _AtLimit) -> RunError:
        logger.warning("%s reached, %d claims unfinished", reached, len(claims))
        return RunError(
            "PROCESSING_ERROR",
            f"the {reached} was reached with {len(claims):,} claims left. "
            f"Raise performance_limits.{reached.setting}, or check fewer claims at once.",
            {reached.setting: getattr(self.config.performance_limits, reached.setting)},
            tuple(claim.id for claim in claims),
        )

    def _document_notes(self) -> tuple[Note, ...]:
        return tuple(
            Note("DOCUMENT", f"{document.name}: {warning}")
            for document in self.documents
            for warning in document.warnings
        )


def _tell_result(result: ClaimResult) -> None:
    why = result.reason or result.fidelity
    evaluated(
        "QuoteFidelity",
        label=result.status.value.lower(),
        score=result.confidence,
        explanation=why.value.lower() if why else None,
    )


_STRICT_REASONS = {
    Status.AMBIGUOUS: FailureReason.MULTIPLE_MATCHES,
    Status.LOW_CONFIDENCE: FailureReason.LOW_CONFIDENCE,
}


def _strict(result: ClaimResult) -> ClaimResult:
    reason = _STRICT_REASONS.get(result.status)
    return replace(result, status=Status.FAILED, reason=reason) if reason else result


def _embedded_reader() -> SenseReader:
    """The reader of the package. It stands on a floor above, since it checks its own quotes with
    this one: it is loaded by its name when it is first needed.
    """
    made: SenseReader = import_module("veridical.judging.sense").EmbeddedSenseReader()
    return made


# The whole validation as one function, as the specification has it.


BYTE_ORDER_MARK = "\ufeff"


def validate_evidence(
    source_document: str,
    evidence_claims: Mapping[str, Any] | Sequence[Mapping[str, Any]],
    validation_config: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """See `evidence_validator.validate_evidence`."""
    config = ValidationConfig.from_mapping(validation_config)
    listed = isinstance(evidence_claims, (list, tuple))
    data = {"claims": list(evidence_claims)} if listed else evidence_claims
    claims = parse_claims(data, max_claims=config.performance_limits.max_claims)
    document = _document(source_document, data, config)
    try:
        return Validator([document], config).validate(claims).to_dict()
    except VeridicalError:
        raise
    except (MemoryError, RecursionError) as error:
        raise ProcessingError(
            f"the validation could not be finished: {type(error).__name__}. Use a smaller document "
            "or fewer claims."
        ) from error


def _document(text: str, data: object, config: ValidationConfig) -> Document:
    if not isinstance(text, str):
        raise DocumentParsingError(
            f"source_document must be text, got {type(text).__name__}. Decode it first, or load a "
            "file with veridical.load_document."
        )
    if not text.strip():
        raise DocumentParsingError("source_document is empty; there is nothing to check against")
    limit = config.performance_limits
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > limit.max_document_bytes:
        raise ValidationError(
            f"source_document has {size / BYTES_PER_MB:.2f} MB, the limit is "
            f"{limit.max_document_size_mb} MB. Split it, or raise "
            "performance_limits.max_document_size_mb in the configuration.",
            {"path": "source_document", "value": size, "constraint": "max_document_size_mb"},
        )
    metadata = data.get("source_metadata", {}) if isinstance(data, Mapping) else {}
    stated = metadata.get("format")
    limits = SourceLimits(max_bytes=size, max_text_chars=max(size, 1))
    if text.startswith(BYTE_ORDER_MARK):
        # A space in its place keeps every position a position of the given text.
        text = " " + text.removeprefix(BYTE_ORDER_MARK)
    return document_from_text(
        text,
        metadata.get("filename") or "source_document",
        Format(stated) if stated else None,
        limits=limits,
    )
