r"""Veridical: every claim, traced to the words it rests on.

>>> from veridical import Validator, document_from_text
>>> policy = document_from_text("# Leave\n\nStaff get *25 days* of leave a year.", "handbook.md")
>>> result = Validator([policy]).check("Staff get 25 days")
>>> result.status, result.fidelity, result.match.shown, result.match.line
(<Status.VALIDATED: 'VALIDATED'>, <Fidelity.NORMALISED: 'normalised'>, 'Staff get 25 days', 3)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from veridical.errors import (
        ConfigurationError,
        DocumentParsingError,
        MissingExtraError,
        NoDocumentsError,
        OutputError,
        ProcessingError,
        ValidationError,
        VeridicalError,
    )
    from veridical.matching.embeddings import Embedder
    from veridical.matching.match import Match, MatchType
    from veridical.sources.document import Document, Format, Page, Section
    from veridical.sources.limits import SourceLimits
    from veridical.sources.loader import (
        document_from_text,
        load_document,
        load_document_bytes,
        load_documents,
    )
    from veridical.sources.span import Span
    from veridical.validation.claims import Claim, EvidenceType, parse_claims
    from veridical.validation.config import ValidationConfig
    from veridical.validation.differences import Alteration, AlterationKind, Rule
    from veridical.validation.results import (
        ClaimResult,
        FailureReason,
        Fidelity,
        Status,
        ValidationReport,
    )
    from veridical.validation.validator import Validator

__version__ = "0.1.0"

# Each name is imported when it is first used: `veridical --help` must not load numpy.
_HOMES = {
    "Alteration": "validation.differences",
    "AlterationKind": "validation.differences",
    "Claim": "validation.claims",
    "ClaimResult": "validation.results",
    "ConfigurationError": "errors",
    "Document": "sources.document",
    "DocumentParsingError": "errors",
    "Embedder": "matching.embeddings",
    "EvidenceType": "validation.claims",
    "FailureReason": "validation.results",
    "Fidelity": "validation.results",
    "Format": "sources.document",
    "Match": "matching.match",
    "MatchType": "matching.match",
    "MissingExtraError": "errors",
    "NoDocumentsError": "errors",
    "OutputError": "errors",
    "Page": "sources.document",
    "ProcessingError": "errors",
    "Rule": "validation.differences",
    "Section": "sources.document",
    "SourceLimits": "sources.limits",
    "Span": "sources.span",
    "Status": "validation.results",
    "ValidationConfig": "validation.config",
    "ValidationError": "errors",
    "ValidationReport": "validation.results",
    "Validator": "validation.validator",
    "VeridicalError": "errors",
    "document_from_text": "sources.loader",
    "load_document": "sources.loader",
    "load_document_bytes": "sources.loader",
    "load_documents": "sources.loader",
    "parse_claims": "validation.claims",
}

__all__ = [
    "Alteration",
    "AlterationKind",
    "Claim",
    "ClaimResult",
    "ConfigurationError",
    "Document",
    "DocumentParsingError",
    "Embedder",
    "EvidenceType",
    "FailureReason",
    "Fidelity",
    "Format",
    "Match",
    "MatchType",
    "MissingExtraError",
    "NoDocumentsError",
    "OutputError",
    "Page",
    "ProcessingError",
    "Rule",
    "Section",
    "SourceLimits",
    "Span",
    "Status",
    "ValidationConfig",
    "ValidationError",
    "ValidationReport",
    "Validator",
    "VeridicalError",
    "document_from_text",
    "load_document",
    "load_document_bytes",
    "load_documents",
    "parse_claims",
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
