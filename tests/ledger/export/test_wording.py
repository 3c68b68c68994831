"""What exports say in words, and the answer as they cut it."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.ledger.export.samples import GUIDE, HR, LEAVE, entry, evidence, ledger

from veridical.judging.judge import SupportLevel
from veridical.judging.verdict import Verdict
from veridical.ledger.export import wording
from veridical.ledger.export.texts import one_line, visible
from veridical.ledger.export.wording import stretches

SOURCES = {HR.id: HR, GUIDE.id: GUIDE}


@pytest.mark.parametrize(
    ("page", "path", "long", "full", "short"),
    [
        (12, (), "Page 12", "Page 12", ", p.12"),
        (15, ("Leave", "4.2 Carry-over"), "Page 15", "Page 15, Section 4.2", ", p.15"),
        (None, ("3.2 Requests",), "Section 3.2", "Section 3.2", ", §3.2"),
        (None, ("4. Leave",), "Section 4", "Section 4", ", §4"),
        (None, ("§ 7.1: Notice",), "Section 7.1", "Section 7.1", ", §7.1"),
        (None, ("Sick leave",), "Section Sick leave", "Section Sick leave", ", § Sick leave"),
        (None, ("15 days",), "Section 15 days", "Section 15 days", ", §15 days"),
        (None, ("1.5x pay",), "Section 1.5x pay", "Section 1.5x pay", ", §1.5x pay"),
        (None, (" ",), "", "", ""),
        (None, (), "", "", ""),
    ],
)
def test_places(page: int | None, path: tuple[str, ...], long: str, full: str, short: str) -> None:
    piece = evidence("words", page_number=page, heading_path=path)
    assert wording.place(piece, SOURCES) == ", ".join(filter(None, ("HR_Policy.pdf", long)))
    assert wording.full_place(piece, SOURCES) == ", ".join(filter(None, ("HR_Policy.pdf", full)))
    assert wording.short_place(entry("A", evidence=(piece,)), SOURCES) == f"HR_Policy.pdf{short}"


def test_no_evidence_and_no_source() -> None:
    assert wording.short_place(entry("A", Verdict.NOT_FOUND), SOURCES) == "-"
    assert wording.place(evidence("A"), {}) == "unknown source"


@pytest.mark.parametrize(
    ("score", "shown", "band"),
    [
        (1.0, "100%", "high"),
        (0.85, "85%", "high"),
        (0.846, "85%", "high"),
        (0.844, "84%", "good"),
        (0.7, "70%", "good"),
        (0.65, "65%", "moderate"),
        (0.5, "50%", "moderate"),
        (0.49, "49%", "low"),
        (0.29, "29%", "very low"),
        (0.0, "0%", "very low"),
    ],
)
def test_a_confidence_and_its_band_agree(score: float, shown: str, band: str) -> None:
    assert (wording.confidence(score), wording.band(score)) == (shown, band)


@pytest.mark.parametrize(
    ("part", "said"), [(None, "n/a"), (0.0, "0%"), (0.999, "99%"), (1, "100%")]
)
def test_shares(part: float | None, said: str) -> None:
    assert wording.share(part) == said


@pytest.mark.parametrize(
    ("title", "query", "answer", "called"),
    [
        (" Leave ", "How much?", "15 days.", "Leave"),
        ("", "How much?", "15 days.", "How much?"),
        ("", " ", "15 days.", "15 days."),
        ("", "", "## Leave\n\n- **Staff** get `15` days", "Leave Staff get 15 days"),
        ("", "", "word " * 40, "word word word word word word word word word word word word…"),
        ("", "", "word; " * 20, "word; word; word; word; word; word; word; word; word; word…"),
        ("", "", "a" * 80, "a" * 60 + "…"),
        ("", "", " \n** ", wording.NO_TITLE),
    ],
)
def test_what_has_no_title_is_called_by_its_first_words(
    title: str, query: str, answer: str, called: str
) -> None:
    assert wording.heading(ledger(title=title, query=query, answer=answer)) == called


def test_times() -> None:
    assert wording.stamp("2026-01-03T14:30:59Z") == "2026-01-03 14:30 UTC"
    assert wording.stamp("yesterday") == "yesterday"


def test_the_worst_come_first_and_else_the_answer_decides() -> None:
    verdicts = [Verdict.SUPPORTED, Verdict.WEAK, Verdict.CONTRADICTED, Verdict.NOT_FOUND] * 2
    rows = wording.numbered(ledger(*[entry(f"{n}", v) for n, v in enumerate(verdicts)]))
    assert [row.number for row in wording.worst_first(rows)] == [3, 7, 4, 8, 2, 6, 1, 5]


def test_only_weak_evidence_is_a_partial_match() -> None:
    piece = evidence("x", support=SupportLevel.PARTIAL)
    assert wording.is_partial(entry("A", Verdict.WEAK, evidence=(piece,)))
    assert not wording.is_partial(entry("A", Verdict.WEAK, evidence=(evidence("x"),)))
    assert not wording.is_partial(entry("A", Verdict.CONTRADICTED, evidence=(piece,)))


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


def test_the_answer_is_cut_at_its_claims() -> None:
    pieces = list(stretches(LEAVE))
    assert "".join(piece.text for piece in pieces) == LEAVE.answer
    claimed = [(piece.text, piece.claims) for piece in pieces if piece.claims]
    assert claimed == [(row.claim.text, (n,)) for n, row in enumerate(LEAVE.entries, 1)]


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(1, 12)), max_size=8))
def test_no_word_of_the_answer_is_lost_or_doubled_whatever_overlaps(
    spans: list[tuple[int, int]],
) -> None:
    answer = "The answer is this, and it is not long."
    rows = [entry(answer[at : at + size], start=at) for at, size in spans]
    pieces = list(stretches(ledger(*rows, answer=answer)))
    assert "".join(piece.text for piece in pieces) == answer
    assert sorted(n for piece in pieces for n in piece.claims) == list(range(1, len(rows) + 1))
