"""Values of claims that stand nowhere, worked out from values that do: through whole ledgers."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical import Format, document_from_text
from veridical.judging.derived import Derivation, amounts, derivations, figure_of, settled
from veridical.judging.judge import Case
from veridical.judging.lines import lines_of
from veridical.ledger.build import build_ledger
from veridical.ledger.entry import LedgerEntry

SHOP = "The shop sold 120 bicycles in 2021. It sold 150 bicycles in 2022."
POOL = "On Monday the water had 18 degrees, on Tuesday it had 21 degrees."
SHOW = "The exhibition opened on 3 March 2024 and closed on 17 March 2024."
PRICES = (
    "| Item | Price |\n|---|---|\n| Lamp | 40 euros |\n| Chair | 85 euros |\n| Desk | 210 euros |\n"
)

BOXES = "The red box weighs 5 kg and the blue box weighs 7 kg."


def entry(claim: str, source: str) -> LedgerEntry:
    document = document_from_text(source, "report.md", Format.MARKDOWN)
    (found,) = build_ledger(claim, [document]).entries
    return found


@pytest.mark.parametrize(
    ("claim", "source", "told"),
    [
        (
            "Sales of bicycles went up by 25 % in a year.",
            SHOP,
            "(150 − 120) ÷ 120 = 25 percent",
        ),
        ("The shop sold 30 more bicycles in 2022 than in 2021.", SHOP, "150 − 120 = 30"),
        ("The shop sold 270 bicycles in the two years together.", SHOP, "120 + 150 = 270"),
        ("The water was 3 degrees warmer on Tuesday than on Monday.", POOL, "= 3 degrees"),
        ("The exhibition was open for 14 days.", SHOW, "3 March 2024 to 17 March 2024 = 14 days"),
        ("The exhibition lasted two weeks.", SHOW, "3 March 2024 to 17 March 2024 = 2 weeks"),
        ("A lamp and a chair cost 125 euros together.", PRICES, "€40 + €85 = €125"),
        ("The blue box is 2 kg heavier than the red box.", BOXES, "7 kg − 5 kg = 2 kg"),
        ("On average an item costs about 112 euros.", PRICES, 'values of "Price" ≈ €111.67'),
    ],
)
def test_a_value_that_follows_is_supported_and_its_computation_told(
    claim: str, source: str, told: str
) -> None:
    found = entry(claim, source)
    assert found.verdict == "supported", found.notes
    assert told in found.notes
    assert "from " in found.notes
    assert found.evidence


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Bicycle sales rose by 35 % from 2021 to 2022.", SHOP),
        ("The shop sold 40 more bicycles in 2022 than in 2021.", SHOP),
        ("The shop sold 30 more bicycles in 2021 than in 2022.", SHOP),
        ("The shop sold 280 bicycles in the two years together.", SHOP),
        ("The water was 5 degrees warmer on Tuesday than on Monday.", POOL),
        ("The water was 3 degrees warmer on Monday than on Tuesday.", POOL),
        ("A lamp and a chair cost 135 euros together.", PRICES),
        ("Revenue fell by 20 percent in 2023.", "Revenue rose from 120 to 150 in 2023."),
        ("The red box is 2 kg heavier than the blue box.", BOXES),
        ("A ticket costs £7 more than a meal.", "A ticket costs £5. A meal costs £12."),
    ],
)
def test_a_value_that_does_not_follow_is_never_supported(claim: str, source: str) -> None:
    assert entry(claim, source).verdict != "supported"


def test_a_wrong_difference_is_contradicted_by_the_computation() -> None:
    found = entry("The water was 5 degrees warmer on Tuesday than on Monday.", POOL)
    assert found.verdict == "contradicted"
    assert "21 degrees − 18 degrees = 3 degrees" in found.notes
    assert 'The claim says "5 degrees".' in found.notes


def test_where_the_operands_stand_is_in_the_evidence() -> None:
    (piece,) = entry("The shop sold 30 more bicycles in 2022 than in 2021.", SHOP).evidence
    assert "120 bicycles" in piece.snippet
    assert "150 bicycles" in piece.snippet


def _found(claim: str, *sentences: str) -> list[Derivation]:
    case = Case(claim, sentences)
    lines = lines_of([case])
    figure = figure_of(claim, [word for one in sentences for word in amounts(one)])
    if figure is None:
        return []
    found = derivations(figure, [case], lines, range(len(sentences)))
    return [one for one in found if figure.is_met(one)]


YEARS = range(1000, 2200)
"""Numbers that are taken for years where no plural stands behind them."""

amount = st.integers(200, 99_999)


@given(amount, amount, amount)
def test_every_difference_and_total_is_found_and_no_other(x: int, y: int, off: int) -> None:
    source = f"The north hall had {x} visitors, the south hall {y} visitors."
    more, total = abs(x - y), x + y
    if more and more not in (x, y, *YEARS):
        claim = "One hall had {} more visitors than the other."
        assert _found(claim.format(more), source)
        if more + off not in (x, y, total, *YEARS):
            assert not _found(claim.format(more + off), source)
    claim = "The halls had {} visitors altogether."
    assert _found(claim.format(total), source)
    assert not _found(claim.format(total + off), source)


@given(st.integers(100, 9_999), st.integers(1, 300))
def test_a_rise_in_per_cent_is_met_to_the_digit_that_is_given(before: int, rise: int) -> None:
    after = before + before * rise // 100 + 1
    source = f"In May {before} tickets were sold, in June {after} tickets."
    share = Fraction(100 * (after - before), before)
    claim = "Ticket sales rose by {} per cent in June."
    near, far = round(share), round(share) + 2
    for said, met in ((near, True), (far, False)):
        if said not in (before, after, 0, 1):
            assert bool(_found(claim.format(said), source)) is met


def _settled(claim: str, sentences: Sequence[str], *, reads: bool) -> object:
    case = Case(claim, tuple(sentences))
    lines = lines_of([case])
    said = [word for one in sentences for word in amounts(one)]
    figure = figure_of(claim, said)
    assert figure is not None
    found = derivations(figure, [case], lines, range(len(sentences)))
    return settled(figure, found, [0, 1], said, reads=reads, leans=False)


def test_nothing_is_decided_where_the_reader_does_not_take_the_rest_for_said() -> None:
    claim = "The shop sold 30 more bicycles in 2022 than in 2021."
    assert _settled(claim, SHOP.split(". "), reads=False) is None


def test_days_between_dates_without_a_year_are_not_counted_over_a_leap_day() -> None:
    assert not _found("It lasted 16 days.", "It ran from 20 February to 8 March.")
    assert _found("It lasted 16 days.", "It ran from 4 March to 20 March.")
