"""Ledgers to export: the example of the specification, and whatever a test puts into one."""

from __future__ import annotations

from typing import Any

from veridical.judging.judge import SupportLevel
from veridical.judging.verdict import Verdict
from veridical.ledger.confidence import ConfidenceComponents
from veridical.ledger.entry import (
    AnswerClaim,
    ClaimType,
    Evidence,
    EvidenceLedger,
    Importance,
    JudgeRecord,
    LedgerEntry,
    RiskFlag,
    RiskType,
    Severity,
    Source,
)
from veridical.ledger.risks import summarised
from veridical.sources.document import Span

HR = Source("source-hr", "HR_Policy.pdf", "ab" * 32, "pdf", 48_210, "2024-01-01")
GUIDE = Source("source-guide", "Leave_Guidelines.pdf", "cd" * 32, "pdf", 9_120)

COMPONENTS = ConfidenceComponents(0.9, 1, 1.0, 0.8)


def evidence(snippet: str, source: Source = HR, **more: Any) -> Evidence:
    given: dict[str, Any] = {
        "chunk_id": "chunk-1",
        "chunk_sha256": "a1b2c3d4" * 8,
        "anchor": "a1b2c3d4",
        "source_id": source.id,
        "snippet": snippet,
        "source_text": snippet,
        "snippet_span": Span(0, max(1, len(snippet))),
        "chunk_span": Span(0, max(1, len(snippet))),
        "support": SupportLevel.FULL,
        "similarity": 0.93,
        "probability": 0.91,
        "contradiction": 0.02,
        "contradicts": False,
        "directness": 1.0,
    }
    return Evidence(**(given | more))


def entry(
    text: str, verdict: Verdict = Verdict.SUPPORTED, *, start: int = 0, **more: Any
) -> LedgerEntry:
    """An entry; fields of its claim may be given with the others (`type`, `importance`)."""
    kind = more.pop("type", ClaimType.FACT)
    importance = more.pop("importance", Importance.MATERIAL)
    name = more.pop("claim_id", f"claim-{start}-{text[:20]}")
    statement = more.pop("statement", text)
    claim = AnswerClaim(name, Span(start, start + len(text)), text, statement, kind, importance)
    given: dict[str, Any] = {
        "id": f"entry-{name}",
        "claim": claim,
        "verdict": verdict,
        "confidence_score": 0.0 if verdict is Verdict.NOT_FOUND else 0.92,
        "components": COMPONENTS,
        "probability": 0.9,
        "notes": "",
    }
    return LedgerEntry(**(given | more))


def ledger(*entries: LedgerEntry, **more: Any) -> EvidenceLedger:
    given: dict[str, Any] = {
        "id": "00000000-0000-5000-8000-000000000001",
        "session_id": "00000000-0000-5000-8000-000000000002",
        "title": "Leave Policy Q&A",
        "query": "How much leave do employees get?",
        "answer": "\n".join(e.claim.text for e in entries),
        "created_at": "2026-01-03T14:30:00Z",
        "updated_at": "2026-01-03T14:30:00Z",
        "judge": JudgeRecord("calibrated-1", "strict", "rules-1"),
        "sources": (HR, GUIDE),
        "entries": entries,
        "summary": summarised(entries),
    }
    return EvidenceLedger(**(given | more))


def of_texts(*texts: str, verdict: Verdict = Verdict.SUPPORTED, **more: Any) -> EvidenceLedger:
    """A ledger of these claims, one a line of the answer, with evidence in the same words."""
    entries, at = [], 0
    for text in texts:
        entries.append(
            entry(text, verdict, start=at, claim_id=f"claim-{at}", evidence=(evidence(text),))
        )
        at += len(text) + 1
    return ledger(*entries, **more)


DAYS = evidence(
    "All permanent employees shall receive 15 days of paid annual leave per calendar year.",
    page_number=12,
    heading_path=("Leave", "4.1 Annual leave"),
)
WEEKS = evidence(
    "Leave applications must be submitted at least 14 calendar days before the intended "
    "start date.",
    GUIDE,
    heading_path=("Guidelines", "3.2 Requests"),
    anchor="9f8e7d6c",
)
DISCRETION = evidence(
    "Unused annual leave may be carried over at the discretion of the department head, "
    "subject to operational requirements.",
    page_number=15,
    heading_path=("Leave", "4.2 Carry-over"),
    support=SupportLevel.PARTIAL,
    similarity=0.81,
    anchor="0a1b2c3d",
)
CLAIMS: tuple[tuple[str, Verdict, dict[str, Any]], ...] = (
    (
        "Employees are entitled to 15 days of annual leave",
        Verdict.SUPPORTED,
        {"evidence": (DAYS,), "importance": Importance.CRITICAL, "notes": "Directly supported."},
    ),
    (
        "Leave requests must be submitted 2 weeks in advance",
        Verdict.SUPPORTED,
        {"evidence": (WEEKS,), "confidence_score": 0.88},
    ),
    (
        "Unused leave can be carried forward to next year",
        Verdict.WEAK,
        {
            "evidence": (DISCRETION,),
            "confidence_score": 0.65,
            "notes": "The evidence suggests carryover is possible but discretionary.",
        },
    ),
    (
        "Maximum carryover is 5 days",
        Verdict.NOT_FOUND,
        {
            "near": (DISCRETION,),
            "type": ClaimType.NUMERIC,
            "notes": "No matching evidence found in provided documents",
        },
    ),
)


def _leave() -> EvidenceLedger:
    """The example of sections 8 and 9 of the specification."""
    answer = ". ".join(text for text, _, _ in CLAIMS) + "."
    entries = [
        entry(
            text,
            verdict,
            start=answer.index(text),
            claim_id=f"claim-{number}",
            **({"type": ClaimType.POLICY} | more),
        )
        for number, (text, verdict, more) in enumerate(CLAIMS, 1)
    ]
    missing = RiskFlag(
        "risk-1",
        RiskType.MISSING_EVIDENCE,
        Severity.HIGH,
        "1 claim could not be verified from provided documents.",
        ("claim-4",),
        "Upload relevant documents or revise response",
    )
    return ledger(
        *entries,
        answer=answer,
        risk_flags=(missing,),
        actions=(
            "Upload additional policy documents covering leave carryover limits",
            "Review claim #4 and consider removing or qualifying",
        ),
        follow_up_questions=("What is the maximum number of days that may be carried over?",),
    )


LEAVE = _leave()
