"""The words that a clock rests on are shown, and lead to where they stand and who cites them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.scoring.cards import (
    MET,
    NOT_OBSERVED,
    boolean,
    event,
    proof,
    radio,
    reviewed,
    rubric,
    said,
    section,
    timing,
)
from tests.scoring.cards import card as merged
from tests.validation.report_page import parse

from veridical.scoring.report.html import render_html
from veridical.scoring.report.markdown import render_markdown
from veridical.scoring.scorecard import EventSource, Scorecard

START, END = proof(radio(), "Engine 25 on scene"), proof(radio(), "assuming Elm Street command")


def clock_card(*, own: bool) -> Scorecard:
    """Its end is cited by the clock's own criterion, or by another one."""
    of = rubric(section("one", timing("clock"), boolean("near")))
    ended = replace(event("command", 90.0), evidence=int(own))
    assert END.start is not None
    ended = replace(ended, at=END.start, latest=END.start)
    started = event("arrival", 60.0)
    return merged(
        of,
        reviewed(
            "one",
            said("clock", NOT_OBSERVED, events=(started, *[ended] * own), evidence=(START, END)),
            said("near", MET, events=[ended] * (not own), evidence=[END]),
        ),
    )


@pytest.mark.parametrize("own", [True, False])
def test_the_words_of_a_clock_are_shown_with_a_link(own: bool) -> None:
    made = clock_card(own=own)
    page = parse(render_html(made, radio()))
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
        assert "Started by" not in render_html(other, radio())
