"""Documents, chunks and ledgers for the tests of the store and the programs that they start."""

from __future__ import annotations

import hashlib
import re

from veridical.judging.judge import SupportLevel
from veridical.judging.verdict import Verdict
from veridical.ledger.confidence import ConfidenceComponents
from veridical.ledger.entry import (
    AnswerClaim,
    Evidence,
    EvidenceLedger,
    JudgeRecord,
    LedgerEntry,
    Source,
)
from veridical.ledger.ids import content_id
from veridical.ledger.risks import summarised
from veridical.retrieval.chunks import Chunk
from veridical.sources.document import Document, Span

Pair = tuple[Document, tuple[Chunk, ...]]


def with_chunks(document: Document) -> Pair:
    """A document and a chunk for every paragraph of it."""
    chunks = []
    for ordinal, found in enumerate(re.finditer(r"[^\n]+(?:\n[^\n]+)*", document.text)):
        span = Span(*found.span())
        shown = " ".join(document.shown(span).lower().split())
        digest = hashlib.sha256(shown.encode("utf-8", "surrogatepass")).hexdigest()
        section = document.section_at(span.start)
        path = section.path if section else ()
        page = document.page_at(span.start)
        chunks.append(Chunk(document, ordinal, span, (span,), digest, path, page))
    return document, tuple(chunks)


def text_pair(name: str, text: str) -> Pair:
    return with_chunks(Document(name, text, size_bytes=len(text)))


def numbered(count: int) -> list[Pair]:
    """Documents that differ from each other."""
    return [
        text_pair(f"doc{n:03}.txt", f"Rule {n}.\n\nStaff of group {n} get {n} days.\n\nEnd.")
        for n in range(count)
    ]


def sample_ledger(
    count: int = 3, name: str = "sample", *, minute: int = 30, notes: str = "as it says"
) -> EvidenceLedger:
    """A ledger of `count` supported claims. The same name gives the same ids."""
    session = content_id("session", name)
    source = Source(content_id("document", "a.md"), "a.md", "cd" * 32, "markdown", 900)
    entries = []
    for n in range(count):
        said = f"Staff get {n} days of leave."
        span = Span(n * 40, n * 40 + len(said))
        evidence = Evidence(
            chunk_id=content_id("chunk", str(n)), chunk_sha256="ab" * 32, anchor="ab" * 4,
            source_id=source.id, snippet=said, source_text=f"*{said}*",
            snippet_span=Span(1, 1 + len(said)), chunk_span=Span(0, 90),
            support=SupportLevel.FULL, similarity=0.9, probability=0.8, contradiction=0.01,
            contradicts=False, directness=1.0, page_number=n + 1, heading_path=("Leave",),
        )  # fmt: skip
        entries.append(
            LedgerEntry(
                id=content_id("entry", name, str(n)),
                claim=AnswerClaim(content_id("claim", name, str(n)), span, said, said),
                verdict=Verdict.SUPPORTED,
                confidence_score=0.9,
                components=ConfidenceComponents(0.9, 1, 1.0, 1.0),
                probability=0.8,
                notes=notes,
                evidence=(evidence,),
            )
        )
    stamp = f"2026-01-03T14:{minute:02}:00Z"
    return EvidenceLedger(
        id=content_id("ledger", name), session_id=session, title=f"About {name}",
        query="How many days?", answer="An answer.", created_at=stamp, updated_at=stamp,
        judge=JudgeRecord("calibrated 1", "strict", "rules"), sources=(source,),
        entries=tuple(entries), summary=summarised(entries),
    )  # fmt: skip
