"""A run that goes on, or is over, is always of one state of its input and documents."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.bulk.data import (
    require_each_once,
    run_inline,
    settings,
    write_folder,
    write_json,
)

from veridical.bulk import BulkSummary
from veridical.bulk.documents import FolderDocuments
from veridical.bulk.local import Prepared, run
from veridical.bulk.pool import Told
from veridical.errors import ConfigurationError, ProcessingError

OLD, NEW = "The fee is 27 euros.", "The fee is 25 euros."
WANTED = settings(shard_rows=2)
NAMES = [f"sub/{number}.txt" for number in range(8)]


class Given:
    """A run over a folder of documents that all say the same, and claims that it is so."""

    def __init__(self, folder: Path) -> None:
        self.output = folder / "out"
        self.documents = write_folder(folder / "documents", dict.fromkeys(NAMES, OLD))
        rows = [{"claim_id": name, "document_id": name, "quote": OLD} for name in NAMES]
        self.claims = write_json(folder / "claims.jsonl", rows)

    def run(self, **more: Any) -> BulkSummary:
        return run_inline(str(self.claims), self.output, str(self.documents), WANTED, **more)

    def run_while(self, happens: Callable[[int], object], **more: Any) -> None:
        """A run in which something happens before each shard."""

        def work(prepared: Prepared, told: Told) -> None:
            for number, shard in enumerate(prepared.left):
                happens(number)
                told(*prepared.worker().work(shard))

        run(self.claims, self.output, self.documents, WANTED, **more, work=work)

    def write(self, name: str, text: str) -> None:
        (self.documents / name).write_text(text, "utf-8")


@pytest.fixture
def given(tmp_path: Path) -> Given:
    return Given(tmp_path)


def _break_off(number: int) -> None:
    if number == 2:
        raise KeyboardInterrupt


_CHANGES: dict[str, Callable[[Path], object]] = {
    "edited": lambda folder: (folder / NAMES[0]).write_text(NEW, "utf-8"),
    "touched": lambda folder: os.utime(folder / NAMES[0], (1, 1)),
    "removed": lambda folder: (folder / NAMES[0]).unlink(),
    "added": lambda folder: (folder / "sub/more.txt").write_text(NEW, "utf-8"),
    "renamed": lambda folder: (folder / NAMES[0]).rename(folder / "sub/other.txt"),
}


@pytest.mark.parametrize("is_over", [False, True])
@pytest.mark.parametrize("change", _CHANGES)
def test_a_run_does_not_go_on_with_other_documents(
    given: Given, change: str, is_over: bool
) -> None:
    if is_over:
        given.run()
    else:
        with pytest.raises(KeyboardInterrupt):
            given.run_while(_break_off)
    _CHANGES[change](given.documents)
    with pytest.raises(ConfigurationError, match="the documents have changed since"):
        given.run(resume=True)


def test_the_same_documents_in_another_order_of_the_disk_are_the_same(tmp_path: Path) -> None:
    texts = {f"{n}/a.txt": OLD for n in range(20)}
    one, other = write_folder(tmp_path / "one", texts), tmp_path / "other"
    for name in reversed(texts):
        (other / name).parent.mkdir(parents=True)
        shutil.copy2(one / name, other / name)
    digests = {FolderDocuments.at(folder).digest() for folder in (one, other)}
    assert len(digests) == 1
    (other / ".hidden").write_text("of no concern", "utf-8")
    assert FolderDocuments.at(other).digest() in digests
    (other / "7/a.txt").rename(other / "7/b.txt")
    assert FolderDocuments.at(other).digest() not in digests


def test_documents_that_change_while_a_run_is_at_work_do_not_end_up_in_it(given: Given) -> None:
    whole = given.documents / NAMES[0]
    kept = whole.stat().st_mtime_ns

    def happens(number: int) -> None:
        if number == 2:  # half of the documents are read, and all of them are written anew
            for name in NAMES:
                given.write(name, NEW)

    with pytest.raises(ProcessingError, match=r"have changed since they were read \(sub/"):
        given.run_while(happens)
    assert not (given.output / "summary.json").exists()
    for name in NAMES:
        given.write(name, OLD)
        os.utime(given.documents / name, ns=(kept, kept))
    with pytest.raises(ConfigurationError, match="the documents have changed since"):
        given.run(resume=True)


# --- what is gone is not taken for what is not there ----------------------------------------------


def test_a_folder_that_is_gone_ends_the_run_which_can_go_on(given: Given) -> None:
    elsewhere = given.documents.with_name("elsewhere")

    def happens(number: int) -> None:
        if number == 2:
            given.documents.rename(elsewhere)

    with pytest.raises(ProcessingError, match=r"cannot be read \(No such file or directory\)"):
        given.run_while(happens)
    elsewhere.rename(given.documents)
    assert given.run(resume=True).failed == 0
    require_each_once(given.output, len(NAMES))


def test_another_folder_of_that_name_ends_the_run(given: Given) -> None:
    def happens(number: int) -> None:
        if number == 2:  # as where a disk is no longer mounted
            given.documents.rename(given.documents.with_name("elsewhere"))
            given.documents.mkdir()

    with pytest.raises(ProcessingError, match="another one than at the start"):
        given.run_while(happens)


def test_an_error_of_the_disk_is_no_missing_document() -> None:
    folder = FolderDocuments.at(Path("/proc/self"))
    with pytest.raises(ProcessingError, match=r"Input/output error.*--resume"):
        folder.read("mem")  # nothing is mapped at its first byte
    assert folder.read("no such file") is None


# --- a run that is over is looked at --------------------------------------------------------------


def test_a_part_that_is_gone_after_the_end_is_noticed(given: Given) -> None:
    given.run()
    next(given.output.glob("part-*.parquet")).unlink()
    with pytest.raises(ProcessingError, match="parts of the run were removed or changed"):
        given.run(resume=True)


def test_a_part_that_does_not_fit_its_failures_is_made_again(given: Given) -> None:
    (given.documents / NAMES[0]).unlink()
    with pytest.raises(KeyboardInterrupt):
        given.run_while(_break_off)
    for path in (given.output / "_work/failures").iterdir():  # as of another who took a part too
        path.unlink()
    with pytest.raises(ProcessingError, match=r"does not fit its failures.*Go on with --resume"):
        given.run(resume=True)
    given.run(resume=True)
    require_each_once(given.output, len(NAMES))


def test_documents_that_were_lost_meanwhile_are_noticed(tmp_path: Path) -> None:
    documents = pa.table({"document_id": ["a"], "text": [OLD]})
    pq.write_table(documents, tmp_path / "documents.parquet")
    rows = [{"claim_id": "c", "document_id": "a", "quote": OLD}]

    def work(prepared: Prepared, _told: Told) -> None:
        (shard,) = prepared.left
        prepared.given.layout.documents_of(shard).write_bytes(b"")
        prepared.worker().work(shard)

    given = write_json(tmp_path / "claims.jsonl", rows)
    with pytest.raises(ProcessingError, match=r"is not whole\. Begin anew"):
        run(given, tmp_path / "out", tmp_path / "documents.parquet", WANTED, work=work)


def test_a_run_without_rows_leaves_one_empty_part_of_the_right_columns(tmp_path: Path) -> None:
    (tmp_path / "claims.jsonl").write_text("{\n", "utf-8")
    write_folder(tmp_path / "documents", {"a.txt": OLD})
    run_inline(tmp_path / "claims.jsonl", tmp_path / "out", tmp_path / "documents", WANTED)
    (part,) = (tmp_path / "out").glob("part-*.parquet")
    assert pq.read_schema(part).names[:4] == ["row", "claim_id", "document_id", "status"]
    assert json.loads((tmp_path / "out/summary.json").read_text("utf-8"))["parts"] == 1
    require_each_once(tmp_path / "out", 1)
