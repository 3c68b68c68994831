"""Which sentences are two claims, and which must stay one."""

from __future__ import annotations

import pytest

from veridical.ledger.extraction.reader import clauses

PARTED = [
    (
        "Annual leave is 25 days, and requests must be approved by the manager",
        ["Annual leave is 25 days", "requests must be approved by the manager"],
    ),
    (
        "Sick leave is 10 days; HR must receive a certificate",
        ["Sick leave is 10 days", "HR must receive a certificate"],
    ),
    ("The fee is 20 euros, and it must be paid", ["The fee is 20 euros", "it must be paid"]),
    (
        "No employee may smoke, and visitors must sign the book",
        ["No employee may smoke", "visitors must sign the book"],
    ),
]


@pytest.mark.parametrize(("sentence", "expected"), PARTED)
def test_independent_clauses_are_two_claims(sentence: str, expected: list[str]) -> None:
    assert [sentence[start:end] for start, end in clauses(sentence)] == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "Annual, sick and parental leave are paid",
        "Managers must approve leave, travel, and training is paid",
        "Annual leave is 25 days, sick leave is 10 days, and notice is 14 days",
        "Leave is 25 days, and it may be carried over if the manager agrees",
        "Only managers may approve leave, and HR must file the form",
        "Leave is 25 days, and only 5 days may be kept",
        "Leave is 25 days, but it does not cover contractors",
        "Leave is 25 days, and holidays are excluded",
        "In 2024 leave is 25 days, and notice is 14 days",
        "When leave is requested, the manager decides, and HR must file it",
        "The board says leave is paid, and notice is short",
        "Staff must file a form, and may be asked for proof",
        "Leave is paid, and so is sick leave",
        "Interns may not drive, and visitors may not",
        "The employee who must file A, and the manager who must sign B are liable",
        "Leave and notice are 25 and 14 days respectively; they are fixed",
        "Submit the form, and HR must approve it",
        "Leave is 25 days (or 30 days, and it is paid) in all offices",
        'The policy reads "leave is paid, and notice is short"',
        "Leave is 25 days; otherwise it is 10 days",
        "Usually leave is paid, and notice is short",
        "Der Urlaub is bezahlt, and er muss gen\u00fcgen",
    ],
)
def test_what_might_change_its_meaning_stays_whole(sentence: str) -> None:
    assert clauses(sentence) == [(0, len(sentence))]
