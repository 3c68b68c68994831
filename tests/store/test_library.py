"""Documents as a workspace shows them: files that were given, and their versions."""

from __future__ import annotations

import gc
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
from tests.store.shelves import give, there, url_of

from veridical.errors import StoreError
from veridical.ledger.ids import document_id
from veridical.store.jobs import JobState
from veridical.store.library import UploadState
from veridical.store.store import Store
from veridical.store.tables import documents

LARGE = 64 * 1024 * 1024


@pytest.fixture
def store(emptied: Store) -> Store:
    return emptied


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
