"""The page of a scorecard: what it says, where links lead, and what cannot break it."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.scoring import cards
from tests.scoring.report.incidents import (
    INCIDENT,
    MET,
    NOT_OBSERVED,
    RADIO,
    card,
    criterion,
    quote,
    quote_at,
    section,
    timed,
)
from tests.speech.transcripts import from_sentences
from tests.validation.report_page import Node, parse, squeezed

from veridical.reports.axis import MOST_MARKS
from veridical.scoring.report.html import render_html
from veridical.scoring.report.markdown import render_markdown
from veridical.scoring.report.timeline import MOST_SPEAKERS
from veridical.scoring.scorecard import CardWarning, EventSource, ReviewItem, Scorecard, WarningCode
from veridical.sources.transcript import Transcript

MOST_SHOWN, MOST_LINKS, MOST_BARS = 8, 12, 16


def page_of(made: Scorecard = INCIDENT, transcript: Transcript = RADIO, **more: str) -> Node:
    return parse(render_html(made, transcript, **more))


PAGE = page_of()


def spoken(page: Node) -> str:
    """The transcript as the page shows it."""
    return "".join(node.text for node in page.by_id("transcript").all("p", "words"))


def marked(page: Node, anchor: str) -> str:
    marks = (m for m in page.all("mark") if anchor in m.attributes["data-q"].split())
    return "".join(mark.text for mark in marks)


def anchors(page: Node) -> list[str]:
    return [node.attributes["id"] for node in page.all("span", "place")]


# --- what it says, and in which order ------------------------------------------------------------


def test_many_things_to_look_at_are_folded_and_none_is_lost() -> None:
    items = [ReviewItem("arrival", f"nobody-{n}", ("why",)) for n in range(MOST_SHOWN + 5)]
    review = page_of(card(section("arrival"), review=items)).by_id("review")
    assert len(review.all("li")) == MOST_SHOWN + 5
    assert review.all("summary")[0].text == "5 more"


def test_unverified_evidence_is_struck_with_its_reason_and_leads_nowhere() -> None:
    row = PAGE.by_id("c.arrival.attack-mode")
    assert [node.text for node in row.all("del")] == ["We are going offensive"]
    assert not row.all("a")
    assert "✕ not verified: these words are not in the transcript; claimed for 2:00" in row.text
    assert "The scorer said “met”; its evidence does not carry that." in row.text


def test_no_warning_is_lost_whatever_it_is_about() -> None:
    ids = (None, "arrival", "nowhere")
    warnings = [
        CardWarning(WarningCode.SCORER_WARNING, f"{one} {other}.", one, other)
        for one in ids
        for other in (None, "size-up", "unknown")
    ]
    page = page_of(card(section("arrival", criterion("size-up")), warnings=warnings))
    shown = [squeezed(node.text) for node in page.all("ul", "warned")]
    for warning in warnings:
        assert sum(warning.message in each for each in shown) == 1


# --- the words -----------------------------------------------------------------------------------


def test_every_verified_quote_leads_to_its_exact_words() -> None:
    for part in INCIDENT.sections:
        for score in part.criteria:
            row = PAGE.by_id(f"c.{part.section_id}.{score.review.criterion_id}")
            links = [link.attributes["href"].removeprefix("#") for link in row.all("a", "quote")]
            verified = [each for each in score.review.evidence if each.verified]
            assert [marked(PAGE, link) for link in links] == [e.matched_text for e in verified]


TEXT_LENGTH = len(RADIO.text)
SPANS = st.tuples(st.integers(0, TEXT_LENGTH), st.integers(0, 200)).map(
    lambda pair: (pair[0], min(TEXT_LENGTH, sum(pair)))
)


@given(st.lists(SPANS, max_size=12))
def test_marks_of_any_spans_nested_or_overlapping_are_exact(spans: list[tuple[int, int]]) -> None:
    evidence = [quote_at(start, end) for start, end in spans]
    page = page_of(card(section("s", criterion("c", MET, *evidence))))
    assert spoken(page) == RADIO.text
    assert anchors(page) == [f"t{a}-{b}" for a, b in sorted(set(spans)) if a < b]
    for start, end in spans:
        assert marked(page, f"t{start}-{end}") == RADIO.text[start:end]
    assert not any(mark.all("mark") for mark in page.all("mark"))


def test_words_of_another_transcript_are_never_highlighted() -> None:
    other = from_sentences([(0.0, 3.0, "Something else was said here.", "A")])
    page = page_of(INCIDENT, other)
    assert not page.all("mark")
    assert not page.all("a", "quote")
    assert "not the one that was scored" in page.all("p", "another")[0].text
    assert not PAGE.all("p", "another")


# --- the axis ------------------------------------------------------------------------------------


@pytest.mark.no_cover
def test_a_day_of_radio_is_drawn_with_a_bounded_number_of_marks() -> None:
    said = [(n * 7.2, n * 7.2 + 5, f"line {n}", f"UNIT {n % 40}") for n in range(4_000)]
    day = from_sentences(said, words=False)
    rows = [timed(f"t{n}", MET, n * 50.0, n * 50.0 + 40.0) for n in range(MOST_BARS + 4)]
    page = page_of(card(section("s", *rows), transcript=day), day)
    lanes = page.all("div", "speaker")
    assert len(lanes) == MOST_SPEAKERS
    assert "33 others" in lanes[-1].text
    assert max(len(lane.all("a", "utterance")) for lane in lanes) <= MOST_MARKS + 1
    assert len(page.all("a", "bar")) == MOST_BARS
    assert "4 more timing criteria stand below" in page.text
    assert len(page.all("li", "line")) == 4_000


@pytest.mark.parametrize(
    "transcript",
    [from_sentences([(None, None, "no times here", "A")]), from_sentences([])],
)
def test_without_times_there_is_no_axis_but_all_else(transcript: Transcript) -> None:
    page = page_of(card(section("s", criterion("c")), transcript=transcript), transcript)
    assert "There is no time axis" in page.text
    assert not page.all("div", "picture")
    assert page.by_id("c.s.c")


# --- links, bytes and colours --------------------------------------------------------------------


# --- hostile text --------------------------------------------------------------------------------


def test_invisible_controls_in_a_quote_are_made_visible_where_it_stands() -> None:
    radio = from_sentences([(0.0, 9.0, "water \u202eon the fire\u200b now", "A")])
    page = page_of(card(section("s", criterion("c", MET, quote("er \u202eon", radio)))), radio)
    assert marked(page, "t3-9") == "er [RLO]on"
    assert spoken(page) == "water [RLO]on the fire[ZWSP] now"


def test_a_verdict_is_never_told_by_colour_alone() -> None:
    for badge in PAGE.all("b", "badge"):
        assert re.fullmatch(r"\S ?[A-Z][a-z ]+", badge.text)
    for pin in PAGE.all("a", "pin"):
        assert re.match(r"[✓~✕○–]", pin.all("text")[0].text)


# --- the words that a clock rests on --------------------------------------------------------------

RADIO_CARD = cards.radio()
START = cards.proof(RADIO_CARD, "Engine 25 on scene")
END = cards.proof(RADIO_CARD, "assuming Elm Street command")


def clock_card(*, own: bool) -> Scorecard:
    """Its end is cited by the clock's own criterion, or by another one."""
    of = cards.rubric(cards.section("one", cards.timing("clock"), cards.boolean("near")))
    ended = replace(cards.event("command", 90.0), evidence=int(own))
    assert END.start is not None
    ended = replace(ended, at=END.start, latest=END.start)
    started = cards.event("arrival", 60.0)
    return cards.card(
        of,
        cards.reviewed(
            "one",
            cards.said(
                "clock", NOT_OBSERVED, events=(started, *[ended] * own), evidence=(START, END)
            ),
            cards.said("near", MET, events=[ended] * (not own), evidence=[END]),
        ),
    )


@pytest.mark.parametrize("own", [True, False])
def test_the_words_of_a_clock_are_shown_with_a_link(own: bool) -> None:
    made = clock_card(own=own)
    page = parse(render_html(made, RADIO_CARD))
    criterion = page.all("li", "criterion")[0]
    told = [part for part in criterion.all("p", "cite") if "ed by" in part.text]
    assert [part.text.partition(":")[0] for part in told] == [
        "Started by arrival",
        "Stopped by command",
    ]
    links = [[link.attributes["href"] for link in part.all("a")] for part in told]
    assert START.span is not None
    assert END.span is not None
    words = [f"#t{span.start}-{span.end}" for span in (START.span, END.span)]
    assert links == [words[:1], words[1:] + ["#c.one.near"] * (not own)]
    text = render_markdown(made)
    assert 'Started by arrival: "Engine 25 on scene" (1:00, ENG25)' in text
    assert ("cited for 1.2 Near" in text) is not own
    # Who was shown no words for a clock is not overruled by those that another criterion has.
    overruled = "The scorer said “not observed”; the verified times say otherwise."
    assert (overruled in text) is own


def test_a_card_whose_clock_names_no_words_that_it_has_is_shown_without_them() -> None:
    made = clock_card(own=True)
    part = made.sections[0]
    clock = part.criteria[0]
    assert clock.timing is not None
    for lost in (EventSource("one", "gone", 0), EventSource("one", "clock", 9)):
        torn = replace(clock, timing=replace(clock.timing, start_source=lost, end_source=lost))
        other = replace(made, sections=(replace(part, criteria=(torn, *part.criteria[1:])),))
        assert "Started by" not in render_markdown(other)
        assert "Started by" not in render_html(other, RADIO_CARD)
