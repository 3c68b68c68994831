"""Claims: how they come in, and the errors that name the place."""

from __future__ import annotations

from typing import Any

import pytest

from veridical import Claim, EvidenceType, ValidationError, parse_claims

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


@pytest.mark.parametrize("length", [10, 2000])
def test_lengths_at_the_bounds(length: int) -> None:
    assert len(parse({**LEAST, "quote": "\U0001f600" * length})[0].quote) == length


@pytest.mark.parametrize(
    ("change", "path", "constraint", "message"),
    [
        ({"quote": "x" * 2001}, "claims[1].quote", "maxLength", "it must have at most 2000 char"),
        ({"quote": "x" * 9}, "claims[1].quote", "minLength", "has 9 characters"),
        ({"id": "1"}, "claims[1].id", "pattern", '"1" does not match'),
        ({"id": "EV1\n"}, "claims[1].id", "pattern", "does not match"),
        ({"evidence_type": "verse"}, "claims[1].evidence_type", "enum", '"verse" is not one of'),
        ({"evidence_type": "y" * 100_000}, "claims[1].evidence_type", "enum", "is not one of"),
    ],
)
def test_what_does_not_fit_is_named(
    change: dict[str, Any], path: str, constraint: str, message: str
) -> None:
    with pytest.raises(ValidationError) as caught:
        parse({**LEAST, "id": "EV1"}, {**LEAST, **change})
    assert message in str(caught.value)
    assert f"{path}: " in str(caught.value)
    assert (caught.value.details["path"], caught.value.details["constraint"]) == (path, constraint)
    assert len(caught.value.details["value"]) < 70
    assert len(str(caught.value)) < 500


def test_several_faults_are_told_at_once() -> None:
    with pytest.raises(ValidationError) as caught:
        parse({**LEAST, "id": "1"}, {**LEAST, "task_id": "2"}, {"id": "EV3"})
    for path in ("claims[0].id", "claims[1].task_id", "claims[2]"):
        assert path in str(caught.value)


def test_ids_are_unique() -> None:
    with pytest.raises(ValidationError, match="used more than once: EV2, EV7"):
        parse(*({**LEAST, "id": i} for i in ("EV7", "EV1", "EV2", "EV7", "EV2")))


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
