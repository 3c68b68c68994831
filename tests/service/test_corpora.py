"""Corpora of workspaces: as new as the store, made once, and only what changed is read again."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from tests.store.shelves import delete

from veridical.answering.index import snapshot
from veridical.retrieval.chunks import chunk_document
from veridical.service import corpora as module
from veridical.service.corpora import Corpora
from veridical.sources.document import Document
from veridical.store.library import Library
from veridical.store.store import Store

LEAVE = Document("leave.md", "Full-time employees get 25 days of annual leave a year.\n")
PETS = Document("pets.md", "Dogs may come to the office on Fridays.\n")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "corpora.db") as store:
        put(store, LEAVE, PETS)
        yield store


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """The names of the documents of each reading."""
    seen: list[tuple[str, ...]] = []
    real = Library.contents

    def noting(self: Library, ids: tuple[str, ...] | None = None) -> Any:
        found = real(self, ids)
        seen.append(tuple(document.name for document, _ in found))
        return found

    monkeypatch.setattr(Library, "contents", noting)
    return seen


def put(store: Store, *documents: Document, workspace: str = "default") -> None:
    store.ingest([(one, chunk_document(one)) for one in documents], workspace)


def names(found: module.WorkspaceCorpus) -> list[str]:
    return [document.name for document in found.corpus.documents]


def test_it_is_made_once_while_nothing_changes(store: Store, read: list[Any]) -> None:
    corpora, shelf = Corpora(), store.shelf()
    assert corpora.made(shelf) is None
    first = corpora.of(shelf)
    assert corpora.of(shelf) is first
    assert corpora.at_hand(shelf) is first
    assert corpora.made(shelf) is first
    assert names(first) == ["leave.md", "pets.md"]
    assert read == [("leave.md", "pets.md")]


def test_only_what_changed_is_read_again(store: Store, read: list[Any]) -> None:
    corpora, shelf = Corpora(), store.shelf()
    first = corpora.of(shelf)
    put(store, Document("leave.md", LEAVE.text.replace("25", "30")))
    second = corpora.of(shelf)
    assert second.version > first.version
    assert "30 days" in second.answerer.answer("How many days of annual leave are there?").text
    assert second.corpus.documents[1] is first.corpus.documents[1]
    delete(store, "leave.md")
    assert names(corpora.of(shelf)) == ["pets.md"]
    put(store, LEAVE)
    assert names(corpora.of(shelf)) == ["leave.md", "pets.md"]
    assert read == [("leave.md", "pets.md"), ("leave.md",), ("leave.md",)]


def test_who_needs_the_newest_waits_and_who_asks_goes_on(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpora, shelf = Corpora(), store.shelf()
    first = corpora.of(shelf)
    delete(store, "pets.md")
    making, may_end = threading.Event(), threading.Event()
    real = snapshot.IndexedCorpus

    def slowly(*given: Any, **more: Any) -> Any:
        making.set()
        assert may_end.wait(30)
        return real(*given, **more)

    monkeypatch.setattr(snapshot, "IndexedCorpus", slowly)
    monkeypatch.setattr(module, "PATIENCE_SECONDS", 0.0)
    with ThreadPoolExecutor(8) as pool:
        maker = pool.submit(corpora.of, shelf)
        assert making.wait(30)
        waiting = [pool.submit(corpora.of, shelf) for _ in range(4)]
        assert corpora.at_hand(shelf) is first
        assert not any(one.done() for one in waiting)
        may_end.set()
        made = maker.result(30)
        assert names(made) == ["leave.md"]
        assert {id(one.result(30)) for one in waiting} == {id(made)}
    assert corpora.at_hand(shelf) is made
