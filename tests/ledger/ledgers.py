"""Sample ledgers over small documents, made without a judge: what they say is known."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from tests.ledger.export import samples

from veridical import Document, document_from_text
from veridical.judging.judge import SupportLevel
from veridical.judging.verdict import Verdict
from veridical.ledger.confidence import ConfidenceComponents, displayed_confidence
from veridical.ledger.entry import (
    ClaimType,
    Evidence,
    EvidenceLedger,
    Importance,
    LedgerEntry,
)
from veridical.ledger.freshness import described, stale_sources
from veridical.ledger.ids import DEFAULT_WORKSPACE, chunk_id, content_id, document_id
from veridical.ledger.risks import follow_up_questions, recommended_actions, risk_flags
from veridical.sources.document import Span

LEAVE = """# Leave

Staff get *25 days* of paid leave a year.

Requests go to the line manager at least 14 days before the first day of leave.

## Carrying over

Up to 5 days may be carried over to the next year, with the consent of the department.
"""

TRAVEL = """# Travel

Rail fares are repaid in second class. Taxis are not repaid.

Claims must reach the finance office within 30 days.
"""

FULL, PARTIAL, AGAINST = "full", "partial", "against"

CLAIMS = (
    ("Staff get 25 days of paid leave.", "leave.md", "Staff get *25 days*", FULL),
    ("Days can be carried over freely.", "leave.md", "Up to 5 days may be carried", PARTIAL),
    ("Taxis are repaid.", "travel.md", "Taxis are not repaid.", AGAINST),
    ("The office closes at noon.", None, None, None),
)
"""What the sample answer claims, and where the words stand that decide on it."""


def document(text: str, name: str) -> Document:
    return document_from_text(text, name)


def documents() -> list[Document]:
    return [document(LEAVE, "leave.md"), document(TRAVEL, "travel.md")]


def sentence_at(doc: Document, words: str) -> Span:
    """The line that begins with these words, up to its first full stop."""
    start = doc.text.index(words)
    return Span(start, doc.text.index(".", start) + 1)


def piece(doc: Document, span: Span, how: str = FULL, similarity: float | None = None) -> Evidence:
    """A piece of evidence whose chunk is the paragraph that the span stands in."""
    gap = doc.text.rfind("\n\n", 0, span.start)
    start = gap + 2 if gap >= 0 else 0
    end = doc.text.find("\n", span.end)
    chunk = Span(start, end if end >= 0 else len(doc.text))
    shown = " ".join(doc.shown(chunk).lower().split())
    digest = hashlib.sha256(shown.encode()).hexdigest()
    against = how == AGAINST
    default = {FULL: 0.95, PARTIAL: 0.7, AGAINST: 0.4}[how]
    levels = {FULL: SupportLevel.FULL, PARTIAL: SupportLevel.PARTIAL, AGAINST: SupportLevel.NONE}
    return samples.evidence(
        doc.shown(span),
        chunk_id=chunk_id(document_id(doc.name), doc.sha256, 0),
        chunk_sha256=digest,
        anchor=digest[:8],
        source_id=document_id(doc.name),
        source_text=doc.text[span.start : span.end],
        snippet_span=span,
        chunk_span=chunk,
        support=levels[how],
        similarity=default if similarity is None else similarity,
        probability={FULL: 0.9, PARTIAL: 0.4, AGAINST: 0.04}[how],
        contradiction=0.92 if against else 0.03,
        contradicts=against,
        page_number=doc.page_at(span.start),
        heading_path=section.path if (section := doc.section_at(span.start)) else (),
    )


VERDICTS = {
    FULL: Verdict.SUPPORTED,
    PARTIAL: Verdict.WEAK,
    AGAINST: Verdict.CONTRADICTED,
    None: Verdict.NOT_FOUND,
}


def entry(text: str, start: int, how: str | None, evidence: Sequence[Evidence]) -> LedgerEntry:
    components = ConfidenceComponents(0.0, 0, 0.0, 0.0)
    if evidence and how != AGAINST:
        best = evidence[0]
        components = ConfidenceComponents(best.similarity, 1, best.directness, 1.0)
    return samples.entry(
        text,
        VERDICTS[how],
        start=start,
        claim_id=content_id("claim", text, str(start)),
        type=ClaimType.POLICY,
        importance=Importance.CRITICAL if how is None else Importance.MATERIAL,
        id=content_id("entry", text, str(start)),
        confidence_score=round(displayed_confidence(components), 6),
        components=components,
        probability=evidence[0].probability if evidence else 0.0,
        notes="The passage says so." if evidence else "Nothing was found.",
        evidence=tuple(evidence),
    )


def ledger_of(
    answer: str, entries: Sequence[LedgerEntry], docs: Sequence[Document]
) -> EvidenceLedger:
    """A ledger in which all that follows from entries and documents does follow."""
    session_id = content_id("session", answer)
    sources = described(docs, DEFAULT_WORKSPACE)
    stale = stale_sources(docs, sources, date(2026, 1, 3))
    flags = risk_flags(session_id, entries, sources, stale, {})
    return samples.ledger(
        *entries,
        id=content_id("ledger", answer),
        session_id=session_id,
        title="Leave and travel",
        query="What are the rules?",
        answer=answer,
        sources=sources,
        risk_flags=flags,
        follow_up_questions=follow_up_questions(entries, sources, stale),
        actions=recommended_actions(entries, flags),
    )


def sample_ledger() -> EvidenceLedger:
    """The ledger of `CLAIMS` over `documents()`: one claim for each verdict, and the risks."""
    docs = {doc.name: doc for doc in documents()}
    answer, entries = "", []
    for text, name, words, how in CLAIMS:
        evidence = []
        if name is not None and words is not None and how is not None:
            evidence = [piece(docs[name], sentence_at(docs[name], words), how)]
        entries.append(entry(text, len(answer), how, evidence))
        answer += f"{text} "
    ledger = ledger_of(answer, entries, list(docs.values()))
    return replace(ledger, warnings=("travel.md: a table was left out",))
