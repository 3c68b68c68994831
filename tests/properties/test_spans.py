"""`document.text[start:end]` is the matched text, for every match that is ever returned."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.properties.documents import documents

from veridical import Claim, ClaimResult, Document, EvidenceType, Match, Validator

TYPES = st.sampled_from(list(EvidenceType))


class FlatEmbedder:
    """Every text is about the same thing, so that every chunk becomes a match."""

    def embed(self, texts):
        import numpy as np

        return np.ones((len(texts), 2), np.float32) / np.float32(2**0.5)


def matches_of(result: ClaimResult) -> Iterator[Match]:
    for match in (result.match, result.found_at, *result.alternatives):
        if match is not None:
            yield match
    yield from (attempt.match for attempt in result.attempts)


def check(document: Document, result: ClaimResult) -> None:
    for match in matches_of(result):
        start, end = match.span.start, match.span.end
        assert match.document is document
        assert 0 <= start <= end <= len(document.text)
        assert document.text[start:end] == match.text
        assert 0 <= match.similarity <= 1
        assert 0 <= match.confidence <= 1
        assert match.line == document.text.count("\n", 0, start) + 1
    assert 0 <= result.confidence <= 1
    if result.passed:
        assert result.match is not None
        assert len(result.match.span) > 0


def damaged(draw: st.DrawFn, quote: str) -> str:
    """The quote with a few characters changed, put in and left out."""
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(quote)))
        quote = quote[:at] + draw(st.text(max_size=2)) + quote[at + draw(st.integers(0, 2)) :]
    return quote


@st.composite
def quotes(draw: st.DrawFn, document: Document) -> str:
    kind = draw(st.sampled_from(["slice", "slice", "damaged", "ellipsis", "free"]))
    if kind == "free":
        return draw(st.text(min_size=1, max_size=60))
    start = draw(st.integers(0, len(document.text) - 1))
    quote = document.text[start : start + draw(st.integers(1, 120))]
    if kind == "ellipsis":
        third = len(quote) // 3
        return quote[:third] + draw(st.sampled_from([" ... ", "…", " […] "])) + quote[2 * third :]
    return damaged(draw, quote) or "x" if kind == "damaged" else quote


@pytest.mark.no_cover
@given(st.data())
@settings(max_examples=80)
def test_every_match_is_the_text_at_its_span(data: st.DataObject) -> None:
    document = data.draw(documents())
    validator = Validator([document], embedder=FlatEmbedder())
    claims = [
        Claim(
            f"EV{index}",
            data.draw(quotes(document)),
            data.draw(TYPES),
            confidence_threshold=data.draw(st.sampled_from([0.0, 0.5, 0.8])),
            context_hint=data.draw(st.sampled_from([None, "committee met"])),
            expected_section=data.draw(st.sampled_from([None, None, "line 1", "end."])),
        )
        for index in range(4)
    ]
    for result in validator.validate(claims).results:
        check(document, result)


@given(documents(), documents())
def test_a_match_names_the_document_that_it_stands_in(one: Document, other: Document) -> None:
    assume(len(other.text) >= 10)
    from dataclasses import replace

    other = replace(other, name="other")
    result = Validator([one, other]).check(other.text[:60])
    for match in matches_of(result):
        text = (one if match.document.name == one.name else other).text
        assert text[match.span.start : match.span.end] == match.text
