"""Documents as a workspace shows them: files that were given, and their versions."""

from __future__ import annotations

import gc
import hashlib
import sys
from collections.abc import Callable
from mmap import PAGESIZE
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
import sqlalchemy as sa
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.store.processes import killed_at
from tests.store.samples import text_pair
from tests.store.shelves import count, give, there, url_of

from veridical.errors import ConflictError, StoreError
from veridical.ledger.ids import document_id
from veridical.store.documents import Status
from veridical.store.jobs import JobState
from veridical.store.library import UploadState
from veridical.store.store import Store
from veridical.store.tables import document_chunks, documents, upload_contents

LARGE = 64 * 1024 * 1024


@pytest.fixture
def store(emptied: Store) -> Store:
    return emptied


def test_a_file_before_it_is_read(store: Store) -> None:
    library = store.shelf().documents
    upload, job = library.add_upload("a.md", "text/markdown", b"# \x00\xff")
    assert upload.sha256 == hashlib.sha256(b"# \x00\xff").hexdigest()
    assert (upload.size_bytes, upload.state, upload.version) == (4, UploadState.WAITING, None)
    assert (job.subject_id, job.id) == (upload.id, upload.job_id)
    assert library.upload(upload.id) == upload
    assert library.upload_content(upload.id) == b"# \x00\xff"
    (shown,) = library.page().items
    assert shown == library.get(upload.document_id)
    assert (shown.ready, shown.latest, shown.filename) == (None, upload, "a.md")
    assert library.versions(upload.document_id) == ()
    assert library.read(upload.document_id) is None
    assert library.contents() == library.state() == ()


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_large_file_does_not_stay_in_memory_once_it_is_kept(
    store: Store, request: pytest.FixtureRequest
) -> None:
    def resident() -> int:
        return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * PAGESIZE

    library = store.shelf().documents
    library.add_upload("small.txt", "text/plain", b"Ten days.")
    content = b"x" * LARGE
    before, references = resident(), sys.getrefcount(content)
    upload, _ = library.add_upload("large.txt", "text/plain", content)
    assert sys.getrefcount(content) == references
    assert len(library.upload_content(upload.id) or b"") == LARGE
    gc.collect()
    if "sqlite" in request.node.name:  # the buffers of a connection to a server stay as they grew
        assert resident() - before < LARGE / 2


def test_a_file_that_was_read(store: Store) -> None:
    shelf = store.shelf()
    upload = give(store, shelf, "a.txt", "Ten days.\n\nTwo weeks.")
    assert (upload.state, upload.version) == (UploadState.READY, 1)
    document, chunks = text_pair("a.txt", "Ten days.\n\nTwo weeks.")
    library = shelf.documents
    assert library.read(upload.document_id) == library.read(upload.document_id, 1) == document
    assert library.contents() == ((document, chunks),)
    assert library.contents((upload.document_id,)) == ((document, chunks),)
    assert library.contents(()) == ()
    assert library.file_of(upload.document_id, 1) == upload
    assert library.version_of_text(upload.document_id, document.sha256) == 1
    (state,) = library.state()
    assert state[0] == upload.document_id == library.document_id("a.txt")
    shown = there(library.get(upload.document_id))
    assert (shown.latest, shown.ready) == (upload, library.versions(upload.document_id)[0])


def test_versions_and_the_files_that_they_were_read_from(store: Store) -> None:
    shelf = store.shelf()
    library = shelf.documents
    texts = ["One.", "Two.", "One.", "Three."]
    uploads = [give(store, shelf, "a.txt", text) for text in texts]
    assert [upload.version for upload in uploads] == [1, 2, 1, 3]
    key = uploads[0].document_id
    assert [(one.version, one.status) for one in library.versions(key)] == [
        (3, Status.READY), (2, Status.SUPERSEDED), (1, Status.SUPERSEDED)
    ]  # fmt: skip
    assert library.file_of(key, 1) == uploads[0]
    assert library.file_of(key, 4) is None
    assert there(library.read(key, 2)).text == "Two."
    for number in (0, -1, 4, 2**31, 2**70):
        assert library.read(key, number) is None
        assert library.file_of(key, number) is None


def test_what_was_given_last_is_shown_in_whatever_order_it_is_read(store: Store) -> None:
    library = store.shelf().documents
    older, _ = library.add_upload("a.txt", "text/plain", b"old")
    newer, _ = library.add_upload("a.txt", "text/plain", b"new")
    library.put_read(newer.id, *text_pair("a.txt", "New."))
    assert library.put_read(older.id, *text_pair("a.txt", "Old.")).version == 2
    assert [document.text for document, _ in library.contents()] == ["New."]
    shown = there(library.get(older.document_id))
    assert shown.latest is not None
    assert shown.latest.id == newer.id
    assert [(one.version, one.status.value) for one in library.versions(older.document_id)] == [
        (2, "superseded"), (1, "ready")
    ]  # fmt: skip


def test_a_document_that_is_deleted_is_gone_with_its_files_and_comes_back(store: Store) -> None:
    shelf = store.shelf()
    library = shelf.documents
    upload = give(store, shelf, "a.txt", "One.")
    give(store, shelf, "a.txt", "Two.")
    waiting, job = library.add_upload("a.txt", "text/plain", b"Three.")
    assert library.delete(upload.document_id)
    assert not library.delete(upload.document_id)
    assert library.get(upload.document_id) is None
    assert library.page().items == library.versions(upload.document_id) == ()
    assert library.upload_content(waiting.id) is None
    assert store.shelf().jobs.get(job.id).state is JobState.CANCELLED  # type: ignore[union-attr]
    assert count(store, upload_contents, document_chunks) == [0, 0]
    again = give(store, shelf, "a.txt", "One.")
    assert again.version == 1
    assert [one.version for one in library.versions(upload.document_id)] == [1]


def test_a_file_that_could_not_be_read(store: Store) -> None:
    library = store.shelf().documents
    give(store, store.shelf(), "a.txt", "One.")
    upload, job = library.add_upload("a.txt", "text/plain", b"\xff")
    store.job_board.end(job.id, JobState.FAILED, "it is no text")
    (shown,) = library.page().items
    assert shown.latest is not None
    assert shown.ready is not None
    assert (shown.latest.id, shown.latest.message) == (upload.id, "it is no text")
    with pytest.raises(ConflictError, match="taken away, or its reading ended"):
        library.put_read(upload.id, *text_pair("a.txt", "Two."))
    assert [document.text for document, _ in library.contents()] == ["One."]


@pytest.mark.parametrize(
    ("change", "look"),
    [
        ({"text": "Two."}, lambda store: store.shelf().documents.contents()),
        ({"structure": {}}, lambda store: store.shelf().documents.read(document_id("a.txt"))),
    ],
)
def test_rows_that_were_changed_are_told_and_not_used(
    store: Store, change: Any, look: Callable[[Store], object]
) -> None:
    give(store, store.shelf(), "a.txt", "One.")
    with store._database.engine.begin() as connection:
        connection.execute(sa.update(documents).values(change))
    with pytest.raises(StoreError, match="document in the workspace 'default' cannot be read"):
        look(store)


def test_what_is_ready_is_what_was_given_last() -> None:
    """Against a model of one dictionary; what is true of an event is that it deletes."""
    events = st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("xyz"), st.booleans()))
    with Store.open("sqlite://") as store:

        @settings(max_examples=20)
        @given(events)
        def check(events: list[tuple[str, str, bool]]) -> None:
            shelf, wanted = store.shelf(str(uuid4())), dict[str, str]()
            for name, text, deleted in events:
                if deleted:
                    there = name in wanted
                    assert shelf.documents.delete(shelf.documents.document_id(name)) == there
                    wanted.pop(name, None)
                else:
                    give(store, shelf, name, text)
                    wanted[name] = text
                found = {document.name: document.text for document, _ in shelf.documents.contents()}
                assert found == wanted
                assert [one.filename for one in shelf.documents.page().items] == sorted(wanted)
                assert len(shelf.documents.state()) == len(wanted)

        check()


READ = """
import sys
from tests.store.samples import text_pair
from veridical.store import documents
from veridical.store.store import Store

insert_rows = documents.insert_rows

def insert_and_wait(*arguments):
    insert_rows(*arguments)
    print("inside", flush=True)
    sys.stdin.read()

documents.insert_rows = insert_and_wait
with Store.open(sys.argv[1]) as store:
    store.job_board.begin(sys.argv[2])
    store.shelf().documents.put_read(sys.argv[3], *text_pair("a.txt", "One.\\n\\nTwo."))
"""


def test_killed_between_the_upload_and_its_end_leaves_no_half(store: Store) -> None:
    library = store.shelf().documents
    upload, job = library.add_upload("a.txt", "text/plain", b"One.\n\nTwo.")
    killed_at("inside", READ, url_of(store), job.id, upload.id)
    found = there(library.upload(upload.id))
    assert (found.state, found.version) == (UploadState.READING, None)
    assert library.versions(upload.document_id) == library.contents() == ()
    (waiting,) = store.job_board.open_jobs()
    assert (waiting.job.id, waiting.job.state) == (job.id, JobState.RUNNING)
    assert there(store.job_board.begin(job.id)).job.times_begun == 2
    assert library.put_read(upload.id, *text_pair("a.txt", "One.\n\nTwo.")).version == 1
    assert [len(chunks) for _, chunks in library.contents()] == [2]
