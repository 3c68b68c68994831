"""The embedded author: which sentences make an answer, and what they are not understood without."""

from __future__ import annotations

import pytest
from tests.answering.handmade import assembled, corpus_of, drafted, place_of, policy

from veridical.answering.answer import RefusalReason
from veridical.answering.extractive.author import MAX_WORDS, MOST_STATEMENTS
from veridical.answering.extractive.context import belonging, in_words
from veridical.retrieval.tables.layout import Layout
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
        (NOTICE, "What notice is given with under two years of service?", ["2 weeks"]),
        (NOTICE, "What notice is given after 18 months?", ["2 weeks"]),
        (NOTICE, "What notice is given between 1 and 4 years?", ["2 weeks", "4 weeks"]),
        (NOTICE, "What notice is given by heads of department?", ["12 weeks"]),
        (NOTICE, "How long is the notice period?",
         ["1 week", "2 weeks", "4 weeks", "8 weeks", "12 weeks"]),
        (BANDS, "How many days per month with over 5 years of service?", ["1.92", "2.17"]),
        (CLAIMS, "Who approves a claim of $1,500?", ["$5,000"]),
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


# --- exceptions, what takes a sentence back, the line before its list -----------------------------

REMOTE = "Employees may work from abroad."
GIFTS = "Employees may accept gifts from suppliers."
LEAVE = "Employees get 99 days of parental leave."
SMOKING = "Smoking is allowed in the office."

EXCEPTIONS = {
    "by a pronoun": (
        REMOTE,
        "For employees hired after 2020 that is forbidden.",
        "Ask early.",
    ),
    "by a content word": (GIFTS, "Gifts over $50 are refused.", "Report them early."),
    "without a verb": ("Taxis are repaid.", "Not between 9 and 17 hours.", "Keep receipts."),
    "that loses it": (
        "Employees may carry over unused leave.",
        "Employees in their probation period lose it.",
        "Managers decide.",
    ),
    "in the next paragraph": (GIFTS, "\n\nThis holds only in Germany.", "\n\nKeep a list."),
    "that it is an example": (LEAVE, "This sentence is an example of a bad rule.", "Ask early."),
}
NO_EXCEPTIONS = {
    "another matter": (GIFTS, "Laptops are not repaired in the depot at all."),
    "words for everyone": (REMOTE, "Employees do not pay for coffee or tea in the kitchen."),
    "times": ("Leave is 25 days a year.", "Letters of complaint are not answered for 10 days."),
    "a figure that is bounded": (GIFTS, "Suppliers are paid no later than at the month's end."),
    "a heading": (GIFTS, "\n\n## Gifts are never refused\n\nGifts are never refused."),
}
TAKEN_BACK = {
    "a draft": ("The following draft was rejected by the board:\n\n> ", LEAVE),
    "a condition": ("If the works council agrees, the following holds. ", LEAVE),
    "an old rule, further up": (
        "The following rules are no longer in force. Doors are open at 7. Lights are on. ",
        SMOKING,
    ),
}
LISTS = {
    "without a colon": (
        "What is strictly forbidden\n\n- USB sticks at work\n- Shared passwords\n",
        "passwords",
        "What is strictly forbidden: Shared passwords",
    ),
    "with a full stop": (
        "Nothing is paid for these things.\n\n- Fines\n- Taxis to the airport\n",
        "Taxis",
        "Nothing is paid for these things. Taxis to the airport",
    ),
    "a long list": (
        "Never repaid are:\n\n" + "".join(f"- Thing {n}\n" for n in range(40)) + "- Taxis\n",
        "Taxis",
        "Never repaid are: Taxis",
    ),
    "a second sentence of an item": (
        "Never repaid are:\n\n- Fines. Those of taxis neither.\n- Drinks.\n",
        "taxis",
        "Never repaid are: Fines. Those of taxis neither.",
    ),
    "the line itself": (
        "The notice period is\n\n- one month for staff\n- two for managers\n\nNothing else is.\n",
        "notice",
        "The notice period is: one month for staff; two for managers",
    ),
    "an exception behind the list": (
        "The notice is\n\n- a month for staff\n- two for others\n\nunless a contract says so.\n",
        "a month",
        "The notice is: a month for staff unless a contract says so.",
    ),
    "what stands behind a list": (
        "These are not repaid:\n\n- Fines\n- Drinks\n\nMeals are repaid up to $50.\n",
        "Meals",
        "Meals are repaid up to $50.",
    ),
}
HEADINGS = {
    "## Repealed rules": "Repealed rules: ",
    "## Prohibited": "Prohibited: ",
    "## Not reimbursed": "Not reimbursed: ",
    "## Rules": "",
    "# Draft of 2024": "Draft of 2024: ",
    "# No Smoking Policy": "",
}


def said(text: str, fragment: str, form: Format = Format.MARKDOWN) -> str:
    chunk, index = place_of(corpus_of(policy(text, "a", form)), fragment)
    layout = Layout(chunk)
    shown = belonging(layout, index)
    assert index in shown
    assert list(shown) == sorted(set(shown))
    return in_words(layout, shown)


@pytest.mark.parametrize("parts", EXCEPTIONS.values(), ids=EXCEPTIONS)
def test_an_exception_comes_along(parts: tuple[str, str, str]) -> None:
    rule, exception, other = parts
    shown = said(" ".join(parts), rule[:18])
    assert shown.startswith(rule)
    assert shown.endswith(exception.strip())
    assert other.strip() not in shown


def test_an_exception_further_on_comes_along() -> None:
    refused = "Gifts over $50 are refused."
    assert said(f"{GIFTS} Lists are sent to the managers. {refused}", GIFTS) == f"{GIFTS} {refused}"
    pointing = said(f"{GIFTS} A list is sent to the managers. That is forbidden abroad.", GIFTS)
    assert pointing.endswith("managers. That is forbidden abroad.")


def test_a_note_comes_along() -> None:
    text = "Employees get 25 days*.\n\nKeep a list.\n\n\\* Only for full-time work.\n"
    assert said(text, "25 days") == "Employees get 25 days*. Only for full-time work."


@pytest.mark.parametrize(("text", "other"), NO_EXCEPTIONS.values(), ids=NO_EXCEPTIONS)
def test_other_denials_stay_out(text: str, other: str) -> None:
    assert said(f"{text} {other}", text[:18]) == text


@pytest.mark.parametrize(("before", "text"), TAKEN_BACK.values(), ids=TAKEN_BACK)
def test_what_takes_a_sentence_back_comes_along(before: str, text: str) -> None:
    first = before.rstrip("\n> ").partition(". ")[0].rstrip(".")
    shown = said(before + text, text)
    assert shown.startswith(first)
    assert shown.endswith(text)


@pytest.mark.parametrize(("text", "fragment", "shown"), LISTS.values(), ids=LISTS)
def test_an_item_keeps_the_line_before_its_list(text: str, fragment: str, shown: str) -> None:
    assert said(text, fragment) == shown


def test_an_item_of_html_keeps_the_paragraph_before_its_list() -> None:
    text = "<p>The company does not pay</p><ul><li>Fines<li>Taxis to the airport</ul>"
    assert said(text, "Taxis", Format.HTML) == "The company does not pay: Taxis to the airport"


@pytest.mark.parametrize(("heading", "shown"), HEADINGS.items())
def test_a_title_that_forbids_or_takes_back_is_shown(heading: str, shown: str) -> None:
    text = f"# Office\n\nHello.\n\n{heading}\n\n{SMOKING}\n"
    text = text if heading.startswith("##") else f"{heading}\n\n{SMOKING}\n"
    assert said(text, SMOKING) == f"{shown}{SMOKING}"


@pytest.mark.parametrize(
    ("text", "fragment", "quoted"),
    [
        (*LISTS["without a colon"][:2], ["What is strictly forbidden", "Shared passwords"]),
        ("".join(TAKEN_BACK["a draft"]), LEAVE, [LEAVE, TAKEN_BACK["a draft"][0].rstrip("\n> ")]),
        (f"{GIFTS} Gifts over $50 are refused.", GIFTS, [GIFTS]),
    ],
)
def test_the_line_that_turns_a_quote_round_is_quoted_too(
    text: str, fragment: str, quoted: list[str]
) -> None:
    corpus = corpus_of(policy(text))
    answer = assembled(corpus, drafted("Are passwords shared?", corpus, fragment))
    assert [quote.text for quote in answer.quotes] == quoted
    assert {quote.citation for quote in answer.quotes} == {1}
