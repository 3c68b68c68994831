"""Pages: what comes after a row, while others add and delete."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.store.samples import text_pair
from tests.store.shelves import there

from veridical.errors import ValidationError
from veridical.store.inquiries import Mode
from veridical.store.paging import MOST_CURSOR_CHARS, Page
from veridical.store.records import RecordKind
from veridical.store.store import Shelf, Store

Turn = Callable[..., Page[Any]]


@pytest.fixture
def store(emptied: Store) -> Store:
    return emptied


def walked(turn: Turn, limit: int, between: Callable[[], object] = list) -> Iterator[Any]:
    after = None
    for _ in range(100):
        page = turn(limit=limit, after=after)
        yield from page.items
        between()
        after = page.next
        if after is None:
            return
    raise AssertionError("the pages do not end")


def fill(shelf: Shelf, count: int) -> list[str]:
    return [shelf.records.add(RecordKind.SPEECH, f"{n}", {})[0].id for n in range(count)]


def test_pages_together_are_the_list_whatever_is_added_meanwhile(store: Store) -> None:
    shelf = store.shelf()
    ids = fill(shelf, 7)
    for limit in (1, 2, 3, 7, 50):
        found = walked(lambda **at: shelf.records.page(RecordKind.SPEECH, **at), limit)
        assert [one.id for one in found] == ids[::-1]
    found = walked(
        lambda **at: shelf.records.page(RecordKind.SPEECH, **at), 2, lambda: fill(shelf, 1)
    )
    assert [one.id for one in found] == ids[::-1]


def test_a_cursor_outlives_the_row_that_it_was_made_of(store: Store) -> None:
    shelf = store.shelf()
    ids = fill(shelf, 6)[::-1]
    first = shelf.records.page(RecordKind.SPEECH, limit=2)
    for gone in (ids[1], ids[3]):
        assert shelf.records.delete(RecordKind.SPEECH, gone)
    rest = shelf.records.page(RecordKind.SPEECH, limit=9, after=first.next)
    assert [one.id for one in rest.items] == [ids[2], ids[4], ids[5]]
    assert rest.next is None


def test_documents_by_name_are_in_the_order_of_code_points(store: Store) -> None:
    names = ["b.txt", "B.txt", "ä.txt", "a b.txt", "a.txt", "ab.txt", "Z.txt", "\u200b.txt",
             "\udcff.txt", "1.txt", "\U0001f600.txt"]  # fmt: skip
    store.ingest([text_pair(name, name) for name in names[:6]])
    shelf = store.shelf()
    for name in names[6:]:
        shelf.documents.add_upload(name, "text/plain", b"x")
    found = [one.filename for one in walked(shelf.documents.page, 3)]
    assert sorted(found) == sorted(names)
    plain = [name for name in found if name != "\udcff.txt"]
    assert plain == sorted(plain)
    assert shelf.documents.state() == tuple(
        (one.document_id, fingerprint)
        for one in walked(shelf.documents.page, 50)
        for key, fingerprint in shelf.documents.state()
        if key == one.document_id
    )


@pytest.mark.parametrize("sign", ["文", "\U0001f600", "\udcff", "\x01", "a"])
def test_a_cursor_goes_on_behind_the_longest_names(store: Store, sign: str) -> None:
    shelf = store.shelf()
    names = [f"{number}{sign * 254}" for number in range(3)]
    for name in names:
        shelf.documents.add_upload(name, "text/plain", b"x")
    pages = list(walked(shelf.documents.page, 1))
    assert [one.filename for one in pages] == names
    assert len(there(shelf.documents.page(limit=1).next)) <= MOST_CURSOR_CHARS


def test_a_search_is_of_part_of_a_name_in_any_case(store: Store) -> None:
    shelf = store.shelf()
    for name in ("Leave 50%.md", "LEAVE_old.md", "travel.md"):
        shelf.documents.add_upload(name, "text/markdown", b"x")
    for query, names in (
        ("leave", ["LEAVE_old.md", "Leave 50%.md"]),
        ("50%", ["Leave 50%.md"]),
        ("e_o", ["LEAVE_old.md"]),
        (".MD", ["LEAVE_old.md", "Leave 50%.md", "travel.md"]),
        ("\\", []),
        ("'", []),
        ("\x00", []),
    ):
        found = [one.filename for one in shelf.documents.page(query=query).items]
        assert found == names, query
    shelf.inquiries.add(Mode.ANSWER, "How many days of Leave?")
    shelf.inquiries.add(Mode.VERIFY, "", answer="x", title="About LEAVE")
    assert len(shelf.inquiries.page(query="leave").items) == 2
    assert len(shelf.inquiries.page(query="about").items) == 1
    with pytest.raises(ValidationError, match="at most 1,000 characters"):
        shelf.inquiries.page(query="x" * 1_001)


def cursor(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


ID = "123e4567-e89b-12d3-a456-426614174000"
NO_CURSORS = [
    "", "x", "=", "é", "a/b+", "A" * 20_000, cursor({}), cursor([]), cursor(["x"]), cursor(None),
    cursor(["2026-01-03T14:30:00+00:00"]), cursor(["2026-01-03T14:30:00+00:00", "x"]),
    cursor(["2026-01-03T14:30:00", ID]), cursor(["yesterday", ID]), cursor([1, ID]),
    cursor(["2026-01-03T14:30:00+00:00", ID, ID]), cursor(["2026-01-03T14:30:00+00:00", [ID]]),
    cursor(["9999-12-31T23:59:59-23:59", ID]),
    cursor(["2026-01-03T14:30:00+00:00", ID.upper()]), cursor("[" * 5_000), "W" * 9,
]  # fmt: skip


def test_what_no_page_gave_is_refused(store: Store) -> None:
    shelf = store.shelf()
    for after in NO_CURSORS:
        for turn in (shelf.jobs.page, shelf.inquiries.page):
            with pytest.raises(ValidationError, match="not what a page gave"):
                turn(after=after)
