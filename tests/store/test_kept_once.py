"""What is asked for twice is made once, no more is taken than can be done, and nothing is kept that
nobody needs."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from tests.store.shelves import ask, count, filled, ledger_of, there

from veridical.ledger.review import Decision
from veridical.store import export_files, requests, upkeep
from veridical.store import jobs as job_store
from veridical.store.jobs import InLine, JobKind, JobState
from veridical.store.records import RecordKind
from veridical.store.requests import KEPT_SECONDS
from veridical.store.store import Store
from veridical.store.tables import (
    ended_log_ins,
    export_contents,
    jobs,
    keyed_requests,
)
from veridical.store.upkeep import JOBS_KEPT_DAYS

ID = "123e4567-e89b-12d3-a456-426614174000"


@pytest.fixture
def store(emptied: Store) -> Store:
    return emptied


def test_a_file_of_the_same_state_is_given_again(store: Store) -> None:
    shelf = store.shelf()
    inquiry = ask(store, shelf)

    def ordered(
        format: str = "pdf", seconds: float = 60, id: str | None = None
    ) -> tuple[str, datetime]:
        added = there(shelf.exports.add(inquiry.id, format, seconds=seconds, id=id))
        file, job = added
        assert job.id == file.job_id
        return file.id, file.expires_at

    first, expires = ordered()
    again, later = ordered(seconds=90)
    assert (again == first, later > expires) == (True, True)
    shelf.exports.finish(first, b"%PDF", filename="a.pdf", media_type="application/pdf")
    assert ordered()[0] == first
    ids = [first, ordered("json")[0]]
    entry = ledger_of(inquiry).entries[0].id
    assert shelf.reviews.add(inquiry.id, entry, Decision.ACCEPT, by="Ada")
    ids.append(ordered()[0])
    failed = there(shelf.exports.get(ids[-1]))
    store.job_board.end(failed.job_id, JobState.FAILED, "no fonts")
    ids += [ordered()[0], ordered("html", id=ID)[0]]
    assert ids[-1] == ID == ordered("html", id=ID)[0]
    store.save(ledger_of(inquiry, answer="Another one."))
    ids.append(ordered()[0])
    assert len(set(ids)) == len(ids)
    assert len(shelf.jobs.page().items) == len(ids) + 1


def test_in_the_line_every_workspace_is_among_the_first(store: Store) -> None:
    board, (a, b) = store.job_board, map(store.shelf, "ab")
    inquiry = ask(store, a)
    many = [a.records.add(RecordKind.SPEECH, f"{n}", {})[1] for n in range(5)]
    export = there(a.exports.add(inquiry.id, "pdf", seconds=9))
    single = b.documents.add_upload("a.txt", "text/plain", b"x")[1]
    board.begin(many[3].id)
    order = [many[3], export[1], single, many[0], many[1], many[2], many[4]]
    assert [job.id for job in board.line()] == [job.id for job in order]
    assert board.line(3)[1:] == (
        InLine(export[1].id, JobKind.EXPORT, a.workspace_id),
        InLine(single.id, JobKind.INGEST, b.workspace_id),
    )


def test_what_nobody_needs_any_more_is_swept_away(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upkeep, "AT_ONCE", 2)
    begun = job_store.now()
    for workspace in "ab":
        mine = filled(store, workspace)
        ordered = store.shelf(workspace).exports.add(mine.inquiry.id, "pdf", seconds=3_600)
        store.requests(workspace).begin("key", "h", stale_seconds=60)
        store.requests(workspace).begin("other", "h", stale_seconds=60)
    assert ordered is not None
    store.ended_log_ins.end("nonce", seconds=3_600)

    def swept() -> dict[str, int]:
        return {name: gone for name, gone in store.sweep().items() if gone}

    assert swept() == {}

    def later(seconds: float) -> None:
        for module in (job_store, export_files, requests, upkeep):
            monkeypatch.setattr(module, "now", lambda: begun + timedelta(seconds=seconds))

    later(3_700)
    assert swept() == {"export_files": 4, "log_ins": 1}
    assert there(store.shelf("b").jobs.get(ordered[1].id)).state is JobState.CANCELLED
    later(KEPT_SECONDS + 60)
    assert swept() == {"keys": 4}
    assert count(store, export_contents, keyed_requests, ended_log_ins) == [0, 0, 0]
    (before,) = count(store, jobs)
    later(JOBS_KEPT_DAYS * 24 * 3_600 + 60)
    assert swept() == {"jobs": 4}
    later(2 * JOBS_KEPT_DAYS * 24 * 3_600)
    assert store.sweep()["jobs"] == 4
    assert count(store, jobs) == [before - 8]
    assert [job.state for job in store.shelf("b").jobs.page().items] == [JobState.WAITING]
    assert store.shelf("b").inquiries.get(mine.inquiry.id) == mine.inquiry
    assert store.shelf("b").documents.upload(mine.upload.id) == mine.upload
