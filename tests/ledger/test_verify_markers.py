"""Verifying a ledger: its markers, citations and pages."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.ledger.ledgers import FULL, entry, ledger_of, piece
from tests.ledger.verifying import forged, problems_at, put, verified

from veridical import Document, Format, Page, document_from_text
from veridical.ledger.build import LedgerBuilder
from veridical.ledger.entry import CitationCheck, EvidenceLedger, Marker, MarkerKind
from veridical.ledger.extraction.rules import RuleExtractor
from veridical.ledger.wire import ledger_to_bytes
from veridical.retrieval.corpus import Corpus
from veridical.sources.document import Span

WORDS = "Taxis are not repaid."


def paged(text: str) -> Document:
    """A document of two pages, the second beginning with its second line."""
    cut = text.index("\n") + 1
    pages = (Page(1, Span(0, cut)), Page(2, Span(cut, len(text))))
    return Document("rules.pdf", text, Format.PDF, pages=pages)


def on_second_page() -> EvidenceLedger:
    """A ledger whose one claim carries markers, and rests on words of the second page."""
    source = paged("Rules\n" + WORDS)
    evidence = piece(source, Span(6, 6 + len(WORDS)))
    answer = f"No taxis. [cite:{evidence.anchor}] [2]"
    anchor = Marker(MarkerKind.ANCHOR, evidence.anchor, Span(10, len(answer) - 4))
    number = Marker(MarkerKind.NUMBER, "2", Span(len(answer) - 3, len(answer)))
    made = entry("No taxis.", 0, FULL, [evidence])
    made = replace(
        made,
        claim=replace(made.claim, markers=(anchor, number)),
        citations=(
            CitationCheck(anchor, evidence.source_id, evidence.chunk_sha256),
            CitationCheck(number, None, problem="[2]: the answer has no source list"),
        ),
    )
    return ledger_of(answer, [made], [source])


@pytest.mark.parametrize(
    ("path", "value", "where"),
    [
        ("evidence/pieces/0/source/page_number", 1, "evidence.pieces[0].source.page_number"),
        ("markers/0/value", "0123456789", "markers[0]"),
        ("markers/1/span/start", 0, "markers[1]"),
        ("markers/1/value", "3", "markers[1]"),
        ("citations/0/document_id", "gone", "citations[0]"),
        ("citations/0/chunk_sha256", "0" * 64, "citations[0]"),
        ("evidence/pieces/0/chunk_span/end", 999, "evidence.pieces[0].chunk_span"),
        ("evidence/pieces/0/source_text", "Taxis.", "evidence.pieces[0].source_text"),
        ("evidence/pieces/0/snippet", " ", "evidence.pieces[0].snippet"),
    ],
)
def test_markers_citations_and_places_must_fit(path, value, where):
    file, source = ledger_to_bytes(on_second_page()), paged("Rules\n" + WORDS)
    found = forged(put(f"entries/0/{path}", value), source, file=file)
    assert f"entries[0].{where}" in problems_at(found)


SOURCE = document_from_text("# Taxis\n\nTaxis are not repaid.\n", "taxis.md")
PAY = document_from_text("# Pay\n\nSalaries are paid monthly.\n", "pay.md")
SOURCES = (SOURCE, PAY)


def built(answer: str) -> EvidenceLedger:
    """A ledger of the claims that are really extracted; nothing is found for any."""
    entries = []
    for claim in RuleExtractor().extract(answer, "session").claims:
        made = entry(claim.text, claim.span.start, None, [])
        checks = [CitationCheck(marker, None, problem="unknown") for marker in claim.markers]
        entries.append(replace(made, claim=claim, citations=tuple(checks)))
    return ledger_of(answer, entries, [SOURCE])


NUMBERS = st.integers(1, 60).map(str)
WIDE = str.maketrans("0123456789", "\uff10\uff11\uff12\uff13\uff14\uff15\uff16\uff17\uff18\uff19")
DASHES = st.sampled_from(["-", "\u2013", "\u2014", " - "])
RANGES = st.tuples(NUMBERS, DASHES, NUMBERS).map("".join)
LISTS = st.lists(NUMBERS | RANGES, min_size=1, max_size=3).map(", ".join)
ANCHORS = st.binary(min_size=4, max_size=9).map(bytes.hex).map("cite:{}".format)
FORMS = LISTS | LISTS.map(lambda form: form.translate(WIDE)) | ANCHORS | NUMBERS.map("^{}".format)


@given(st.lists(FORMS, max_size=3).map(lambda forms: "".join(f"[{form}]" for form in forms)))
def test_markers_of_any_form_stand_in_the_answer(markers):
    for answer in (f"Taxis are not repaid {markers}.", f"Taxis are not repaid. {markers}"):
        ledger = built(answer)
        assert ledger.entries
        assert verified(SOURCE, file=ledger_to_bytes(ledger)).problems == ()


@pytest.fixture(scope="module")
def builder() -> LedgerBuilder:
    return LedgerBuilder(Corpus(SOURCES))


@pytest.mark.parametrize(
    "markers",
    ["[1-3]", "[1\u20133]", "[1]-[3]", "[\uff11]", "[1, 2]", "[01]", "[2][9]", "[^1]", "[3-1]",
     "[cite:ABCDEF12]", "[cite: abcdef12, cite:abcdef13]", "[cite:no]"],
)  # fmt: skip
@pytest.mark.parametrize("listed", ["", "\n\nSources:\n[1] taxis.md\n[2] pay.md\n"])
def test_what_is_built_is_verified_whatever_its_markers(builder, markers, listed):
    answer = f"Taxis are not repaid {markers}.{listed}"
    found = verified(*SOURCES, file=ledger_to_bytes(builder.build(answer)))
    assert len(found.entries) == 1
    assert found.ok


@pytest.mark.parametrize(("value", "start"), [("4", 21), ("12", 21), ("2", 20), ("2", 0)])
def test_a_marker_that_the_answer_has_not_is_found(value, start):
    ledger = built("Taxis are not repaid [1-3].")
    (made,) = ledger.entries
    assert [marker.value for marker in made.claim.markers] == ["1", "2", "3"]
    other = Marker(MarkerKind.NUMBER, value, Span(start, start + 5))
    made = replace(made, claim=replace(made.claim, markers=(other,)), citations=())
    found = verified(SOURCE, file=ledger_to_bytes(ledger_of(ledger.answer, [made], [SOURCE])))
    assert "entries[0].markers[0]" in problems_at(found)


def test_a_citation_of_a_marker_that_the_claim_has_not_is_found():
    ledger = built("Taxis are not repaid [1]. Trains are repaid [2].")
    one, other = ledger.entries
    swapped = [replace(one, citations=other.citations), other]
    found = verified(SOURCE, file=ledger_to_bytes(ledger_of(ledger.answer, swapped, [SOURCE])))
    assert problems_at(found) == ["entries[0].citations[0]"]
