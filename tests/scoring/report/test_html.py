"""The page of a scorecard: what it says, where links lead, and what cannot break it."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.scoring.report.incidents import (
    INCIDENT,
    MET,
    MISSED,
    NOT_OBSERVED,
    RADIO,
    card,
    criterion,
    event,
    invented,
    quote,
    quote_at,
    section,
    timed,
)
from tests.scoring.report.test_text_forms import HOSTILE, hostile
from tests.speech.transcripts import from_sentences
from tests.validation.report_colours import SCHEMES, low_contrasts, palette
from tests.validation.report_page import Node, parse, squeezed

from veridical.look import stylesheet
from veridical.scoring.answer import CardWarning, WarningCode
from veridical.scoring.report.html import MOST_LINKS, MOST_SHOWN, render_html
from veridical.scoring.report.places import lines_of
from veridical.scoring.report.timeline import MOST_BARS, MOST_SPEAKERS
from veridical.scoring.scorecard import ReviewItem, Scorecard
from veridical.sources.transcript import Transcript
from veridical.validation.reports.page import asset
from veridical.validation.reports.time_axis import MOST_MARKS


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


def text_of(node: Node) -> str:
    return squeezed(" ".join(part if isinstance(part, str) else part.text for part in node.parts))


# --- what it says, and in which order ------------------------------------------------------------


def test_what_came_out_stands_first_then_what_to_look_at_axis_sections_and_transcript() -> None:
    html = render_html(INCIDENT, RADIO)
    names = ("result", "review", "timeline", "sections", "transcript", "warnings", "record")
    places = [html.index(f'id="{name}"') for name in names]
    assert places == sorted(places)
    result = squeezed(PAGE.by_id("result").text)
    assert "75 % … Incomplete" in result
    assert "Only 80 % of the weight was scored." in result
    assert "3. After the knockdown: the model gave no usable JSON in 3 attempts" in result


def test_what_a_person_should_look_at_leads_there() -> None:
    review = PAGE.by_id("review")
    assert [link.attributes["href"] for link in review.all("a")] == [
        "#c.arrival.attack-mode",
        "#c.attack.transfer",
        "#s.after",
    ]
    assert "two cues stood out of order" in review.text
    assert "Nothing was flagged." in page_of(card()).by_id("review").text


def test_many_things_to_look_at_are_folded_and_none_is_lost() -> None:
    items = [ReviewItem("arrival", f"nobody-{n}", ("why",)) for n in range(MOST_SHOWN + 5)]
    review = page_of(card(section("arrival"), review=items)).by_id("review")
    assert len(review.all("li")) == MOST_SHOWN + 5
    assert review.all("summary")[0].text == "5 more"


def test_a_criterion_shows_verdict_score_confidence_reason_and_evidence() -> None:
    row = squeezed(PAGE.by_id("c.attack.first-water").text)
    for part in ("2.1 First water", "~ Partial 50 %", "confidence 83 %, good · weight 1",
                 "It was said in so many words.", "132 s of 120 s (max 240)",
                 "on_scene (1:28) to water (3:40)", "3:41, Engine 25 · ✓ verified, in other words",
                 "Corrected: it was said at 3:39", "Cited as “We have water on the fire”",
                 "water at 3:40"):  # fmt: skip
        assert part in row


def test_unverified_evidence_is_struck_with_its_reason_and_leads_nowhere() -> None:
    row = PAGE.by_id("c.arrival.attack-mode")
    assert [node.text for node in row.all("del")] == ["We are going offensive"]
    assert not row.all("a")
    assert "✕ not verified: these words are not in the transcript; claimed for 2:00" in row.text
    assert "The scorer said “met”; its evidence does not carry that." in row.text


def test_warnings_stand_beside_what_they_are_about_and_all_in_one_list() -> None:
    assert "met, but no evidence of it verified" in PAGE.by_id("c.arrival.attack-mode").text
    assert "it scored “weather”" in PAGE.by_id("s.attack").text
    assert len(PAGE.by_id("warnings").all("li")) == len(INCIDENT.warnings)


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


def test_the_whole_transcript_is_there_word_for_word() -> None:
    assert spoken(PAGE) == RADIO.text
    assert [line.speaker for line in lines_of(RADIO)] == [s.speaker for s in RADIO.segments]


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


@settings(max_examples=25, deadline=None)
@given(st.lists(SPANS, max_size=12))
def test_marks_of_any_spans_nested_or_overlapping_are_exact(spans: list[tuple[int, int]]) -> None:
    evidence = [quote_at(start, end) for start, end in spans]
    page = page_of(card(section("s", criterion("c", MET, *evidence))))
    assert spoken(page) == RADIO.text
    assert anchors(page) == [f"t{a}-{b}" for a, b in sorted(set(spans)) if a < b]
    for start, end in spans:
        assert marked(page, f"t{start}-{end}") == RADIO.text[start:end]
    assert not any(mark.all("mark") for mark in page.all("mark"))


def test_each_line_leads_back_to_the_criteria_that_rest_on_it() -> None:
    lines = PAGE.by_id("transcript").all("li", "line")
    links = [[a.attributes["href"] for a in line.all("a")] for line in lines]
    assert links[2] == []
    assert links[4] == ["#c.attack.first-water", "#c.arrival.size-up"]
    assert links[5] == ["#c.arrival.announce-command"]
    assert links[9] == ["#c.attack.first-water"]


def test_a_line_on_which_very_much_rests_names_some_and_counts_the_rest() -> None:
    rows = [criterion(f"c{n}", MET, quote("Ladder 7 responding")) for n in range(MOST_LINKS + 3)]
    rests = page_of(card(section("s", *rows))).all("p", "rests")
    assert [len(each.all("a")) for each in rests] == [MOST_LINKS]
    assert rests[0].text.endswith("and 3 more")


def test_words_of_another_transcript_are_never_highlighted() -> None:
    other = from_sentences([(0.0, 3.0, "Something else was said here.", "A")])
    page = page_of(INCIDENT, other)
    assert not page.all("mark")
    assert not page.all("a", "quote")
    assert "not the one that was scored" in page.all("p", "another")[0].text
    assert not PAGE.all("p", "another")


# --- the axis ------------------------------------------------------------------------------------


def number(node: Node, name: str) -> float:
    return float(node.attributes[name].removesuffix("%"))


def test_timing_bars_run_from_event_to_event_against_target_and_maximum() -> None:
    made = card(section("s", timed("t", MET, 126.0, 252.0, target=252.0, most=504.0)))
    page = page_of(made, from_sentences([(0.0, 1260.0, "all of it", "A")]))
    (bar,) = page.all("a", "bar")
    assert bar.attributes["href"] == "#c.s.t"
    rect = bar.all("rect")[0]
    assert (number(rect, "x"), number(rect, "width")) == (10.0, 10.0)
    (target, key_of_target) = page.all("line", "target")
    (most, key_of_most) = page.all("line", "most")
    assert (number(target, "x1"), number(most, "x1")) == (30.0, 50.0)
    assert target.all("title")[0].text == "target 252 s, 6:18"
    assert "126 s of 252 s (max 504), met" in bar.attributes["aria-label"]
    assert "100%" not in key_of_target.attributes["x1"] + key_of_most.attributes["x1"]


@pytest.mark.parametrize(("most", "shown"), [(1100.0, 1), (5000.0, 0)])
def test_a_limit_far_beyond_the_end_is_not_drawn(most: float, shown: int) -> None:
    made = card(section("s", timed("t", MET, 200.0, 300.0, target=None, most=most)))
    assert len(page_of(made).all("svg", "lane")[-2].all("line", "most")) == shown


def test_events_are_flags_that_lead_to_their_words() -> None:
    flags = PAGE.all("a", "flag")
    names = [flag.attributes["aria-label"] for flag in flags]
    assert names == [
        "1:28, event on_scene",
        "1:37, event command_assumed",
        "3:03, event search_started",
        "3:40, event water",
        "7:04, event all_clear",
    ]
    assert all(flag.attributes["href"].startswith("#t") for flag in flags)
    assert "mayday" not in " ".join(names)


def test_pins_stand_in_the_lane_of_their_speaker_with_the_sign_of_the_verdict() -> None:
    rows = PAGE.all("div", "speaker")
    assert [squeezed(row.all("p")[0].text) for row in rows] == [
        "Dispatch 4 utterances",
        "Engine 25 6 utterances",
        "Ladder 7 4 utterances",
        "Battalion 3 6 utterances",
    ]
    pins = [[pin.all("text")[0].text for pin in row.all("g", "wide-only")[0].all("a", "pin")]
            for row in rows]  # fmt: skip
    assert pins == [[], ["~4", "~"], ["✓", "✓"], ["✕", "✓", "✕"]]


@pytest.mark.parametrize("step", ["wide-only", "narrow-only"])
def test_pins_never_stand_closer_than_they_are_wide(step: str) -> None:
    evidence = [quote_at(n * 7, n * 7 + 5) for n in range(TEXT_LENGTH // 7)]
    for row in page_of(card(section("s", criterion("c", MET, *evidence)))).all("div", "speaker"):
        pins = row.all("g", step)[0].all("svg", "at")
        at = [number(pin, "x") for pin in pins]
        assert all(b - a >= 2 for a, b in pairwise(at))


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

SAME_IDS = card(section("s", criterion("c"), criterion("c")), section("s", criterion("c")))
ODD_IDS = card(section("</a>", criterion("1 2"), criterion("é")), section("x:y", criterion("c.d")))
RESPONDING = quote("Ladder 7 responding")
BESIDE = card(
    section(
        "s", criterion("c", MET, RESPONDING), criterion("d", MISSED, RESPONDING, quote("Ladder 7"))
    )
)
OUTSIDE = card(section("s", criterion("c", MET, events=[event("e", 9.0, 7)])))


@pytest.mark.parametrize(
    "made", [INCIDENT, card(), SAME_IDS, ODD_IDS, BESIDE, OUTSIDE, hostile("words")]
)
def test_ids_are_unique_and_every_link_leads_somewhere_in_the_page(made: Scorecard) -> None:
    page = page_of(made)
    ids = [node.attributes["id"] for node in page.all() if "id" in node.attributes]
    assert len(ids) == len(set(ids))
    for link in page.all("a"):
        assert link.attributes["href"].removeprefix("#") in ids
    for node in page.all():
        assert node.attributes.get("aria-labelledby", ids[0]) in ids


def test_links_to_criteria_are_their_ids_where_those_can_be_links() -> None:
    ids = [node.attributes["id"] for node in page_of(ODD_IDS).all("li", "criterion")]
    assert ids == ["c:1:1", "c:1:2", "c:2:1"]


def test_same_scorecard_same_bytes() -> None:
    assert render_html(INCIDENT, RADIO) == render_html(replace(INCIDENT), RADIO)
    assert "22 November" in render_html(INCIDENT, RADIO, generated="22 November")
    assert page_of(title="Q&A").all("h1")[0].text == "Q&A"


TEXTS = [
    *[(t, ground) for t in ("ink", "muted", "accent") for ground in ("paper", "pick", "warn-soft")],
    *[(t, g) for t in ("ok", "warn", "bad", "none") for g in ("paper", "pick", f"{t}-soft")],
    ("ink", "words"),
    ("paper", "accent"),
]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_text_and_shapes_have_aa_contrast_in_light_and_dark(scheme: str) -> None:
    colours = palette(PAGE.all("style")[0].text, scheme)
    assert not low_contrasts(colours, dict.fromkeys(TEXTS, 4.5) | {("stroke", "paper"): 3.0})


def test_the_look_is_that_of_all_pages_and_has_no_colour_of_its_own() -> None:
    style = PAGE.all("style")[0].text
    assert style.startswith(stylesheet("base.css"))
    assert not re.search(r"#[0-9a-f]{6}", asset("veridical.scoring.report", "score.css"))


# --- hostile text --------------------------------------------------------------------------------


def shapes(text: str) -> list[tuple[str, list[str]]]:
    """Every element with the names of its attributes, but the markers of invisible characters."""
    radio = from_sentences([(0.0, 9.0, "Ladder 7 responding", text), (9.0, 20.0, text, "A")])
    made = hostile(text)
    events = [event(text, 5.0), replace(event(text, 5.0), verified=False, reason=text)]
    first = criterion("x", MET, quote(text, radio), invented(text), events=events)
    made = replace(made, sections=(*made.sections, section("y", first)))
    nodes = page_of(made, radio, title=text, generated=text).all()
    return [(n.tag, sorted(n.attributes)) for n in nodes if "ctl" not in n.classes]


PLAIN = shapes("words")


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_changes_no_element_and_no_attribute(text: str) -> None:
    made = render_html(hostile(text), RADIO, title=text, generated=text)
    made.encode("utf-8")
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]", made)
    assert shapes(text) == PLAIN


@settings(max_examples=15, deadline=None)
@given(st.text(st.characters(), max_size=20))
def test_no_text_whatever_changes_the_page(text: str) -> None:
    assert shapes(f"w{text}w") == PLAIN


def test_invisible_controls_in_a_quote_are_made_visible_where_it_stands() -> None:
    radio = from_sentences([(0.0, 9.0, "water \u202eon the fire\u200b now", "A")])
    page = page_of(card(section("s", criterion("c", MET, quote("er \u202eon", radio)))), radio)
    assert marked(page, "t3-9") == "er [RLO]on"
    assert spoken(page) == "water [RLO]on the fire[ZWSP] now"


@pytest.mark.parametrize("made", [INCIDENT, hostile("https://example.org/x.js")])
def test_the_page_asks_nothing_of_any_network_and_allows_only_its_own_code(made: Scorecard) -> None:
    tree = page_of(made)
    (policy,) = (
        node.attributes["content"] for node in tree.all("meta") if "http-equiv" in node.attributes
    )
    for tag, directive in (("script", "script-src"), ("style", "style-src")):
        (node,) = tree.all(tag)
        digest = base64.b64encode(hashlib.sha256(node.text.encode()).digest()).decode()
        assert f"{directive} 'sha256-{digest}'" in policy
        assert "innerHTML" not in node.text
        assert not re.search(r"https?:|url\(|@import", node.text)
    assert policy.startswith("default-src 'none'")
    attributes = {name for node in tree.all() for name in node.attributes}
    assert not {name for name in attributes if name.startswith("on") or name in {"style", "src"}}
    assert not {node.tag for node in tree.all()} & {"img", "link", "base", "iframe", "use", "image"}


def test_a_verdict_is_never_told_by_colour_alone() -> None:
    for badge in PAGE.all("b", "badge"):
        assert re.fullmatch(r"\S ?[A-Z][a-z ]+", badge.text)
    for pin in PAGE.all("a", "pin"):
        assert re.match(r"[✓~✕○–]", pin.all("text")[0].text)


def test_what_is_not_observed_but_quoted_has_its_own_sign() -> None:
    page = page_of(card(section("s", criterion("c", NOT_OBSERVED, quote("Ladder 7 responding")))))
    assert {pin.all("text")[0].text for pin in page.all("a", "pin")} == {"○"}
