from __future__ import annotations

import pytest

from veridical.judging.alignment_words import read_words
from veridical.judging.calibrated import CalibratedJudge
from veridical.judging.judge import Case, Judgement, OperatingPoint, SupportLevel
from veridical.judging.rates import rate_conflicts

JUDGES = {point: CalibratedJudge(point) for point in OperatingPoint}


def judged(claim: str, *sentences: str, point: OperatingPoint) -> Judgement:
    (told,) = JUDGES[point].judge([Case(claim, sentences)])
    assert isinstance(told, Judgement)
    return told


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("Wages are paid monthly", "Wages are paid every month"),
        ("Wages are paid each month", "The monthly wages are paid by transfer"),
        ("Wages are paid every week", "Wages are paid on Fridays"),
        ("Bins are emptied weekly", "Bins are emptied every Friday"),
        ("The pump is checked quarterly", "The pump is checked every three months"),
        ("The pump is checked every two weeks", "The pump is checked fortnightly"),
        ("The pump is checked every other week", "The pump is checked every 14 days"),
        ("The pump is checked every 12 months", "The pump is checked annually"),
        ("Staff get 5 days a year", "Staff get 5 days"),
        ("Staff get 5 days every year", "Staff get 5 days in a calendar year"),
        ("The fee is 5 dollars a month", "The fee is 5 dollars per month"),
        ("Sites are inspected twice a year", "Sites are inspected two times a year"),
        ("Sites are inspected once a year", "Sites are inspected annually"),
        ("Reports are sent within a month", "Reports are sent within 30 days"),
        ("Ask a month before departure", "Ask early"),
        ("Once they are invited, they tell the manager", "Invited people tell the manager"),
    ],
)
def test_the_same_rate_in_other_words_is_no_conflict(claim: str, said: str) -> None:
    assert not list(rate_conflicts(read_words(claim), read_words(said)))


@pytest.mark.parametrize(
    ("claim", "said", "note"),
    [
        ("Wages are paid monthly", "Wages are paid weekly",
         'The passage says "weekly", the claim "monthly".'),
        ("Leave is paid out monthly", "Leave is paid out after 12 months",
         'The passage does not say "monthly".'),
        ("The board meets every month", "The board meets every two months",
         'The passage says "every two months", the claim "every month".'),
        ("The radio is tested weekly", "The radio is tested daily",
         'The passage says "daily", the claim "weekly".'),
        ("Staff get $350 every year", "Staff get a one-off payment of $350",
         'The passage does not say "every year".'),
        ("Sites are inspected once a year", "Sites are inspected twice a year",
         'The passage says "twice", the claim "once".'),
        ("Sites are inspected twice a year", "Sites are inspected every year",
         'The passage does not say "twice".'),
    ],
)  # fmt: skip
def test_another_rate_is_one(claim: str, said: str, note: str) -> None:
    found = [conflict.note for conflict in rate_conflicts(read_words(claim), read_words(said))]
    assert found == [note]


def test_a_heading_may_say_how_often() -> None:
    claim, row = read_words("1.5 days are earned per month"), read_words("Clerks: 1.5 days")
    assert list(rate_conflicts(claim, row))
    assert not list(rate_conflicts(claim, row, read_words("Group | Earned per month")))


@pytest.mark.parametrize("point", OperatingPoint)
@pytest.mark.parametrize(
    ("claim", "sentences"),
    [
        ("Every employee has 12 paid sick days in a calendar year.",
         (("Employees may give up to 4 days a year to a colleague who has a seriously ill family "
           "member; the People team runs this donation scheme and does not reveal who gave."),)),
        ("The boiler is inspected monthly.",
         ("The boiler is inspected each quarter by an engineer.",
          "Fire drills happen monthly in summer.")),
        ("Overtime is paid in cash by the end of March.", ("Overtime is paid in cash.",)),
    ],
)  # fmt: skip
def test_a_value_that_is_not_there_is_never_supported(
    claim: str, sentences: tuple[str, ...], point: OperatingPoint
) -> None:
    assert judged(claim, *sentences, point=point).support is not SupportLevel.FULL


@pytest.mark.parametrize(
    ("claim", "sentences", "note"),
    [
        ("Unused PTO is paid out.",
         ("PTO is not exchanged for money while the employment lasts.",
          "When the employment ends, unused days are paid out with the final salary."),
         'The passage denies it ("not exchanged for money").'),
        ("A private car is repaid at $0.25 per mile.",
         ("A private car is repaid at $0.62 per mile.",
          "A private bicycle is repaid at $0.25 per mile."),
         'The passage says "0.25" of something else.'),
        ("Leave for a grandparent is 5 days.",
         ("Leave is 5 days for a partner, child or parent and 2 days for other relatives.",),
         'The passage gives several values, and does not say which is that of "grandparent".'),
        ("The sauna is open on Tuesdays.",
         ("The sauna is open to guests over 16 and closed on Tuesdays.",),
         'The passage says "Tuesdays" of something else.'),
        ("Updates are installed within 72 hours.",
         ("Updates are installed within 14 days, critical ones within 72 hours.",),
         'The passage says "Updates" of something else.'),
    ],
)  # fmt: skip
def test_what_is_said_of_something_else_or_denied_is_not_supported(
    claim: str, sentences: tuple[str, ...], note: str
) -> None:
    told = judged(claim, *sentences, point=OperatingPoint.STRICT)
    assert told.support is not SupportLevel.FULL
    assert told.notes == note


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("A shift lasts at most 12 hours.", "A shift lasts no more than 12 hours."),
        ("Reports may be made in writing.", "Reports may be made in writing, not by telephone."),
        ("Critical updates are installed within 72 hours.",
         "Updates are installed within 14 days, critical ones within 72 hours."),
        ("The large pool is open on Mondays.",
         "The large pool is open on Mondays and closed on Tuesdays."),
        ("Staff have 24 days of leave every year.",
         "Staff have 24 days of leave in a calendar year."),
    ],
)  # fmt: skip
def test_what_is_said_of_the_same_thing_stays_supported(claim: str, sentence: str) -> None:
    assert judged(claim, sentence, point=OperatingPoint.STRICT).support is SupportLevel.FULL
