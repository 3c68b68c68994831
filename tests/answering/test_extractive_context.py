"""What belongs to a deciding sentence: exceptions, what takes it back, the line before its list."""

from __future__ import annotations

import pytest
from tests.answering.handmade import assembled, corpus_of, drafted, place_of, policy

from veridical.answering.extractive.context import belonging, in_words
from veridical.retrieval.tables.layout import Layout
from veridical.sources.document import Format

ABROAD = "Employees may work from abroad."
GIFTS = "Employees may accept gifts from suppliers."
LEAVE = "Employees get 99 days of parental leave."
SMOKING = "Smoking is allowed in the office."

EXCEPTIONS = {
    "by a pronoun": (ABROAD, "For employees hired after 2020 that is forbidden.", "Ask early."),
    "by a content word": (GIFTS, "Gifts over $50 are refused.", "Report them early."),
    "without a verb": ("Taxis are repaid.", "Not between 9 and 17 hours.", "Keep receipts."),
    "of few words": (ABROAD, "Contractors cannot.", "Ask early."),
    "that loses it": (
        "Employees may carry over unused leave.",
        "Employees in their probation period lose it.",
        "Managers decide.",
    ),
    "in the next paragraph": (GIFTS, "\n\nThis holds only in Germany.", "\n\nKeep a list."),
    "that it is not in force": (LEAVE, "It is invalid.", "Ask early."),
    "that it is an example": (LEAVE, "This sentence is an example of a bad rule.", "Ask early."),
}
NO_EXCEPTIONS = {
    "another matter": (GIFTS, "Laptops are not repaired in the depot at all."),
    "words for everyone": (ABROAD, "Employees do not pay for coffee or tea in the kitchen."),
    "times": ("Leave is 25 days a year.", "Letters of complaint are not answered for 10 days."),
    "a figure that is bounded": (GIFTS, "Suppliers are paid no later than at the month's end."),
    "a heading": (GIFTS, "\n\n## Gifts are never refused\n\nGifts are never refused."),
}
TAKEN_BACK = {
    "a draft": ("The following draft was rejected by the board:\n\n> ", LEAVE),
    "a condition": ("If the works council agrees, the following holds. ", LEAVE),
    "an old rule": ("The following was the rule until 2019, and is not in force.\n\n", SMOKING),
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
    "a second paragraph of an item": (
        "Never repaid are:\n\n1. Fines.\n\n   Taxis are paid by nobody else.\n2. Drinks.\n",
        "Taxis",
        "Never repaid are: Taxis are paid by nobody else.",
    ),
    "the line itself": (
        "The notice period is\n\n- one month for staff\n- two for managers\n",
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
