"""`evidence_validator.validate_evidence`: the specification's own cases, and its edges."""

from __future__ import annotations

import math
from typing import Any

import pytest

from evidence_validator import (
    ConfigurationError,
    DocumentParsingError,
    EvidenceValidatorError,
    ProcessingError,
    ValidationError,
    validate_evidence,
)
from veridical import Claim, EvidenceType, VeridicalError, parse_claims

# --- the four cases of the specification, sections 5.1 to 5.4, as written there -------------------


def validated(source: str, quote: str, kind: str, threshold: float = 0.8) -> dict[str, Any]:
    claim = {
        "id": "EV001",
        "task_id": "P1.T001",
        "quote": quote,
        "evidence_type": kind,
        "confidence_threshold": threshold,
    }
    result = validate_evidence(source, {"claims": [claim]})
    assert result["ok"] is True
    return result


def test_exact_match_validation() -> None:
    source_doc = """
    # Project Requirements
    
    The system must implement user authentication with OAuth 2.0 protocol.
    All API endpoints should return JSON responses with appropriate status codes.
    The database schema must support user roles and permissions.
    """  # noqa: W293
    quote = "implement user authentication with OAuth 2.0 protocol"
    (claim,) = validated(source_doc, quote, "direct_quote")["validated_claims"]
    assert claim["validation_status"] == "VALIDATED"
    assert claim["confidence_score"] == 1.0
    assert claim["match_details"]["match_type"] == "exact"


def test_fuzzy_match_validation() -> None:
    source_doc = """
    The application needs to support user authentication using OAuth 2.0.
    """
    quote = "application must implement OAuth 2.0 authentication"
    (claim,) = validated(source_doc, quote, "paraphrase", 0.7)["validated_claims"]
    assert claim["validation_status"] in ["VALIDATED", "LOW_CONFIDENCE"]
    assert claim["match_details"]["match_type"] == "fuzzy"
    assert claim["confidence_score"] > 0.7


def test_evidence_not_found() -> None:
    source_doc = """
    The system will use PostgreSQL database.
    Users can create accounts and login.
    """
    result = validated(source_doc, "implement microservices architecture", "direct_quote")
    (claim,) = result["failed_claims"]
    assert claim["failure_reason"] == "NOT_FOUND"
    assert result["validation_summary"]["validation_rate"] == 0.0


def test_ambiguous_matches() -> None:
    source_doc = """
    # Section 1
    Users need to authenticate with the system.
    
    # Section 2  
    The authentication system must be secure.
    
    # Section 3
    Authentication should use industry standards.
    """  # noqa: W291, W293
    (claim,) = validated(source_doc, "authentication", "concept_reference")["validated_claims"]
    assert claim["validation_status"] == "AMBIGUOUS"
    assert len(claim["alternative_matches"]) > 1
    places = [claim["match_details"]["start_position"]]
    places += [match["position"] for match in claim["alternative_matches"]]
    assert len(set(places)) == len(places)  # distinct places, never one place twice


# --- what goes in ---------------------------------------------------------------------------------

TEXT = "Staff get twenty-five days of leave a year."
CLAIM = {
    "id": "EV1",
    "task_id": "P1.T1",
    "quote": "Staff get twenty-five days",
    "evidence_type": "direct_quote",
}


@pytest.mark.parametrize(
    "claims", [{"claims": [CLAIM]}, [CLAIM], (CLAIM,), {"claims": (CLAIM,), "more": 1}]
)
def test_claims_may_come_with_their_envelope_or_without(claims: Any) -> None:
    result = validate_evidence(TEXT, claims)
    assert result["validation_summary"]["validated_claims"] == 1


@pytest.mark.parametrize(
    ("claims", "path", "message"),
    [
        (None, "(top)", 'null is not of type "object"'),
        ("claims", "(top)", '"claims" is not of type "object"'),
        ({"claims": []}, "claims", "[] has less than 1 item"),
        ([{**CLAIM, "quote": "short"}], "claims[0].quote", '"short" has 5 characters'),
        ([{**CLAIM, "quote": None}], "claims[0].quote", 'null is not of type "string"'),
        ([{**CLAIM, "quote": b"bytes of a quote"}], "(top)", "Unsupported type: 'bytes'"),
        ([{**CLAIM, "confidence_threshold": math.nan}], "claims[0].confidence_threshold", "NaN"),
        ([{**CLAIM, "confidence_threshold": math.inf}], "claims[0].confidence_threshold", "Infin"),
        ([{**CLAIM, "source": ""}], "claims[0].source", '"" has 0 characters'),
        ([{**CLAIM, "id": i} for i in ("EV7", "EV1", "EV7")], "claims", "than once: EV7"),
        ([CLAIM, {**CLAIM, "quote": "x" * 2001}], "claims[1].quote", "it must have at most 2000"),
        ([{**CLAIM, "id": "1"}], "claims[0].id", '"1" does not match'),
        ([{**CLAIM, "id": "EV1\n"}], "claims[0].id", "does not match"),
        ([{**CLAIM, "evidence_type": "y" * 100_000}], "claims[0].evidence_type", "is not one of"),
    ],
)
def test_claims_that_do_not_fit(claims: Any, path: str, message: str) -> None:
    with pytest.raises(ValidationError) as caught:
        validate_evidence(TEXT, claims)
    assert message in str(caught.value)
    assert caught.value.details["path"] == path
    assert set(caught.value.details) == {"path", "value", "constraint"}
    assert len(caught.value.details["value"]) < 70
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ("", "source_document is empty"),
        (" \n\t", "source_document is empty"),
        (None, "source_document must be text, got NoneType"),
        (b"bytes", "source_document must be text, got bytes. Decode it first"),
    ],
)
def test_documents_that_cannot_be_used(document: Any, message: str) -> None:
    with pytest.raises(DocumentParsingError, match=message):
        validate_evidence(document, [CLAIM])


def test_limits_of_the_configuration() -> None:
    config = {"performance_limits": {"max_document_size_mb": 0.00001}}
    with pytest.raises(ValidationError, match=r"raise performance_limits\.max_document_size_mb"):
        validate_evidence(TEXT, [CLAIM], config)
    config = {"performance_limits": {"max_claims": 1}}
    with pytest.raises(ValidationError, match="2 claims, the limit is 1"):
        validate_evidence(TEXT, [CLAIM, {**CLAIM, "id": "EV2"}], config)
    with pytest.raises(ConfigurationError, match="less than or equal to the minimum of 0"):
        validate_evidence(TEXT, [CLAIM], {"performance_limits": {"max_document_size_mb": 0}})


def test_metadata_names_the_document_and_its_format() -> None:
    text = "<p>Staff get <b>twenty-five</b> days of leave.</p>"
    metadata = {"filename": "leave.html", "format": "html"}
    claims = {"claims": [{**CLAIM, "source": "leave.html"}], "source_metadata": metadata}
    result = validate_evidence(text, claims)
    assert result["documents"][0] | {"sha256": ""} == {
        "name": "leave.html",
        "format": "html",
        "sha256": "",
        "size_bytes": len(text),
        "line_count": 1,
        "section_count": 0,
    }
    match = result["validated_claims"][0]["match_details"]
    assert text[match["start_position"] : match["end_position"]] == match["matched_text"]
    assert match["matched_text"] == "Staff get <b>twenty-five</b> days"
    metadata["format"] = "plain_text"
    assert validate_evidence(text, claims)["validation_summary"]["validated_claims"] == 0


def test_positions_count_a_byte_order_mark_that_the_text_still_has() -> None:
    text = "\ufeff" + TEXT
    details = validate_evidence(text, [CLAIM])["validated_claims"][0]["match_details"]
    assert details["start_position"] == 1
    assert text[details["start_position"] : details["end_position"]] == details["matched_text"]


# --- the errors -----------------------------------------------------------------------------------


def test_the_specified_errors_share_one_base() -> None:
    assert EvidenceValidatorError is VeridicalError
    for error in (ValidationError, DocumentParsingError, ConfigurationError, ProcessingError):
        assert issubclass(error, EvidenceValidatorError)
    assert ValidationError("message").details == {}
    assert ValidationError("message", {"path": "x"}).details == {"path": "x"}
    assert DocumentParsingError("message", "pdf").document_format == "pdf"


# --- claims that a program makes ------------------------------------------------------------------

FULL = {
    "id": "EV007",
    "task_id": "P12.T003",
    "quote": "Staff get twenty-five days",
    "evidence_type": "paraphrase",
    "source": "leave.md",
    "context_hint": "yearly",
    "expected_section": "2 Leave",
    "confidence_threshold": 0.5,
}
LEAST = {key: FULL[key] for key in ("id", "task_id", "quote", "evidence_type")}


def parse(*claims: dict[str, Any]) -> tuple[Claim, ...]:
    return parse_claims({"claims": list(claims)}, max_claims=10)


def test_all_fields_are_read_and_unknown_ones_are_left_alone() -> None:
    assert parse({**FULL, "comment": "from the model"}) == (
        Claim(
            id="EV007",
            quote="Staff get twenty-five days",
            evidence_type=EvidenceType.PARAPHRASE,
            task_id="P12.T003",
            source="leave.md",
            context_hint="yearly",
            expected_section="2 Leave",
            confidence_threshold=0.5,
        ),
    )


def test_defaults() -> None:
    assert parse(LEAST) == (
        Claim("EV007", "Staff get twenty-five days", EvidenceType.PARAPHRASE, "P12.T003"),
    )
    claim = Claim("any id", "any words")
    assert (claim.source, claim.context_hint, claim.expected_section) == (None, None, None)
    assert (claim.confidence_threshold, claim.evidence_type) == (0.8, EvidenceType.DIRECT_QUOTE)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"quote": ""}, "the quote is empty"),
        ({"quote": "x" * 2001}, "the quote has 2,001 characters, the limit is 2,000"),
        ({"quote": "x", "confidence_threshold": 1.1}, "must lie between 0 and 1, got 1.1"),
        ({"quote": "x", "confidence_threshold": float("nan")}, "must lie between 0 and 1, got nan"),
    ],
)
def test_a_claim_made_in_a_program_keeps_the_bounds(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        Claim("EV1", **fields)
