"""Citation anchors and numbers: what they point to, and that nothing is guessed."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.ledger.ledgers import LEAVE, TRAVEL, document

from veridical.errors import ValidationError
from veridical.ledger.citations import CitationChecker, DocumentNames, resolve_citation
from veridical.ledger.entry import Marker, MarkerKind
from veridical.ledger.ids import document_id
from veridical.retrieval.chunks import Chunk
from veridical.retrieval.corpus import Corpus, shortest_anchors
from veridical.sources.document import Span

CORPUS = Corpus([document(LEAVE, "hr/leave.md"), document(TRAVEL, "travel.md")])
SPAN = Span(0, 1)


def chunk(sha256: str, name: str = "a.md", ordinal: int = 0, heading: str = "Part") -> Chunk:
    text = document("# Part\n\nSome words.\n", name)
    return Chunk(text, ordinal, Span(8, 19), (Span(8, 19),), sha256, (heading,))


def digest(start: str, rest: str = "0") -> str:
    return start + rest * (64 - len(start))


def naive_anchors(hashes: Iterable[str]) -> dict[str, str]:
    """The shortest unique prefixes, by trying every length."""
    known = set(hashes)
    return {
        one: next(
            (
                one[:n]
                for n in range(8, len(one))
                if not any(other.startswith(one[:n]) for other in known - {one})
            ),
            one,
        )
        for one in known
    }


@pytest.mark.parametrize("digits", [8, 12, 64])
def test_an_anchor_resolves_to_its_chunk(digits):
    wanted = CORPUS.chunks[0]
    for prefix in (wanted.sha256[:digits], wanted.sha256[:digits].upper()):
        resolution = resolve_citation(prefix, CORPUS)
        assert (resolution.chunk, resolution.error) == (wanted, None)
        assert resolve_citation(prefix, list(CORPUS.chunks)) == resolution
    nowhere = resolve_citation("0123456789abcdef", CORPUS)
    assert not nowhere.resolved
    assert nowhere.error == "Citation references deleted or unavailable chunk"


def test_an_ambiguous_anchor_lists_its_candidates():
    chunks = [
        chunk(digest("a1b2c3d4e5", "0"), "leave.md", heading="Leave"),
        chunk(digest("a1b2c3d4ff", "1"), "travel.md", heading="Travel"),
        chunk(digest("a1b2c3d5", "2"), "other.md"),
    ]
    resolution = resolve_citation("a1b2c3d4", chunks)
    assert not resolution.resolved
    assert resolution.chunk is None
    assert resolution.candidates == tuple(chunks[:2])
    assert resolution.error == (
        "Citation a1b2c3d4 is ambiguous; it fits a1b2c3d4e (leave.md, Leave), "
        "a1b2c3d4f (travel.md, Travel)"
    )
    many = resolve_citation("a1b2c3d4", [chunk(digest(f"a1b2c3d4{n}")) for n in range(9)])
    assert (many.error or "").endswith("and 4 more")
    for listed, wanted in (("a1b2c3d4e", chunks[0]), ("a1b2c3d4f", chunks[1])):
        assert resolve_citation(listed, chunks).chunk is wanted


@pytest.mark.parametrize(
    "prefix", ["", "a1b2c3d", "a1b2c3dg", "a1b2c3d4 ", "0" * 65, "１２３４５６７８"]
)
def test_what_is_no_anchor_is_refused(prefix):
    with pytest.raises(ValidationError, match="hex digits"):
        resolve_citation(prefix, CORPUS)


@given(st.lists(st.text("01", min_size=14, max_size=14).map(digest), max_size=40))
def test_anchors_agree_with_trying_every_length(hashes):
    assert shortest_anchors(hashes) == naive_anchors(hashes)


def number(value: str) -> Marker:
    return Marker(MarkerKind.NUMBER, value, SPAN)


def anchor(value: str) -> Marker:
    return Marker(MarkerKind.ANCHOR, value, SPAN)


def test_markers_are_checked_in_their_order():
    wanted = CORPUS.chunks[0]
    markers = (anchor(wanted.sha256[:8]), number("2"), anchor("00000000"), number("7"))
    checks = CitationChecker(CORPUS, {2: "travel.md"}).check(markers)
    assert [check.marker for check in checks] == list(markers)
    assert checks[0].source_id == document_id("hr/leave.md")
    assert checks[0].chunk_sha256 == wanted.sha256
    assert (checks[1].source_id, checks[1].problem) == (document_id("travel.md"), "")
    assert checks[2].problem == "Citation references deleted or unavailable chunk"
    assert checks[3].problem == "[7]: the answer does not list it as a source"
    assert [check.source_id is None for check in checks] == [False, False, True, True]


@pytest.mark.parametrize("value", ["", "x", "-1", "1" * 500, "²"])
def test_hostile_markers_are_problems_not_errors(value):
    for marker in (number(value), anchor(value)):
        (check,) = CitationChecker(CORPUS, {1: "travel.md"}).check([marker])
        assert check.source_id is None
        assert check.problem


NAMES = DocumentNames(
    [
        document("# Annual leave policy\n\nText.\n", "hr/leave.md"),
        document("# Annual leave policy 2023\n\nText.\n", "hr/leave-2023.md"),
        document("# Travel\n\nText.\n", "HR_Travel_Rules.md"),
        document("# Minutes\n\nText.\n", "jan/minutes.md"),
        document("# Minutes\n\nText.\n", "feb/minutes.md"),
        document("# The\n\nText.\n", "the.md"),
    ]
)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("hr/leave.md", ["hr/leave.md"]),
        ("leave.md", ["hr/leave.md"]),
        ("Annual Leave Policy", ["hr/leave.md"]),
        ("Annual leave policy 2023, page 4", ["hr/leave-2023.md"]),
        ("HR travel rules (2024)", ["HR_Travel_Rules.md"]),
        ("See leave-2023.md, section 4", ["hr/leave-2023.md"]),
        ("minutes", ["jan/minutes.md", "feb/minutes.md"]),
        ("All about travel in the north", []),
        ("the minutes of the meeting", []),
        ("", []),
        ("Annual", []),
    ],
)
def test_documents_are_known_by_file_name_stem_or_title(said, expected):
    assert [found.name for found in NAMES.named_by(said)] == expected


def name(value: str) -> Marker:
    return Marker(MarkerKind.NAME, value, SPAN)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("hr/leave.md", "hr/leave.md"),
        ("Leave.MD", "hr/leave.md"),
        ("docs/leave-2023.md", "hr/leave-2023.md"),
        ("leave-2024.md", None),
        ("leave.pdf", None),
        ("HR travel rules (2024)", "HR_Travel_Rules.md"),
    ],
)
def test_a_name_is_that_of_a_document_or_resolves_to_none(value, expected):
    (check,) = CitationChecker(Corpus(NAMES.documents)).check([name(value)])
    assert check.source_id == (document_id(expected) if expected else None)
    assert check.problem == ("" if expected else f"{value}: it names no document that is at hand")


def test_what_may_mean_several_documents_means_none():
    checker = CitationChecker(Corpus(NAMES.documents), {1: "minutes.md"})
    for marker, told in (
        (number("1"), "[1]: the source list may mean any of"),
        (name("minutes.md"), "minutes.md: it may mean any of"),
    ):
        (check,) = checker.check([marker])
        assert check.source_id is None
        assert check.problem == f"{told} jan/minutes.md, feb/minutes.md"


def test_the_same_content_twice_is_not_ambiguous():
    chunks = [chunk(digest("a1b2c3d4"), "one.md"), chunk(digest("a1b2c3d4"), "two.md")]
    resolution = resolve_citation("a1b2c3d4", chunks)
    assert resolution.chunk is chunks[0]
    assert resolution.candidates == tuple(chunks)
