"""A ledger as JSON: section 3.1 of the ledger specification, with places, reviews and citations.

The models describe it; what is sent is written straight from the ledger by `api.sessions`, many
times faster. Tests hold the two together.
"""

from __future__ import annotations

from typing import Literal

from pydantic import ConfigDict, Field

from veridical.judging.judge import SupportLevel
from veridical.judging.verdict import Verdict
from veridical.ledger.confidence import ConfidenceBand
from veridical.ledger.entry import ClaimType, Importance, RiskType, Severity
from veridical.ledger.review import Decision
from veridical.service.api.wire import EXAMPLE_ID, Wire
from veridical.store.inquiries import InquiryState, Mode


class SpanWire(Wire):
    """A place in a text: code points, half-open."""

    start: int
    end: int


class SourceDocumentWire(Wire):
    """Where the deciding evidence stands. `page_number` and `heading_path` only where there are."""

    id: str = Field(examples=[EXAMPLE_ID])
    filename: str = Field(examples=["HR_Policy.pdf"])
    page_number: int = Field(default=0, description="From 1.", examples=[15])
    heading_path: list[str] = Field(default=[], examples=[["4 Leave", "4.2 Carrying over"]])


class EvidenceWire(Wire):
    """A passage that bears on the claim. `start` and `end` are code points of the text of `version`
    of the document, where its words stand; `version` is null where that is no longer kept.
    """

    chunk_id: str
    anchor: str = Field(description="For GET /citations/{anchor}.", examples=["a1b2c3d4"])
    document_id: str = Field(examples=[EXAMPLE_ID])
    filename: str
    version: int | None
    start: int
    end: int
    page_number: int | None
    heading_path: list[str]
    snippet: str
    support: SupportLevel
    contradicts: bool
    cited: bool = Field(description="Whether the answer itself pointed to it.")
    probability: float


class CitationWire(Wire):
    """A citation of the claim in the answer, and the document it leads to, or why to none."""

    kind: str = Field(examples=["number"])
    value: str = Field(examples=["2"])
    start: int
    end: int
    document_id: str | None
    problem: str


class StandingReviewWire(Wire):
    """The decision of a reviewer that counts for an entry. `verdict` is the reviewer's."""

    id: str
    decision: Decision
    verdict: Verdict | None
    reason: str
    reviewer: str
    at: str = Field(examples=["2026-01-03T14:30:00Z"])


class LedgerEntryWire(Wire):
    """A claim and what became of it. `verdict` is the machine's for good, `review` beside it.

    `evidence` has the deciding piece first; `near` what comes nearest and proves nothing.
    """

    id: str = Field(examples=[EXAMPLE_ID])
    claim_id: str = Field(examples=[EXAMPLE_ID])
    claim_text: str = Field(examples=["Unused leave can be carried forward to next year"])
    claim_type: ClaimType
    claim_importance: Importance
    verdict: Verdict
    confidence_score: float = Field(ge=0, le=1)
    evidence_chunk_ids: list[str] = Field(examples=[["a1b2c3d4"]])
    evidence_snippet: str
    source_document: SourceDocumentWire | None
    notes: str
    span: SpanWire = Field(description="Where the claim stands in the answer.")
    statement: str = Field(description="The claim as it was judged, without markup and markers.")
    band: ConfidenceBand
    probability: float = Field(ge=0, le=1)
    evidence: list[EvidenceWire]
    near: list[EvidenceWire]
    citations: list[CitationWire]
    review: StandingReviewWire | None


class ByVerdictWire(Wire):
    """Entries by verdict."""

    supported: int
    weak: int
    contradicted: int
    not_found: int


class ByImportanceWire(Wire):
    """Entries by importance."""

    critical: int
    material: int
    minor: int


class LedgerSummaryWire(Wire):
    """Counts over all entries. The rates are null where there are none."""

    total_claims: int
    by_verdict: ByVerdictWire
    by_importance: ByImportanceWire
    evidence_coverage: float | None = Field(description="(supported + weak) / total")
    unsupported_rate: float | None = Field(description="(contradicted + not found) / total")


class RiskFlagWire(Wire):
    """A risk, the claims it touches, and what to do about it."""

    id: str
    type: RiskType
    severity: Severity
    description: str
    affected_claim_ids: list[str]
    mitigation: str


class LedgerWire(Wire):
    """`EvidenceLedger` of the specification, with its revision, next steps and warnings."""

    id: str = Field(examples=[EXAMPLE_ID])
    session_id: str = Field(examples=[EXAMPLE_ID])
    revision: int = Field(description="From 1; goes up where it was built again.")
    created_at: str = Field(examples=["2026-01-03T14:30:00Z"])
    updated_at: str
    entries: list[LedgerEntryWire]
    summary: LedgerSummaryWire
    risk_flags: list[RiskFlagWire]
    follow_up_questions: list[str]
    actions: list[str]
    warnings: list[str]


class LedgerSessionWire(Wire):
    """The session that a ledger belongs to. Claims are places in `answer`."""

    id: str
    query: str
    mode: Mode
    title: str
    state: InquiryState
    answer: str


class LedgerReply(Wire):
    """A ledger with its session. `next` is null unless `limit` left entries out."""

    model_config = ConfigDict(extra="forbid", title="LedgerReply")

    ledger: LedgerWire
    session: LedgerSessionWire
    next: str | None


Format = Literal["markdown", "json", "pdf", "html"]
"""What a ledger can be exported as."""
