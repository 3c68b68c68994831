"""Headings and titles that limit what stands under them are asked of a claim."""

from __future__ import annotations

import pytest

from veridical import check_answer, document_from_text

HOTELS = "Hotels are paid up to 90 euros a night."
NOT_WITH = "| Drug | Not with | Dose |\n|---|---|---|\n| Torava | grapefruit | 5 mg |\n"


def is_supported(claim: str, text: str) -> bool:
    return check_answer(claim, [document_from_text(text, "a.md")]).grounded


@pytest.mark.parametrize("title", ["Contractors", "Interns and trainees", "For seasonal staff"])
def test_what_holds_of_a_group_is_not_supported_of_all(title: str) -> None:
    text = f"# Travel\n\n## {title}\n\n{HOTELS}\n"
    assert not is_supported(HOTELS, text)
    group = title.split()[0].replace("For", "Seasonal staff")
    assert is_supported(f"{group}: {HOTELS}", text) or is_supported(
        f"Hotels of {group.lower()} are paid up to 90 euros a night.", text
    )


@pytest.mark.parametrize(
    "title", ["Hotels", "Travel of contractors and others", "Managers' hotels"]
)
def test_other_titles_limit_nothing(title: str) -> None:
    assert is_supported(HOTELS, f"# Travel\n\n## {title}\n\n{HOTELS}\n")


def test_a_title_that_denies_is_asked_of_a_claim() -> None:
    assert not is_supported("Torava is with grapefruit.", NOT_WITH)
    assert not is_supported("Torava is taken with grapefruit.", NOT_WITH)
    assert is_supported("The dose of Torava is 5 mg.", NOT_WITH)


@pytest.mark.parametrize(
    ("lead", "claim"),
    [
        ("It is not allowed that:", "Dogs are brought in."),
        ("Tell the warden if:", "Dogs are brought in."),
        ("The following are false:", "Dogs are brought in."),
    ],
)
def test_items_are_a_part_of_what_leads_in_to_them(lead: str, claim: str) -> None:
    assert not is_supported(
        claim, f"{lead}\n\n- staff smoke in the yard,\n- dogs are brought in.\n"
    )


def test_a_line_that_only_introduces_leaves_items_as_they_are() -> None:
    text = (
        "These are the rules of the hall:\n\n- Dogs are kept on a lead.\n- Bags are left outside.\n"
    )
    assert is_supported("Dogs are kept on a lead.", text)
