"""What `veridical serve --demo` shows."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from veridical.service import demo
from veridical.store.records import RecordKind
from veridical.store.store import Shelf, Store


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with Store.open(tmp_path_factory.mktemp("demo") / "demo.db") as store:
        demo.load(store, "default")
        yield store


@pytest.fixture
def shelf(store: Store) -> Shelf:
    return store.shelf("default")


def everything(shelf: Shelf) -> list[object]:
    return [
        *shelf.documents.page().items,
        *shelf.inquiries.page().items,
        *(item for kind in RecordKind for item in shelf.records.page(kind).items),
        *shelf.jobs.page(limit=200).items,
        *(r for i in shelf.inquiries.page().items for r in shelf.reviews.of_session(i.id)),
    ]


def test_nothing_is_left_to_do(store: Store) -> None:
    assert not store.job_board.open_jobs()


def test_again_changes_nothing(store: Store, shelf: Shelf) -> None:
    before = everything(shelf)
    demo.load(store, "default")
    assert everything(shelf) == before
