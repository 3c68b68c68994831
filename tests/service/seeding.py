"""A store as it is after some work: documents read, a ledger built, nothing left to do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from tests.store.shelves import ledger_in

from veridical.judging.judge import (
    Case,
    JudgeFailure,
    Judgement,
    OperatingPoint,
    SupportLevel,
)
from veridical.judging.verdict import Verdict
from veridical.ledger.build import LedgerBuilder
from veridical.ledger.entry import EvidenceLedger, LedgerEntry, RiskFlag, RiskType, Severity
from veridical.ledger.ids import content_id
from veridical.ledger.risks import summarised
from veridical.retrieval.corpus import Corpus
from veridical.sources.document import Document, Span
from veridical.sources.loader import load_document
from veridical.store.inquiries import Mode
from veridical.store.jobs import Job, JobState
from veridical.store.store import Shelf, Store

EXAMPLES = Path(__file__).parents[2] / "examples"
SOURCES = ("leave-policy.md", "remote-work.html", "expense-handbook.pdf", "security-standard.docx")
QUESTION = "How much annual leave do I get?"
ANSWER = (EXAMPLES / "answers" / "annual-leave.md").read_text("utf-8")

READ = (
    ("entitled to 28 days", "entitled to 27 days", SupportLevel.NONE),
    ("Public holidays", "Public holidays", SupportLevel.FULL),
    ("Up to five days", "Up to five days", SupportLevel.FULL),
    ("used by 30 June", "used by 30 June", SupportLevel.FULL),
    ("In February", "in February, you can buy", SupportLevel.PARTIAL),
    ("within a few days", "line manager answers within five", SupportLevel.PARTIAL),
    ("no answer within five", "no answer in that time", SupportLevel.FULL),
    ("on a journey for pleasure", "during a journey for pleasure", SupportLevel.PARTIAL),
)
"""Words of a claim, words of the sentence that decides on it, and how far that bears it out."""


class ReadByHand:
    """The judge of the example answer: what a person says of its claims, whatever reads them."""

    name = "by hand"
    point = OperatingPoint.STRICT

    def judge(self, cases: Sequence[Case]) -> list[Judgement | JudgeFailure]:
        return [self._judged(case) for case in cases]

    def _judged(self, case: Case) -> Judgement:
        for claimed, said, support in READ:
            places = [n for n, text in enumerate(case.sentences) if said in " ".join(text.split())]
            if claimed in " ".join(case.claim.split()) and places:
                against = support is SupportLevel.NONE
                similarity = {"full": 0.97, "partial": 0.6, "none": 0.2}[support]
                notes = 'The passage says "27 days", the claim "28 days".' if against else ""
                deciding = (places[0], places[0] + 1)
                return Judgement(
                    support, similarity, similarity, 0.9 if against else 0.0, against, 1.0,
                    deciding, notes,
                )  # fmt: skip
        return Judgement(SupportLevel.NONE, 0.0, 0.0, 0.0, False, 0.5, None)


@dataclass(frozen=True)
class Seeded:
    """What was put into a store: the id of the session, and those of the documents by name."""

    store: Store
    shelf: Shelf
    session_id: str
    documents: dict[str, str]


def seed(store: Store, workspace: str = "default", sources: tuple[str, ...] = SOURCES) -> Seeded:
    """Put the example documents and the ledger of the example answer into a workspace."""
    shelf = store.shelf(workspace)
    ids = {name: add_document(store, shelf, EXAMPLES / "sources" / name) for name in sources}
    corpus = _corpus(sources)
    inquiry, job = shelf.inquiries.add(Mode.VERIFY, QUESTION, answer=ANSWER, by="local")
    builder = LedgerBuilder(corpus, judge=ReadByHand(), workspace=workspace)
    ledger = builder.build(ANSWER, query=QUESTION, session_id=inquiry.id)
    shelf.inquiries.finish(inquiry.id, ledger)
    end(store, job)
    return Seeded(store, shelf, inquiry.id, ids)


def add_document(store: Store, shelf: Shelf, file: Path, name: str = "") -> str:
    """Put a file into a workspace as it is after it was uploaded and read; returns its id."""
    document = replace(_read(file), name=name) if name else _read(file)
    upload, job = shelf.documents.add_upload(document.name, "", file.read_bytes())
    chunks = Corpus((document,)).chunks
    shelf.documents.put_read(upload.id, document, chunks)
    end(store, job)
    return upload.document_id


def add_ledger(
    store: Store, shelf: Shelf, ledger: EvidenceLedger, title: str = "", mode: Mode = Mode.VERIFY,
    by: str = "",
) -> str:  # fmt: skip
    """Put a ledger that was made up into a workspace; returns the id of its session."""
    inquiry, job = shelf.inquiries.add(mode, ledger.query, answer=ledger.answer, title=title, by=by)
    shelf.inquiries.finish(inquiry.id, replace(ledger, session_id=inquiry.id))
    end(store, job)
    return inquiry.id


def end(store: Store, job: Job) -> None:
    """Nobody needs to take up this job."""
    store.job_board.begin(job.id)
    store.job_board.end(job.id, JobState.DONE)


def long_ledger(seeded: Seeded, count: int) -> EvidenceLedger:
    """A ledger of `count` claims of all verdicts, made of the entries of the example."""
    ledger = ledger_in(seeded.shelf, seeded.session_id)
    entries: list[LedgerEntry] = []
    said: list[str] = []
    at = 0
    for n in range(count):
        entry = ledger.entries[n % len(ledger.entries)]
        text = f"{entry.claim.text} ({n + 1})"
        claim = replace(
            entry.claim, id=content_id("claim", str(n)), text=text, statement=text,
            span=Span(at, at + len(text)), markers=(),
        )  # fmt: skip
        entries.append(replace(entry, id=content_id("entry", str(n)), claim=claim, citations=()))
        said.append(text)
        at += len(text) + 1
    flag = RiskFlag(
        content_id("flag", str(count)), RiskType.CONTRADICTION, Severity.HIGH,
        "Claims contradict the documents.",
        tuple(e.claim.id for e in entries if e.verdict is Verdict.CONTRADICTED), "Correct them.",
    )  # fmt: skip
    return replace(
        ledger, id=content_id("long", str(count)), answer="\n".join(said), entries=tuple(entries),
        summary=summarised(entries), risk_flags=(flag,), title=f"{count} claims",
    )  # fmt: skip


@cache
def _read(file: Path) -> Document:
    return replace(load_document(file), name=file.name)


@cache
def _corpus(sources: tuple[str, ...]) -> Corpus:
    return Corpus(_read(EXAMPLES / "sources" / name) for name in sources)
