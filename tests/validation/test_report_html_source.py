"""The HTML report: the source as a reader sees it, with its highlights."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.validation.report_page import (
    TEXT,
    held,
    highlighted,
    masked,
    match,
    parse,
    report,
    squeezed,
    without_space,
)

from veridical.sources.document import Document, Format, Page, Section, Span
from veridical.validation.reports.html import WHOLE_TEXT_CHARS, render_html, windows
from veridical.validation.results import (
    Status,
)

# --- highlights ----------------------------------------------------------------------------------


def test_marks_never_nest_and_overlaps_are_split() -> None:
    document = Document("a", "abcdefghij")
    spans = [(0, 6), (4, 9), (4, 6), (4, 6), (7, 7)]
    results = [held(f"EV{n}", match(document, *span)) for n, span in enumerate(spans)]
    page = parse(render_html(report(*results, documents=(document,))))
    marks = page.all("mark")
    assert all(not mark.all("mark") for mark in marks)
    assert [(mark.text, mark.attributes["data-m"]) for mark in marks] == [
        ("abcd", "1"),
        ("ef", "2 3 1"),
        ("g", "3"),
        ("hi", "3"),
    ]
    chips = [[link.attributes["href"] for link in c.all("a")] for c in page.all(name="chips")]
    assert chips == [["#EV0"], ["#EV2", "#EV3"], ["#EV1"], ["#EV4"]]


def test_on_one_span_the_worst_status_gives_the_colour_and_all_claims_are_named() -> None:
    document = Document("a", TEXT)
    where = match(document, 0, 5)
    results = [held("EV1", where), held("EV2", where, Status.LOW_CONFIDENCE), held("EV3", where)]
    page = parse(render_html(report(*results, documents=(document,))))
    (mark,) = page.all("mark")
    assert mark.classes == ["low"]
    labels = [chip.attributes["data-l"] for chip in page.all("a", "chip")]
    assert labels == ["? EV2", "✓ EV1", "✓ EV3"]


pieces = st.sampled_from(
    ["word", " ", "\n", "\n\n", "\r\n", "<b>", "&", '"', "é", "🎉", "\x00", "   "]
)


@given(st.data())
def test_every_highlight_shows_exactly_what_its_span_shows(data: st.DataObject) -> None:
    text = "".join(data.draw(st.lists(pieces, max_size=40)))
    offsets = st.integers(0, len(text))
    cuts = sorted(data.draw(st.lists(offsets, max_size=8, unique=True)))
    masks = [
        (a, b, data.draw(st.sampled_from(["", "x", "\n\n", "<"])))
        for a, b in zip(cuts[::2], cuts[1::2], strict=False)
    ]
    document = masked(text, masks)
    pairs = data.draw(st.lists(st.tuples(offsets, offsets), max_size=6))
    results = [held(f"EV{n}", match(document, *sorted(pair))) for n, pair in enumerate(pairs)]
    page = parse(render_html(report(*results, documents=(document,))))
    source = page.all("div", "src")[0]
    assert without_space(source.text) == without_space(document.shown(Span(0, len(text))))
    for result in results:
        assert result.match is not None
        row = page.by_id(result.claim.id)
        number = int(row.attributes["data-m"])
        assert without_space(highlighted(page, number)) == without_space(result.match.shown)


# --- very long documents -------------------------------------------------------------------------


def test_beyond_the_bound_only_the_passages_around_places_are_shown() -> None:
    line = "All work and no play makes a dull document.\n"
    text = line * (WHOLE_TEXT_CHARS // len(line) + 100)
    long, unused = Document("long.txt", text), Document("unused.txt", text)
    short = Document("short.txt", TEXT)
    middle = len(line) * 20_000
    where = match(long, middle, middle + len(line))
    made = report(held("EV1", where), documents=(long, unused, short))
    rendered = render_html(made)
    page = parse(rendered)
    assert len(rendered) < 200_000
    excerpt, nothing, whole = page.all("section", "doc")
    assert highlighted(page, 1) == line
    assert [node.text for node in excerpt.all("p", "cutout")] == ["…", "…"]
    assert "too long to be shown whole" in excerpt.text
    assert "no claim points to a place in it" in squeezed(nothing.text)
    assert whole.all("div", "src")[0].text == TEXT


@given(
    st.text(alphabet="ab \n", max_size=120),
    st.lists(st.tuples(st.integers(0, 120), st.integers(0, 120)), max_size=6),
    st.integers(0, 30),
)
def test_windows_hold_every_place_and_never_overlap(
    text: str, pairs: list[tuple[int, int]], margin: int
) -> None:
    places = [Span(*sorted(min(at, len(text)) for at in pair)) for pair in pairs]
    found = windows(places, text, margin)
    assert all(any(w.start <= p.start and p.end <= w.end for w in found) for p in places)
    assert all(one.end < other.start for one, other in pairwise(found))
    assert all(w.end <= len(text) for w in found)
    assert not places or sum(map(len, found)) <= sum(len(p) + 2 * margin for p in places)


def test_an_excerpt_has_its_headings_and_pages() -> None:
    chapter = "Chapter\n" + "A line of the chapter.\n" * 20
    text = chapter * (WHOLE_TEXT_CHARS // len(chapter) + 1)
    starts = range(0, len(text), len(chapter))
    sections = [Section("Chapter", 1, 1, Span(at, at + 7), at, ("Chapter",)) for at in starts]
    pages = [Page(n, Span(at, at + len(chapter))) for n, at in enumerate(starts, 1)]
    document = Document("a.pdf", text, Format.PDF, tuple(sections), tuple(pages))
    results = [held(f"EV{n}", match(document, at, at + 30)) for n, at in enumerate(starts[::2000])]
    page = parse(render_html(report(*results, documents=(document,))))
    shown = [node.attributes["data-l"] for node in page.all("p", "page")]
    near = [
        number for first in range(1, len(pages) + 1, 2000) for number in range(first - 2, first + 3)
    ]
    assert shown == [f"page {number}" for number in near if 1 <= number <= len(pages)]
    assert len(page.all("h3", "l1")) == len(shown)
    for number in range(1, len(results) + 1):
        assert highlighted(page, number).replace("\n", "") == "ChapterA line of the chapter."


def test_a_paragraph_of_a_megabyte_is_cut_at_line_ends() -> None:
    text = "A line of a text without any blank line.\n" * 25_000
    document = Document("a", text)
    where = match(document, 5_000, 30_000)
    page = parse(render_html(report(held("EV1", where), documents=(document,))))
    paragraphs = page.all("div", "src")[0].all("p")
    assert "".join(node.text for node in paragraphs) == text
    assert max(len(node.text) for node in paragraphs) < 10_000
    assert ["c" in node.classes for node in paragraphs] == [False] + [True] * (len(paragraphs) - 1)
    assert highlighted(page, 1) == where.text


@pytest.mark.no_cover
@pytest.mark.parametrize("unit", [" ", "\n", " \n", "ab ", "a\n", "\r", "a   b"])
def test_periodic_text_of_a_megabyte_is_no_trouble(unit: str) -> None:
    document = Document("a", unit * (1_000_000 // len(unit)))
    results = [held(f"EV{n}", match(document, n * 900, n * 900 + 800)) for n in range(200)]
    places = render_html(report(*results, documents=(document,))).count('class="chips"')
    assert places == len(results)
