"""The shipped schemas: what the specification states, and that every result fits."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest

from veridical import AlterationKind, EvidenceType, FailureReason, Fidelity, MatchType, Rule, Status
from veridical.validation.schemas import load_schema


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
    ("schema", "name", "kind"),
    [
        ("evidence_validation", "fidelity", Fidelity),
        ("evidence_validation", "rules", Rule),
        ("evidence_validation", "kind", AlterationKind),
        ("evidence_validation", "failure_reason", FailureReason),
        ("evidence_validation", "match_type", MatchType),
        ("evidence_claims", "evidence_type", EvidenceType),
    ],
)
def test_the_schemas_know_all_values(schema: Any, name: str, kind: Any) -> None:
    listed = enums(load_schema(schema), name)
    assert listed
    for values in listed:
        assert set(values) == {member.value for member in kind}


def test_the_result_schema_knows_all_statuses() -> None:
    assert set(enums(load_schema("evidence_validation"), "validation_status")[0]) == set(Status)
