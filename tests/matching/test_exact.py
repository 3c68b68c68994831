"""The one place of a needle is the one that a plain search finds."""

from __future__ import annotations

import pytest
from tests.matching import oracle

from veridical.matching import exact
from veridical.matching.exact import LEAST_CHARS, single_places
from veridical.sources.document import Document, Span
from veridical.text import folded
from veridical.text.folded import FoldedText

TEXTS = 120


def starts(needle: str, texts: list[str]) -> list[tuple[int, int]]:
    """Where a needle stands, overlaps included: the number of the text, and the offset."""
    found = []
    for number, text in enumerate(texts):
        at = text.find(needle)
        while at >= 0:
            found.append((number, at))
            at = text.find(needle, at + 1)
    return found


@pytest.mark.parametrize("chunk", [300, 512, 4096])
def test_needles_that_stand_once_are_found_there_and_no_others(
    chunk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folded, "CHUNK_CHARS", chunk)
    found = often = given_up = 0
    for text, needles in oracle.texts(chunk, TEXTS):
        half = text.rfind(" ", 0, len(text) // 2) + 1
        texts = [text[:half].strip() or "x", text[half:]]
        documents = [Document(f"d{number}", one) for number, one in enumerate(texts)]
        places = single_places([FoldedText(document) for document in documents], needles)
        for needle, place in zip(needles, places, strict=True):
            true = starts(needle, texts)
            if place is None:
                often += len(true) > 1
                given_up += len(true) == 1 and len(needle) >= LEAST_CHARS
                continue
            ((number, at),) = true
            assert place == (documents[number], Span(at, at + len(needle)))
            found += 1
    assert found > 150
    assert often > 50
    assert given_up < found / 10  # only where the text repeats how they begin


def test_a_needle_is_given_up_where_too_much_of_the_text_begins_like_it() -> None:
    text = "the same words " * (exact._MOST_HITS + 1) + "the same end of it"
    (place,) = single_places([FoldedText(Document("d", text))], ["the same end of it"])
    assert place is None


def test_two_characters_that_share_a_byte_are_told_apart() -> None:
    one, other = "天地玄黄" * 4, "".join(chr(ord(c) + 127) for c in "天地玄黄" * 4)
    places = single_places([FoldedText(Document("d", f"{one} 宇宙"))], [one, other])
    assert places[0] is not None
    assert places[1] is None
