"""What a ledger is made of. Section 3 of the ledger specification, with the words it rests on."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from veridical.judging.judge import SupportLevel
from veridical.judging.verdict import FULL_SUPPORT_ABOVE, Verdict
from veridical.ledger.confidence import ConfidenceComponents
from veridical.sources.document import Span

DECIMALS = 6
"""Decimals of every number of a ledger."""

_STEP = 10**-DECIMALS


def rounded(value: float) -> float:
    """A number between 0 and 1 as a ledger has it."""
    return round(float(value), DECIMALS) + 0.0  # no minus zero


def rounded_similarity(value: float) -> float:
    """A similarity as a ledger has it: rounding never carries it over the bound of full support."""
    written = rounded(value)
    if value > FULL_SUPPORT_ABOVE >= written:
        return rounded(FULL_SUPPORT_ABOVE + _STEP)
    return written


MAX_ANSWER_CHARS = 4_000_000
"""A longer answer is refused."""


class ClaimType(StrEnum):
    """What kind of statement a claim is."""

    FACT = "fact"
    POLICY = "policy"
    NUMERIC = "numeric"
    DEFINITION = "definition"


class Importance(StrEnum):
    """How much hangs on a claim."""

    CRITICAL = "critical"
    MATERIAL = "material"
    MINOR = "minor"


class MarkerKind(StrEnum):
    """How an answer points to a source: `[cite:a1b2c3d4]`, `[2]` or `(leave.md)`."""

    ANCHOR = "anchor"
    NUMBER = "number"
    NAME = "name"


@dataclass(frozen=True, slots=True)
class Marker:
    """A citation marker of the answer. `value` is what it points with, not how it is written.

    That is the anchor's hex digits in lower case; the number in ASCII digits without zeros before
    it ("2" for a full-width `[２]`, "4:0" for `【4:0†source】`, "^1" for a footnote that names no
    source); or the name as the answer has it: of a file, or what a footnote calls its source.
    `span` is the whole marker's place in the answer; the members of `[1, 2]` share it.
    """

    kind: MarkerKind
    value: str
    span: Span


@dataclass(frozen=True, slots=True)
class AnswerClaim:
    """A claim of an answer: `answer[span.start:span.end] == text`, exactly.

    `statement` is the claim as it is judged: without markup and citation markers. `context` holds
    the words of the answer that its pronouns and ellipses refer to (a subject, a heading, the
    line that introduces a list, a table's column titles), empty where it stands by itself.
    `markers` are the citations that go with it.
    """

    id: str
    span: Span
    text: str
    statement: str
    type: ClaimType = ClaimType.FACT
    importance: Importance = Importance.MATERIAL
    requires_citation: bool = True
    context: str = ""
    markers: tuple[Marker, ...] = ()

    @property
    def words(self) -> str:
        """What a reader is shown: the claim as it is judged, as far as it is known."""
        return self.statement or self.text


@dataclass(frozen=True, slots=True)
class Source:
    """A document as the ledger saw it. `sha256` is that of its text in UTF-8.

    `id` is a UUID that all versions of the document share. `date` is the ISO date that the
    document itself states (of issue, revision or effect), `superseded_by` the id of the source
    that replaces it; both may be None.
    """

    id: str
    filename: str
    sha256: str
    format: str
    chars: int
    date: str | None = None
    superseded_by: str | None = None


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage that bears on a claim.

    `document.text[snippet_span.start:snippet_span.end]` is what `snippet` shows (`snippet` is what
    a reader sees of it) and `source_text` what stands there, markup included. `chunk_id` is a UUID,
    `chunk_sha256` identifies the chunk's content and `anchor` is the prefix of it that citations
    use. `cited` says that the answer itself pointed to this chunk or document. `similarity`,
    `probability` and `contradiction` are the judge's, 0 to 1.
    """

    chunk_id: str
    chunk_sha256: str
    anchor: str
    source_id: str
    snippet: str
    source_text: str
    snippet_span: Span
    chunk_span: Span
    support: SupportLevel
    similarity: float
    probability: float
    contradiction: float
    contradicts: bool
    directness: float
    cited: bool = False
    page_number: int | None = None
    heading_path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CitationCheck:
    """What came of one citation marker: the source it resolved to, or why it did not resolve."""

    marker: Marker
    source_id: str | None = None
    chunk_sha256: str | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """A claim, the verdict on it and the evidence it rests on, the deciding piece first.

    `confidence_score` is the displayed confidence (section 6.1), `probability` the judge's
    calibrated probability that the claim is borne out; both 0 to 1. `evidence` is empty where the
    verdict is `not_found`; `near` then holds passages that come nearest, and prove nothing.
    """

    id: str
    claim: AnswerClaim
    verdict: Verdict
    confidence_score: float
    components: ConfidenceComponents
    probability: float
    notes: str
    evidence: tuple[Evidence, ...] = ()
    near: tuple[Evidence, ...] = ()
    citations: tuple[CitationCheck, ...] = ()


@dataclass(frozen=True, slots=True)
class LedgerSummary:
    """Counts over all entries. `by_verdict` and `by_importance` have a key for every member.

    `evidence_coverage` is (supported + weak) / total, `unsupported_rate` (contradicted +
    not_found) / total; both None where there is no claim: nothing was measured.
    """

    total_claims: int
    by_verdict: dict[Verdict, int]
    by_importance: dict[Importance, int]
    evidence_coverage: float | None
    unsupported_rate: float | None


class RiskType(StrEnum):
    """What may be wrong with an answer or its sources."""

    MISSING_EVIDENCE = "missing_evidence"
    CONTRADICTION = "contradiction"
    OUTDATED_SOURCE = "outdated_source"
    AMBIGUOUS_EVIDENCE = "ambiguous_evidence"
    CONFLICTING_SOURCES = "conflicting_sources"
    LOW_CONFIDENCE = "low_confidence"
    INSTRUCTION_IN_SOURCE = "instruction_in_source"


class Severity(StrEnum):
    """How much a risk matters."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


@dataclass(frozen=True, slots=True)
class RiskFlag:
    """A risk, the claims it touches, and what to do about it."""

    id: str
    type: RiskType
    severity: Severity
    description: str
    affected_claim_ids: tuple[str, ...]
    mitigation: str


@dataclass(frozen=True, slots=True)
class JudgeRecord:
    """Which judge decided, at which operating point, and who found the claims."""

    name: str
    point: str
    extractor: str


@dataclass(frozen=True, slots=True)
class EvidenceLedger:
    """The whole record of one answer. Times are ISO 8601 in UTC, ending in `Z`, to the second.

    `id` and `session_id` are UUIDs made from the content: the same answer, question, sources and
    judge give the same ids. Or the session had its id before, and all others follow from it.
    `title` names it for a reader. `warnings` say what was lost or left undone; `actions` what a
    reader should do next.
    """

    id: str
    session_id: str
    title: str
    query: str
    answer: str
    created_at: str
    updated_at: str
    judge: JudgeRecord
    sources: tuple[Source, ...]
    entries: tuple[LedgerEntry, ...]
    summary: LedgerSummary
    risk_flags: tuple[RiskFlag, ...] = ()
    follow_up_questions: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class NewerVersion:
    """A source whose place another version with other words has taken in its workspace since the
    ledger was made: told beside it, and no part of it.

    `checked` is the number of the version that the ledger saw, `newer` of the one that is current;
    `added_at` is when that came, in ISO 8601 and UTC, to the second, with `Z`.
    """

    source_id: str
    filename: str
    checked: int
    newer: int
    added_at: str
