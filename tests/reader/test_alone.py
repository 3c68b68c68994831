"""What the reader is shown for a question: single lines, each under its titles."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.matching.embeddings import default_embedder
from veridical.reader.model import default_reader
from veridical.reader.windows import (
    MOST_ALONE_PIECES,
    MOST_CLAIM_PIECES,
    MOST_PIECES,
    Line,
    Pieces,
    WindowMaker,
)

QUESTION = "When does the harbour office open?"
SHORT = "The harbour office opens at nine."


@pytest.fixture(scope="module")
def maker() -> WindowMaker:
    return WindowMaker(default_reader().encode, default_embedder())


def encoded(text: str) -> Pieces:
    return default_reader().encode([text])[0]


def test_a_line_stands_under_its_titles(maker: WindowMaker) -> None:
    lines = [Line("Hours", 0, "Port > Hours"), Line(SHORT, 0, "Port > Hours")]
    (window,) = maker.alone(QUESTION, lines, [1])
    assert window.claim == encoded(QUESTION)
    assert window.evidence == encoded(f"Port > Hours {SHORT}")
    assert window.lines == (1,)
    assert [window.evidence[a:b] for a, b in window.spans] == [encoded(SHORT)]


def test_an_item_brings_its_lead_in_along(maker: WindowMaker) -> None:
    items = [Line(f"- gate {n}", 0, "", 0) for n in range(3)]
    windows = maker.alone(QUESTION, [Line("Not allowed is:", 0), *items], [1, 3])
    assert [window.lines for window in windows] == [(0, 1), (0, 3)]
    assert windows[0].evidence == encoded("Not allowed is: - gate 0")
    assert windows[1].evidence == encoded("Not allowed is: ... - gate 2")


def test_an_endless_line_is_read_from_its_beginning(maker: WindowMaker) -> None:
    endless = " ".join(f"Rule {n} is that boat {n} leaves by noon." for n in range(40))
    (window,) = maker.alone(QUESTION, [Line(endless, 0)], [0])
    assert window.evidence == encoded(endless)[:MOST_ALONE_PIECES]
    assert window.spans == ((0, MOST_ALONE_PIECES),)


@pytest.mark.parametrize(("times", "is_cut"), [(1, False), (10, False), (40, True)])
def test_a_question_that_is_not_read_as_a_whole_is_told(
    maker: WindowMaker, times: int, is_cut: bool
) -> None:
    question = f"{QUESTION} " * times
    (window,) = maker.alone(question, [Line(SHORT * 20, 0)], [0])
    assert window.claim == encoded(question)[:MOST_CLAIM_PIECES]
    assert window.is_cut is is_cut
    assert len(window.claim) + len(window.evidence) + 3 <= MOST_PIECES


def test_one_maker_serves_several_threads(maker: WindowMaker) -> None:
    questions = [f"When does office {n} open?" for n in range(8)]
    lines = [Line(SHORT * n, 0) for n in range(1, 9)]
    found = [maker.alone(question, lines, range(8)) for question in questions]
    fresh = WindowMaker(default_reader().encode, default_embedder())
    with ThreadPoolExecutor(8) as pool:
        again = pool.map(lambda question: fresh.alone(question, lines, range(8)), questions)
        assert list(again) == found


TEXTS = st.lists(
    st.sampled_from("dog park bench opens key tree unbelievably xylophonist ; \ud800 1.5".split()),
    max_size=60,
).map(" ".join)


@given(st.lists(TEXTS, min_size=1, max_size=6), TEXTS, st.sampled_from(["", "Rules > Dogs"]))
def test_no_window_is_larger_than_what_is_read(
    texts: list[str], question: str, heading: str
) -> None:
    maker = WindowMaker(default_reader().encode, default_embedder())
    lines = [Line(text, 0, heading, at - 1 if at % 2 else -1) for at, text in enumerate(texts)]
    for at, window in enumerate(maker.alone(question, lines, range(len(lines)))):
        assert window.lines == ((at - 1, at) if at % 2 else (at,))
        assert len(window.claim) <= MOST_CLAIM_PIECES
        assert len(window.evidence) <= MOST_ALONE_PIECES
        assert len(window.claim) + len(window.evidence) + 3 <= MOST_PIECES
        for i, (start, end) in zip(window.lines, window.spans, strict=True):
            assert window.evidence[start:end] == encoded(texts[i])[: end - start]
