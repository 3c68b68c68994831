"""Rows that failed for a reason that is over are checked after all, with little else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.bulk.data import (
    failures_of,
    reasons_of,
    require_each_once,
    results_of,
    run_inline,
    settings,
    write_folder,
    write_json,
)

from veridical.bulk import BulkSummary
from veridical.bulk.local import Prepared, run
from veridical.bulk.pool import Told
from veridical.bulk.shard import Lessons
from veridical.bulk.tables import Reason

TEXT = "The fee is 5 euros."
WANTED = settings(shard_rows=3)
NAMES = [f"{number}.txt" for number in range(12)]


class Given:
    """Twelve documents with a claim each, but for one, and two rows that are no claims."""

    def __init__(self, folder: Path) -> None:
        self.output = folder / "out"
        self.documents = write_folder(folder / "documents", dict.fromkeys(NAMES, TEXT))
        names = [*NAMES, *[NAMES[1]] * 9, "nowhere.txt"]
        rows = [{"claim_id": name, "document_id": name, "quote": TEXT} for name in names]
        rows[5:5] = [{**rows[0], "quote": ""}] * 2
        self.rows = len(rows)
        self.claims = write_json(folder / "claims.jsonl", rows)

    def run(self, failing: str = "", **more: Any) -> BulkSummary:
        """A run in which a document takes too long."""
        left = {failing: (Reason.TIME_LIMIT, "it took longer than 4 seconds")} if failing else {}

        def work(prepared: Prepared, told: Told) -> None:
            worker = prepared.worker()
            for shard in prepared.left:
                told(*worker.work(shard, Lessons(documents=dict(left))))

        return run(self.claims, self.output, self.documents, WANTED, **more, work=work)

    def parts(self) -> dict[str, int]:
        """When each part was written."""
        return {path.name: path.stat().st_mtime_ns for path in self.output.glob("part-*.parquet")}


@pytest.fixture
def given(tmp_path: Path) -> Given:
    return Given(tmp_path)


@pytest.mark.parametrize("failing", [NAMES[7], NAMES[1]])  # of the second there are pieces
def test_a_run_that_is_over_is_mended_where_it_failed(
    given: Given, failing: str, tmp_path: Path
) -> None:
    assert given.run(failing).reasons[Reason.TIME_LIMIT] > 0
    before = given.parts()
    assert given.run(resume=True).was_over
    mended = given.run(retry_failed=True)
    assert not mended.was_over
    assert mended.reasons == {"bad_row": 2, "no_document": 1}
    require_each_once(given.output, given.rows)
    again = [name for name, number in given.parts().items() if before[name] != number]
    assert 0 < len(again) < len(before)
    run_inline(given.claims, tmp_path / "at once", given.documents, WANTED)
    assert results_of(given.output) == results_of(tmp_path / "at once")
    assert failures_of(given.output) == failures_of(tmp_path / "at once")


def test_a_run_that_was_broken_off_is_mended_and_finished(given: Given) -> None:
    def work(prepared: Prepared, told: Told) -> None:
        lessons = Lessons(documents=dict.fromkeys(NAMES, (Reason.WORKER_DIED, "it ended")))
        for shard in prepared.left[:2]:
            told(*prepared.worker().work(shard, lessons))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(given.claims, given.output, given.documents, WANTED, work=work)
    assert given.run(retry_failed=True).reasons == {"bad_row": 2, "no_document": 1}
    require_each_once(given.output, given.rows)


def test_a_retry_that_is_broken_off_loses_nothing(
    given: Given, monkeypatch: pytest.MonkeyPatch
) -> None:
    summary = given.run(NAMES[7])
    kept = reasons_of(given.output)

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("veridical.bulk.local._give_back", stop)  # as Ctrl-C at that moment
        with pytest.raises(KeyboardInterrupt):
            given.run(retry_failed=True)
    assert given.run(resume=True) == summary
    with monkeypatch.context() as patch:
        patch.setattr("veridical.bulk.local.forget_failed", stop)
        with pytest.raises(KeyboardInterrupt):
            given.run(retry_failed=True)
    assert json.loads((given.output / "_work/manifest.json").read_text("utf-8"))["rows"]
    assert given.run(resume=True).rows == summary.rows
    assert reasons_of(given.output) == kept
