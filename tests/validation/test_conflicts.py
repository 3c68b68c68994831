"""Signs that a passage does not bear out a paraphrase, however alike the two are."""

from __future__ import annotations

import pytest

from veridical.validation.differences import AlterationKind
from veridical.validation.free import conflicts


@pytest.mark.parametrize(
    ("claim", "passage", "kind"),
    [
        ("It takes 15 days", "It takes 5 days", AlterationKind.NUMBER),
        ("It takes five days", "It takes six days", AlterationKind.NUMBER),
        ("It takes 5 weeks", "It takes 5 days", AlterationKind.UNIT),
        ("It costs $5", "It costs €5", AlterationKind.UNIT),
        ("Staff may not go", "Staff may go", AlterationKind.NEGATION),
        ("Staff may go", "Staff may not go", AlterationKind.NEGATION),
        ("We told Anna so", "We told Emma so", AlterationKind.NAME),
    ],
)
def test_a_clear_sign_is_found(claim: str, passage: str, kind: AlterationKind) -> None:
    assert kind in {alteration.kind for alteration in conflicts(claim, passage)}


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("It takes five days", "It takes 5 days in all"),
        ("It takes 5 days", "Five days is what it takes"),
        ("It rose by 5 percent", "It rose by 5%"),
        ("Staff may not go", "No staff may go"),
        ("One may ask for it", "You may ask for it"),
        ("The committee told Anna", "Anna was told by the committee"),
    ],
)
def test_other_words_for_the_same_are_no_sign(claim: str, passage: str) -> None:
    assert conflicts(claim, passage) == ()
