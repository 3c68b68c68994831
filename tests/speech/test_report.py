"""The page of a speech evaluation: what it says, where links lead, and what cannot break it."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations, pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.reports.hostile import hostile_speech
from tests.speech.public import TROUBLED, filler, item, metrics, public
from tests.validation.report_page import Node, parse, squeezed

from veridical.reports.axis import (
    FLAG_PERCENT,
    LEAST_SECONDS,
    MOST_LANES,
    MOST_MARKS,
    MOST_TICKS,
    MOST_TICKS_NARROW,
    Axis,
    buckets,
    lanes,
)
from veridical.sources.transcript import Precision
from veridical.sources.transcripts.raw import MAX_SECONDS
from veridical.speech.report.html import MOST_TIMES, parts, render_speech_html
from veridical.speech.report.timeline import Timeline
from veridical.speech.results import (
    DeliveryMetrics,
    History,
    PaceWindow,
    Pause,
    PublicEvaluation,
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


# --- hostile text --------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["<b>bold</b> & so", "two\nlines", "&lt;"])
def test_text_reads_as_it_was_written(text: str) -> None:
    page = page_of(hostile_speech(text))
    row = page.by_id("item-1")
    assert row.all("blockquote")[0].text == text
    assert row.all("h3")[0].text == text
    assert row.all("p", "why")[0].text == text


# --- the picture: what stands where on the time axis ----------------------------------------------


MOST_NODES = 2_000


def rendered(evaluation: PublicEvaluation) -> str:
    body = parts(evaluation).body
    start = body.index('<section id="timeline"')
    return body[start : body.index("</section>", start)] + "</section>"


def picture(evaluation: PublicEvaluation) -> Node:
    return parse(rendered(evaluation))


def drawn(evaluation: PublicEvaluation, tag: str, name: str) -> list[Node]:
    return picture(evaluation).all(tag, name)


def number(node: Node, attribute: str) -> float:
    return float(node.attributes[attribute].removesuffix("%"))


# --- the axis ------------------------------------------------------------------------------------


@given(st.floats(0, MAX_SECONDS), st.floats(LEAST_SECONDS, MAX_SECONDS))
def test_ticks_are_few_and_evenly_spaced(start: float, length: float) -> None:
    axis = Axis(start, start + length)
    ticks = axis.ticks()
    steps = {after.seconds - before.seconds for before, after in pairwise(ticks)}
    assert 1 <= len(ticks) <= MOST_TICKS + 1
    assert len(steps) <= 1
    assert sum(tick.narrow for tick in ticks) <= MOST_TICKS_NARROW + 1
    assert all(axis.start - 1e-6 <= tick.seconds <= axis.end for tick in ticks)


@pytest.mark.parametrize(
    ("evaluation", "start", "end"),
    [
        (public(metrics=metrics(100)), 0, 100),
        (public(metrics=metrics(100, start=40.0)), 40, 100),
        (public(item(150), metrics=metrics(100)), 0, 153),
        (public(item(5, lasts=0), metrics=metrics(0)), 0, 10),
        (public(item(50, lasts=0), metrics=DeliveryMetrics(50, 50)), 45, 55),
        (public(metrics=metrics(0, pauses=(Pause(20, 50),))), 20, 50),
        (public(metrics=metrics(100, fillers=(filler(math.nan), filler(1e300)))), 0, 100),
    ],
)
def test_the_axis_holds_everything_that_has_a_time(
    evaluation: PublicEvaluation, start: float, end: float
) -> None:
    assert Timeline(evaluation).axis == Axis(start, end)


@pytest.mark.parametrize(
    ("evaluation", "reason"),
    [
        (public(metrics=DeliveryMetrics()), "nothing was measured"),
        (public(item(None), metrics=DeliveryMetrics(words=9)), "the transcript has no times"),
        (public(metrics=DeliveryMetrics(math.nan, math.inf, 9)), "the transcript has no times"),
        (public(metrics=metrics(0)), "nothing was measured that has a length"),
    ],
)
def test_without_any_time_there_is_no_axis_but_a_reason(
    evaluation: PublicEvaluation, reason: str
) -> None:
    page = picture(evaluation)
    assert not page.all("svg")
    assert reason in page.text


# --- moments -------------------------------------------------------------------------------------


@given(st.lists(st.floats(0, 100), max_size=50))
def test_flags_never_overlap_and_none_leaves_the_picture(places: list[float]) -> None:
    found = lanes(places)
    boxes = []
    for at, place in zip(places, found, strict=True):
        if place is not None:
            left = at - FLAG_PERCENT if place.left else at
            assert left >= 0
            assert left + FLAG_PERCENT <= 100 + 1e-9
            assert 0 <= place.lane < MOST_LANES
            boxes.append((place.lane, left))
    for (lane, left), (other, other_left) in combinations(boxes, 2):
        assert lane != other or abs(left - other_left) >= FLAG_PERCENT


def test_items_that_cannot_be_drawn_are_named() -> None:
    crowd = [item(50) for _ in range(MOST_LANES + 2)]
    evaluation = public(*crowd, item(None), item(math.inf), item(150))
    assert not drawn(public(item(10, precision=Precision.NONE)), "a", "flag")
    page = picture(evaluation)
    assert len(page.all("a", "flag")) == MOST_LANES + 1
    notes = [squeezed(node.text) for node in page.all("p", "soft")]
    assert notes == [
        "Not on the axis, no time is known: items 11 and 12.",
        "Not on the axis, there is no room: items 1 and 2.",
        "Outside the stretch that was measured: item 13.",
    ]
    assert Timeline(evaluation).drawn == {*range(3, 11), 13}


# --- tracks --------------------------------------------------------------------------------------


@given(st.lists(st.floats(0, 100)))
def test_marks_are_grouped_by_nearness_and_none_is_lost(marks: list[float]) -> None:
    groups = buckets(marks, lambda mark: mark)
    assert sorted(marks) == [mark for group in groups for mark in group]
    assert len(groups) <= MOST_MARKS + 1
    assert all(group[-1] - group[0] <= 100 / MOST_MARKS for group in groups)


# --- bounds --------------------------------------------------------------------------------------


def day(items: int, marks: int, seconds: float) -> PublicEvaluation:
    step = seconds / marks
    times = [n * step for n in range(marks)]
    return public(
        *(item(seconds * n / items) for n in range(items)),
        metrics=metrics(
            seconds,
            pauses=tuple(Pause(at, at + step / 2) for at in times),
            fillers=tuple(filler(at, f"word {n}") for n, at in enumerate(times)),
            pace=tuple(PaceWindow(at, at + step, 140 + n % 50) for n, at in enumerate(times)),
        ),
    )


@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("items", "marks", "seconds"),
    [(5, 200, 600.0), (50, 201, 600.0), (50, 20_000, 28_800.0), (50, 999, MAX_SECONDS)],
)
def test_the_picture_never_has_more_than_two_thousand_nodes(
    items: int, marks: int, seconds: float
) -> None:
    (svg,) = drawn(day(items, marks, seconds), "svg", "axis")
    assert len(svg.all()) < MOST_NODES


times = st.none() | st.floats() | st.floats(0, 1000)
spans = st.tuples(st.floats(), st.floats()) | st.tuples(st.floats(0, 99), st.floats(0, 99))


@pytest.mark.no_cover
@given(st.lists(times, max_size=4), st.lists(times, max_size=4), st.lists(spans, max_size=4), spans)
def test_no_times_whatever_break_it(
    starts: list[Any], fillers: list[Any], stretches: list[Any], measured: Any
) -> None:
    evaluation = public(
        *(item(start) for start in starts),
        metrics=DeliveryMetrics(
            *measured,
            fillers=tuple(filler(at) for at in fillers),
            pauses=tuple(Pause(*span) for span in stretches),
            pace=tuple(PaceWindow(*span, 100.0) for span in stretches),
        ),
    )
    shown = rendered(evaluation)
    page = parse(shown)
    assert "nan" not in shown
    assert "inf" not in shown
    for node in page.all():
        for name in ("x", "x1", "x2", "width"):
            if node.attributes.get(name, "").endswith("%"):
                assert 0 <= number(node, name) <= 100
