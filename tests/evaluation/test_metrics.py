"""Each clause of the specification, by responses that keep it and responses that break it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.evaluation.responses import (
    ASKED,
    COSTS,
    GOOD,
    GOOD_ANSWER,
    LEAVE,
    REFUSAL,
    REFUSED,
    TRAP,
    response,
)

from veridical.evaluation.metrics import is_refusal_wording, score_response
from veridical.evaluation.run import ChatResponse
from veridical.judging.judge import (
    Case,
    JudgeFailure,
    Judgement,
    OperatingPoint,
    SupportLevel,
)

QUOTE = 'Quote: "Full-time staff accrue 1.67 days of leave per month." [1]'


def quoting(words: str) -> ChatResponse:
    return response(f'1.67 days [1].\nQuote: "{words}" [1]', LEAVE)


@pytest.mark.parametrize(
    ("given", "grounded", "cited", "problem"),
    [
        (GOOD, True, True, None),
        (response(QUOTE, LEAVE), True, True, None),
        (response("1.67 days [1].", LEAVE), True, False, "it has no quote line"),
        (response(GOOD_ANSWER), False, False, "it returns no citations"),
        (response("1.67 days.", LEAVE), False, False, "no bracket-style citations"),
        (response(f"1.67 days [2].\n{QUOTE}", LEAVE), False, False, "marker [2] names no"),
        (response(f"1.67 days [0].\n{QUOTE}", LEAVE), False, False, "marker [0] names no"),
        (response(f"1.67 days [1]-[3].\n{QUOTE}", LEAVE, COSTS), False, False, "marker [3]"),
        (response(f"1.67 days [1]-[2].\n{QUOTE}", LEAVE, COSTS), True, True, None),
        (response(f"1.67 days [1].\n{QUOTE}", COSTS, LEAVE), True, False, "stands in source 2"),
        (response(f"Yes [1].\n{QUOTE}".replace("1.67", "1.76"), LEAVE), True, False, "1.76"),
        (response(f"1.67 days [1].\n{QUOTE}.", LEAVE), True, False, "not of the form"),
        (response(f"1.67 days [1].\n{QUOTE[:-3]}[2]", LEAVE), False, False, "not returned"),
        (response(f'{QUOTE}\nQuote: "Invented words" [1]', LEAVE), True, True, "Invented"),
        (response('Yes [1].\nQuote: "All is free [9]." [1]', "All is free."), False, False, "[9]"),
        (response('Yes [1].\nQuote: "All is free [9]." [1]', "All is free [9]."), True, True, ""),
        (response('Yes [1].\nQuote: "Free [9]." [1]', "Dear.", "Free [9]."), False, False, "[9]"),
        (response("", LEAVE), False, False, "no bracket-style citations"),
        (quoting("per\u2003month. \u00a0 Leave may be"), True, True, None),
        (quoting("carried over [see 4.2]."), True, True, None),
        (quoting("full-time staff accrue"), True, False, "does not stand in source 1"),
        (quoting("Full\u2010time staff"), True, False, "does not stand in source 1"),
        (quoting("Full-time staff accrue 1.67 days..."), True, False, "does not stand in"),
        (quoting("Full-time \u200bstaff"), True, False, "does not stand in source 1"),
        (quoting("F"), True, False, "too short"),
        (quoting(" \u00a0 "), True, False, "too short"),
    ],
)
def test_an_answerable_question(
    given: ChatResponse, grounded: bool, cited: bool, problem: str | None
) -> None:
    scores = score_response(ASKED, given)
    assert (scores.grounded_ok, scores.citation_ok) == (grounded, cited)
    told = "; ".join(scores.problems)
    assert (told == "") if problem is None else (problem in told)


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (REFUSED, None),
        (response("You CAN'T do that."), None),
        (response("That can\u2019t be told."), None),
        (response(REFUSAL, LEAVE, snippets=()), "it returns 1 citation"),
        (response(REFUSAL, snippets=("a", "b")), "it returns 2 snippets"),
        (response("There is nothing about it."), "cannot"),
        (response("I can not say."), "cannot"),
        (GOOD, "it returns 1 citation"),
    ],
)
def test_a_question_that_cannot_be_answered(given: ChatResponse, problem: str | None) -> None:
    scores = score_response(TRAP, given)
    expected = problem is None
    assert scores.grounded_ok is scores.citation_ok is scores.refused is scores.correct is expected
    assert problem is None or problem in "; ".join(scores.problems)


def test_a_refusal_of_an_answerable_question_is_a_false_refusal() -> None:
    scores = score_response(ASKED, REFUSED)
    assert (scores.grounded_ok, scores.refused, scores.correct) == (False, True, False)
    assert "it refuses a question that the documents answer" in scores.problems


@pytest.mark.parametrize(
    ("said", "expected", "right"),
    [
        ("It is 5\u00a0 DAYS.", [["5 Days"]], True),
        ("It is 15 days.", [["5 days"]], False),
        ("It is 1.5 days.", [["5 days"]], False),
        ("It is 5,000.", [["5"]], False),
        ("It is US$50.", [["$50"]], True),
        ("It is 5 days' notice.", [["5 days"], ["notice"]], True),
        ("See source [5].", [["5"]], False),
        (f"{QUOTE}", [["1.67 days"]], True),
        ('Quote: "It is 5 days." [1]', [["5 days"]], False),
        ("It is 5\ndays.", [["5 days"]], True),
        ("Whatever.", [], True),
    ],
)
def test_expected_facts_are_whole_tokens(said: str, expected: list[list[str]], right: bool) -> None:
    question = replace(ASKED, expected=tuple(map(tuple, expected)))
    scores = score_response(question, response(said, LEAVE))
    assert scores.correct is right
    assert any("the answer lacks" in problem for problem in scores.problems) is not right


@given(st.text())
def test_no_answer_breaks_the_scoring(answer: str) -> None:
    for question in (ASKED, TRAP):
        scores = score_response(question, response(answer, LEAVE))
        assert scores.grounded_ok or not scores.citation_ok
        assert is_refusal_wording(answer) or not scores.refused


# --- citation precision and recall ----------------------------------------------------------------


class WordJudge:
    """Bears out what stands in the passage, fails on "broken"."""

    name = "words"
    point = OperatingPoint.STRICT

    def judge(self, cases: list[Case]) -> list[Judgement | JudgeFailure]:
        return [self._one(case) for case in cases]

    def _one(self, case: Case) -> Judgement | JudgeFailure:
        if "broken" in case.claim:
            return JudgeFailure("no")
        full = case.claim.rstrip(".") in " ".join(case.sentences)
        level = SupportLevel.FULL if full else SupportLevel.NONE
        return Judgement(level, 0.9 * full, 0.9 * full, 0.0, False, 1.0, None)


A, B = "Cats sleep a lot. Dogs bark at night.", "Birds sing at dawn."


@pytest.mark.parametrize(
    ("answer", "markers", "borne_out", "statements", "cited"),
    [
        ("Cats sleep a lot. [1]", 1, 1, 1, 1),
        ("Cats sleep a lot [1][2].", 2, 1, 1, 1),
        ("Cats sleep a lot [2].", 1, 0, 1, 0),
        ("Cats sleep a lot.", 0, 0, 1, 0),
        ("Cats sleep a lot. Dogs bark at night. [1]", 1, 1, 2, 2),
        ("Cats sleep a lot [1]. Birds sing at dawn.", 1, 1, 2, 1),
        ("[1] Cats sleep a lot.", 1, 1, 1, 1),
        ("The policies say:\n- Cats sleep a lot [1]", 1, 1, 1, 1),
        ('Cats sleep a lot [1].\nQuote: "Cats sleep a lot." [1]', 1, 1, 1, 1),
        ('Cats sleep a lot [1].\nQuote: "Cats sleep a bit." [1]', 2, 1, 2, 1),
        ('Quote: "Cats fly." [1]', 1, 0, 1, 0),
        ("Cats sleep for 99 days:", 0, 0, 1, 0),
        ("It is broken [1].", 0, 0, 0, 0),
        ("[1]", 1, 0, 0, 0),
        ("", 0, 0, 0, 0),
    ],
)
def test_what_the_judge_counts(
    answer: str, markers: int, borne_out: int, statements: int, cited: int
) -> None:
    scores = score_response(ASKED, response(answer, A, B), WordJudge())
    counted = (scores.markers, scores.borne_out, scores.statements, scores.cited)
    assert counted == (markers, borne_out, statements, cited)


def test_a_flood_of_quotes_and_markers_is_scored_in_bounds() -> None:
    quotes = "".join(f'Quote: "never said {n}" [1]\n' for n in range(3_000))
    flooded = response(quotes + "".join(f"[{n}]" for n in range(2, 3_000)), *["word " * 9_000] * 20)
    scores = score_response(ASKED, flooded)
    assert not scores.grounded_ok
    assert len(scores.problems) < 250
    assert "so do 2974 more markers" in scores.problems


def test_a_refusal_makes_no_statements() -> None:
    for question in (ASKED, TRAP):
        scores = score_response(question, REFUSED, WordJudge())
        assert (scores.markers, scores.statements) == (0, 0)
