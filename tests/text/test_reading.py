"""The text as a reader sees it, and the way back to the source."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from tests.properties.documents import documents

from veridical.sources.document import Document, Span
from veridical.text.reading import MAX_SENTENCE_CHARS, Reading


@given(documents())
def test_the_reading_is_what_is_shown(document: Document) -> None:
    assert Reading(document).text == document.shown(Span(0, len(document.text)))


@given(documents(), st.data())
def test_a_stretch_of_the_reading_is_shown_at_its_source(
    document: Document, data: st.DataObject
) -> None:
    reading = Reading(document)
    if not reading.text:
        return
    start = data.draw(st.integers(0, len(reading.text) - 1))
    end = data.draw(st.integers(start + 1, len(reading.text)))
    span = reading.to_source(start, end)
    assert 0 <= span.start <= span.end <= len(document.text)
    shown = document.shown(span)
    inside = {offset for mask in document.masks for offset in range(mask.start, mask.end)}
    if span.start not in inside and (span.end - 1) not in inside:
        assert shown in reading.text[max(0, start - 8) : end + 8]


@given(documents())
def test_sentences_cover_the_text_in_order(document: Document) -> None:
    reading = Reading(document)
    end = 0
    covered = ""
    for low, high in reading.sentences():
        assert end <= low < high <= len(reading.text)
        assert high - low <= MAX_SENTENCE_CHARS
        assert reading.text[low:high].strip() == reading.text[low:high]
        covered += reading.text[low:high]
        end = high
    assert "".join(covered.split()) == "".join(reading.text.split())


@given(
    st.lists(st.sampled_from([".", "B", "etc.", "\u3000", "\u1680", "\u2029", " "])).map("".join)
)
def test_sentences_end_at_any_white_space(text: str) -> None:
    reading = Reading(Document("d", text))
    assert "".join("".join(text[a:b].split()) for a, b in reading.sentences()) == "".join(
        text.split()
    )


def test_text_without_full_stops_is_cut_at_spaces() -> None:
    text = "word " * 1_000
    reading = Reading(Document("d", text))
    bounds = list(reading.sentences())
    assert len(bounds) > 4
    assert all(text[a:b].endswith("word") and text[a:b].startswith("word") for a, b in bounds)


@given(st.integers(20, 200), st.integers(0, 60))
def test_chunks_overlap_and_cover(size: int, overlap: int) -> None:
    text = " ".join(str(number) for number in range(300))
    reading = Reading(Document("d", text))
    bounds = list(reading.chunks(size, min(overlap, size - 10)))
    assert bounds[0][0] == 0
    assert bounds[-1][1] == len(text)
    for (_, end), (start, _) in pairwise(bounds):
        assert start <= end + 1
