"""Signs, short units and marks beside a claim: none of them may be passed over."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veridical.judging.alignment_words import read_words
from veridical.judging.calibrated import CalibratedJudge
from veridical.judging.disagreement import read_disagreement
from veridical.judging.judge import Case, Judgement, OperatingPoint, SupportLevel
from veridical.judging.spelled_out import spelled_out
from veridical.judging.unit_symbols import SYMBOLS

LEAVE = "Employees get {} of paid leave each year."
DOSE = "The usual amount for adults is {} in the morning."
DEPOSIT = "The deposit is {} for each tenant of the house."
LOADS = "Trucks may carry {} loads without a permit."
REPLY = "The gateway answers within {} on average."
UPLOADS = "Uploads are limited to {} for each file."
COLD = "Vaccines are stored at {} in the cold room."


@cache
def _judge() -> CalibratedJudge:
    return CalibratedJudge()


def judged(claim: str, *sentences: str) -> Judgement:
    (found,) = _judge().judge([Case(claim, sentences)])
    assert isinstance(found, Judgement)
    return found


@pytest.mark.parametrize(
    ("text", "said", "claims"),
    [
        (
            LEAVE,
            "20 days",
            (
                "> 20 days|>20 days|>=20 days|\u226520 days|< 20 days|\u226420 days|20+ days|"
                "20 + days|~20 days|"
                "\u224820 days|\u00b120 days|\u226020 days|20k days|20 k days|20K days|"
                "20M days|20\u2030 days|"
                "\u2460\u2460 days|\u2464\u24ea days|20\u2153 days|\u216b days|20- days|"
                "20x days|20 xq days|"
                "\u274c20 days|20\u20e0 days|\u202e02\u202c days"
            ),
        ),
        (LEAVE, ">20 days", "20 days|\u226520 days|at least 20 days"),
        (LEAVE, "\u226520 days", "20 days|>20 days|more than 20 days"),
        (LEAVE, "\u274c 20 days", "20 days"),
        (
            DOSE,
            "5 mg",
            (
                "5 g|5g|5 kg|5 \u03bcg|5 \u00b5g|5ug|5 mcg|5 ml|5 t|5mg/kg|5 mg/ml|"
                "5 mg per kg|5 mg/day|5 %"
            ),
        ),
        (DOSE, "5 mg/kg", "5 mg|5 g/kg|5 mg/l"),
        (DOSE, "5 g", "5 kg|5mg|5 t"),
        (LOADS, "12 m", "12 km|12 ft|12 cm|12 yd|12 mi|12in|12 m/s"),
        (REPLY, "30 ms", "30 s|30 h|30 \u03bcs|30 us|30 ns|30 min"),
        (REPLY, "3 h", "3 d|3 s|3 min"),
        (UPLOADS, "20 MB", "20 Mb|20 GB|20 kB|20 B|20 megabits|20 MB/s"),
        (
            DEPOSIT,
            "$500",
            (
                "$500k|$500m|$500bn|>$500|<$500|$500+|\u2265 $500|$500/day|$500/month|"
                "$500/user|$(500)|\u20ac500|$500 %"
            ),
        ),
        (COLD, "8 \u00b0C", "8 \u00b0F|8 K|\u2264 8 \u00b0C|<8 \u00b0C"),
        ("The rate rose by {} last year.", "20 %", "20 pp|20 percentage points|20 \u2030"),
    ],
)
def test_another_sign_or_unit_is_not_borne_out(text: str, said: str, claims: str) -> None:
    passed = [
        claim
        for claim in claims.split("|")
        if judged(text.format(claim), text.format(said)).support is SupportLevel.FULL
    ]
    assert not passed


@pytest.mark.parametrize(
    ("text", "said", "claims"),
    [
        (LEAVE, "at least 20 days", "\u226520 days|>= 20 days|20+ days|at least 20 days"),
        (LEAVE, "more than 20 days", ">20 days|> 20 days"),
        (LEAVE, "50 days", "\u2464\u24ea days|50 days"),
        (LEAVE, "20\u00bd days", "20.5 days|20\u00bd days"),
        (LEAVE, "\u274c 20 days", "\u274c 20 days"),
        (DOSE, "5 mg", "5mg|5 milligrams"),
        (DOSE, "5 g", "5 g|5g|5 grams|5-gram"),
        (DOSE, "5 mg/kg", "5 mg/kg|5mg per kg"),
        (DOSE, "1 kg", "1,000 g"),
        (LOADS, "12 m", "12m|12 meters|12-metre"),
        (REPLY, "30 ms", "30ms|30 milliseconds"),
        (UPLOADS, "20 MB", "20MB|20 megabytes"),
        (DEPOSIT, "\u20ac500,000", "\u20ac500k|\u20ac500 K|\u20ac500 thousand"),
        (DEPOSIT, "$500 per month", "$500/month"),
        (COLD, "8 \u00b0C", "8\u00b0C|8 degrees Celsius"),
        ("Staff take {}.", "5 breaks a day", "5 breaks a day"),
        ("{} governs remote work.", "Section 3 A", "Section 3 A"),
        ("Employees get {}.", "20 days of leave in May", "20 days of leave in May"),
        ("The shop sells {}.", "3D printers", "3D printers"),
        ("The film was made in {}.", "the 1990s", "the 1990s"),
        ("The plan is a {} plan.", "401(k)", "401k"),
        ("{} employees work at night.", "1 in 10", "1 in 10"),
        ("The list has the type {} here.", "List<String>", "List<String>"),
    ],
)
def test_the_same_in_signs_is_borne_out(text: str, said: str, claims: str) -> None:
    lost = [
        (claim, found.notes)
        for claim in claims.split("|")
        if (found := judged(text.format(claim), text.format(said))).support is not SupportLevel.FULL
    ]
    assert not lost


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("\u226520 mg/day", " at least 20 milligrams per day"),
        ("$5m and 5 m", "$5 million and 5 meters"),
        ("$500+ or 20 + 5", "at least $500 or 20 + 5"),
        ("8 \u2103, 8\u00b0F", "8 celsius, 8 fahrenheit"),
        ("12 in all, 12 in long", "12 in all, 12 inches long"),
        ("section 5 B, the 80s, a 10-K", "section 5 B, the 80s, a 10-K"),
        ("a -> 20, a < b", "a -> 20, a < b"),
        ("\u278400", "500"),
        ("10\u00b2", "10\u00b2"),
        ("no numbers ~ here <b>", "no numbers ~ here <b>"),
    ],
)
def test_what_is_spelled_out(text: str, words: str) -> None:
    assert spelled_out(text) == words


def test_every_symbol_is_a_unit_that_is_known() -> None:
    unknown = []
    for symbol, name in SYMBOLS.items():
        (number,) = (
            word for word in read_words(f"about 7{symbol} of it") if word.number is not None
        )
        if number.unit is None and symbol != "K":  # 7K are thousands
            unknown.append((symbol, name))
    assert not unknown


@pytest.mark.parametrize("point", list(OperatingPoint))
@pytest.mark.parametrize("mark", ["\u274c", "\u2717", "\U0001f6ab", "<n>", "<!-- x -->", "\u202e"])
def test_marks_bar_support_at_every_point_and_for_every_judge(
    point: OperatingPoint, mark: str
) -> None:
    sentence = "Managers may approve remote work."
    case = Case(f"Managers may {mark} approve remote work.", (sentence,))
    (found,) = CalibratedJudge(point).judge([case])
    assert isinstance(found, Judgement)
    assert found.support is not SupportLevel.FULL
    assert found.notes
    assert read_disagreement(case, (0, 1)).vetoing(point)


@given(st.text(alphabet="0123456789.,<>~+%$ gkmMBsh/-\u2265\u00bd\u2464\u2030\u00b0C", max_size=30))
@settings(max_examples=100)
def test_spelling_out_keeps_words_and_never_fails(text: str) -> None:
    assert isinstance(spelled_out(text), str)
    read_words(text)


@given(st.sampled_from(sorted(SYMBOLS)), st.sampled_from(sorted(SYMBOLS)), st.integers(2, 900))
@settings(max_examples=60, deadline=None)
def test_a_number_with_another_unit_never_bears_it_out(one: str, other: str, number: int) -> None:
    if SYMBOLS[one] == SYMBOLS[other] or "in" in (one, other):
        return
    claim, said = DOSE.format(f"{number} {one}"), DOSE.format(f"{number} {other}")
    assert judged(claim, said).support is not SupportLevel.FULL
