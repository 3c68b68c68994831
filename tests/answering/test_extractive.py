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


def test_nothing_is_told_twice() -> None:
    text = "Staff get a card. It is valid for two years. Cards are free."
    corpus = corpus_of(policy(text))
    for fragments in (("a card", "valid", "free"), ("valid", "a card", "free")):
        draft = drafted("What of cards?", corpus, *fragments)
        told = " ".join(statement.text for statement in draft.statements)
        assert sorted(told.split()) == sorted(text.split())


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


@pytest.mark.parametrize(("heading", "shown"), HEADINGS.items())
def test_a_title_that_forbids_or_takes_back_is_shown(heading: str, shown: str) -> None:
    text = f"# Office\n\nHello.\n\n{heading}\n\n{SMOKING}\n"
    text = text if heading.startswith("##") else f"{heading}\n\n{SMOKING}\n"
    assert said(text, SMOKING) == f"{shown}{SMOKING}"


@pytest.mark.parametrize(
    ("text", "fragment", "quoted"),
    [
        (*LISTS["without a colon"][:2], ["Shared passwords", "What is strictly forbidden"]),
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
