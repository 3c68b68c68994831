"""A statement keeps to its sentence, or it does not: one word makes another rule."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.answering.generative.fidelity import keeps_to, keeps_to_row
from veridical.answering.generative.terms import clauses_of, keys_of

REMOTE = "Employees may work remotely up to three days a week after completing their probation."
LOST = "Lost devices must be reported to the Security Desk within 4 hours."
MEALS = "Meals on business trips are reimbursed up to $60 per day."
FLIGHTS = "First-class flights are not permitted except for flights longer than eight hours."
ROOM = "Visitors may enter the server room only when accompanied by an engineer."
BILL = "The company pays 40% of the internet bill, at most $25 a month."
PAID_OUT = "Leave is not paid out, unless employment ends."
OFFICER = "Dr. Maria Keller is the data protection officer; Tom Brandt is her deputy."
MAIL = "E-mails are deleted after 24 months and chat messages after 12 months."
CANCEL = "It can be cancelled with one month's notice, but not during the first three months."
ANSWERS = "The manager answers within three days, and a late request goes to the next level."


@pytest.mark.parametrize(
    ("sentence", "lie"),
    [
        (REMOTE, "Interns may work remotely up to three days a week after their probation"),
        (REMOTE, "Employees may work remotely up to three days a month after their probation"),
        (REMOTE, "Employees may work remotely up to three days a week during their probation"),
        (REMOTE, "Employees may work remotely at least three days a week after their probation"),
        (REMOTE, "Employees may work remotely up to three days a week"),
        (REMOTE, "Employees must work remotely up to three days a week after their probation"),
        (LOST, "Lost devices must be reported to the police within 4 hours"),
        (LOST, "Lost devices must be reported by the Security Desk within 4 hours"),
        (LOST, "Lost devices must be reported to the Security Desk after 4 hours"),
        (LOST, "Lost devices must be reported to the Security Desk within 4 days"),
        (MEALS, "Meals on business trips are reimbursed up to $60 per trip"),
        (MEALS, "Meals on business trips are reimbursed up to 60 euros per day"),
        (MEALS, "Meals are reimbursed up to $60 per day"),
        (MEALS, "Meals on business trips are reimbursed at $60 per day"),
        (FLIGHTS, "First-class flights are not permitted"),
        (FLIGHTS, "First-class flights are permitted except for flights longer than 8 hours"),
        (FLIGHTS, "First-class flights are only permitted for flights shorter than 8 hours"),
        (ROOM, "Engineers may enter the server room only when accompanied by a visitor"),
        (ROOM, "Visitors may enter the server room"),
        (ROOM, "Only visitors may enter the server room when accompanied by an engineer"),
        (BILL, "The company pays 40% of the internet bill"),
        (BILL, "The company pays 25% of the internet bill, at most $40 a month"),
        (BILL, "Employees pay 40% of the internet bill, at most $25 a month"),
        (PAID_OUT, "Leave is paid out, unless employment ends"),
        (PAID_OUT, "Leave is not paid out"),
        (OFFICER, "Tom Brandt is the data protection officer"),
        (OFFICER, "Dr. Maria Keller is the deputy"),
        (MAIL, "E-mails are deleted after 12 months and chat messages after 24 months"),
        (MAIL, "Chat messages are deleted after 24 months"),
        (CANCEL, "It can be cancelled with one month's notice"),
        ("Members may bring guests.", "Guests may bring members"),
        ("It closes at 9 on weekdays and at 5 on Sundays.", "It closes at 5 on weekdays"),
        ("The line manager or HR approves it.", "The line manager and HR approve it"),
    ],
)
def test_a_change_of_one_word_is_seen(sentence: str, lie: str) -> None:
    assert not keeps_to(lie, sentence)


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        (REMOTE, "After probation, employees can work remotely up to 3 days per week"),
        (REMOTE, "Employees may work remotely at most three days each week after probation"),
        (LOST, "Report lost devices to the Security Desk within four hours"),
        (LOST, "Lost devices must be reported within 4 hours"),
        (MEALS, "On business trips, meals are reimbursed up to 60 dollars a day"),
        (FLIGHTS, "First-class flights are only allowed for flights longer than 8 hours"),
        (ROOM, "Visitors may only enter the server room if accompanied by an engineer"),
        (BILL, "The company covers 40 percent of the internet bill, up to $25 per month"),
        (PAID_OUT, "Unless employment ends, leave is not paid out"),
        (PAID_OUT, "Leave is only paid out when employment ends"),
        (OFFICER, "The data protection officer is Dr. Maria Keller"),
        (MAIL, "E-mails are deleted after 24 months"),
        (ANSWERS, "The manager answers within 3 days"),
        ("Interns cannot work remotely.", "Interns are not allowed to work remotely"),
        ("Carried-over days lapse on 31 March.", "Carried-over days expire on March 31"),
        ("An engineer inspects it every year.", "It is inspected by an engineer each year"),
    ],
)
def test_other_words_for_the_same_are_known(sentence: str, said: str) -> None:
    assert keeps_to(said, sentence)


def test_words_may_come_from_the_titles_above() -> None:
    sentence, said = "The key is kept at reception.", "The laboratory key is kept at reception"
    assert not keeps_to(said, sentence)
    assert keeps_to(said, sentence, keys_of(("Laboratory safety",)))


ROW = "Years of service: 2 to 4; PTO per year: 20 days; Earned per month: 1.67 days; Most: 30 days"


@pytest.mark.parametrize(
    ("said", "holds"),
    [
        ("Employees with 2 to 4 years of service get 20 days of PTO per year", True),
        ("Employees with 2 to 4 years of service have earned 1.67 days per month", True),
        ("Employees with 2 to 4 years of service get 30 days of PTO per year", False),
        ("Employees with 2 to 4 years of service get 20 days of PTO per month", False),
        ("Employees with 5 to 9 years of service get 20 days of PTO per year", False),
        ("Employees get 20 days of PTO per year", False),
        ("Interns with 2 to 4 years of service get 20 days of PTO per year", False),
        ("Employees with 2 to 4 years of service do not get 20 days of PTO per year", False),
    ],
)
def test_a_row_is_told_with_its_titles(said: str, holds: bool) -> None:
    assert keeps_to_row(said, ROW, frozenset()) is holds


WORDS = st.sampled_from(
    "employees may not must only if unless up to 5 days per week $60 40% , ; and but or by within "
    "approval the manager's leave".split()
)


@given(st.lists(WORDS, min_size=1, max_size=25).map(" ".join))
def test_what_keeps_to_a_sentence_has_no_words_of_its_own(text: str) -> None:
    for sentence in (REMOTE, LOST, MEALS, text):
        if keeps_to(text, sentence):
            words = {key for key in keys_of((text,)) if not key.isdigit()}
            assert words <= keys_of((sentence,))


@given(st.text(max_size=60))
def test_any_text_is_read(text: str) -> None:
    clauses_of(text)
    keeps_to(text, MEALS)


def test_overlong_sentences_bear_nothing_out() -> None:
    sentence = "Interns get one day of leave, " * 400
    assert clauses_of(sentence) == ()
    assert not keeps_to("Interns get one day of leave", sentence)
