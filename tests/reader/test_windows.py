"""What the reader is shown of the lines that were found for a claim."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.matching.embeddings import default_embedder
from veridical.reader.model import default_reader
from veridical.reader.windows import (
    MOST_CLAIM_PIECES,
    MOST_PIECES,
    Line,
    Pieces,
    WindowMaker,
    relinked,
)

CLAIM = "The harbour office opens at nine."
OTHER = "Dogs are kept on a lead in the park."


@pytest.fixture(scope="module")
def maker() -> WindowMaker:
    return WindowMaker(default_reader().encode, default_embedder())


def encoded(text: str) -> Pieces:
    return default_reader().encode([text])[0]


def lines(*texts: str, heading: str = "", section: int = 0) -> list[Line]:
    return [Line(text, section, heading) for text in texts]


def test_lines_stand_in_their_order_under_their_titles(maker: WindowMaker) -> None:
    given_lines = [
        *lines("Opening hours", CLAIM, "It closes at five.", heading="Port > Opening hours"),
        *lines(OTHER, heading="Parks", section=1),
    ]
    window = maker.window(CLAIM, given_lines)
    assert window.lines == (0, 1, 2, 3)
    told = f"Opening hours {CLAIM} It closes at five. Parks {OTHER}"
    assert (window.claim, window.evidence) == (encoded(CLAIM), encoded(told))
    assert not window.is_cut
    assert maker.nearness(CLAIM, given_lines).argmax() == 1


def test_of_more_than_has_room_the_nearest_go_in_and_an_ellipsis_parts_them(
    maker: WindowMaker,
) -> None:
    filler = [f"{OTHER} Bench {n} is green and tree {n} is a lime." for n in range(30)]
    given_lines = lines(CLAIM, *filler, "At nine the harbour office is opened by its guard.")
    window = maker.window(CLAIM, given_lines)
    assert {0, 31} < set(window.lines)
    assert list(window.lines) == sorted(set(window.lines))
    gaps = sum(after != before + 1 for before, after in pairwise(window.lines))
    told = sum(len(encoded(given_lines[i].text)) for i in window.lines)
    assert len(window.evidence) == told + gaps * len(encoded("..."))


def test_what_each_piece_has_is_told_by_line(maker: WindowMaker) -> None:
    window = maker.window(CLAIM, lines("Harbour", CLAIM, OTHER, heading="Harbour"))
    values = np.zeros(len(window.evidence))
    values[slice(*window.spans[1])] = [2.0, 4.0] + [3.0] * (len(encoded(CLAIM)) - 2)
    assert window.by_line(values).tolist() == [0.0, 3.0, 0.0]


def test_an_item_brings_its_lead_in_along(maker: WindowMaker) -> None:
    items = [Line(f"{OTHER} Rule {n} holds for dog {n}.", 0, lead_in=0) for n in range(30)]
    given_lines = [*lines("Not allowed is:"), *items, Line("Harbour office keys", 0, lead_in=0)]
    window = maker.window("Harbour office keys are allowed.", given_lines)
    assert {0, 31} < set(window.lines)


def test_a_line_that_is_longer_than_the_window_is_shown_by_its_beginning(
    maker: WindowMaker,
) -> None:
    long = f"{CLAIM} " + f"{OTHER} " * 60
    window = maker.window(CLAIM, lines("A word.", long, "Another."))
    assert window.lines == (1,)
    assert window.evidence == encoded(long)[: MOST_PIECES - 3 - len(window.claim)]


@pytest.mark.parametrize(("claim", "is_cut"), [(CLAIM * 6, False), (CLAIM * 20, True),
                                               ("a" * 101, True), ("", False)])  # fmt: skip
def test_a_claim_that_is_not_read_as_a_whole_is_told(
    maker: WindowMaker, claim: str, is_cut: bool
) -> None:
    window = maker.window(claim, lines(CLAIM))
    assert window.claim == encoded(claim)[:MOST_CLAIM_PIECES]
    assert window.is_cut == is_cut


def test_a_short_context_is_read_before_the_claim_as_far_as_there_is_room(
    maker: WindowMaker,
) -> None:
    assert maker.window("It opens.", [], "The office").claim == encoded("The office: It opens.")
    claim = "It opens. " * 25
    window = maker.window(claim, lines(CLAIM), "The office in the old harbour")
    assert window.claim == encoded(f"The office in the old harbour: {claim}")[-MOST_CLAIM_PIECES:]
    assert not window.is_cut


def test_a_long_context_only_helps_to_find_the_lines(maker: WindowMaker) -> None:
    filler = [f"{OTHER} Bench {n} is green and tree {n} is a lime." for n in range(30)]
    given_lines = lines(*filler, "Who needs the harbour pilot calls at any hour.", *filler)
    context = "The harbour pilot " + "is one of them " * 4
    window = maker.window("They call it so.", given_lines, context)
    assert window.claim == encoded("They call it so.")
    assert 30 in window.lines


def test_lead_ins_that_are_left_out_are_forgotten() -> None:
    given_lines = [Line("a:", 0), Line("b", 0, lead_in=0), Line("c:", 0), Line("d", 0, lead_in=2)]
    kept = relinked(given_lines, [1, 2, 3])
    assert [(line.text, line.lead_in) for line in kept] == [("b", -1), ("c:", -1), ("d", 1)]


TEXTS = st.lists(
    st.sampled_from("dog park bench opens key tree unbelievably xylophonist ; \ud800 1.5".split()),
    max_size=40,
).map(" ".join)


@st.composite
def documents(draw: st.DrawFn) -> list[Line]:
    made: list[Line] = []
    section, lead_in = 0, -1
    for text in draw(st.lists(TEXTS, max_size=10)):
        section += draw(st.booleans())
        introduced = draw(st.sampled_from([-1, lead_in]))
        made.append(Line(text, section, draw(st.sampled_from(["", "Park", OTHER])), introduced))
        lead_in = lead_in if introduced >= 0 else len(made) - 1
    return made


@given(documents(), TEXTS, TEXTS, st.data())
def test_a_window_keeps_to_its_budget_and_shows_the_nearest_line(
    others: list[Line], claim: str, context: str, data: st.DataObject
) -> None:
    maker = WindowMaker(default_reader().encode, default_embedder())
    window = maker.window(claim, others, context)
    assert len(window.claim) <= MOST_CLAIM_PIECES
    assert len(window.claim) + len(window.evidence) + 3 <= MOST_PIECES
    assert list(window.lines) == sorted(set(window.lines))
    assert bool(window.lines) == bool(others)
    for i, (start, end) in zip(window.lines, window.spans, strict=True):
        own = encoded(others[i].text)[: end - start]
        assert window.evidence[start:end] == own
    ends = [place for span in window.spans for place in span]
    assert ends == sorted(ends)
    for i in window.lines[1:]:  # the first may be a line that fills the window by itself
        assert others[i].lead_in < 0 or others[i].lead_in in window.lines
    at = data.draw(st.integers(0, len(others)))
    near = Line(CLAIM + data.draw(st.sampled_from(["", f" {OTHER}" * 30])), -1)
    rest = [Line(o.text, o.section, o.heading) for o in others]
    shown = maker.window(CLAIM, [*rest[:at], near, *rest[at:]])
    assert at in shown.lines
