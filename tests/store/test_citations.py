"""Citation anchors among what a workspace holds now."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.store.samples import Pair, text_pair

from veridical.errors import ValidationError
from veridical.store.contents import MOST_CANDIDATES
from veridical.store.store import Store

UNAVAILABLE = "Citation references deleted or unavailable chunk"


def with_hash(pair: Pair, digest: str) -> Pair:
    """A document whose only chunk has this hash: real ones that begin alike are hard to find."""
    document, chunks = pair
    return document, (replace(chunks[0], sha256=digest),)


def test_an_anchor_leads_to_its_chunk(store: Store) -> None:
    document, chunks = text_pair("a.txt", "Staff get ten days.\n\nUnused days lapse.")
    store.ingest([(document, chunks)])
    for chunk in chunks:
        for digits in (8, 20, 64):
            found = store.resolve_citation(chunk.sha256[:digits].upper())
            assert found.resolved
            assert found.chunk is not None
            assert replace(found.chunk, document=document) == chunk
            assert found.chunk.text == chunk.text


def test_what_is_gone_does_not_resolve(store: Store) -> None:
    old, new = text_pair("a.txt", "Ten days."), text_pair("a.txt", "Twelve days.")
    gone = text_pair("b.txt", "A secret.")
    store.ingest([old, gone])
    store.ingest([new])
    store.delete_document("b.txt")
    for _, (chunk,) in (old, gone):
        found = store.resolve_citation(chunk.sha256)
        assert (found.resolved, found.error, found.chunk) == (False, UNAVAILABLE, None)
    assert store.resolve_citation(new[1][0].sha256).resolved


def test_an_ambiguous_anchor_lists_what_it_may_be(store: Store) -> None:
    one, two, other = (f"{digits:0<64}" for digits in ("abcdef0123", "abcdef0145", "abcdef02"))
    names = ("one.txt", "two.txt", "other.txt")
    for name, digest in zip(names, (one, two, other), strict=True):
        store.ingest([with_hash(text_pair(name, f"This is {name}."), digest)])
    found = store.resolve_citation("abcdef01")
    assert not found.resolved
    assert [chunk.document.name for chunk in found.candidates] == ["one.txt", "two.txt"]
    assert found.error is not None
    assert "ambiguous" in found.error
    assert store.resolve_citation("abcdef014").resolved
    assert store.resolve_citation("abcdef02").resolved


def test_one_content_in_two_documents_resolves(store: Store) -> None:
    store.ingest([text_pair("b.txt", "Ten days."), text_pair("a.txt", "Ten days.")])
    found = store.resolve_citation(text_pair("a.txt", "Ten days.")[1][0].sha256[:8])
    assert found.resolved
    assert [chunk.document.name for chunk in found.candidates] == ["a.txt", "b.txt"]


def test_copies_of_one_content_do_not_hide_another(store: Store) -> None:
    copies = [text_pair(f"copy {n:02}.txt", "Ten days.") for n in range(MOST_CANDIDATES + 5)]
    digest = copies[0][1][0].sha256
    other = with_hash(text_pair("other.txt", "Twelve days."), f"{digest[:20]}{'f' * 44}")
    assert other[1][0].sha256 > digest
    store.ingest(copies)
    alone = store.resolve_citation(digest[:8])
    assert alone.resolved
    assert len(alone.candidates) == MOST_CANDIDATES
    store.ingest([other])
    found = store.resolve_citation(digest[:8])
    assert not found.resolved
    assert {chunk.sha256 for chunk in found.candidates} == {digest, other[1][0].sha256}
    assert len(found.candidates) <= MOST_CANDIDATES
    assert store.resolve_citation(digest).resolved


def test_workspaces_are_apart(store: Store) -> None:
    document, chunks = text_pair("a.txt", "Ten days.")
    store.ingest([(document, chunks)], "one")
    assert store.resolve_citation(chunks[0].sha256, "one").resolved
    assert store.resolve_citation(chunks[0].sha256).error == UNAVAILABLE


@pytest.mark.parametrize("anchor", ["", "a1b2", "a1b2c3d4' OR '1'='1", "%%%%%%%%", "g" * 8])
def test_what_is_no_anchor_is_refused(store: Store, anchor: str) -> None:
    with pytest.raises(ValidationError, match="no citation anchor"):
        store.resolve_citation(anchor)
