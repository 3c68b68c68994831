"""The page of a speech evaluation: what it says, where links lead, and what cannot break it."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import Any

import pytest
from tests.reports.hostile import hostile_speech
from tests.speech.public import TROUBLED, filler, item, metrics, public
from tests.validation.report_page import Node, parse, squeezed

from veridical.sources.transcript import Precision
from veridical.speech.report.html import MOST_TIMES, render_speech_html
from veridical.speech.results import (
    DeliveryMetrics,
    History,
    HistoryEntry,
    Pause,
    PublicEvaluation,
    Step,
    ToneRule,
    ToneViolation,
)


def page_of(evaluation: PublicEvaluation, **more: str) -> Node:
    return parse(render_speech_html(evaluation, **more))


INLINE = {"a", "b", "bdi", "code", "i", "small", "span", "strong"}


def read(node: Node) -> str:
    """The text of an element as it is read: what stands on lines of its own stands apart."""

    def text(part: Node | str) -> str:
        if isinstance(part, str):
            return part
        inner = "".join(map(text, part.parts))
        return inner if part.tag in INLINE else f" {inner} "

    return squeezed(text(node))


def head(evaluation: PublicEvaluation) -> str:
    return read(page_of(evaluation).all("header")[0])


def said(evaluation: PublicEvaluation, name: str) -> str:
    return read(page_of(evaluation).by_id(name))


# --- the head ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("passed", "items", "rate"),
    [
        (0, 0, "No item was checked at first try."),
        (0, 1, "0 of 1 item passed (0 %)"),
        (199, 200, "199 of 200 items passed (99 %)"),
        (5, 5, "5 of 5 items passed (100 %)"),
    ],
)
def test_the_rate_has_its_denominator_and_is_never_rounded_up(
    passed: int, items: int, rate: str
) -> None:
    assert rate in head(public(history=History(first_try_items=items, first_try_passed=passed)))


def test_best_effort_and_warnings_stand_in_the_head() -> None:
    text = head(TROUBLED)
    assert (
        "! Best effort This is what was left: 1 commendation and 1 recommendation, where " in text
    )
    assert "there should be 2 to 3 commendations and 1 to 2 recommendations." in text
    assert "2 sentences against the rules of tone" in text
    assert "two words out of order" in text


def test_many_warnings_are_folded_and_none_is_lost() -> None:
    page = page_of(public(warnings=tuple(f"warning {n}." for n in range(25))))
    (box,) = page.all("section", "troubles")
    assert len(box.all("li")) == 25
    assert "! 25 warnings" in squeezed(box.text)
    assert squeezed(box.all("summary")[0].text) == "15 more"


# --- items ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "shown"),
    [
        ({}, "1:05–1:08 to the word"),
        ({"end": None}, "1:05 to the word"),
        ({"end": 10.0}, "1:05 to the word"),
        ({"precision": Precision.SEGMENT}, "about 1:05 to the segment"),
        ({"precision": Precision.NONE}, "no time 1:05 claimed, not checked"),
        ({"start": None}, "no time 1:05 claimed, not checked"),
    ],
)
def test_a_time_is_as_precise_as_it_is_known(more: dict[str, Any], shown: str) -> None:
    row = page_of(public(replace(item(65.0), **more))).by_id("item-1")
    assert squeezed(row.all("p", "when")[0].text) == shown


# --- delivery ------------------------------------------------------------------------------------


def facts(evaluation: PublicEvaluation) -> dict[str, str]:
    rows = page_of(evaluation).by_id("delivery").all("dl")[0].all("div")
    return {row.all("dt")[0].text: row.all("dd")[0].text for row in rows}


def test_without_times_nothing_is_called_zero_that_is_not_known() -> None:
    untimed = facts(public(metrics=DeliveryMetrics(words=30, fillers=(filler(None),))))
    assert untimed == {
        "Duration": "not known",
        "Words": "30",
        "Pace": "not known",
        "Pauses": "not known",
        "Fillers": "1",
        "Times are known": "no times",
    }


# --- the axis as text ----------------------------------------------------------------------------


def table(evaluation: PublicEvaluation, name: str) -> list[list[str]]:
    """The rows of the table under a heading."""
    parts = page_of(evaluation).by_id("timeline-text").all("details")[0].parts
    nodes = [part for part in parts if isinstance(part, Node)]
    at = next(n for n, node in enumerate(nodes) if node.tag == "h3" and node.text == name)
    return [[cell.text for cell in row.all("td")] for row in nodes[at + 1].all("tr")[1:]]


def test_what_is_too_long_to_list_is_counted() -> None:
    pauses = tuple(Pause(at, at + 2.0) for at in range(0, 8000, 4))
    fillers = (*(filler(n) for n in range(MOST_TIMES + 5)), filler(None), filler(math.nan))
    evaluation = public(metrics=metrics(8000, pauses=pauses, fillers=fillers))
    assert len(table(evaluation, "Pauses")) == 500
    assert "1,500 more rows are not listed here." in said(evaluation, "timeline-text")
    ((_, number, times),) = table(evaluation, "Fillers")
    assert number == "207"
    assert times.endswith("3:19, and 5 more, 2 without a time")


# --- tone and history ----------------------------------------------------------------------------


@pytest.mark.parametrize("field", ["items[7].summary", "items[x]", "</a>", "", "opening"])
def test_a_place_that_is_not_on_the_page_is_text(field: str) -> None:
    violation = ToneViolation(ToneRule.UNKIND, field, "Boo.")
    section = page_of(public(item(), tone=(violation,))).by_id("tone")
    assert not section.all("a")
    assert field in section.text


def test_every_rule_and_step_has_words() -> None:
    evaluation = public(
        tone=tuple(ToneViolation(rule, "x", "y") for rule in ToneRule),
        history=History(tuple(HistoryEntry(1, step) for step in Step)),
    )
    page = page_of(evaluation)
    rules = [strong.text for strong in page.by_id("tone").all("strong")]
    steps = [line.text for line in page.by_id("history").all("li")]
    assert (len(set(rules)), len(set(steps))) == (len(ToneRule), len(Step))
    assert all(rules)
    assert all(re.fullmatch(r"All [a-z].+", step) for step in steps)


# --- hostile text --------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["<b>bold</b> & so", "two\nlines", "&lt;"])
def test_text_reads_as_it_was_written(text: str) -> None:
    page = page_of(hostile_speech(text))
    row = page.by_id("item-1")
    assert row.all("blockquote")[0].text == text
    assert row.all("h3")[0].text == text
    assert row.all("p", "why")[0].text == text
