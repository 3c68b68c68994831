r"""Veridical: every claim, traced to the words it rests on.

>>> from veridical import Validator, document_from_text
>>> policy = document_from_text("# Leave\n\nStaff get *25 days* of leave a year.", "handbook.md")
>>> result = Validator([policy]).check("Staff get 25 days")
>>> result.status, result.fidelity, result.match.shown, result.match.line
(<Status.VALIDATED: 'VALIDATED'>, <Fidelity.NORMALISED: 'normalised'>, 'Staff get 25 days', 3)
"""

from __future__ import annotations

import logging
from importlib import import_module
from typing import TYPE_CHECKING, Any

from veridical.version import __version__ as __version__

if TYPE_CHECKING:
    from veridical.answering.answer import PolicyAnswer
    from veridical.answering.answerer import PolicyAnswerer
    from veridical.answering.index.policy_index import PolicyIndex
    from veridical.errors import (
        ConfigurationError,
        ConflictError,
        DocumentParsingError,
        MissingExtraError,
        ModelError,
        ModelUnavailable,
        NoDocumentsError,
        OutputError,
        ProcessingError,
        StoreError,
        StoreUnavailable,
        TooManyJobsError,
        UngroundedError,
        ValidationError,
        VeridicalError,
    )
    from veridical.evaluation.chat import InProcessChat
    from veridical.evaluation.http_chat import HttpChat
    from veridical.evaluation.questions import read_questions
    from veridical.evaluation.run import EvalRun
    from veridical.evaluation.runner import run_questions
    from veridical.evaluation.summary import summarise
    from veridical.guarding.guard import Guard, grounded
    from veridical.guarding.report import GuardReport, OnFail
    from veridical.judging.judge import Case, Judge, Judgement, OperatingPoint
    from veridical.judging.model_judge import ModelJudge
    from veridical.judging.nli import NliJudge
    from veridical.judging.reader_judge import ReaderJudge
    from veridical.judging.verdict import Verdict
    from veridical.ledger.build import LedgerBuilder, build_ledger
    from veridical.ledger.citations import resolve_citation
    from veridical.ledger.entry import EvidenceLedger, LedgerEntry
    from veridical.ledger.export.annotated_pdf import annotate_pdf
    from veridical.ledger.export.forms import (
        CitationForm,
        ExportForm,
        export_citations,
        export_ledger,
    )
    from veridical.ledger.export.originals import read_originals
    from veridical.ledger.export.pack import evidence_pack
    from veridical.ledger.grounding import (
        Grounding,
        GroundingChecker,
        GroundingOutcome,
        check,
        check_answer,
        check_quotes,
    )
    from veridical.ledger.review import Decision, EntryReview
    from veridical.ledger.text_fragments import TextFragments
    from veridical.ledger.verification import LedgerVerification
    from veridical.ledger.verify import verify_ledger
    from veridical.ledger.verify_given import check_given_citations
    from veridical.ledger.wire import (
        LedgerFile,
        ledger_file_from_bytes,
        ledger_from_bytes,
        ledger_to_bytes,
    )
    from veridical.ledger.wire_given import read_cited
    from veridical.matching.embeddings import Embedder
    from veridical.models.openai_compatible import OpenAICompatibleModel
    from veridical.models.protocol import (
        FinishReason,
        LanguageModel,
        Message,
        ModelReply,
        ModelRequest,
        Role,
    )
    from veridical.models.scripted import ScriptedModel
    from veridical.models.settings import ModelSettings
    from veridical.retrieval.corpus import Corpus
    from veridical.scoring.rubric import Rubric
    from veridical.scoring.rubrics.file import load_rubric
    from veridical.scoring.scorecard import CriterionVerdict, Scorecard
    from veridical.scoring.scorer import RubricScorer
    from veridical.scoring.wire import scorecard_from_bytes, scorecard_to_bytes
    from veridical.sources.document import Document, Format, Page, Section, SourceLimits, Span
    from veridical.sources.loader import (
        document_from_text,
        load_document,
        load_document_bytes,
        load_documents,
    )
    from veridical.sources.transcript import Moment, Precision, Transcript
    from veridical.sources.transcripts.loader import load_transcript, transcript_from_text
    from veridical.speech.evaluation import EvaluationItem, ItemType, StructuredEvaluation
    from veridical.speech.generator import EvaluationGenerator
    from veridical.speech.results import PublicEvaluation, SpeechEvaluation
    from veridical.store.store import Store
    from veridical.validation.claims import Claim, EvidenceType, parse_claims
    from veridical.validation.config import ValidationConfig
    from veridical.validation.differences import Alteration, AlterationKind, Rule
    from veridical.validation.results import (
        ClaimResult,
        FailureReason,
        Fidelity,
        Match,
        MatchType,
        Status,
        ValidationReport,
    )
    from veridical.validation.timed import (
        CheckOutcome,
        Outcome,
        TimedCheck,
        TimedQuote,
        TimedQuoteChecker,
        TimedQuotePolicy,
        TimedQuoteResult,
        check_timed_quote,
    )
    from veridical.validation.validator import Validator

logging.getLogger(__name__).addHandler(logging.NullHandler())  # quiet, unless somebody asks

# Each name is imported when it is first used: `veridical --help` must not load numpy.
_HOMES = {
    "Alteration": "validation.differences",
    "AlterationKind": "validation.differences",
    "ReaderJudge": "judging.reader_judge",
    "Case": "judging.judge",
    "CheckOutcome": "validation.timed",
    "CitationForm": "ledger.export.forms",
    "Claim": "validation.claims",
    "ClaimResult": "validation.results",
    "ConfigurationError": "errors",
    "ConflictError": "errors",
    "Corpus": "retrieval.corpus",
    "CriterionVerdict": "scoring.scorecard",
    "Decision": "ledger.review",
    "Document": "sources.document",
    "DocumentParsingError": "errors",
    "Embedder": "matching.embeddings",
    "EntryReview": "ledger.review",
    "EvalRun": "evaluation.run",
    "EvaluationGenerator": "speech.generator",
    "EvaluationItem": "speech.evaluation",
    "EvidenceLedger": "ledger.entry",
    "EvidenceType": "validation.claims",
    "ExportForm": "ledger.export.forms",
    "FailureReason": "validation.results",
    "Fidelity": "validation.results",
    "FinishReason": "models.protocol",
    "Format": "sources.document",
    "Grounding": "ledger.grounding",
    "GroundingChecker": "ledger.grounding",
    "GroundingOutcome": "ledger.grounding",
    "Guard": "guarding.guard",
    "GuardReport": "guarding.report",
    "HttpChat": "evaluation.http_chat",
    "InProcessChat": "evaluation.chat",
    "ItemType": "speech.evaluation",
    "Judge": "judging.judge",
    "Judgement": "judging.judge",
    "LanguageModel": "models.protocol",
    "LedgerBuilder": "ledger.build",
    "LedgerEntry": "ledger.entry",
    "LedgerFile": "ledger.wire",
    "LedgerVerification": "ledger.verification",
    "Match": "validation.results",
    "MatchType": "validation.results",
    "Message": "models.protocol",
    "MissingExtraError": "errors",
    "ModelError": "errors",
    "ModelJudge": "judging.model_judge",
    "ModelReply": "models.protocol",
    "ModelRequest": "models.protocol",
    "ModelSettings": "models.settings",
    "ModelUnavailable": "errors",
    "Moment": "sources.transcript",
    "NliJudge": "judging.nli",
    "NoDocumentsError": "errors",
    "OnFail": "guarding.report",
    "OpenAICompatibleModel": "models.openai_compatible",
    "OperatingPoint": "judging.judge",
    "Outcome": "validation.timed",
    "OutputError": "errors",
    "Page": "sources.document",
    "PolicyAnswer": "answering.answer",
    "PolicyAnswerer": "answering.answerer",
    "PolicyIndex": "answering.index.policy_index",
    "Precision": "sources.transcript",
    "ProcessingError": "errors",
    "PublicEvaluation": "speech.results",
    "Role": "models.protocol",
    "Rubric": "scoring.rubric",
    "RubricScorer": "scoring.scorer",
    "Rule": "validation.differences",
    "Scorecard": "scoring.scorecard",
    "ScriptedModel": "models.scripted",
    "Section": "sources.document",
    "SourceLimits": "sources.document",
    "Span": "sources.document",
    "SpeechEvaluation": "speech.results",
    "Status": "validation.results",
    "Store": "store.store",
    "StoreError": "errors",
    "StoreUnavailable": "errors",
    "StructuredEvaluation": "speech.evaluation",
    "TextFragments": "ledger.text_fragments",
    "TimedCheck": "validation.timed",
    "TimedQuote": "validation.timed",
    "TimedQuoteChecker": "validation.timed",
    "TimedQuotePolicy": "validation.timed",
    "TimedQuoteResult": "validation.timed",
    "TooManyJobsError": "errors",
    "Transcript": "sources.transcript",
    "UngroundedError": "errors",
    "ValidationConfig": "validation.config",
    "ValidationError": "errors",
    "ValidationReport": "validation.results",
    "Validator": "validation.validator",
    "Verdict": "judging.verdict",
    "VeridicalError": "errors",
    "annotate_pdf": "ledger.export.annotated_pdf",
    "build_ledger": "ledger.build",
    "check": "ledger.grounding",
    "check_answer": "ledger.grounding",
    "check_quotes": "ledger.grounding",
    "check_given_citations": "ledger.verify_given",
    "check_timed_quote": "validation.timed",
    "document_from_text": "sources.loader",
    "evidence_pack": "ledger.export.pack",
    "export_citations": "ledger.export.forms",
    "export_ledger": "ledger.export.forms",
    "grounded": "guarding.guard",
    "ledger_file_from_bytes": "ledger.wire",
    "ledger_from_bytes": "ledger.wire",
    "ledger_to_bytes": "ledger.wire",
    "load_document": "sources.loader",
    "load_document_bytes": "sources.loader",
    "load_documents": "sources.loader",
    "load_rubric": "scoring.rubrics.file",
    "load_transcript": "sources.transcripts.loader",
    "parse_claims": "validation.claims",
    "read_cited": "ledger.wire_given",
    "read_originals": "ledger.export.originals",
    "read_questions": "evaluation.questions",
    "resolve_citation": "ledger.citations",
    "run_questions": "evaluation.runner",
    "scorecard_from_bytes": "scoring.wire",
    "scorecard_to_bytes": "scoring.wire",
    "summarise": "evaluation.summary",
    "transcript_from_text": "sources.transcripts.loader",
    "verify_ledger": "ledger.verify",
}

__all__ = [
    "Alteration",
    "AlterationKind",
    "Case",
    "CheckOutcome",
    "CitationForm",
    "Claim",
    "ClaimResult",
    "ConfigurationError",
    "ConflictError",
    "Corpus",
    "CriterionVerdict",
    "Decision",
    "Document",
    "DocumentParsingError",
    "Embedder",
    "EntryReview",
    "EvalRun",
    "EvaluationGenerator",
    "EvaluationItem",
    "EvidenceLedger",
    "EvidenceType",
    "ExportForm",
    "FailureReason",
    "Fidelity",
    "FinishReason",
    "Format",
    "Grounding",
    "GroundingChecker",
    "GroundingOutcome",
    "Guard",
    "GuardReport",
    "HttpChat",
    "InProcessChat",
    "ItemType",
    "Judge",
    "Judgement",
    "LanguageModel",
    "LedgerBuilder",
    "LedgerEntry",
    "LedgerFile",
    "LedgerVerification",
    "Match",
    "MatchType",
    "Message",
    "MissingExtraError",
    "ModelError",
    "ModelJudge",
    "ModelReply",
    "ModelRequest",
    "ModelSettings",
    "ModelUnavailable",
    "Moment",
    "NliJudge",
    "NoDocumentsError",
    "OnFail",
    "OpenAICompatibleModel",
    "OperatingPoint",
    "Outcome",
    "OutputError",
    "Page",
    "PolicyAnswer",
    "PolicyAnswerer",
    "PolicyIndex",
    "Precision",
    "ProcessingError",
    "PublicEvaluation",
    "ReaderJudge",
    "Role",
    "Rubric",
    "RubricScorer",
    "Rule",
    "Scorecard",
    "ScriptedModel",
    "Section",
    "SourceLimits",
    "Span",
    "SpeechEvaluation",
    "Status",
    "Store",
    "StoreError",
    "StoreUnavailable",
    "StructuredEvaluation",
    "TextFragments",
    "TimedCheck",
    "TimedQuote",
    "TimedQuoteChecker",
    "TimedQuotePolicy",
    "TimedQuoteResult",
    "TooManyJobsError",
    "Transcript",
    "UngroundedError",
    "ValidationConfig",
    "ValidationError",
    "ValidationReport",
    "Validator",
    "Verdict",
    "VeridicalError",
    "annotate_pdf",
    "build_ledger",
    "check",
    "check_answer",
    "check_given_citations",
    "check_quotes",
    "check_timed_quote",
    "document_from_text",
    "evidence_pack",
    "export_citations",
    "export_ledger",
    "grounded",
    "ledger_file_from_bytes",
    "ledger_from_bytes",
    "ledger_to_bytes",
    "load_document",
    "load_document_bytes",
    "load_documents",
    "load_rubric",
    "load_transcript",
    "parse_claims",
    "read_cited",
    "read_originals",
    "read_questions",
    "resolve_citation",
    "run_questions",
    "scorecard_from_bytes",
    "scorecard_to_bytes",
    "summarise",
    "transcript_from_text",
    "verify_ledger",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'veridical' has no attribute {name!r}")
    value = getattr(import_module(f"veridical.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
