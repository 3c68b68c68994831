"""What a validation found and where, as typed values. `wire` turns them into the specified JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol

from veridical.sources.document import Document, Section, Span
from veridical.validation.claims import Claim
from veridical.validation.config import ValidationConfig
from veridical.validation.differences import Alteration, Comparison, DiffPart, Rule

if TYPE_CHECKING:
    from veridical.matching.passages import Passage
    from veridical.sources.transcript import Moment


PREAMBLE = "Document Preamble"
"""The name of what stands before the first heading of a document that has headings."""


class MatchType(StrEnum):
    """How a place was found."""

    EXACT = "exact"
    FUZZY = "fuzzy"
    SEMANTIC = "semantic"
    CONTEXTUAL = "contextual"


@dataclass(frozen=True, slots=True)
class Match:
    """`document.text[span.start:span.end]` is the text of this match.

    `similarity` and `confidence` are 0 to 1; `edit_distance` counts characters as compared,
    None where the match is not one of spelling. `context_score` is the share of a claim's context
    hint that stands around the match, None where there is no hint.
    """

    document: Document
    span: Span
    match_type: MatchType
    similarity: float
    confidence: float
    edit_distance: int | None = None
    context_score: float | None = None

    @property
    def text(self) -> str:
        """The words of the source, exactly as they stand there, markup included."""
        return self.document.text[self.span.start : self.span.end]

    @property
    def shown(self) -> str:
        """The words as a reader sees them."""
        return self.document.shown(self.span)

    @property
    def line(self) -> int:
        """Line of the source, from 1, on which the match starts."""
        return self.document.line_number(self.span.start)

    @property
    def page(self) -> int | None:
        """Page, from 1, on which the match starts; None where there are no pages."""
        return self.document.page_at(self.span.start)

    @property
    def section(self) -> Section | None:
        """Innermost section in which the match starts."""
        return self.document.section_at(self.span.start)

    @property
    def section_path(self) -> tuple[str, ...]:
        """The titles around the match, outermost first: before the first heading `PREAMBLE`, empty
        where there are no headings.
        """
        section = self.section
        if section is not None:
            return section.path or (section.title,)
        return (PREAMBLE,) if self.document.sections else ()

    @property
    def moment(self) -> Moment | None:
        """When the words were said, and by whom; None where the document is no recording."""
        return self.document.moment(self.span)


@dataclass(frozen=True, slots=True)
class Sense:
    """What was read for a claim: `document.text[span.start:span.end]` decides on it.

    `probability`, 0 to 1, is that it bears the whole claim out. `says` that it does, `refutes` that
    it says otherwise; `note` tells which, in a sentence.
    """

    document: Document
    span: Span
    probability: float
    says: bool
    refutes: bool
    note: str


class SenseReader(Protocol):
    """Reads passages for claims."""

    def read(self, asked: Sequence[tuple[str, Sequence[Passage]]]) -> list[Sense | None]:
        """What decides on each claim of what its passages and the words around them say; None where
        it cannot tell.
        """
        ...

    def passes_over(self, document: Document, span: Span) -> bool:
        """Whether some of what stands there is not read, since it speaks to a language model."""
        ...


class Status(StrEnum):
    """The verdict on one claim."""

    VALIDATED = "VALIDATED"
    AMBIGUOUS = "AMBIGUOUS"
    LOW_CONFIDENCE = "LOW_CONFIDENCE"
    FAILED = "FAILED"


class FailureReason(StrEnum):
    """Why a claim is among the failed ones."""

    NOT_FOUND = "NOT_FOUND"
    LOW_CONFIDENCE = "LOW_CONFIDENCE"
    MULTIPLE_MATCHES = "MULTIPLE_MATCHES"
    CONTEXT_MISMATCH = "CONTEXT_MISMATCH"


class Fidelity(StrEnum):
    """How true a quote is to its source, best first."""

    VERBATIM = "verbatim"
    NORMALISED = "normalised"
    ALTERED = "altered"
    MISATTRIBUTED = "misattributed"
    FABRICATED = "fabricated"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A match, and how the claim's words differ from it (None where words need not agree)."""

    match: Match
    comparison: Comparison | None = None


@dataclass(frozen=True, slots=True)
class Attempt:
    """A candidate that was not good enough, and why."""

    match: Match
    reason: str


@dataclass(frozen=True, slots=True)
class Note:
    """A warning about one claim, or about the run where `claim_id` is None."""

    code: str
    message: str
    claim_id: str | None = None


@dataclass(frozen=True, slots=True)
class ClaimResult:
    """The verdict on one claim and everything it rests on.

    `match` is the accepted place, None for a failed claim; `found_at` is where a misattributed
    quote really stands. `alternatives` are other places, best first. `fidelity` is None for claims
    that do not quote (a paraphrase found by its sense).
    """

    claim: Claim
    status: Status
    confidence: float
    reason: FailureReason | None = None
    fidelity: Fidelity | None = None
    match: Match | None = None
    comparison: Comparison | None = None
    alternatives: tuple[Match, ...] = ()
    attempts: tuple[Attempt, ...] = ()
    found_at: Match | None = None
    suggestions: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether the claim is validated."""
        return self.status is Status.VALIDATED

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The harmless differences that had to be forgiven."""
        return self.comparison.rules if self.comparison else ()

    @property
    def alterations(self) -> tuple[Alteration, ...]:
        """The differences that are not harmless."""
        return self.comparison.alterations if self.comparison else ()

    @property
    def diff(self) -> tuple[DiffPart, ...]:
        """The word diff of an altered quote."""
        return self.comparison.diff if self.comparison else ()


@dataclass(frozen=True, slots=True)
class RunError:
    """Something that kept a part of the run from being made. `code` is one of the schema's."""

    code: str
    message: str
    details: Mapping[str, Any] = field(default_factory=dict)
    affected_claims: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Summary:
    """Counts over the claims: `total` = `validated` + `ambiguous` + `low_confidence` + `failed`."""

    total: int
    validated: int
    ambiguous: int
    low_confidence: int
    failed: int
    average_confidence: float

    @property
    def validation_rate(self) -> float:
        """Validated claims over all claims; 0 where there are none."""
        return self.validated / self.total if self.total else 0.0


@dataclass(frozen=True, slots=True, repr=False)
class ValidationReport:
    """The outcome of a run: results in the order of the claims, and what went wrong. Printed, it is
    a report of them.

    `ok` says that the run was finished, not that the claims are true.
    """

    results: tuple[ClaimResult, ...]
    documents: tuple[Document, ...]
    config: ValidationConfig
    errors: tuple[RunError, ...] = ()
    notes: tuple[Note, ...] = ()
    strict: bool = False

    @property
    def ok(self) -> bool:
        """Whether every claim was looked at in every document."""
        return not self.errors

    @property
    def summary(self) -> Summary:
        """Counts over the results; claims that were not finished count as failed in none."""
        statuses = [result.status for result in self.results]
        total = len(statuses)
        confidence = sum(result.confidence for result in self.results) / total if total else 0.0
        return Summary(
            total=total,
            validated=statuses.count(Status.VALIDATED),
            ambiguous=statuses.count(Status.AMBIGUOUS),
            low_confidence=statuses.count(Status.LOW_CONFIDENCE),
            failed=statuses.count(Status.FAILED),
            average_confidence=round(confidence, 6),
        )

    def __str__(self) -> str:
        """Each quote with its status and place, what was changed in it, and a line that counts."""
        from veridical.validation.wording import details, excerpt, headline

        lines = []
        for one in self.results:
            lines.append(f"{headline(one)}: “{excerpt(one.claim.quote)}”")
            lines += [f"    {detail}" for detail in details(one)]
        lines += [error.message for error in self.errors]
        counts = self.summary
        end = f"{counts.validated} of {counts.total} quotes validated"
        for number, told in (
            (counts.ambiguous, "ambiguous"),
            (counts.low_confidence, "low confidence"),
        ):
            end += f", {number} {told}" if number else ""
        return "\n".join([*lines, end])

    __repr__ = __str__

    def to_dict(self) -> dict[str, Any]:
        """The result in the form of the shipped schema `evidence_validation`."""
        from veridical.validation.wire import to_wire

        return to_wire(self)
