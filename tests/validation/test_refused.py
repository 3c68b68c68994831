"""Quotes that look right and are not, and honest copies that look wrong: one line each."""

from __future__ import annotations

import pytest

from veridical import EvidenceType, Format, Status, Validator, document_from_text

HALL = "Staff may smoke here in the hall"
SALES = (
    "Employees in the sales team may work from home on Mondays. "
    "Contractors of the firm must be on site on Fridays."
)
LEAVE = (
    "Full-time staff are entitled to 27 days of annual leave. "
    "Sick leave is limited to 10 days a year."
)

FALSE_QUOTES = [
    # Words of the quote must not vanish because they look like markup.
    ("Staff may smoke here", "Staff may <never> smoke here"),
    ("Staff may smoke here", "Staff may <!-- never --> smoke here"),
    ("Staff may smoke here", "Staff may ![never](x) smoke here"),
    (HALL, f"<script>It is false that</script> {HALL}"),
    (HALL, f"<p hidden>It is false that</p> {HALL}"),
    (HALL, "Staff may smoke [here](not) in the hall"),
    (HALL, f"{HALL}\n\n[never]: http://a.b"),
    # Signs that say something.
    ("Dental care ✗ in the basic plan", "Dental care ✓ in the basic plan"),
    ("The check a != b fails in strict mode", "The check a = b fails in strict mode"),
    ("Written in C# by the old team", "Written in C by the old team"),
    ("The blood group A− of the donor", "The blood group A of the donor"),
    ("The arrow → shows the way", "The arrow ← shows the way"),
    # Words joined, parted or without their apostrophe.
    ("It is a typical case of abuse here", "It is atypical case of abuse here"),
    ("They held a political rally here", "They held apolitical rally here"),
    ("He must re-sign before noon", "He must resign before noon"),
    ("This may be terminated early", "This maybe terminated early"),
    ("The rapist was seen here today", "Therapist was seen here today"),
    ("we'll pay the costs of it", "well pay the costs of it"),
    # Slips that make another word, and accents that do.
    ("It must be compliant under section 4", "It must be complaint under section 4"),
    ("the clinical trials began today", "the clinical trails began today"),
    ("Er konnte hier nicht bleiben", "Er könnte hier nicht bleiben"),
    # What an ellipsis may not leave out.
    (SALES, "Employees in the sales team … must be on site on Fridays."),
    ("Employees are prohibited from smoking in the hall", "Employees are … smoking in the hall"),
    ("It may only with consent be terminated", "It may … be terminated"),
    # Sentences and table cells run together.
    ("It was signed by Anna. Smith wrote it", "It was signed by Anna Smith wrote it"),
    ("We sold 12\n500 units were left", "We sold 12 500 units were left"),
    # Words that are struck through.
    (f"~~{'Lorem ipsum dolor. ' * 40}{HALL}~~\n\n# End", HALL),
]


@pytest.mark.parametrize(("source", "quote"), FALSE_QUOTES)
def test_a_false_quote_is_not_validated(source: str, quote: str) -> None:
    result = Validator([document_from_text(source)]).check(quote)
    assert result.status is not Status.VALIDATED, result.rules


HONEST_QUOTES = [
    (HALL, "Staff may **smoke** [here](http://x.y/z) in the hall"),
    (SALES, "may work from home on Mondays. ... Contractors of the firm must be on site"),
    ("See chapter 4.\n5 days of leave are granted", "5 days of leave are granted"),
    ("Versions: 2\n3 items of the list follow", "3 items of the list follow"),
    ("TRAVEL CARD 07/01/2019 07/07/2019", "TRAVEL CARD 07/01/2019"),
    ("The company[12] sells goods.", "The company sells goods."),
    ("> A quoted block over\n> two lines", "A quoted block over two lines"),
    ("red, white, and blue are here", "red, white and blue are here"),
    ("Some inter-\nnational law applies", "Some international law applies"),
    ("A well-\nknown fact is here", "A well-known fact is here"),
]


@pytest.mark.parametrize(("source", "quote"), HONEST_QUOTES)
def test_an_honest_quote_is_validated(source: str, quote: str) -> None:
    result = Validator([document_from_text(source, format=Format.PLAIN_TEXT)]).check(quote)
    assert result.status is Status.VALIDATED, result.alterations


FALSE_CLAIMS = [
    ("Salaries increase by 3 percent a year", "Salaries decrease by 3 percent a year"),
    ("Invoices must be paid before the delivery", "Invoices must be paid after the delivery"),
    ("Invoices must be paid on delivery", "Invoices may be paid on delivery"),
    ("Mr. Harris saw twelve men at the gate", "Mr. Baker saw twelve men at the gate"),
    (LEAVE, "Full-time staff are entitled to 10 days of annual leave"),
    (LEAVE, "Full-time staff are entitled to 27 weeks of annual leave"),
    ("The ticket costs $5 for all who travel", "The ticket costs €5 for all who travel"),
    ("Staff may smoke here in the hall", "Staff may not smoke here in the hall"),
    ("Members of the staff may carry over unused days.", "Staff may not carry over unused days"),
    (
        "The employer pays 60 percent and the employee pays 40 percent.",
        "The employer pays 40 percent and the employee pays 60 percent.",
    ),
]


@pytest.mark.parametrize(("source", "claim"), FALSE_CLAIMS)
def test_a_paraphrase_that_says_something_else_is_left_to_a_person(source: str, claim: str) -> None:
    checked = Validator([document_from_text(source)]).check(
        claim, evidence_type=EvidenceType.PARAPHRASE
    )
    assert checked.status is not Status.VALIDATED


@pytest.mark.parametrize("kind", [EvidenceType.CONCEPT_REFERENCE, EvidenceType.SECTION_REFERENCE])
@pytest.mark.parametrize(
    ("source", "claim"),
    [
        (LEAVE, "Full-time staff are entitled to 28 days of annual leave"),
        ("Employees may not smoke in the office.", "Employees may smoke in the office"),
    ],
)
def test_a_reference_that_states_something_wrong_is_not_validated(
    source: str, claim: str, kind: EvidenceType
) -> None:
    checked = Validator([document_from_text(source)]).check(claim, evidence_type=kind)
    assert checked.status is not Status.VALIDATED


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        (LEAVE, "Staff who work full-time are entitled to 27 days of annual leave"),
        ("The whole repair takes five days", "It takes 5 days, the whole repair"),
        ("The yearly fee rose by 5% in May", "The yearly fee rose by 5 percent in May"),
        ("The committee told Anna of it", "Anna was told of it by the committee"),
    ],
)
def test_a_paraphrase_with_other_words_is_validated(source: str, claim: str) -> None:
    checked = Validator([document_from_text(source)]).check(
        claim, evidence_type=EvidenceType.PARAPHRASE
    )
    assert checked.status is Status.VALIDATED
