"""Verdicts on paraphrases, concepts and references to sections."""

from __future__ import annotations

from typing import Any

import pytest
from tests.validation.verdicts import check

from veridical import (
    EvidenceType,
    FailureReason,
    Format,
    MatchType,
    Status,
    ValidationConfig,
    Validator,
    document_from_text,
)

SOURCE = """# 1 Leave

Employees receive twenty-five days of paid leave in each calendar year.

# 2 Travel

## 2.1 Trains

Second class is booked for train journeys of less than two hours.

# 3 Security

The authentication system must be secure. Passwords expire after a season.

# Appendix A

Forms.

# Meals & Rest

Soup.
"""

PARAPHRASE = EvidenceType.PARAPHRASE
SECTION = EvidenceType.SECTION_REFERENCE


def test_a_paraphrase_in_other_order_is_found_by_its_words() -> None:
    result = check(
        SOURCE,
        "In each calendar year employees receive twenty-five days of paid leave",
        Format.MARKDOWN,
        evidence_type=PARAPHRASE,
    )
    assert result.status is Status.VALIDATED
    assert result.match is not None
    assert result.match.match_type is MatchType.FUZZY
    assert result.match.section is not None
    assert result.match.section.title == "1 Leave"


def test_words_all_over_a_long_passage_are_no_paraphrase() -> None:
    words = "the lender pays a fee to the borrower before the term ends in spring".split()
    scattered = ", ".join(f"{word} and much more of that sort of thing" for word in words)
    result = check(scattered, " ".join(words), evidence_type=PARAPHRASE)
    assert result.status is not Status.VALIDATED


def test_a_damaged_quote_is_placed_exactly_inside_a_long_passage() -> None:
    noise = "and the rain fell on the roof of the mill while the men and the boys slept "
    damaged = "tho oid lamplightar walksd home a1ong the river with his iadder"
    source = noise * 6 + damaged + " " + noise * 6
    result = check(
        source,
        "the old lamplighter walked home along the river with his ladder",
        evidence_type=PARAPHRASE,
        confidence_threshold=0.5,
    )
    assert result.match is not None
    assert result.match.text == damaged


@pytest.mark.parametrize(
    ("reference", "title"),
    [
        ("Section 2.1", "2.1 Trains"),
        ("§ 2.1", "2.1 Trains"),
        ("the Trains section", "2.1 Trains"),
        ("Section 3: Security", "3 Security"),
        ("2 Travel", "2 Travel"),
        ("SECURITY", "3 Security"),
        ("Train", "2.1 Trains"),
        ("Appendix A", "Appendix A"),
        ("Meals and Rest", "Meals & Rest"),
        ("the meals & rest chapter", "Meals & Rest"),
    ],
)
def test_a_reference_names_a_section(reference: str, title: str) -> None:
    result = check(SOURCE, reference, Format.MARKDOWN, evidence_type=SECTION)
    assert result.status is Status.VALIDATED
    assert result.match is not None
    assert result.match.section is not None
    assert result.match.section.title == title


@pytest.mark.parametrize("reference", ["Section 2.1: Aeroplanes", "Section 2.2", "Section 21"])
def test_a_reference_to_another_number_or_title_is_not_validated(reference: str) -> None:
    result = check(SOURCE, reference, Format.MARKDOWN, evidence_type=SECTION)
    assert result.status is not Status.VALIDATED


def test_the_expected_section_decides_for_paraphrases_too() -> None:
    claim = "Employees receive twenty-five days of paid leave in each calendar year"
    result = check(
        SOURCE, claim, Format.MARKDOWN, evidence_type=PARAPHRASE, expected_section="Travel"
    )
    assert (result.status, result.reason) == (Status.FAILED, FailureReason.CONTEXT_MISMATCH)
    assert result.found_at is not None


# --- what is read ---------------------------------------------------------------------------------

KITCHEN = (
    "The canteen is on the first floor. The kitchen refrigerator is emptied each Friday afternoon. "
    "Lunch is served from noon."
)
CAMERAS = (
    "CCTV images of accidents and break-ins are saved for 90 days; all other images are "
    "overwritten after 30 days. Cameras do not record sound."
)


@pytest.mark.parametrize("kind", [PARAPHRASE, EvidenceType.CONCEPT_REFERENCE])
def test_a_claim_in_own_words_is_found_by_its_sense(kind: EvidenceType) -> None:
    result = check(KITCHEN, "The fridge in the kitchen is cleared every Friday", evidence_type=kind)
    assert (result.status, result.fidelity) == (Status.VALIDATED, None)
    assert result.match is not None
    assert result.match.match_type is MatchType.SEMANTIC
    assert result.match.text == "The kitchen refrigerator is emptied each Friday afternoon."
    assert result.confidence >= 0.8


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        (CAMERAS, "CCTV images of all events are saved for 90 days"),
        (CAMERAS, "Cameras record sound and keep it for 90 days"),
        ("Participants and laboratory staff did not know the allocation; the pharmacists did.",
         "The pharmacists did not know the allocation, but the laboratory staff did"),
        (KITCHEN, "The fridge in the kitchen is cleared every Monday"),
    ],
)  # fmt: skip
def test_the_words_alone_do_not_bear_a_claim_out(source: str, claim: str) -> None:
    result = check(source, claim, evidence_type=PARAPHRASE)
    assert result.status in (Status.LOW_CONFIDENCE, Status.FAILED)
    assert result.confidence < result.claim.confidence_threshold
    assert result.suggestions[1].startswith(("The passage ", "It says", "Not "))


def test_a_language_that_the_reader_does_not_know_is_compared_by_its_words() -> None:
    source = (
        "Der Kühlschrank in der Küche wird jeden Freitagnachmittag geleert. Mittag ist um zwölf."
    )
    result = check(
        source,
        "Jeden Freitagnachmittag wird der Kühlschrank in der Küche geleert",
        evidence_type=PARAPHRASE,
    )
    assert result.status is Status.VALIDATED


def test_without_semantic_matching_nothing_is_read() -> None:
    config = ValidationConfig.from_mapping({"semantic_matching": {"enabled": False}})
    validator = Validator(
        [document_from_text(KITCHEN, "kitchen.txt")], config, reader=lambda: pytest.fail("read")
    )
    claim = "Lunch from noon is served"
    assert validator.check(claim, evidence_type=PARAPHRASE).status is Status.VALIDATED


def test_a_match_that_only_its_context_made_sure_enough_is_contextual() -> None:
    source = "# Leave\n\nStaff may be away for a fortnight in spring. The office is quiet then."
    more: dict[str, Any] = {"evidence_type": PARAPHRASE, "confidence_threshold": 0.9}
    claim = "Employees can take two weeks off in springtime"
    plain = check(source, claim, Format.MARKDOWN, **more)
    assert plain.status is Status.LOW_CONFIDENCE
    hinted = check(source, claim, Format.MARKDOWN, context_hint="leave office", **more)
    assert hinted.status is Status.VALIDATED
    assert hinted.match is not None
    assert hinted.match.match_type is MatchType.CONTEXTUAL
