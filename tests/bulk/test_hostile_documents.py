"""A document or a claim that hangs, ends its process, or breaks the parser costs its own rows."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from tests.bulk.data import (
    claims_table,
    documents_table,
    failures_of,
    reasons_of,
    require_each_once,
    results_of,
    run_in_crew,
    run_inline,
    settings,
    write_folder,
    write_json,
)
from tests.bulk.workers import HostileWorker

from veridical.bulk.local import Prepared, run
from veridical.bulk.pool import MOST_ROWS, Told
from veridical.bulk.settings import MEBIBYTE
from veridical.bulk.tables import Reason
from veridical.errors import ProcessingError

TEXT = "The river rose by three metres in May. Nobody was hurt. "
GOOD = "The river rose by three metres"


_SLOW = "it took longer than 4 seconds"
_KILLED = "it ended its process (signal 9)"
_LARGE = "it needs more memory than a worker may have"
_MOST = MOST_ROWS[Reason.TIME_LIMIT]
_REST = f"{_MOST} claims of its document were given up: {_SLOW}"

CASES: dict[str, tuple[list[str], dict[int, tuple[Reason, str]]]] = {
    # The id of a document, the words of its claims, and what follows for which of them.
    "KILL": ([GOOD] * 2, dict.fromkeys((0, 1), (Reason.WORKER_DIED, _KILLED))),
    "EXIT": ([GOOD], {0: (Reason.WORKER_DIED, "it ended its process (exit code 7)")}),
    "RAISE": ([GOOD] * 2, dict.fromkeys((0, 1), (Reason.UNREADABLE_DOCUMENT, "KeyError"))),
    "EAT": ([GOOD] * 2, dict.fromkeys((0, 1), (Reason.UNREADABLE_DOCUMENT, _LARGE))),
    "HANG": ([GOOD] * 2, dict.fromkeys((0, 1), (Reason.TIME_LIMIT, _SLOW))),
    "one claim of many kills": (
        [*[GOOD] * 301, "KILL", *[GOOD] * 198], {301: (Reason.WORKER_DIED, _KILLED)},
    ),
    "one claim hangs": ([*[GOOD] * 9, "HANG", *[GOOD] * 9], {9: (Reason.TIME_LIMIT, _SLOW)}),
    "one claim is stuck": (["STUCK"], {0: (Reason.TIME_LIMIT, _SLOW)}),
    "one claim raises": ([*[GOOD] * 5, "RAISE", GOOD], {5: (Reason.ERROR, "KeyError")}),
    "one claim eats": ([*[GOOD] * 5, "EAT", GOOD], {5: (Reason.ERROR, _LARGE)}),
    "all claims hang": (
        ["HANG"] * 9,
        dict.fromkeys(range(9), (Reason.TIME_LIMIT, _REST))
        | dict.fromkeys(range(_MOST), (Reason.TIME_LIMIT, _SLOW)),
    ),
    "nothing happens": ([GOOD] * 20, {}),
}  # fmt: skip


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run over all of the cases, by workers to which what they say happens."""
    folder = tmp_path_factory.mktemp("hostile")
    rows = [
        {"claim_id": str(number), "document_id": document_id, "quote": one}
        for document_id, (words, _) in CASES.items()
        for number, one in enumerate(words)
    ]
    pq.write_table(claims_table(rows), folder / "claims.parquet")
    pq.write_table(documents_table(dict.fromkeys(CASES, TEXT)), folder / "documents.parquet")
    wanted = settings(workers=2, shard_rows=200, group_seconds=4.0, memory_bytes=512 * MEBIBYTE)
    run_in_crew(
        HostileWorker, str(folder / "claims.parquet"), folder / "out",
        str(folder / "documents.parquet"), wanted,
    )  # fmt: skip
    require_each_once(folder / "out", len(rows))
    return folder / "out"


@pytest.mark.parametrize("document_id", CASES)
def test_what_happens_costs_the_rows_at_which_it_happens(output: Path, document_id: str) -> None:
    words, expected = CASES[document_id]
    failed = {
        int(row["claim_id"]): (row["reason"], row["message"])
        for row in failures_of(output).to_pylist()
        if row["document_id"] == document_id
    }
    assert failed == expected
    checked = {
        int(row["claim_id"]): row["status"]
        for row in results_of(output).to_pylist()
        if row["document_id"] == document_id
    }
    assert checked == dict.fromkeys(set(range(len(words))) - set(expected), "VALIDATED")


def test_documents_that_no_parser_can_read_cost_their_rows(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "documents", {"good.txt": TEXT, "sub/good.md": f"# A\n{TEXT}"})
    (folder / "broken.pdf").write_bytes(
        b"%PDF-1.7\n1 0 obj << /Length 99999 >> stream\n" + b"\xff" * 99
    )
    with zipfile.ZipFile(folder / "bomb.docx", "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("[Content_Types].xml", "<Types/>")
        packed.writestr("word/document.xml", b"<w>" + b" " * (300 * MEBIBYTE))
    (folder / "empty.txt").write_bytes(b"")
    (folder / "binary.txt").write_bytes(bytes(range(256)) * 9)
    (folder / "deep.html").write_text("<div>" * 100_000 + TEXT, "utf-8")
    os.mkfifo(folder / "pipe.txt")
    bad = ["broken.pdf", "bomb.docx", "empty.txt", "binary.txt", "deep.html"]
    ids = ["good.txt", *bad, "pipe.txt", "sub/good.md"]
    rows = [{"claim_id": i, "document_id": i, "quote": GOOD} for i in ids]
    run_inline(
        str(write_json(tmp_path / "claims.jsonl", rows)), tmp_path / "out", str(folder), settings()
    )
    require_each_once(tmp_path / "out", len(rows))
    expected = dict.fromkeys(range(1, 6), Reason.UNREADABLE_DOCUMENT) | {6: Reason.NO_DOCUMENT}
    assert reasons_of(tmp_path / "out") == expected
    assert results_of(tmp_path / "out")["status"].to_pylist() == ["VALIDATED", "VALIDATED"]


@pytest.mark.parametrize(
    "document_id",
    ["../secret.txt", "sub/../../secret.txt", "link.txt", "linked/secret.txt", "sub", ".", "",
     "a\x00b", "x" * 999, "/".join(["y" * 200] * 4), "good.txt/", "good.txt/more", "GOOD.txt "],
)  # fmt: skip
def test_ids_that_lead_out_of_the_folder_or_nowhere_are_of_no_document(
    tmp_path: Path, document_id: str
) -> None:
    folder = write_folder(tmp_path / "documents", {"good.txt": TEXT, "sub/good.txt": TEXT})
    (tmp_path / "secret.txt").write_text(TEXT, "utf-8")
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    (folder / "linked").symlink_to(tmp_path)
    ids = [document_id, str(tmp_path / "secret.txt"), str(folder / "good.txt"), "good.txt"]
    rows = [{"claim_id": "c", "document_id": i, "quote": GOOD} for i in ids]
    run_inline(
        str(write_json(tmp_path / "claims.jsonl", rows)), tmp_path / "out", str(folder), settings()
    )
    first = Reason.NO_DOCUMENT if document_id else Reason.BAD_ROW
    is_same = document_id == "good.txt/"  # a path of the same file, as any program would take it
    expected = {} if is_same else {0: first}
    assert reasons_of(tmp_path / "out") == expected | dict.fromkeys((1, 2), Reason.NO_DOCUMENT)


def test_a_worker_that_always_ends_between_its_claims_ends_the_run(tmp_path: Path) -> None:
    with pytest.raises(ProcessingError, match="ended 6 times"):
        _always_dying(tmp_path)
    assert (tmp_path / "out" / "_work" / "manifest.json").exists()


def _always_dying(folder: Path) -> None:
    pq.write_table(
        claims_table([{"claim_id": "c", "document_id": "good", "quote": GOOD}]),
        folder / "claims.parquet",
    )
    pq.write_table(documents_table({"good": TEXT}), folder / "documents.parquet")
    run_in_crew(
        DyingWorker, str(folder / "claims.parquet"), folder / "out",
        str(folder / "documents.parquet"), settings(),
    )  # fmt: skip


class DyingWorker(HostileWorker):
    """Ends where no claim is to blame."""

    def work(self, *_: Any) -> tuple[int, int]:
        os._exit(3)


# --- what is of the run itself, or hidden, is no document -----------------------------------------


OLD = "The fee is 27 euros."
WANTED = settings(shard_rows=2)


def test_claims_results_and_hidden_files_are_no_documents(tmp_path: Path) -> None:
    folder = write_folder(tmp_path, {"a.txt": OLD, ".env": OLD, ".git/config": OLD})
    ids = ["a.txt", "claims.jsonl", "other.jsonl", "out/notes.txt", ".env", ".git/config"]
    rows = [{"claim_id": name, "document_id": name, "quote": OLD} for name in ids]
    for name in ("claims.jsonl", "other.jsonl"):
        write_json(folder / name, rows)

    def work(prepared: Prepared, told: Told) -> None:
        (folder / "out/notes.txt").write_text(OLD, "utf-8")
        for shard in prepared.left:
            told(*prepared.worker().work(shard))

    run(folder / "claims.jsonl", folder / "out", folder, WANTED, work=work)
    assert results_of(folder / "out")["document_id"].to_pylist() == ["a.txt"]
    assert set(failures_of(folder / "out")["reason"].to_pylist()) == {"no_document"}
