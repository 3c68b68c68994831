"""What is asked about many documents of a workspace at once."""

from __future__ import annotations

import pytest

from veridical.sources.document import Document
from veridical.store.store import Store

NOBODY = "00000000-0000-4000-8000-000000000000"


@pytest.fixture
def store(emptied: Store) -> Store:
    return emptied


def add(store: Store, workspace: str, name: str, text: str) -> str:
    shelf = store.shelf(workspace)
    upload, _ = shelf.documents.add_upload(name, "", text.encode())
    shelf.documents.put_read(upload.id, Document(name, text), ())
    return upload.document_id


def test_the_ready_versions_of_many_documents(store: Store) -> None:
    rules = add(store, "here", "rules.txt", "One.")
    add(store, "here", "rules.txt", "Two.")
    gone = add(store, "here", "gone.txt", "Three.")
    elsewhere = add(store, "there", "rules.txt", "Four.")
    library = store.shelf("here").documents
    library.delete(gone)
    asked = [rules, gone, elsewhere, NOBODY, "no id", rules, *[NOBODY] * 600]
    assert library.ready_versions(asked) == {rules: (2, Document("", "Two.").sha256)}
    assert library.ready_versions(iter(())) == {}
