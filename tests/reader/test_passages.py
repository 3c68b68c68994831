"""What the reader is shown for a question: all lines, in stretches that it can read as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, groupby

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veridical.matching.embeddings import default_embedder
from veridical.reader.model import default_reader
from veridical.reader.windows import (
    MOST_CLAIM_PIECES,
    MOST_PASSAGE_PIECES,
    MOST_PIECES,
    Line,
    Pieces,
    Window,
    WindowMaker,
)

QUESTION = "When does the harbour office open?"
SHORT = "The harbour office opens at nine."
LONG = "Whoever keeps a boat in the harbour for more than three weeks pays the fee of a month. " * 3


@pytest.fixture(scope="module")
def maker() -> WindowMaker:
    return WindowMaker(default_reader().encode, default_embedder())


def encoded(text: str) -> Pieces:
    return default_reader().encode([text])[0]


def lines(*texts: str, heading: str = "", section: int = 0) -> list[Line]:
    return [Line(text, section, heading) for text in texts]


def new_lines(windows: Sequence[Window]) -> list[tuple[int, ...]]:
    """The lines of each window without a first one that an earlier window has shown already."""
    seen: set[int] = set()
    new: list[tuple[int, ...]] = []
    for window in windows:
        new.append(window.lines[1:] if window.lines[0] in seen else window.lines)
        seen.update(window.lines)
    return new


def test_a_section_that_fits_is_one_stretch_under_its_titles(maker: WindowMaker) -> None:
    given_lines = lines("Hours", SHORT, "It closes at five.", heading="Port > Hours")
    (window,) = maker.passages(QUESTION, given_lines)
    assert window.lines == (0, 1, 2)
    assert window.claim == encoded(QUESTION)
    assert window.evidence == encoded(f"Hours {SHORT} It closes at five.")
    assert [window.evidence[a:b] for a, b in window.spans] == [
        encoded(line.text) for line in given_lines
    ]


def test_each_stretch_of_a_section_stands_under_its_titles(maker: WindowMaker) -> None:
    windows = maker.passages(QUESTION, lines(*[LONG] * 4, heading="Port > Fees"))
    assert len(windows) > 1
    titles = encoded("Port > Fees")
    assert all(window.evidence[: len(titles)] == titles for window in windows)


def test_sections_are_kept_apart_however_short_they_are(maker: WindowMaker) -> None:
    given_lines = [*lines(SHORT, section=0), *lines(SHORT, section=1), *lines("No.", section=2)]
    assert [one.lines for one in maker.passages(QUESTION, given_lines)] == [(0,), (1,), (2,)]


def test_a_long_section_is_cut_into_stretches_of_about_equal_size(maker: WindowMaker) -> None:
    """Not into full ones and a last line alone, which nobody understands."""
    given_lines = lines(*(f"Boat {n} lies at pier {n} of the old harbour." for n in range(11)))
    sizes = [len(one.evidence) for one in maker.passages(QUESTION, given_lines)]
    whole = sum(sizes)
    assert whole > MOST_PASSAGE_PIECES
    longest = max(len(encoded(line.text)) for line in given_lines)
    assert max(sizes) - min(sizes) <= 2 * longest
    assert len(sizes) == -(-whole // MOST_PASSAGE_PIECES)


def test_an_item_of_a_later_stretch_brings_its_lead_in_along(maker: WindowMaker) -> None:
    items = [Line(f"- {SHORT} Gate {n} is opened by guard {n}.", 0, "", 0) for n in range(30)]
    windows = maker.passages(QUESTION, [*lines("Not allowed is:"), *items])
    assert len(windows) > 2
    for window in windows:
        assert window.lines[0] == 0
        assert window.evidence[: len(encoded("Not allowed is:"))] == encoded("Not allowed is:")
    between = {window.lines[1] - 1 for window in windows[1:]}
    assert 0 not in between
    gap = encoded("Not allowed is: ...")
    assert all(window.evidence[: len(gap)] == gap for window in windows[1:])


def test_a_line_that_is_longer_than_a_stretch_stands_alone_and_is_read_from_its_beginning(
    maker: WindowMaker,
) -> None:
    endless = " ".join(f"Rule {n} is that boat {n} leaves by noon." for n in range(40))
    windows = maker.passages(QUESTION, lines(SHORT, endless, SHORT))
    (alone,) = (window for window in windows if 1 in window.lines)
    assert alone.lines == (1,)
    assert alone.evidence == encoded(endless)[:MOST_PASSAGE_PIECES]
    assert alone.spans == ((0, MOST_PASSAGE_PIECES),)


def test_an_item_below_an_endless_lead_in_is_read_too(maker: WindowMaker) -> None:
    endless = " ".join(f"Where boat {n} leaves by noon," for n in range(40)) + " it pays:"
    items = [Line(f"- {SHORT}", 0, "", 0), Line("- the fee of a day", 0, "", 0)]
    windows = maker.passages(QUESTION, [*lines(endless), *items])
    shown = {
        i
        for window in windows
        for i, (a, b) in zip(window.lines, window.spans, strict=True)
        if b > a
    }
    assert shown == {0, 1, 2}


@pytest.mark.parametrize(("times", "is_cut"), [(1, False), (10, False), (40, True)])
def test_a_question_that_is_not_read_as_a_whole_is_told(
    maker: WindowMaker, times: int, is_cut: bool
) -> None:
    question = f"{QUESTION} " * times
    windows = maker.passages(question, lines(*[LONG] * 3))
    assert {window.claim for window in windows} == {encoded(question)[:MOST_CLAIM_PIECES]}
    assert {window.is_cut for window in windows} == {is_cut}
    assert all(len(one.claim) + len(one.evidence) + 3 <= MOST_PIECES for one in windows)


def test_without_lines_there_is_nothing_to_read(maker: WindowMaker) -> None:
    assert maker.passages(QUESTION, []) == []


def test_one_maker_serves_several_threads(maker: WindowMaker) -> None:
    questions = [f"When does office {n} open?" for n in range(8)]
    given_lines = lines(*[LONG, SHORT] * 4)
    found = [maker.passages(question, given_lines) for question in questions]
    fresh = WindowMaker(default_reader().encode, default_embedder())
    with ThreadPoolExecutor(8) as pool:
        again = pool.map(lambda question: fresh.passages(question, given_lines), questions)
        assert list(again) == found


TEXTS = st.lists(
    st.sampled_from("dog park bench opens key tree unbelievably xylophonist ; \ud800 1.5".split()),
    max_size=60,
).map(" ".join)


@st.composite
def documents(draw: st.DrawFn) -> list[Line]:
    """Lines as cases make them: lists below their lead-ins, sections one after the other."""
    made: list[Line] = []
    for section in range(draw(st.integers(0, 3))):
        heading = draw(st.sampled_from(["", "Park", "Rules for dogs in the park"]))
        for _ in range(draw(st.integers(1, 3))):
            leading = len(made)
            made.append(Line(f"{draw(TEXTS)}:", section, heading))
            lead_in = draw(st.sampled_from([-1, leading]))
            made += [Line(text, section, heading, lead_in) for text in draw(st.lists(TEXTS))]
    return made


@settings(max_examples=60)
@given(documents(), TEXTS)
def test_every_line_stands_in_one_stretch_in_its_order(
    given_lines: list[Line], question: str
) -> None:
    maker = WindowMaker(default_reader().encode, default_embedder())
    windows = maker.passages(question, given_lines)
    new = new_lines(windows)
    assert list(chain.from_iterable(new)) == list(range(len(given_lines)))
    for window, own in zip(windows, new, strict=True):
        assert own
        assert len({given_lines[i].section for i in window.lines}) == 1
        lead_in = given_lines[own[0]].lead_in
        repeated = window.lines[: len(window.lines) - len(own)]
        assert repeated == () or repeated == (lead_in,)
        assert lead_in < 0 or lead_in in window.lines


@settings(max_examples=60)
@given(documents(), TEXTS)
def test_no_stretch_is_larger_than_what_is_read(given_lines: list[Line], question: str) -> None:
    maker = WindowMaker(default_reader().encode, default_embedder())
    for window in maker.passages(question, given_lines):
        assert len(window.claim) <= MOST_CLAIM_PIECES
        assert len(window.evidence) <= MOST_PASSAGE_PIECES
        assert len(window.claim) + len(window.evidence) + 3 <= MOST_PIECES
        assert len(window.spans) == len(window.lines)
        ends = [place for span in window.spans for place in span]
        assert ends == sorted(ends)
        assert all(0 <= place <= len(window.evidence) for place in ends)
        for i, (start, end) in zip(window.lines, window.spans, strict=True):
            assert window.evidence[start:end] == encoded(given_lines[i].text)[: end - start]


@settings(max_examples=30)
@given(documents())
def test_a_section_is_read_the_same_whatever_stands_beside_it(given_lines: list[Line]) -> None:
    maker = WindowMaker(default_reader().encode, default_embedder())
    together = [window.evidence for window in maker.passages(QUESTION, given_lines)]
    alone: list[Pieces] = []
    for _, members in groupby(enumerate(given_lines), key=lambda member: member[1].section):
        section = list(members)
        first = section[0][0]
        moved = [
            Line(one.text, one.section, one.heading, max(-1, one.lead_in - first))
            for _, one in section
        ]
        alone += [window.evidence for window in maker.passages(QUESTION, moved)]
    assert together == alone
