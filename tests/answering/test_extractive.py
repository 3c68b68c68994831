"""The embedded author: which sentences make an answer, and what they are not understood without."""

from __future__ import annotations

import pytest
from tests.answering.handmade import corpus_of, drafted, place_of, policy

from veridical.answering.answer import RefusalReason
from veridical.answering.extractive.author import MAX_WORDS, MOST_STATEMENTS
from veridical.sources.document import Format

BANDS = (
    "Leave is earned by years of service.\n\n"
    "| Years of service | Days per month | Highest balance |\n|---|---|---|\n"
    "| Fewer than 2 | 1.25 days | 22.5 days |\n| 2 to 4 | 1.67 days | 30 days |\n"
    "| More than 4 and up to 9 | 1.92 days | 34.5 days |\n| 10 or more | 2.17 days | 39 days |\n"
)
ROW = "Years of service: {}; Days per month: {}; Highest balance: {}"
OF_2_TO_4 = ROW.format("2 to 4", "1.67 days", "30 days")

PDF_TABLE = (
    "Meals are repaid up to these limits for each day that is spent away from the office on work:\n"
    "Meal Within the country Abroad\nBreakfast $14 $18\nLunch with\n$19 $24\nDinner $38 $46\n"
    "Bar no limit $5\n"
)

WIDENED = {
    "an exception in the next sentence": (
        "Staff may carry over five days. However, this does not apply to interns. Ask early.",
        "carry over",
        "Staff may carry over five days. However, this does not apply to interns.",
    ),
    "an exception inside the next sentence": (
        "Staff may carry over five days. The days lapse in March unless the manager agrees.",
        "carry over",
        "Staff may carry over five days. The days lapse in March unless the manager agrees.",
    ),
    "no exception": (
        "Staff may carry over five days. Requests are made online.",
        "carry over",
        "Staff may carry over five days.",
    ),
    "no exception of another section": (
        "# One\n\nStaff may carry over five days.\n\n# Unless\n\nUnless told, nobody may.\n",
        "carry over",
        "Staff may carry over five days.",
    ),
    "what a pronoun stands for": (
        "Staff get a card. It is valid for two years.",
        "valid",
        "Staff get a card. It is valid for two years.",
    ),
    "this policy stands for itself": (
        "Owner: Finance. This policy covers two years.",
        "covers",
        "This policy covers two years.",
    ),
    "the items behind a line": (
        "The following may be claimed:\n\n- taxis\n- hotels\n\nNothing else may.\n",
        "The following",
        "The following may be claimed: taxis; hotels",
    ),
    "a row in words": (BANDS, "2 to 4", OF_2_TO_4),
}


@pytest.mark.parametrize(("text", "fragment", "said"), WIDENED.values(), ids=WIDENED)
def test_a_sentence_comes_with_what_belongs_to_it(text: str, fragment: str, said: str) -> None:
    corpus = corpus_of(policy(text))
    draft = drafted("What of the years of service of 3 years?", corpus, fragment)
    assert [statement.text for statement in draft.statements] == [said]
    assert draft.statements[0].deciding[0] == place_of(corpus, fragment)


@pytest.mark.parametrize(
    ("text", "form", "fragment", "said"),
    [
        ("<dl><dt>Leave</dt><dd>25 days.</dd></dl>", Format.HTML, "25", "Leave: 25 days."),
        (
            "<table><tr><th><th>Notice</tr><tr><td>Staff</td><td>2 weeks</td></tr></table>",
            Format.HTML,
            "Staff",
            "Staff; Notice: 2 weeks",
        ),
        ("Years\tDays\n0 to 4\t15 days\n5 to 9\t20 days\n", Format.PLAIN_TEXT, "5 to 9",
         "Years: 5 to 9; Days: 20 days"),
        ("Name\t4512\nOther\t4513\n", Format.PLAIN_TEXT, "4513", "Other 4513"),
        (PDF_TABLE, Format.PDF, "Dinner", "Meal: Dinner; Within the country: $38; Abroad: $46"),
        (PDF_TABLE, Format.PDF, "$19", "Meal: Lunch with; Within the country: $19; Abroad: $24"),
        (PDF_TABLE, Format.PDF, "Bar", "Meal Within the country Abroad: Bar no limit $5"),
    ],
)  # fmt: skip
def test_lists_and_tables_of_all_formats(text: str, form: Format, fragment: str, said: str) -> None:
    corpus = corpus_of(policy(text, "a", form))
    draft = drafted(f"What about {fragment}?", corpus, fragment)
    assert draft.statements[0].text == said


NOTICE = (
    "Notice is given in writing.\n\n| Length of service | Notice period |\n|---|---|\n"
    "| During probation | 1 week |\n| Up to 2 years | 2 weeks |\n"
    "| More than 2 and up to 5 years | 4 weeks |\n| More than 5 years | 8 weeks |\n"
    "| Heads of department | 12 weeks |\n"
)
CLAIMS = (
    "Claims are approved by these.\n\n| Role | One claim up to | Answer |\n|---|---|---|\n"
    "| Line manager | $1,000 | 5 days |\n| Head | $5,000 | 8 days |\n| Board | $25,000 | month |\n"
)
STEPS = (
    "Steps are taken early.\n\n| When | What |\n|---|---|\n| Day 1 | Badge |\n| Week 1 | Tour |\n"
    "| Week 2 | Course |\n"
)
BONUS = (
    "A bonus is paid.\n\n| Years | Bonus |\n|---|---|\n| From 5 | $100 |\n| From 10 | $300 |\n"
    "| From 20 | $900 |\n"
)


@pytest.mark.parametrize(
    ("table", "question", "cells"),
    [
        (NOTICE, "What notice is given after more than 5 years of service?", ["8 weeks"]),
        (NOTICE, "What notice is given after three years?", ["4 weeks"]),
        (NOTICE, "What notice is given after exactly five years?", ["4 weeks"]),
        (NOTICE, "What notice is given with at least ten years of service?", ["8 weeks"]),
        (NOTICE, "What notice is given with under two years of service?", ["2 weeks"]),
        (NOTICE, "What notice is given after 18 months?", ["2 weeks"]),
        (NOTICE, "What notice is given between 3 and 4 years of service?", ["4 weeks"]),
        (NOTICE, "What notice is given between 1 and 4 years?", ["2 weeks", "4 weeks"]),
        (NOTICE, "What notice is given during probation?", ["1 week"]),
        (NOTICE, "What notice is given by heads of department?", ["12 weeks"]),
        (NOTICE, "How long is the notice period?",
         ["1 week", "2 weeks", "4 weeks", "8 weeks", "12 weeks"]),
        (BANDS, "How many days per month with over 5 years of service?", ["1.92", "2.17"]),
        (BANDS, "How many days per month with 9.5 years of service?", ["1.92"]),
        (CLAIMS, "Who approves a claim of $1,500?", ["$5,000"]),
        (CLAIMS, "Who approves a claim of 800 dollars?", ["$1,000"]),
        (STEPS, "What steps are taken in week 2?", ["Course"]),
        (STEPS, "What steps are taken in the first week?", ["Tour"]),
        (BONUS, "What bonus is paid after 12 years?", ["$300"]),
    ],
)  # fmt: skip
def test_rows_are_chosen_by_their_bands(table: str, question: str, cells: list[str]) -> None:
    draft = drafted(question, corpus_of(policy(table)), table.split(".")[0])
    rows = draft.statements[0].text.split(". ")
    assert len(rows) == len(cells)
    assert all(f": {cell}" in row for row, cell in zip(rows, cells, strict=True))


def test_a_row_is_found_by_the_name_of_its_case() -> None:
    rows = "| Plan | Own | Family |\n|---|---|---|\n| Dental | $11 | $36 |\n| Vision | $4 | $12 |\n"
    corpus = corpus_of(policy(f"Fees\n\n{rows}"))
    draft = drafted("What is the family fee of the dental plan?", corpus, "Fees")
    assert draft.statements[0].text == "Plan: Dental; Own: $11; Family: $36"


def test_what_names_the_amount_comes_before_what_points_to_it() -> None:
    corpus = corpus_of(
        policy("What is paid for child care is said in the guide. Child care is paid with $110.")
    )
    draft = drafted("How much is paid for child care?", corpus, "in the guide", "$110", step=0.3)
    assert draft.statements[0].text == "Child care is paid with $110."


def test_more_is_stated_only_where_the_question_needs_it() -> None:
    corpus = corpus_of(
        policy("Sick leave is paid for ten days.", "a.md"),
        policy("Sick leave is reported to the manager by telephone.", "b.md"),
        policy("Sick animals are taken to the vet.", "c.md"),
    )
    every = "ten days", "telephone", "animals"
    both = drafted("Is sick leave paid, and how is sick leave reported?", corpus, *every, step=0.1)
    assert [statement.text.split()[3] for statement in both.statements] == ["paid", "reported"]
    one = drafted("Is sick leave paid?", corpus, *every, step=0.1)
    assert len(one.statements) == 1


def test_what_only_shares_words_stays_out() -> None:
    corpus = corpus_of(
        policy("Five days of leave are earned each month.", "a.md"),
        policy("Salaries are paid on the 25th of each month.", "b.md"),
    )
    draft = drafted("How many days of leave do I earn each month?", corpus, "Five", "Salaries")
    assert [one.text for one in draft.statements] == ["Five days of leave are earned each month."]


ABROAD = "Work from abroad is possible for 20 days a year."
NOT_ABROAD = "Interns cannot work from abroad."


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("May I work from abroad?", [ABROAD, NOT_ABROAD]),
        ("May interns work from abroad?", [NOT_ABROAD]),
    ],
)
def test_an_exception_stands_behind_its_rule(question: str, said: list[str]) -> None:
    """Unless it is the exception that was asked for."""
    corpus = corpus_of(policy(f"{ABROAD} Talk to the team first. {NOT_ABROAD}"))
    draft = drafted(question, corpus, "Interns", "possible")
    assert " ".join(statement.text for statement in draft.statements) == " ".join(said)


def test_what_is_quoted_is_the_sentence_that_tells_it() -> None:
    corpus = corpus_of(policy("An inquiry is led by two people. It is finished within 30 days."))
    (inquiry,) = drafted("When is an inquiry finished?", corpus, "inquiry is led").statements
    assert inquiry.deciding[0] == place_of(corpus, "30 days")


def test_an_answer_is_bounded() -> None:
    texts = [f"Leave case {word} " + "and more " * 20 + "is paid." for word in "abcdef"]
    corpus = corpus_of(*(policy(text, f"{n}.md") for n, text in enumerate(texts)))
    draft = drafted("Leave cases", corpus, *(text[:12] for text in texts), step=0.001)
    words = sum(len(statement.text.split()) for statement in draft.statements)
    assert 1 <= len(draft.statements) <= MOST_STATEMENTS
    assert words <= MAX_WORDS


def test_the_first_statement_is_never_cut() -> None:
    text = "Leave " + "and more " * 80 + "is paid."
    (statement,) = drafted("Is leave paid?", corpus_of(policy(text)), "Leave").statements
    assert statement.text == text


def test_without_a_sentence_to_state_there_is_a_refusal() -> None:
    corpus = corpus_of(policy("# Leave\n\nLeave is\x07 long.\n"))
    for fragments in ((), ("Leave",), ("long",)):
        draft = drafted("How long is leave?", corpus, *fragments)
        assert draft.statements == ()
        assert draft.refusal is not None
        assert draft.refusal.reason is RefusalReason.NOT_ANSWERED


def test_the_rule_for_the_group_that_is_asked_about_is_told() -> None:
    text = "Membership costs 15 euros a year. Pensioners pay 6 euros. Cards are free."
    for question, told in (
        ("What does membership cost for pensioners?", True),
        ("What does membership cost?", False),
    ):
        draft = drafted(question, corpus_of(policy(text)), "Membership costs")
        said = " ".join(statement.text for statement in draft.statements)
        assert ("Pensioners pay 6 euros." in said) is told
        assert "Cards are free." not in said
