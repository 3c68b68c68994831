"""What exports say in words, and the answer as they cut it."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.ledger.export.samples import GUIDE, HR, entry, evidence, ledger

from veridical.ledger.export import wording
from veridical.ledger.export.wording import stretches
from veridical.reports.texts import one_line, visible

SOURCES = {HR.id: HR, GUIDE.id: GUIDE}


@pytest.mark.parametrize(
    ("page", "path", "long", "short"),
    [
        (12, (), ", Page 12", ", p.12"),
        (None, ("3.2 Requests",), ", Section 3.2", ", §3.2"),
        (None, ("4. Leave",), ", Section 4", ", §4"),
        (None, ("Sick leave",), ", Section Sick leave", ", § Sick leave"),
        (None, (), "", ""),
    ],
)
def test_places(page: int | None, path: tuple[str, ...], long: str, short: str) -> None:
    piece = evidence("words", page_number=page, heading_path=path)
    assert wording.place(piece, SOURCES) == f"HR_Policy.pdf{long}"
    assert wording.full_place(piece, SOURCES) == f"HR_Policy.pdf{long}"
    assert wording.short_place(entry("A", evidence=(piece,)), SOURCES) == f"HR_Policy.pdf{short}"


# --- texts ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\u202eabc\u202c", "[RLO]abc[PDF]"),
        ("\u2066a\u2069\u200f", "[LRI]a[PDI][U+200F]"),
        ("a\u200bb\ufeff", "a[U+200B]b[U+FEFF]"),
        ("x\U000e0041", "x[U+E0041]"),
        ("nul\x00 esc\x1b half\ud800", "nul\ufffd esc\ufffd half\ufffd"),
        ("a\r\nb\rc\x0bd\u2028e\x85f", "a\nb\nc\nd\ne\nf"),
        ("می\u200cخواهم 👩\u200d🚀 na\u00a0so", "می\u200cخواهم 👩\u200d🚀 na\u00a0so"),
    ],
)
def test_what_cannot_be_seen_is_named(text: str, shown: str) -> None:
    assert visible(text) == shown


DIRECTIONS = {"LRE", "RLE", "PDF", "LRO", "RLO", "LRI", "RLI", "FSI", "PDI"}


@given(st.text())
def test_nothing_that_acts_is_left(text: str) -> None:
    left = visible(text)
    assert visible(left) == left
    assert not {unicodedata.bidirectional(each) for each in left} & DIRECTIONS
    kinds = {unicodedata.category(each) for each in left if each not in "\n\t"}
    assert not kinds & {"Cc", "Cs"}
    line = one_line(text)
    assert line.splitlines() in ([], [line])
    assert line == line.strip(" ")


# --- the answer ----------------------------------------------------------------------------------


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(1, 12)), max_size=8))
def test_no_word_of_the_answer_is_lost_or_doubled_whatever_overlaps(
    spans: list[tuple[int, int]],
) -> None:
    answer = "The answer is this, and it is not long."
    rows = [entry(answer[at : at + size], start=at) for at, size in spans]
    pieces = list(stretches(ledger(*rows, answer=answer)))
    assert "".join(piece.text for piece in pieces) == answer
    assert sorted(n for piece in pieces for n in piece.claims) == list(range(1, len(rows) + 1))
