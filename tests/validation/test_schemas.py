"""The shipped schemas: what the specification states, and that every result fits."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest

from veridical import AlterationKind, EvidenceType, FailureReason, Fidelity, MatchType, Rule, Status
from veridical.validation.schemas import load_schema

TEXT = {"type": "string"}
WHOLE = {"type": "integer"}
COUNT = {"type": "integer", "minimum": 0}
RATE = {"type": "number", "minimum": 0.0, "maximum": 1.0}
TEXTS = {"type": "array", "items": TEXT}


def record(required: list[str] | None = None, **properties: Any) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    return {**schema, "required": required} if required else schema


def several(items: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "array", "items": items, **more}


def one_of(*values: str) -> dict[str, Any]:
    return {"type": "string", "enum": list(values)}


# Section 2.1 of the specification, descriptions left out.
CLAIMS = record(
    ["claims"],
    source_metadata=record(
        filename=TEXT,
        format=one_of("markdown", "plain_text", "html"),
        encoding={"type": "string", "default": "utf-8"},
    ),
    claims=several(
        record(
            ["id", "task_id", "quote", "evidence_type"],
            id={"type": "string", "pattern": r"^EV\d+$"},
            task_id={"type": "string", "pattern": r"^P\d+\.T\d+$"},
            quote={"type": "string", "minLength": 10, "maxLength": 2000},
            evidence_type=one_of(
                "direct_quote", "paraphrase", "section_reference", "concept_reference"
            ),
            context_hint=TEXT,
            expected_section=TEXT,
            confidence_threshold={**RATE, "default": 0.8},
        ),
        minItems=1,
        maxItems=1000,
    ),
)

# Section 2.2.
RESULT = record(
    ["ok", "generated", "validation_summary"],
    ok={"type": "boolean"},
    errors=several(
        record(
            ["code", "message"],
            code=one_of("VALIDATION_ERROR", "DOCUMENT_PARSING_ERROR", "PROCESSING_ERROR"),
            message=TEXT,
            details={"type": "object"},
            affected_claims=TEXTS,
        )
    ),
    warnings=several(record(code=TEXT, message=TEXT, claim_id=TEXT)),
    generated=record(
        ["by", "timestamp", "contentHash"],
        by=TEXT,
        timestamp={"type": "string", "format": "date-time"},
        contentHash={"type": "string", "pattern": "^[a-f0-9]{64}$"},
    ),
    document_metadata=record(
        size_bytes=WHOLE,
        line_count=WHOLE,
        section_count=WHOLE,
        estimated_reading_time_minutes={"type": "number"},
    ),
    validation_summary=record(
        ["total_claims", "validated_claims", "failed_claims"],
        total_claims=COUNT,
        validated_claims=COUNT,
        failed_claims=COUNT,
        ambiguous_claims=COUNT,
        average_confidence=RATE,
        validation_rate=RATE,
    ),
    validated_claims=several(
        record(
            ["claim_id", "validation_status", "confidence_score"],
            claim_id=TEXT,
            validation_status=one_of("VALIDATED", "FAILED", "AMBIGUOUS", "LOW_CONFIDENCE"),
            confidence_score=RATE,
            match_details=record(
                match_type=one_of("exact", "fuzzy", "semantic", "contextual"),
                start_position=WHOLE,
                end_position=WHOLE,
                line_number=WHOLE,
                section=TEXT,
                matched_text=TEXT,
                similarity_score={"type": "number"},
                edit_distance=WHOLE,
            ),
            alternative_matches=several(
                record(matched_text=TEXT, confidence_score={"type": "number"}, position=WHOLE)
            ),
        )
    ),
    failed_claims=several(
        record(
            ["claim_id", "failure_reason"],
            claim_id=TEXT,
            failure_reason=one_of(
                "NOT_FOUND", "LOW_CONFIDENCE", "MULTIPLE_MATCHES", "CONTEXT_MISMATCH"
            ),
            attempted_matches=several(
                record(
                    candidate_text=TEXT,
                    confidence_score={"type": "number"},
                    rejection_reason=TEXT,
                )
            ),
            suggestions=TEXTS,
        )
    ),
)


def without_words(schema: Any) -> Any:
    """A schema without descriptions and titles of schemas."""
    if isinstance(schema, list):
        return [without_words(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    words = ("description", "title", "$schema") if isinstance(schema.get("type"), str) else ()
    return {key: without_words(value) for key, value in schema.items() if key not in words}


def test_the_claims_schema_is_the_specified_one_and_a_source() -> None:
    shipped = without_words(load_schema("evidence_claims"))
    claim = shipped["properties"]["claims"]["items"]["properties"]
    assert claim.pop("source") == {"type": "string", "minLength": 1}
    assert shipped == CLAIMS


def missing(specified: Any, shipped: Any, path: str = "") -> list[str]:
    """Places where a schema states less or other than the specified one."""
    if isinstance(specified, dict):
        if not isinstance(shipped, dict):
            return [path]
        return [
            place
            for key, value in specified.items()
            for place in missing(value, shipped.get(key), f"{path}/{key}")
        ]
    return [] if specified == shipped else [path]


TIMES = {"start_seconds", "end_seconds", "time_precision", "speakers"}
ADDITIONS = {
    "properties": {"documents"},
    "properties/validation_summary/properties": {"low_confidence_claims"},
    "properties/failed_claims/items/properties": {
        *("task_id", "evidence_type", "quote", "validation_status", "confidence_score"),
        *("fidelity", "rules", "alterations", "diff", "found_at"),
    },
    "properties/validated_claims/items/properties": {
        *("task_id", "evidence_type", "quote"),
        *("fidelity", "rules", "alterations", "diff", "suggestions"),
    },
    "properties/validated_claims/items/properties/match_details/properties": {
        *("document", "page", "section_path", "context_score", "confidence_score", "selectors"),
        *TIMES,
    },
    "properties/validated_claims/items/properties/alternative_matches/items/properties": {
        *("document", "end_position", "line_number", "match_type"),
        *TIMES,
    },
    "properties/failed_claims/items/properties/attempted_matches/items/properties": {
        *("document", "position", "end_position", "line_number"),
    },
}


def at(schema: Any, path: str) -> set[str]:
    for part in path.split("/"):
        schema = schema[part]
    return set(schema)


def test_the_result_schema_is_the_specified_one_and_the_stated_additions() -> None:
    shipped = load_schema("evidence_validation")
    assert missing(RESULT, shipped) == []
    for path, added in ADDITIONS.items():
        assert at(shipped, path) - at(RESULT, path) == added
    assert shipped["required"] == RESULT["required"]


def test_the_schemas_are_schemas() -> None:
    for name in ("evidence_claims", "evidence_validation", "validation_config"):
        schema = load_schema(name)  # type: ignore[arg-type]
        assert schema["$schema"] == "http://json-schema.org/draft-07/schema#"
        jsonschema.Draft7Validator.check_schema(schema)


def enums(schema: Any, name: str) -> list[list[str]]:
    """All lists of values that the schema gives for properties of that name."""
    if isinstance(schema, list):
        return [found for part in schema for found in enums(part, name)]
    if not isinstance(schema, dict):
        return []
    found = [found for part in schema.values() for found in enums(part, name)]
    rule = schema.get("properties", {}).get(name, {})
    rule = rule.get("items", rule)
    return [*found, rule["enum"]] if "enum" in rule else found


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("fidelity", Fidelity),
        ("rules", Rule),
        ("kind", AlterationKind),
        ("failure_reason", FailureReason),
        ("match_type", MatchType),
    ],
)
def test_the_result_schema_knows_all_values(name: str, kind: Any) -> None:
    listed = enums(load_schema("evidence_validation"), name)
    assert listed
    for values in listed:
        assert set(values) == {member.value for member in kind}


def test_the_statuses_and_types_are_those_of_the_schemas() -> None:
    result, claims = load_schema("evidence_validation"), load_schema("evidence_claims")
    assert set(enums(result, "validation_status")[0]) == set(Status)
    assert enums(claims, "evidence_type") == [list(EvidenceType)]
