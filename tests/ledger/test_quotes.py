"""Quotes inside an answer: which words are some, where they stand, and what was changed."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical import (
    Corpus,
    Fidelity,
    Guard,
    Verdict,
    build_ledger,
    check,
    check_quotes,
    document_from_text,
)
from veridical.ledger.checking import AnswerChecker, ProblemKind
from veridical.ledger.quotes import QuoteCheck, QuoteChecker
from veridical.validation.wording import reason

POLICY = """# Leave

In the teaching pool it is 35 days a year, and 28 in all others. Staff may carry over *five* days
to the next year, if the manager agrees by 30 June.

Nobody is called back from leave that has begun, but for 2 cases of need.
"""
SOURCE = document_from_text(POLICY, "leave.md")
QUOTES = QuoteChecker([SOURCE])
PAIRS = ["“”", "„“", "„”", "«»", "»«", "‹›", '""', "‘’", "''", "‚‘", "「」"]


def quotes(answer: str) -> tuple[QuoteCheck, ...]:
    return QUOTES.check(answer)


@pytest.mark.parametrize("marks", PAIRS)
def test_all_quotation_marks_quote(marks: str) -> None:
    answer = f"It says {marks[0]}In the teaching pool it is 45 days{marks[1]} in the manual."
    (found,) = quotes(answer)
    assert answer[found.span.start : found.span.end] == "In the teaching pool it is 45 days"
    assert found.fidelity is Fidelity.ALTERED
    assert "'35' became '45'" in found.reason
    assert found.nearest is not None
    assert (found.nearest.place, found.nearest.section) == ("leave.md:3", "Leave")


def test_a_block_quote_is_a_quote_without_its_credit() -> None:
    for credit in ("\n> — leave.md", " [1]", ""):
        (found,) = quotes(f"It says:\n\n> Nobody is called back\n> from leave.{credit}\n")
        assert found.grounded
        assert found.text == "Nobody is called back from leave."
    (found,) = quotes("> In the teaching pool it is **45** days a year.\n")
    assert found.fidelity is Fidelity.ALTERED


@pytest.mark.parametrize(
    "answer",
    [
        "The so-called “golden rule” holds, and “annual leave” is a term.",
        "It is done “until further notice”, and “by the manager” is not “by a few months”.",
        "See “Handbook of the Whole Cooperative” for it.",
        '`print("In the teaching pool it is 45 days")`',
        '```\n"In the teaching pool it is 45 days"\n```',
        "> [!NOTE]\n> In the teaching pool it is 45 days a year.",
        "The staff's leave and the managers' leave: in the teaching pool it's 45 days.",
        'A 5" pipe and in the teaching pool it is 45 days, a 6" one.',
        "> A summary in other words than those that the manual has for it.",
    ],
)
def test_words_that_quote_nothing_are_left_alone(answer: str) -> None:
    assert quotes(answer) == ()


def test_words_that_no_source_has_are_told_where_they_are_clearly_quoted() -> None:
    (found,) = quotes("It says “everyone gets a free bicycle on the first of May”.")
    assert (found.fidelity, found.reason) == (Fidelity.FABRICATED, "No source has these words.")


def test_a_few_words_are_told_of_where_a_number_in_them_was_changed() -> None:
    (found,) = quotes("It is “29 in all others” there.")
    assert found.fidelity is Fidelity.ALTERED
    (found,) = quotes("They say “it is forty days” there.")
    assert found.fidelity is Fidelity.ALTERED


def test_what_a_writer_leaves_out_or_puts_in_brackets_is_no_change() -> None:
    assert quotes("“Staff may carry over … if the manager agrees by 30 June”")[0].grounded
    assert quotes("“Staff [of the pool] may carry over five days”")[0].grounded
    assert not quotes("“Staff may carry over [six] days to the next year”")[0].grounded
    assert not quotes("“Staff may [not] carry over five days to the next year”")[0].grounded


def test_brackets_stand_for_no_word_that_an_ellipsis_may_not_leave_out() -> None:
    checker = QuoteChecker([document_from_text("Staff can only work from home on Mondays.", "a")])
    (found,) = checker.check("It says “Staff can [all] work from home on Mondays”.")
    assert not found.grounded


def test_brackets_stand_for_no_word_but_one_that_points_to_another() -> None:
    checker = QuoteChecker(
        [document_from_text("Some users must sign the register. They must hand in a badge.", "a")]
    )
    (found,) = checker.check("It says “[Few] users must sign the register”.")
    assert (found.fidelity, found.grounded) == (Fidelity.ALTERED, False)
    assert checker.check("It says “[The users] must hand in a badge”.")[0].grounded


def test_words_that_a_quote_strikes_out_are_not_quoted() -> None:
    checker = QuoteChecker(
        [document_from_text("Late requests are not accepted by the office.", "a")]
    )
    for struck in ("~~not~~ accepted", "~~not accepted~~", "<del>not</del> accepted"):
        words = f"Late requests are {struck} by the office"
        (found,) = checker.check(f"It says “{words}”.")
        assert not found.grounded, words


WORDS = [word.span() for word in re.finditer(r"[^\s*]+", POLICY)]


@given(st.data())
def test_a_verbatim_part_is_found_at_its_place_and_a_changed_number_in_it_never(
    data: st.DataObject,
) -> None:
    first = data.draw(st.integers(3, len(WORDS) - 6))
    last = data.draw(st.integers(first + 4, min(first + 20, len(WORDS) - 1)))
    start, end = WORDS[first][0], WORDS[last][1]
    words = POLICY[start:end]
    marks = data.draw(st.sampled_from(PAIRS))
    if "\n\n" not in words and "*" not in words:
        found = quotes(f"The manual says {marks[0]}{words}{marks[1]} of it.")
        shown = " ".join(words.split())
        if found and found[0].fidelity is Fidelity.ALTERED:  # a number or a name was cut in two
            assert words.rstrip(",.") != words or POLICY[end : end + 1] == " "
        else:
            (one,) = found
            assert one.text == shown
            assert one.nearest is not None
            assert one.nearest.span.start == start
            assert POLICY[start : one.nearest.span.end] in (words, words.rstrip(".,"))
        for number in re.finditer(r"\d+", words):
            other = str(int(number[0]) + data.draw(st.integers(1, 60)))
            changed = words[: number.start()] + other + words[number.end() :]
            told = quotes(f"The manual says {marks[0]}{changed}{marks[1]} of it.")
            assert told
            assert not any(one.grounded for one in told)


def test_a_claim_that_quotes_wrongly_is_never_supported() -> None:
    answer = (
        "Nobody is called back from leave that has begun "
        "(“Nobody will be called back from leave that has begun”)."
    )
    assert check(answer.split(" (")[0] + ".", [SOURCE]).grounded
    found = check(answer, {"leave.md": POLICY})
    assert not found.grounded
    assert not any(claim.grounded for claim in found.claims)
    assert [one.fidelity for one in found.misquoted] == [Fidelity.ALTERED]
    ledger = build_ledger(answer, [SOURCE])
    assert ledger.entries[0].verdict is not Verdict.SUPPORTED
    assert any(told.startswith("misquoted: “Nobody will be") for told in ledger.warnings)
    (problem,) = AnswerChecker(Corpus([SOURCE])).check(answer).of_kinds({ProblemKind.MISQUOTED})
    assert problem.nearest is not None
    assert problem.nearest.line == 6
    report = Guard([SOURCE]).check(answer)
    assert report.text != answer


def test_a_report_prints_claims_and_quotes_with_their_places() -> None:
    found = check(
        "Nobody is called back from leave that has begun. It is “28 in all others”.",
        {"leave.md": POLICY.encode()},
    )
    lines = str(found).splitlines()
    assert repr(found) == str(found)
    assert lines[0] == "supported: Nobody is called back from leave that has begun"
    assert "quoted: “28 in all others”" in lines
    assert "    leave.md:3, section “Leave”: “28 in all others”" in lines
    quote = found.to_dict()["quotes"][0]
    assert POLICY[quote["source_start"] : quote["source_end"]] == "28 in all others"
    assert (quote["grounded"], quote["line"]) == (True, 3)


@pytest.mark.parametrize(
    ("quote", "told"),
    [
        ("[All] staff may carry over five days to the next year", "added 'All'"),
        ("[All staff] may carry over five days to the next year", "added 'All'"),
        ("[Managers] may carry over five days to the next year", "'Staff' became 'Managers'"),
        ("In the teaching pool it is 35 days a year, and 28 in all others [here]", "added 'here'"),
        ("[Somebody] is called back from leave that has begun", "'Nobody' became 'Somebody'"),
    ],
)
def test_words_put_in_at_an_end_are_told_and_not_laid_on_the_next_sentence(
    quote: str, told: str
) -> None:
    (result,) = check_quotes([quote], [SOURCE]).results
    assert result.fidelity is Fidelity.ALTERED
    assert [change.describe().partition(": ")[2] for change in result.alterations] == [told]


def test_words_put_in_do_not_hide_what_stands_before_them_in_the_sentence() -> None:
    rule = "Dogs are welcome. Staff may not enter the hall for swimming lessons on weekdays."
    checker = QuoteChecker([document_from_text(rule, "rule.md")])
    for put_in in ("[Staff]", "[Staff can]", "[Dogs]"):
        (found,) = checker.check(f"“{put_in} enter the hall for swimming lessons on weekdays”")
        assert found.fidelity is Fidelity.ALTERED


def test_a_letter_in_brackets_is_told_and_the_claim_is_read_without_them() -> None:
    quote = "[s]taff may carry over five days to the next year, if the manager agrees by 30 June"
    (result,) = check_quotes([quote], [SOURCE]).results
    assert result.passed
    assert "a letter in brackets, [s]" in reason(result)
    answer = f"The handbook says that “{quote.replace('[s]', '[S]')}”."
    found = check(answer, [SOURCE])
    plain = check(answer.replace("[s]", "s").replace("[S]", "S"), [SOURCE])
    assert [one.verdict for one in found.claims] == [one.verdict for one in plain.claims]
    assert [one.grounded for one in found.quotes] == [True]


def test_a_few_words_are_misquoted_where_they_deny_what_a_source_says() -> None:
    checker = QuoteChecker([document_from_text("They must sign the form.", "a")])
    for quote in ("Nobody must sign the form", "[Nobody] must sign the form"):
        (found,) = checker.check(f"It says “{quote}”.")
        assert (found.fidelity, found.grounded) == (Fidelity.ALTERED, False)
    (found,) = checker.check("It says “[Only directors] must sign the form”.")
    assert not found.grounded
    assert checker.check("It says “[Members] must sign the form”.")[0].grounded
    named = QuoteChecker([document_from_text("He said that the fee was high.", "a")])
    assert named.check("It says “He [Smith] said that the fee was high”.")[0].grounded
