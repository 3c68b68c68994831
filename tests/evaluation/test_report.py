"""The report: the numbers, what is not right in full, and nothing of a text as HTML."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
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

from veridical.evaluation.report.answers import Places, marked
from veridical.evaluation.report.charts import axis_end
from veridical.evaluation.report.html import render_html
from veridical.evaluation.run import EvalRun

EVERY_KIND = run_of([RIGHT, FAILED, UNCITED, MISQUOTED, WRONG, REFUSAL])


class _Page(HTMLParser):
    """The elements of a page, and its text by section."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.section = ""
        self.texts: dict[str, str] = {}
        self.marked: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag == "section":
            self.section = dict(attrs)["id"] or ""
        if tag == "mark":
            self.marked.append("")

    def handle_data(self, data: str) -> None:
        self.texts[self.section] = self.texts.get(self.section, "") + data
        if "mark" in self.tags[-2:] and self.tags[-1] in ("mark", "span"):
            self.marked[-1] = self.marked[-1] or data


def page(made: EvalRun, title: str | None = None) -> _Page:
    return _Page(render_html(made, title))


WRONGLY_REFUSED = result(ask("q"), REFUSAL)
WRONGLY_ANSWERED = result(ask("u", answerable=False), RIGHT)


@pytest.mark.parametrize(
    ("made", "told"),
    [
        (run(WRONGLY_REFUSED), "1 question asked, 1 of 1 answerable wrongly refused."),
        (run(WRONGLY_ANSWERED), "1 question asked, 1 of 1 unanswerable wrongly answered."),
        (run(result(ask("q"), RIGHT)), "1 question asked, 0 of 1 answerable wrongly refused."),
        (run(WRONGLY_REFUSED, WRONGLY_ANSWERED), "refused, 1 of 1 unanswerable wrongly answered."),
    ],
)
def test_the_head_tells_both_errors_of_refusing_apart(made: EvalRun, told: str) -> None:
    assert told in page(made).texts["result"]


def test_wrong_refusals_stand_first_and_what_is_right_is_folded() -> None:
    made = run(*EVERY_KIND.results, WRONGLY_ANSWERED)
    shown = page(made)
    failing = shown.texts["failing"]
    order = ["q6", "(u)", "q2", "q3", "q4", "q5"]
    assert sorted(order, key=failing.index) == order
    assert "q1" not in failing
    assert shown.tags.count("article") == 6
    assert shown.tags.count("details") == 1
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
    told = " ".join(page(made).texts["metrics"].split())
    assert re.search(r"Groundedness .*?75\.0 %3 of 430\.1 to 95\.4 %always refusing 25\.0 %", told)
    assert re.search(r"Citation accuracy .*?50\.0 %2 of 4", told)
    assert re.search(r"Refused .*?100\.0 %1 of 1.*?always refusing 100\.0 %", told)


def test_a_quote_is_marked_where_it_stands_or_said_not_to_stand() -> None:
    assert page(run_of([RIGHT])).marked == ["Staff get 25 days\nof leave a year."]
    missing = page(run_of([MISQUOTED]))
    assert missing.marked == []
    assert "does not stand in source 1" in missing.texts["failing"]


def test_topics_are_told_in_words_as_well_as_drawn() -> None:
    made = run(
        result(ask("q1", topic="travel"), RIGHT),
        result(ask("q2", topic="travel"), MISQUOTED),
        result(ask("q3", topic=""), FAILED),
    )
    told = page(made).texts["topics"]
    assert "travel 1 of 2 right, 1 not quoted" in told
    assert "(no topic) 0 of 1 right, 1 no response" in told
    assert told.index("travel") < told.index("(no topic)")


def test_times_are_of_responses_only() -> None:
    shown = page(run_of([FAILED, RIGHT])).texts["latency"]
    assert "Client p50 10.0 ms, p95 10.0 ms, 1 question" in shown
    assert "Server p50 4.0 ms" in shown
    assert "No question got a response" in page(run_of([FAILED])).texts["latency"]


# --- where words stand ---------------------------------------------------------------------------


@settings(max_examples=60)
@given(st.text(alphabet="ab \n\t\u00a0", max_size=30), st.data())
def test_any_piece_of_a_text_is_found_in_it(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    piece = text[start : data.draw(st.integers(start, len(text)))]
    span = Places(text).find(piece)
    if piece.strip():
        assert span is not None
        assert text[span.start : span.end].split() == piece.split()
    else:
        assert span is None


def test_words_that_overlap_are_marked_as_one() -> None:
    shown = list(marked("0123456789abc", ["4567", "2345", "a", "x"]))
    assert shown == [(False, "01"), (True, "234567"), (False, "89"), (True, "a"), (False, "bc")]


@given(st.floats(0, 1e12))
def test_an_axis_holds_the_longest_time_in_few_round_steps(longest: float) -> None:
    end, step = axis_end(longest)
    assert end >= longest * (1 - 1e-6)
    assert 1 <= round(end / step) <= 6
    assert end <= max(2 * longest, 0.001) or round(end / step) == 1
