"""Below a refusal stands what comes nearest, whatever a server names as that."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.evaluation.runs import REFUSAL, RIGHT, ask, result, run

from veridical.evaluation.report.answers import MOST_PASSAGES, nearest_passages
from veridical.evaluation.report.html import render_html
from veridical.evaluation.results import run_from_bytes, run_to_bytes
from veridical.evaluation.run import ChatResponse, EvalQuestion

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


def test_it_is_told_where_no_passage_is_of_a_source() -> None:
    assert "None of them is of <bdi>leave.md</bdi>." in shown(refusal(passage(DAYS, "other.md")))


def test_a_right_refusal_has_it_too_and_an_answer_has_not() -> None:
    assert HEADING in shown(refusal(passage(DAYS)), ask("u1", answerable=False))
    assert HEADING not in shown(replace(RIGHT, extra={"nearest": [passage(DAYS)]}))


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


def test_no_more_are_read_than_a_reader_would() -> None:
    texts = [f"Passage {number}." for number in range(1_000)]
    assert [text for text, _ in named(*map(passage, texts))] == texts[:MOST_PASSAGES]


def test_a_passage_is_text() -> None:
    hostile = "<script>alert(1)</script> 25 days"
    near = {**passage(hostile, snippet="<script>"), "title": hostile, "section": hostile}
    html = shown(refusal(near))
    assert "<script" not in html
    assert "<mark>&lt;script&gt;</mark>alert(1)" in html


def test_it_survives_the_file_of_results() -> None:
    made = run(result(ASKED, refusal(passage(DAYS, snippet="25 days"))))
    assert render_html(run_from_bytes(run_to_bytes(made))) == render_html(made)
