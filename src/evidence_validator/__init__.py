"""The validator under the name that its specification gives it. All logic is in `veridical`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from veridical.errors import (
    ConfigurationError,
    DocumentParsingError,
    ProcessingError,
    ValidationError,
    VeridicalError,
)
from veridical.validation.validator import validate_evidence as _validate_evidence

EvidenceValidatorError = VeridicalError

__all__ = [
    "ConfigurationError",
    "DocumentParsingError",
    "EvidenceValidatorError",
    "ProcessingError",
    "ValidationError",
    "validate_evidence",
]


def validate_evidence(
    source_document: str,
    evidence_claims: Mapping[str, Any] | Sequence[Mapping[str, Any]],
    validation_config: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Check that the claims' quotes stand in a document.

    `source_document` is Markdown, HTML or plain text. `evidence_claims` is data in the form of the
    schema `evidence_claims`, or its list of claims alone. The result has the form of the schema
    `evidence_validation`; positions are code points of `source_document`.

    Raises ValidationError for claims that do not fit their schema or limits, DocumentParsingError
    for a document that cannot be read, ConfigurationError for a wrong configuration.
    """
    return _validate_evidence(source_document, evidence_claims, validation_config)
