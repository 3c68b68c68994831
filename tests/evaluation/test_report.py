"""The report: the numbers, what is not right in full, and nothing of a text as HTML."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from tests.evaluation.runs import (
    FAILED,
    MISQUOTED,
    REFUSAL,
    RIGHT,
    UNCITED,
    WRONG,
    ask,
    result,
    run,
    run_of,
)
from tests.validation.report_page import Node, parse, squeezed

from veridical.evaluation.report.answers import nearest_passages
from veridical.evaluation.report.html import render_html
from veridical.evaluation.run import ChatResponse, EvalQuestion, EvalRun

EVERY_KIND = run_of([RIGHT, FAILED, UNCITED, MISQUOTED, WRONG, REFUSAL])


def page(made: EvalRun) -> Node:
    return parse(render_html(made))


def told(made: EvalRun, section: str) -> str:
    """The text of a section of the page."""
    return page(made).by_id(section).text


WRONGLY_REFUSED = result(ask("q"), REFUSAL)
WRONGLY_ANSWERED = result(ask("u", answerable=False), RIGHT)


@pytest.mark.parametrize(
    ("made", "sentence"),
    [
        (run(WRONGLY_REFUSED), "1 question asked, 1 of 1 answerable wrongly refused."),
        (run(WRONGLY_ANSWERED), "1 question asked, 1 of 1 unanswerable wrongly answered."),
        (run(result(ask("q"), RIGHT)), "1 question asked, 0 of 1 answerable wrongly refused."),
        (run(WRONGLY_REFUSED, WRONGLY_ANSWERED), "refused, 1 of 1 unanswerable wrongly answered."),
    ],
)
def test_the_head_tells_both_errors_of_refusing_apart(made: EvalRun, sentence: str) -> None:
    assert sentence in told(made, "result")


def test_wrong_refusals_stand_first_and_what_is_right_is_folded() -> None:
    made = run(*EVERY_KIND.results, WRONGLY_ANSWERED)
    shown = page(made)
    failing = shown.by_id("failing").text
    order = ["q6", "(u)", "q2", "q3", "q4", "q5"]
    assert sorted(order, key=failing.index) == order
    assert "q1" not in failing
    assert len(shown.all("article")) == 6
    assert len(shown.all("details")) == 1
    assert "no answer within 30 seconds" in failing


def test_numbers_stand_beside_what_always_refusing_would_reach() -> None:
    made = run(
        result(ask("q1"), RIGHT),
        result(ask("q2"), MISQUOTED),
        result(ask("q3"), UNCITED),
        result(ask("u1", answerable=False), REFUSAL),
    )
    rows = re.findall(r"<tr><th scope=\"row\">(\w+).*?</tr>", render_html(made))
    assert rows[:3] == ["Groundedness", "Citation", "Correct"]
    rates = squeezed(told(made, "metrics"))
    assert re.search(r"Groundedness .*?75\.0 %3 of 430\.1 to 95\.4 %always refusing 25\.0 %", rates)
    assert re.search(r"Citation accuracy .*?50\.0 %2 of 4", rates)
    assert re.search(r"Refused .*?100\.0 %1 of 1.*?always refusing 100\.0 %", rates)


def test_topics_are_told_in_words_as_well_as_drawn() -> None:
    made = run(
        result(ask("q1", topic="travel"), RIGHT),
        result(ask("q2", topic="travel"), MISQUOTED),
        result(ask("q3", topic=""), FAILED),
    )
    topics = told(made, "topics")
    assert "travel 1 of 2 right, 1 not quoted" in topics
    assert "(no topic) 0 of 1 right, 1 no response" in topics
    assert topics.index("travel") < topics.index("(no topic)")


def test_times_are_of_responses_only() -> None:
    shown = told(run_of([FAILED, RIGHT]), "latency")
    assert "Client p50 10.0 ms, p95 10.0 ms, 1 question" in shown
    assert "Server p50 4.0 ms" in shown
    assert "No question got a response" in told(run_of([FAILED]), "latency")


# --- where words stand ---------------------------------------------------------------------------


# --- below a refusal stands what comes nearest, whatever a server names as that -------------------

HOLIDAYS = "Public holidays are\nnot counted. There are 11 of them."
DAYS = "Staff get 25 days\nof leave a year."
ASKED = replace(ask("q1"), sources=("leave.md",))
HEADING = "What comes nearest"
WOULD_ANSWER = "The passage that would have answered:"


def passage(text: str, doc_id: str = "leave.md", snippet: str = "") -> dict[str, Any]:
    """As it stands on the wire, with fields beyond those of the specification."""
    return {
        "doc_id": doc_id, "title": "Leave", "section": "Leave > Days", "snippet": snippet,
        "text": text, "number": 1, "page": None, "start": 0, "end": len(text), "anchor": "a",
    }  # fmt: skip


def refusal(*nearest: Any) -> ChatResponse:
    return replace(REFUSAL, extra={"nearest": list(nearest)})


def shown(response: ChatResponse, question: EvalQuestion = ASKED) -> str:
    return render_html(run(result(question, response)))


def named(*nearest: Any, question: EvalQuestion = ASKED) -> list[tuple[str, bool]]:
    passages = nearest_passages(result(question, refusal(*nearest)))
    return [(each.citation.text, each.answers) for each in passages]


def test_the_passage_that_would_have_answered_stands_first_with_its_snippet_marked() -> None:
    html = shown(
        refusal(
            passage("Elsewhere 25 days.", "other.md"),
            passage(HOLIDAYS, snippet="There are 11 of them."),
            passage(DAYS, snippet="25 days of leave"),
        )
    )
    assert html.index(HEADING) < html.index(WOULD_ANSWER) < html.index("of leave</mark> a year.")
    assert "Staff get <mark>25 days\nof leave</mark> a year." in html
    assert "<mark>There are 11 of them.</mark>" in html
    assert html.index("a year.") < html.index("Public holidays") < html.index("Elsewhere")
    assert html.count(WOULD_ANSWER) == 1
    assert "<bdi>Leave &gt; Days</bdi> · <bdi>leave.md</bdi>" in html
    assert "None of them is of" not in html


def test_a_passage_of_a_source_comes_before_others_and_only_with_a_fact_it_would_answer() -> None:
    assert named(passage(DAYS, "other.md"), passage(HOLIDAYS)) == [(HOLIDAYS, False), (DAYS, False)]
    assert named(passage("All 125 days."), passage(DAYS)) == [
        (DAYS, True),
        ("All 125 days.", False),
    ]
    assert named(passage(DAYS), question=replace(ASKED, expected=())) == [(DAYS, False)]
    assert named(passage(DAYS), question=replace(ASKED, sources=())) == [(DAYS, False)]


@pytest.mark.parametrize(
    "nearest",
    [
        None, True, 7, 1e300, "leave.md", {}, passage(DAYS), [], [[]], [None, 1, "text", {}],
        [{**passage(DAYS), "text": 1}], [{**passage(DAYS), "title": None}],
        [{**passage(DAYS), "doc_id": ["leave.md"]}], [{"doc_id": "leave.md", "text": DAYS}],
        [passage("x" * 200_001)], [passage(DAYS, "x" * 2_001)],
    ],
)  # fmt: skip
def test_what_is_not_shaped_as_citations_is_left_out(nearest: object) -> None:
    assert shown(replace(REFUSAL, extra={"nearest": nearest})) == shown(REFUSAL)


def test_a_passage_is_text() -> None:
    hostile = "<script>alert(1)</script> 25 days"
    near = {**passage(hostile, snippet="<script>"), "title": hostile, "section": hostile}
    html = shown(refusal(near))
    assert "<script" not in html
    assert "<mark>&lt;script&gt;</mark>alert(1)" in html
