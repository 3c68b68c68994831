"""The chunks of all documents, and the anchors by which they are cited."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from veridical.retrieval.chunks import Chunk, ChunkPolicy, chunk_document
from veridical.retrieval.corpus import Corpus
from veridical.sources.document import Document


class Planted(Corpus):
    """A corpus of one chunk a document, with hashes of our choice: real ones never collide."""

    def __init__(self, *hashes: str) -> None:
        super().__init__([Document(f"{n}", f"Text {n}.") for n in range(len(hashes))])
        self.chunks: tuple[Chunk, ...] = tuple(
            replace(chunk_document(document)[0], sha256=sha256)
            for document, sha256 in zip(self.documents, hashes, strict=True)
        )


def digits(prefix: str) -> str:
    return prefix.ljust(64, "0")


def test_an_anchor_is_the_shortest_prefix_that_no_other_content_shares() -> None:
    corpus = Planted(
        digits("aaaaaaaa1"), digits("aaaaaaaa2"), digits("aaaaaaaa22f"), digits("bbbbbbbb")
    )
    assert [corpus.anchor(chunk) for chunk in corpus.chunks] == [
        "aaaaaaaa1", "aaaaaaaa20", "aaaaaaaa22", "bbbbbbbb",
    ]  # fmt: skip


@given(st.lists(st.text("01", min_size=12, max_size=12), min_size=1, max_size=12))
def test_an_anchor_finds_its_content_only(prefixes: list[str]) -> None:
    corpus = Planted(*(digits(prefix).replace("0", "a") for prefix in prefixes))
    for chunk in corpus.chunks:
        anchor = corpus.anchor(chunk)
        assert len(anchor) >= 8
        assert {found.sha256 for found in corpus.with_prefix(anchor.upper())} == {chunk.sha256}
        shorter = {c.sha256 for c in corpus.with_prefix(anchor[:-1])}
        assert len(anchor) == 8 or len(shorter) > 1


def test_prefixes_find_chunks_in_the_order_of_the_corpus() -> None:
    corpus = Planted(digits("dd2"), digits("ee1"), digits("dd1"))
    assert corpus.with_prefix("DD") == (corpus.chunks[0], corpus.chunks[2])
    assert corpus.with_prefix(digits("dd1")) == corpus.chunks[2:]
    for nothing in ("", "f", "dd3", "zz", digits("dd1") + "0"):
        assert corpus.with_prefix(nothing) == ()


def test_chunks_stand_in_the_order_of_the_documents() -> None:
    documents = [Document(name, f"{name} one.\n\n{name} two.") for name in ("b", "a", "c")]
    corpus = Corpus(iter(documents), policy=ChunkPolicy(8, 12, 4))
    assert [(c.document.name, c.ordinal) for c in corpus.chunks] == [
        ("b", 0), ("b", 1), ("a", 0), ("a", 1), ("c", 0), ("c", 1),
    ]  # fmt: skip
    assert corpus.of_document("a") == corpus.chunks[2:4]
    assert corpus.of_document("none") == ()
