"""What became of a document from one version to another."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veridical.ledger.verification import EvidenceStatus
from veridical.service.inquiring.ledger_view import fate_of
from veridical.service.reading.versions import (
    Change,
    ChangeKind,
    align,
    changes_between,
    reading_of,
)
from veridical.sources.document import Document, Format
from veridical.sources.loader import document_from_text
from veridical.sources.span import Span

PARAGRAPHS = {
    "title": "# Leave of absence",
    "days": "Permanent staff get 15 days of annual leave a year.",
    "carry": "Unused leave may be carried over at the discretion of the head of department.",
    "sick": "Whoever is ill tells their manager on the first day.",
    "note": "A doctor's note is needed after three days of absence.",
}


def made(*paragraphs: str, name: str = "leave.md") -> Document:
    text = "\n\n".join(PARAGRAPHS.get(one, one) for one in paragraphs) + "\n"
    return document_from_text(text, name, Format.MARKDOWN)


def told(old: Document, new: Document) -> list[tuple[str, str, str]]:
    """Kind, words before and words after of all that differs."""
    return [
        (
            change.kind.value,
            reading_of(old, change.old) if change.old else "",
            reading_of(new, change.new) if change.new else "",
        )
        for change in changes_between(old, new)
        if change.kind is not ChangeKind.SAME
    ]


def test_what_was_put_in_taken_out_changed_and_moved() -> None:
    old = made("title", "days", "carry", "sick", "note")
    new = made(
        "title", PARAGRAPHS["days"].replace("15", "20"), "sick", "A new rule was added.", "note",
        "carry",
    )  # fmt: skip
    carry = PARAGRAPHS["carry"]
    assert told(old, new) == [
        ("changed", PARAGRAPHS["days"], PARAGRAPHS["days"].replace("15", "20")),
        ("moved_away", carry, carry),
        ("added", "", "A new rule was added."),
        ("moved", carry, carry),
    ]
    assert told(made("days", "carry"), made("carry")) == [("removed", PARAGRAPHS["days"], "")]


def test_what_was_moved_and_changed_is_both() -> None:
    old = made("carry", "days", "sick", "note")
    new = made("days", "sick", "note", PARAGRAPHS["carry"].replace("may", "may not"))
    (moved,) = [c for c in changes_between(old, new) if c.kind is ChangeKind.MOVED]
    assert moved.altered


@pytest.mark.parametrize(
    "new",
    [
        "Permanent staff\nget 15 days of annual\nleave a year.",
        "Permanent *staff* get **15 days** of annual leave a year.",
        "Permanent staff get 15 days of an-\nnual leave a year.",
    ],
)
def test_line_breaks_hyphens_and_markup_are_no_change(new: str) -> None:
    assert told(made("title", "days"), made("title", new)) == []


WORDS = st.sampled_from(
    ["A rule that stands for all.", "Another rule for most people.", "Short.", "Yes", "Third rule."]
)
TEXTS = st.lists(WORDS | st.text(st.sampled_from("abc d."), min_size=1, max_size=30), max_size=12)


@settings(deadline=None)
@given(TEXTS, TEXTS)
def test_every_paragraph_is_told_of_once(before: list[str], after: list[str]) -> None:
    old, new = made("title", *before), made("title", *after)
    changes = changes_between(old, new)
    news = [change.new for change in changes if change.kind is not ChangeKind.MOVED_AWAY]
    places = [span for span in news if span is not None]
    assert places == sorted(places)
    assert Counter(places).most_common(1) in ([], [(places[0], 1)] if places else [])
    olds = [c.old for c in changes if c.kind is not ChangeKind.MOVED and c.old is not None]
    assert olds == sorted(olds)
    assert len(set(olds)) == len(olds)
    away = sorted(c.old for c in changes if c.kind is ChangeKind.MOVED_AWAY and c.old)
    assert away == sorted(c.old for c in changes if c.kind is ChangeKind.MOVED and c.old)
    assert all(is_true(change, old, new) for change in changes)
    if before == after:
        assert {change.kind for change in changes} <= {ChangeKind.SAME}


def is_true(change: Change, old: Document, new: Document) -> bool:
    if change.old is None or change.new is None:
        return change.kind in (ChangeKind.ADDED, ChangeKind.REMOVED)
    if change.kind is ChangeKind.MOVED_AWAY:
        return True
    return change.altered == (reading_of(old, change.old) != reading_of(new, change.new))


@given(st.lists(st.integers(0, 5), max_size=30), st.lists(st.integers(0, 5), max_size=30))
def test_pairs_in_place_never_cross_and_equal_texts_pair_whole(
    old: list[int], new: list[int]
) -> None:
    before, after = ([f"paragraph number {n}" for n in side] for side in (old, new))
    pairs = align(before, after)
    assert len({pair.old for pair in pairs}) == len({pair.new for pair in pairs}) == len(pairs)
    in_place = [pair for pair in pairs if pair.in_place]
    assert [pair.old for pair in in_place] == sorted(pair.old for pair in in_place)
    assert all(pair.in_place for pair in align(before, before))
    assert len(align(before, before)) == len(before)


@pytest.mark.no_cover
def test_large_documents_are_compared_in_one_go() -> None:
    old = [f"Paragraph {n} says {n * n} things of its own." for n in range(6_000)]
    new = [*old[2_000:4_000], *old[:2_000], *old[4_000:]]
    new[10] = "Something entirely different stands here now, at some length."
    pairs = align(old, new)
    assert sum(pair.in_place for pair in pairs) in (3_999, 4_000)
    assert len(pairs) == 5_999


# --- what became of words ------------------------------------------------------------------------

OLD = made("title", "days", "carry", "note")


def span_of(words: str) -> Span:
    start = OLD.text.index(words)
    return Span(start, start + len(words))


@pytest.mark.parametrize(
    ("new", "status"),
    [
        (OLD, EvidenceStatus.HELD),
        (made("title", "days", "note", "carry"), EvidenceStatus.MOVED),
        (
            made("title", PARAGRAPHS["carry"].replace("may", "may not"), "note"),
            EvidenceStatus.ALTERED,
        ),
        (made("title", "Nothing of the kind."), EvidenceStatus.ORPHANED),
        (made("title", "days", f"It is no longer so that {PARAGRAPHS['carry']}", "note"),
         EvidenceStatus.ALTERED),
    ],
)  # fmt: skip
def test_what_became_of_a_sentence(new: Document, status: EvidenceStatus) -> None:
    fate = fate_of(OLD, span_of(PARAGRAPHS["carry"]), new, whole=True)
    assert fate.status is status
    assert (fate.now is None) is (status is EvidenceStatus.ORPHANED)
    if status is EvidenceStatus.MOVED:
        assert fate.now is not None
        assert new.text[fate.now.start : fate.now.end] == PARAGRAPHS["carry"]
