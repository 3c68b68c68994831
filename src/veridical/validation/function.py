"""The whole validation as one function, as the specification has it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from veridical.errors import DocumentParsingError, ProcessingError, ValidationError, VeridicalError
from veridical.sources.document import Document, Format, SourceLimits
from veridical.sources.loader import document_from_text
from veridical.validation.claims import parse_claims
from veridical.validation.config import BYTES_PER_MB, ValidationConfig
from veridical.validation.validator import Validator

BYTE_ORDER_MARK = "\ufeff"


def validate_evidence(
    source_document: str,
    evidence_claims: Mapping[str, Any] | Sequence[Mapping[str, Any]],
    validation_config: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """See `evidence_validator.validate_evidence`."""
    config = ValidationConfig.from_mapping(validation_config)
    listed = isinstance(evidence_claims, (list, tuple))
    data = {"claims": list(evidence_claims)} if listed else evidence_claims
    claims = parse_claims(data, max_claims=config.performance_limits.max_claims)
    document = _document(source_document, data, config)
    try:
        return Validator([document], config).validate(claims).to_dict()
    except VeridicalError:
        raise
    except (MemoryError, RecursionError) as error:
        raise ProcessingError(
            f"the validation could not be finished: {type(error).__name__}. Use a smaller document "
            "or fewer claims."
        ) from error


def _document(text: str, data: object, config: ValidationConfig) -> Document:
    if not isinstance(text, str):
        raise DocumentParsingError(
            f"source_document must be text, got {type(text).__name__}. Decode it first, or load a "
            "file with veridical.load_document."
        )
    if not text.strip():
        raise DocumentParsingError("source_document is empty; there is nothing to check against")
    limit = config.performance_limits
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > limit.max_document_bytes:
        raise ValidationError(
            f"source_document has {size / BYTES_PER_MB:.2f} MB, the limit is "
            f"{limit.max_document_size_mb} MB. Split it, or raise "
            "performance_limits.max_document_size_mb in the configuration.",
            {"path": "source_document", "value": size, "constraint": "max_document_size_mb"},
        )
    metadata = data.get("source_metadata", {}) if isinstance(data, Mapping) else {}
    stated = metadata.get("format")
    limits = SourceLimits(max_bytes=size, max_text_chars=max(size, 1))
    if text.startswith(BYTE_ORDER_MARK):
        # A space in its place keeps every position a position of the given text.
        text = " " + text.removeprefix(BYTE_ORDER_MARK)
    return document_from_text(
        text,
        metadata.get("filename") or "source_document",
        Format(stated) if stated else None,
        limits=limits,
    )
