"""Documents, version by version, and the citations that lead to their words."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.store.samples import Pair, text_pair, with_chunks
from tests.store.shelves import delete, resolved, texts, there, versions

from veridical.errors import StoreError, ValidationError
from veridical.ledger.ids import document_id
from veridical.retrieval.chunks import chunk_document
from veridical.sources.document import Document, Page, Span
from veridical.sources.loader import document_from_text
from veridical.sources.transcript import Segment, TimeBase, TimeUnit, Transcript, Word
from veridical.store.contents import MOST_CANDIDATES
from veridical.store.documents import IngestReport, Status
from veridical.store.store import Store


def test_a_changed_document_is_a_new_version(store: Store) -> None:
    old, new = text_pair("a.txt", "Ten days."), text_pair("a.txt", "Twelve days.")
    store.ingest([old])
    assert store.ingest([new]) == IngestReport(new_versions=1)
    assert versions(store) == [("a.txt", 1, Status.SUPERSEDED), ("a.txt", 2, Status.READY)]
    assert texts(store) == {"a.txt": "Twelve days."}
    library, key = store.shelf().documents, document_id("a.txt")
    assert store.shelf().ledgers.versions({key: old[0].sha256}) == {key: 1}
    assert there(library.read(key, 1)).text == "Ten days."


def test_a_document_that_returns_is_its_earlier_version(store: Store) -> None:
    old, new = text_pair("a.txt", "Ten days."), text_pair("a.txt", "Twelve days.")
    for pair in (old, new):
        store.ingest([pair])
    assert store.ingest([old]) == IngestReport(new_versions=1)
    assert versions(store) == [("a.txt", 1, Status.READY), ("a.txt", 2, Status.SUPERSEDED)]
    assert resolved(store, old[1][0].sha256).resolved
    assert not resolved(store, new[1][0].sha256).resolved


def test_the_same_text_cut_otherwise_is_refreshed(store: Store) -> None:
    document, chunks = text_pair("a.txt", "Ten days.\n\nTwelve days.")
    store.ingest([(document, chunks)])
    whole = replace(
        chunks[0], span=Span(0, len(document.text)), sentences=(chunks[0].span, chunks[1].span)
    )
    assert store.ingest([(document, (whole,))]) == IngestReport(refreshed=1)
    assert resolved(store, whole.sha256).chunk == replace(
        whole, document=store.shelf().documents.contents()[0][0]
    )
    assert not resolved(store, chunks[1].sha256).resolved
    assert versions(store) == [("a.txt", 1, Status.READY)]


def test_a_deleted_document_leaves_no_words(store: Store, url: str) -> None:
    pair = text_pair("a.txt", "A secret.")
    store.ingest([pair, text_pair("b.txt", "Not secret.")])
    store.ingest([text_pair("a.txt", "Another secret.")])
    assert delete(store, "a.txt")
    assert not delete(store, "a.txt")
    assert versions(store) == [
        ("a.txt", 1, Status.DELETED),
        ("a.txt", 2, Status.DELETED),
        ("b.txt", 1, Status.READY),
    ]
    assert texts(store) == {"b.txt": "Not secret."}
    library, key = store.shelf().documents, document_id("a.txt")
    assert store.shelf().ledgers.versions({key: pair[0].sha256}) == {}
    assert library.read(key) is library.read(key, 1) is None
    assert store.ingest([pair]) == IngestReport(added=1)
    assert texts(store)["a.txt"] == "A secret."


def test_two_documents_of_one_name_are_refused(store: Store) -> None:
    with pytest.raises(StoreError, match=r"both called a\.txt"):
        store.ingest([text_pair("a.txt", "Ten days."), text_pair("a.txt", "Twelve days.")])


TRANSCRIPT = Transcript(
    name="talk.vtt",
    text="Good evening. Thank you.",
    words=(Word(Span(0, 4), 0.1, 0.35, 0.9), Word(Span(5, 12), None, None, None, "Ann")),
    segments=(Segment(Span(0, 13), 0.1, 1.0, "Ann"), Segment(Span(14, 24), None, None)),
    language="en",
    time_base=TimeBase(TimeUnit.MILLISECONDS, -1.5),
    warnings=("one word without a time",),
)
PAGES = Document(
    "pages.txt", "One.\fTwo.", pages=(Page(1, Span(0, 5)), Page(2, Span(5, 9))), size_bytes=99
)
MARKDOWN = "# Leave\n\nStaff get *ten* [days](http://x.example) &amp; more.<!-- not this -->\n"
HTML = "<h1>Le&aacute;ve</h1><p>Ten <b>days</b></p><script>x</script>"
STRANGE = "NUL \x00 DLE \x10 alone \udfff \U0001f600 \ud83d\ude00"

DOCUMENTS = {
    "markdown": document_from_text(MARKDOWN, "a.md"),
    "html": document_from_text(HTML, "a.html"),
    "pages": PAGES,
    "transcript": TRANSCRIPT,
    "any characters": Document("nul \x00 \udcff.txt", STRANGE, warnings=(STRANGE,)),
}  # fmt: skip


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_a_document_comes_back_as_it_was(store: Store, kind: str) -> None:
    document = DOCUMENTS[kind]
    store.ingest([with_chunks(document)])
    ((loaded, _),) = store.shelf().documents.contents()
    assert type(loaded) is type(document)
    assert tuple(loaded.masks) == tuple(document.masks)
    assert replace(loaded, masks=document.masks) == document
    assert loaded.text == document.text
    assert loaded.shown(Span(0, len(loaded.text))) == document.shown(Span(0, len(document.text)))


def test_chunks_come_back_as_they_were(store: Store) -> None:
    rows = "".join(f"| G{n} | {n} days of leave for the staff of grade {n} |\n" for n in range(90))
    text = f"# Leave\n\nDays by grade.\n\n| Grade | Days |\n|---|---|\n{rows}"
    documents = [document_from_text(text, "table.md"), PAGES, TRANSCRIPT]
    pairs = [(document, chunk_document(document)) for document in documents]
    assert {bool(chunk.table_head) for chunk in pairs[0][1]} == {True, False}
    store.ingest(pairs)
    for document, chunks in pairs:
        for chunk in chunks:
            found = there(resolved(store, chunk.sha256).chunk)
            assert replace(found, document=document) == chunk


# --- citations -----------------------------------------------------------------------------------


def with_hash(pair: Pair, digest: str) -> Pair:
    """A document whose only chunk has this hash: real ones that begin alike are hard to find."""
    document, chunks = pair
    return document, (replace(chunks[0], sha256=digest),)


def test_an_ambiguous_anchor_lists_what_it_may_be(store: Store) -> None:
    one, two, other = (f"{digits:0<64}" for digits in ("abcdef0123", "abcdef0145", "abcdef02"))
    names = ("one.txt", "two.txt", "other.txt")
    for name, digest in zip(names, (one, two, other), strict=True):
        store.ingest([with_hash(text_pair(name, f"This is {name}."), digest)])
    found = resolved(store, "abcdef01")
    assert not found.resolved
    assert [chunk.document.name for chunk in found.candidates] == ["one.txt", "two.txt"]
    assert found.error is not None
    assert "ambiguous" in found.error
    assert resolved(store, "abcdef014").resolved
    assert resolved(store, "abcdef02").resolved


def test_copies_of_one_content_do_not_hide_another(store: Store) -> None:
    copies = [text_pair(f"copy {n:02}.txt", "Ten days.") for n in range(MOST_CANDIDATES + 5)]
    digest = copies[0][1][0].sha256
    other = with_hash(text_pair("other.txt", "Twelve days."), f"{digest[:20]}{'f' * 44}")
    assert other[1][0].sha256 > digest
    store.ingest(copies)
    alone = resolved(store, digest[:8])
    assert alone.resolved
    assert len(alone.candidates) == MOST_CANDIDATES
    store.ingest([other])
    found = resolved(store, digest[:8])
    assert not found.resolved
    assert {chunk.sha256 for chunk in found.candidates} == {digest, other[1][0].sha256}
    assert len(found.candidates) <= MOST_CANDIDATES
    assert resolved(store, digest).resolved


@pytest.mark.parametrize("anchor", ["", "a1b2", "a1b2c3d4' OR '1'='1", "%%%%%%%%", "g" * 8])
def test_what_is_no_anchor_is_refused(store: Store, anchor: str) -> None:
    with pytest.raises(ValidationError, match="no citation anchor"):
        resolved(store, anchor)
