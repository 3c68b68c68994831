"""Reports that say one text wherever a text can stand."""

from __future__ import annotations

import math
from dataclasses import replace

from tests.evaluation.runs import answer, ask, result, run
from tests.ledger.export.samples import entry, evidence, ledger
from tests.scoring.report.incidents import MET, criterion, event, invented, quote, section
from tests.scoring.report.test_text_forms import hostile as hostile_card
from tests.speech.public import COMMENDATION, RECOMMENDATION, filler, item, metrics, public
from tests.speech.transcripts import from_sentences
from tests.validation.report_page import match, report

from veridical.evaluation.run import EvalRun
from veridical.ledger.entry import CitationCheck, EvidenceLedger, Marker, MarkerKind, Source
from veridical.scoring.scorecard import Scorecard
from veridical.sources.document import Document, Format, Section, Span
from veridical.sources.transcript import Transcript
from veridical.speech.results import (
    History,
    HistoryEntry,
    PublicEvaluation,
    Receipt,
    Step,
    ToneRule,
    ToneViolation,
)
from veridical.validation.claims import Claim, EvidenceType
from veridical.validation.differences import Alteration, AlterationKind, Comparison, DiffPart
from veridical.validation.results import (
    Attempt,
    ClaimResult,
    FailureReason,
    Fidelity,
    MatchType,
    Note,
    RunError,
    Status,
    ValidationReport,
)


def hostile_report(text: str) -> ValidationReport:
    section = Section(text, 1, 1, Span(0, 3), 9, (text,))
    document = Document(text, f"{text} and {text}", Format.MARKDOWN, (section,), warnings=(text,))
    where = match(document, 0, len(text), MatchType.FUZZY)
    result = ClaimResult(
        Claim(text, text, EvidenceType.DIRECT_QUOTE, text, text, text, text),
        Status.FAILED,
        0.0,
        reason=FailureReason.CONTEXT_MISMATCH,
        fidelity=Fidelity.ALTERED,
        found_at=where,
        comparison=Comparison(
            (),
            (Alteration(AlterationKind.NAME, text, text),),
            (DiffPart(text, text, equal=True), DiffPart(text, text, equal=False)),
        ),
        alternatives=(where,),
        attempts=(Attempt(where, text), Attempt(match(document, 1, 3), text)),
        suggestions=(text,),
        notes=(Note(text, text, text),),
    )
    error = RunError(text, text, {}, (text,))
    return report(result, documents=(document,), errors=(error,), notes=(Note(text, text, text),))


def hostile_ledger(text: str) -> EvidenceLedger:
    """A ledger that says one text wherever a text can stand."""
    piece = evidence(text, heading_path=(text,), anchor=text)
    marker = Marker(MarkerKind.ANCHOR, text, Span(0, 1))
    each = entry(
        text,
        evidence=(piece,) * 3,
        near=(piece,),
        notes=text,
        citations=(CitationCheck(marker, None, None, text),),
    )
    return ledger(
        each,
        title=text,
        query=f"{text}?",
        created_at=text,
        sources=(Source("source-hr", text, text, text, 1, text),),
        warnings=(text,),
        actions=(text,),
        follow_up_questions=(text,),
    )


def hostile_speech(text: str) -> PublicEvaluation:
    """An evaluation that says one text wherever a text can stand."""
    words = {"summary": text, "evidence_quote": text, "explanation": text}
    receipt = Receipt(text, 1, math.nan)
    return public(
        item(10.0, COMMENDATION, receipt=receipt, redacted=True, **words),
        item(None, RECOMMENDATION, receipt=receipt, **words),
        opening=text,
        closing=text,
        author=text,
        rule_based=False,
        title=text,
        speaker=text,
        metrics=metrics(fillers=(filler(3, text), filler(3, text + "b")), notes=(text,)),
        history=History((HistoryEntry(1, Step.FAILED, 1, (text,), text),), best_effort=True),
        tone=(ToneViolation(ToneRule.UNKIND, text, text),),
        warnings=(text,),
    )


def hostile_score(text: str) -> tuple[Scorecard, Transcript]:
    """A scorecard and its transcript that say one text wherever a text can stand."""
    radio = from_sentences([(0.0, 9.0, "Ladder 7 responding", text), (9.0, 20.0, text, "A")])
    made = hostile_card(text)
    events = [event(text, 5.0), replace(event(text, 5.0), verified=False, reason=text)]
    first = criterion("x", MET, quote(text, radio), invented(text), events=events)
    return replace(made, sections=(*made.sections, section("y", first))), radio


def hostile_run(text: str) -> EvalRun:
    """A run whose questions and answers say one text wherever a text can stand."""
    asked = text.encode("utf-8", "replace").decode()  # a run refuses half a surrogate pair
    return run(result(ask(asked, topic=asked), answer(text, text, text=text)))
