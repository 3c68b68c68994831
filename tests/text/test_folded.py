"""A folded document says the same as `fold`, and where each character came from."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.properties.documents import documents, texts

from veridical.sources.document import Document, Format
from veridical.sources.loader import document_from_text
from veridical.text import folded as module
from veridical.text.folded import FoldedText
from veridical.text.normalize import fold, fold_character


def read(document: Document, overlap: int = 0) -> tuple[str, list[int]]:
    """The folded text and the offsets, with the overlap of chunks taken out."""
    text, offsets = "", []
    for index, chunk in enumerate(FoldedText(document).chunks(overlap)):
        carried = 0
        if index:
            carried = min(overlap, len(chunk))
            while carried and text[-carried:] != chunk.text(0, carried):
                carried -= 1
        text += chunk.text(carried, len(chunk))
        offsets += chunk.offsets[carried:].tolist()
    return text, offsets


@given(texts)
def test_plain_text_is_folded_as_a_quote_is(text: str) -> None:
    assert read(Document("d", text))[0].strip() == fold(text)


@given(documents())
def test_what_is_shown_is_what_is_folded(document: Document) -> None:
    from veridical.sources.document import Span

    shown = document.shown(Span(0, len(document.text)))
    assert read(document)[0].replace(" ", "") == fold(shown).replace(" ", "")


@given(documents())
def test_offsets_rise_and_point_at_their_characters(document: Document) -> None:
    text, offsets = read(document)
    assert len(text) == len(offsets)
    assert offsets == sorted(offsets)
    masked = {offset for mask in document.masks for offset in range(mask.start, mask.end)}
    for character, offset in zip(text, offsets, strict=True):
        if offset not in masked and character != " ":
            assert character in fold_character(document.text[offset])


@pytest.mark.parametrize("chunk", [16, 40, 97])
@given(text=texts)
def test_chunks_say_the_same_as_the_whole(chunk: int, text: str) -> None:
    whole = read(Document("d", text))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "CHUNK_CHARS", chunk)
        assert read(Document("d", text)) == whole


@given(
    st.lists(st.sampled_from(["abba", "ba-\nab", " ", "ab, ", "\n"]), min_size=20, max_size=80),
    st.integers(0, 40),
)
def test_what_is_no_longer_than_the_overlap_stands_whole_in_a_chunk(
    parts: list[str], size: int
) -> None:
    text = "".join(parts)
    whole, _ = read(Document("d", text))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "CHUNK_CHARS", 24)
        chunks = [c.text(0, len(c)) for c in FoldedText(Document("d", text)).chunks(size)]
    for start in range(0, len(whole) - size, 7):
        assert any(whole[start : start + size] in chunk for chunk in chunks)


def test_a_large_document_is_folded_each_time_and_a_small_one_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def chunk_twice() -> tuple[module.FoldedChunk, module.FoldedChunk]:
        text = FoldedText(Document("d", "some words"))
        (first,) = text.chunks(0)
        (second,) = text.chunks(0)
        return first, second

    first, second = chunk_twice()
    assert first.codes is second.codes
    assert first.offsets.tolist() == second.offsets.tolist()
    monkeypatch.setattr(module, "CACHE_CHARS", 5)
    first, second = chunk_twice()
    assert first.codes is not second.codes
    assert first.codes == second.codes


def test_masks_are_left_out_and_what_is_shown_for_them_put_in() -> None:
    source = "<p>Q&amp;A &eacute;t&eacute; <b>bo</b>ld&nbsp;x<!-- hidden --></p>"
    document = document_from_text(source, "d", Format.HTML)
    text, offsets = read(document)
    assert text.strip() == "q a ete bold x"
    assert source[offsets[text.index("bold")]] == "b"


def test_lone_surrogates_do_no_harm() -> None:
    assert read(Document("d", "a\ud800b é"))[0] == "ab e"
