"""The unit of work: the claims of one document. Pure: the same for every engine, and for a loop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from veridical.bulk.tables import Task
from veridical.sources.document import Document
from veridical.validation.claims import Claim, EvidenceType
from veridical.validation.config import ValidationConfig
from veridical.validation.results import ClaimResult
from veridical.validation.validator import Validator

if TYPE_CHECKING:
    from veridical.ledger.build import LedgerBuilder
    from veridical.ledger.entry import LedgerEntry

_FOREVER = 1e9

_TYPES: dict[str | None, EvidenceType] = {
    **{kind.value: kind for kind in EvidenceType},
    "": EvidenceType.DIRECT_QUOTE,
    None: EvidenceType.DIRECT_QUOTE,
}

_Place = tuple[int, int, str] | tuple[None, None, None]


class BulkClaim(NamedTuple):
    """A claim of the input, as `tables.CLAIMS`."""

    row: int
    claim_id: str
    document_id: str
    words: str
    evidence_type: str | None


class DocumentChecker:
    """Checks the claims of one document, which is made ready for that once, on first use."""

    def __init__(self, document: Document, task: Task, config: ValidationConfig) -> None:
        self._document = document
        self._task = task
        # A limit of time would make results depend on the machine; whoever calls has one.
        limits = replace(
            config.performance_limits,
            max_processing_time_seconds=_FOREVER,
            max_claims=max(config.performance_limits.max_claims, 1_000_000),
        )
        self._config = replace(config, performance_limits=limits)

    def check(self, claims: Sequence[BulkClaim]) -> list[tuple[Any, ...]]:
        """A row of `tables.RESULTS` for each claim, in their order. What a claim gets does not
        depend on which others are checked with it.
        """
        return self._validated(claims) if self._task is Task.VALIDATE else self._judged(claims)

    @cached_property
    def _validator(self) -> Validator:
        return Validator([self._document], self._config)

    def _validated(self, claims: Sequence[BulkClaim]) -> list[tuple[Any, ...]]:
        asked = [
            Claim(
                id=str(number),
                quote=claim.words,
                evidence_type=_TYPES[claim.evidence_type],
            )
            for number, claim in enumerate(claims)
        ]
        results = self._validator.validate(asked, explained=False).results
        text = self._document.sha256
        return [_result(claim, found, text) for claim, found in zip(claims, results, strict=True)]

    @cached_property
    def _builder(self) -> LedgerBuilder:
        from veridical.ledger.build import LedgerBuilder
        from veridical.retrieval.corpus import Corpus

        return LedgerBuilder(Corpus([self._document]))

    def _judged(self, claims: Sequence[BulkClaim]) -> list[tuple[Any, ...]]:
        entries = self._builder.judged([claim.words for claim in claims])
        text = self._document.sha256
        return [_verdict(claim, entry, text) for claim, entry in zip(claims, entries, strict=True)]


def _result(claim: BulkClaim, found: ClaimResult, sha256: str) -> tuple[Any, ...]:
    match = found.match
    place: _Place = (None, None, None)
    if match is not None:
        span = match.span
        place = (span.start, span.end, match.document.text[span.start : span.end])
    return (
        *claim[:3],
        found.status.value,
        found.fidelity.value if found.fidelity else None,
        found.confidence,
        *place,
        sha256,
    )


def _verdict(claim: BulkClaim, entry: LedgerEntry, sha256: str) -> tuple[Any, ...]:
    place: _Place = (None, None, None)
    if entry.evidence:
        piece = entry.evidence[0]
        place = (piece.snippet_span.start, piece.snippet_span.end, piece.source_text)
    return (*claim[:3], entry.verdict.value, entry.confidence_score, *place, sha256)
