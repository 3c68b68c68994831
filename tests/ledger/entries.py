"""Entries and sources in few words, for the tests of what is made of them."""

from __future__ import annotations

from veridical.judging.confidence import ConfidenceComponents
from veridical.judging.judge import SupportLevel
from veridical.judging.verdict import Verdict
from veridical.ledger.entry import (
    AnswerClaim,
    CitationCheck,
    Evidence,
    Importance,
    LedgerEntry,
    Source,
)
from veridical.sources.span import Span


def source(name: str, date: str | None = None, superseded_by: str | None = None) -> Source:
    return Source(f"id-{name}", name, "0" * 64, "markdown", 100, date, superseded_by)


def piece(
    snippet: str = "Staff get 27 days.",
    *,
    of: str = "leave.md",
    support: SupportLevel = SupportLevel.FULL,
    similarity: float = 0.95,
    against: bool = False,
    cited: bool = False,
    sha256: str | None = None,
    directness: float = 1.0,
    heading: tuple[str, ...] = (),
) -> Evidence:
    return Evidence(
        chunk_id=f"chunk-{of}-{snippet}",
        chunk_sha256=sha256 or f"{snippet}{of}",
        anchor="a1b2c3d4",
        source_id=f"id-{of}",
        snippet=snippet,
        source_text=snippet,
        snippet_span=Span(0, len(snippet)),
        chunk_span=Span(0, len(snippet)),
        support=support,
        similarity=similarity,
        probability=0.05 if against else similarity,
        contradiction=0.9 if against else 0.05,
        contradicts=against,
        directness=directness,
        cited=cited,
        heading_path=heading,
    )


def claim(text: str, importance: Importance = Importance.MATERIAL) -> AnswerClaim:
    return AnswerClaim(f"claim-{text}", Span(0, len(text)), text, text, importance=importance)


def entry(
    text: str,
    verdict: Verdict,
    *evidence: Evidence,
    importance: Importance = Importance.MATERIAL,
    confidence: float = 0.9,
    near: tuple[Evidence, ...] = (),
    citations: tuple[CitationCheck, ...] = (),
) -> LedgerEntry:
    return LedgerEntry(
        id=f"entry-{text}",
        claim=claim(text, importance),
        verdict=verdict,
        confidence_score=confidence,
        components=ConfidenceComponents(0.9, 1, 1.0, 1.0),
        probability=0.9,
        notes="",
        evidence=evidence,
        near=near,
        citations=citations,
    )
