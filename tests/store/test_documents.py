"""Documents, version by version."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa
from tests.store.samples import text_pair, with_chunks

from veridical.errors import StoreError
from veridical.ledger.ids import document_id
from veridical.retrieval.chunks import chunk_document
from veridical.sources.document import Document, Page
from veridical.sources.loader import document_from_text, load_document
from veridical.sources.span import Span
from veridical.sources.transcript import Segment, TimeBase, TimeUnit, Transcript, Word
from veridical.store.documents import IngestReport, Status
from veridical.store.store import Store

EXAMPLES = Path(__file__).parents[2] / "examples"


def facts(store: Store, **options: object) -> list[tuple[str, int, str]]:
    return [(d.filename, d.version, d.status) for d in store.documents(**options)]


def test_a_changed_document_is_a_new_version(store: Store) -> None:
    old, new = text_pair("a.txt", "Ten days."), text_pair("a.txt", "Twelve days.")
    store.ingest([old])
    assert store.ingest([new]) == IngestReport(new_versions=1)
    assert facts(store) == [("a.txt", 2, Status.READY)]
    assert facts(store, all_versions=True) == [
        ("a.txt", 1, Status.SUPERSEDED),
        ("a.txt", 2, Status.READY),
    ]
    assert store.document_text("a.txt") == "Twelve days."
    assert store.document_text("a.txt", sha256=old[0].sha256) == "Ten days."
    ids = {document.id for document in store.documents(all_versions=True)}
    assert ids == {document_id("a.txt")}


def test_a_document_that_returns_is_its_earlier_version(store: Store) -> None:
    old, new = text_pair("a.txt", "Ten days."), text_pair("a.txt", "Twelve days.")
    for pair in (old, new):
        store.ingest([pair])
    assert store.ingest([old]) == IngestReport(new_versions=1)
    assert facts(store, all_versions=True) == [
        ("a.txt", 1, Status.READY),
        ("a.txt", 2, Status.SUPERSEDED),
    ]
    assert store.resolve_citation(old[1][0].sha256).resolved
    assert not store.resolve_citation(new[1][0].sha256).resolved


def test_the_same_text_cut_otherwise_is_refreshed(store: Store) -> None:
    document, chunks = text_pair("a.txt", "Ten days.\n\nTwelve days.")
    store.ingest([(document, chunks)])
    whole = replace(
        chunks[0], span=Span(0, len(document.text)), sentences=(chunks[0].span, chunks[1].span)
    )
    assert store.ingest([(document, (whole,))]) == IngestReport(refreshed=1)
    assert store.resolve_citation(whole.sha256).chunk == replace(
        whole, document=store.load_documents()[0]
    )
    assert not store.resolve_citation(chunks[1].sha256).resolved
    assert facts(store) == [("a.txt", 1, Status.READY)]


def test_a_deleted_document_leaves_no_words(store: Store, url: str) -> None:
    pair = text_pair("a.txt", "A secret.")
    store.ingest([pair, text_pair("b.txt", "Not secret.")])
    store.ingest([text_pair("a.txt", "Another secret.")])
    assert store.delete_document("a.txt")
    assert not store.delete_document("a.txt")
    assert facts(store) == [("b.txt", 1, Status.READY)]
    assert {status for name, _, status in facts(store, all_versions=True) if name == "a.txt"} == {
        Status.DELETED
    }
    for sha256 in (None, pair[0].sha256):
        with pytest.raises(StoreError, match=r"no document a\.txt"):
            store.document_text("a.txt", sha256=sha256)
    assert store.ingest([pair]) == IngestReport(added=1)
    assert store.document_text("a.txt") == "A secret."


def test_two_documents_of_one_name_are_refused(store: Store) -> None:
    with pytest.raises(StoreError, match=r"both called a\.txt"):
        store.ingest([text_pair("a.txt", "Ten days."), text_pair("a.txt", "Twelve days.")])


def test_workspaces_are_apart(store: Store) -> None:
    store.ingest([text_pair("a.txt", "Ten days.")], "one")
    store.ingest([text_pair("a.txt", "Twelve days.")], "two")
    assert store.document_text("a.txt", "one") == "Ten days."
    assert store.document_text("a.txt", "two") == "Twelve days."
    assert store.documents() == ()
    assert not store.delete_document("a.txt")
    assert store.load_documents("one")[0].text == "Ten days."


@pytest.mark.parametrize("name", ["", "   ", "x" * 201, "a\x00b", "\udcff"])
def test_a_workspace_needs_a_name(store: Store, name: str) -> None:
    for use in (store.documents, store.list, lambda name: store.ingest([], name)):
        with pytest.raises(StoreError, match="workspace needs a name"):
            use(name)


def test_a_file_name_that_is_no_utf_8_is_kept(store: Store) -> None:
    store.ingest([text_pair("\udcff.txt", "Ten days.")])
    assert store.document_text("\udcff.txt") == "Ten days."
    assert [document.filename for document in store.documents()] == ["\udcff.txt"]


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
    "any characters": Document("nul \x00.txt", STRANGE, warnings=(STRANGE,)),
}  # fmt: skip


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_a_document_comes_back_as_it_was(store: Store, kind: str) -> None:
    document = DOCUMENTS[kind]
    store.ingest([with_chunks(document)])
    (loaded,) = store.load_documents()
    assert type(loaded) is type(document)
    assert tuple(loaded.masks) == tuple(document.masks)
    assert replace(loaded, masks=document.masks) == document
    assert store.document_text(document.name) == document.text
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
            found = store.resolve_citation(chunk.sha256).chunk
            assert found is not None
            assert replace(found, document=document) == chunk


def test_a_document_that_was_changed_in_the_database_cannot_be_read(store: Store) -> None:
    store.ingest([text_pair("a.txt", "Ten days.")])
    with store._database.engine.begin() as connection:
        connection.execute(sa.text("UPDATE documents SET structure = '{}'"))
    with pytest.raises(StoreError, match="document in the workspace 'default' cannot be read"):
        store.load_documents()


def test_real_documents_come_back_as_they_were(store: Store) -> None:
    paths = [path for path in EXAMPLES.rglob("*") if path.suffix in (".md", ".html", ".txt")]
    documents = [load_document(path) for path in sorted(paths)]
    assert documents
    store.ingest(map(with_chunks, documents))
    for loaded, document in zip(
        store.load_documents(), sorted(documents, key=lambda d: d.name), strict=True
    ):
        assert replace(loaded, masks=document.masks) == document
        assert tuple(loaded.masks) == tuple(document.masks)
