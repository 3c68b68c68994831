"""The terms that texts are found by."""

from __future__ import annotations

import pytest

from veridical.retrieval.terms import stem, terms


@pytest.mark.parametrize(
    "forms",
    [
        "report reports reported reporting",
        "policy policies",
        "process processes processed processing",
        "stop stops stopped stopping",
        "use uses",
        "box boxes",
        "late lately",
        "fall falls falling",
        "manage manages managed managing",
    ],
)
def test_the_forms_of_a_word_meet(forms: str) -> None:
    assert len({stem(form) for form in forms.split()}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [("reporter", "report"), ("business", "busy"), ("thing", "th"), ("bus", "bu"), ("need", "ne")],
)
def test_other_words_stay_apart(one: str, other: str) -> None:
    assert stem(one) != stem(other)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Staff's DAYS, naïve café", "staff day naiv caf"),
        ("1,200.50 and 1200", "1200 50 and 1200"),
        ("from 1,2 to 12,3456", "from 1 2 to 12 3456"),
        ("東京都の人口", "東京 京都 都の の人 人口"),
        ("字", "字"),
        ("有給 leaves 第3 Москва", "有給 leav 第 3 москва"),
        ("第3章の規則", "第 3 章の の規 規則"),
        ("회사는", "회사 사는"),
        ("Straße im Haus", "strass im haus"),
        ("…?!", ""),
        ("", ""),
    ],
)
def test_terms(text: str, expected: str) -> None:
    assert terms(text) == expected.split()
