"""How runs are made in a program, what processes they start, and what a user should hear."""

from __future__ import annotations

import os
import subprocess
import sys
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

from veridical.bulk import BulkSettings, check_table, plan, run
from veridical.bulk.local import can_go_on
from veridical.bulk.summary import advice
from veridical.errors import ConfigurationError, OutputError, ValidationError

ROOT = Path(__file__).parents[2]
TEXT = "The fee is 5 euros. Nobody pays on 2024-01-01. It is true."
QUOTE = "The fee is 5 euros."
GOOD = {"claim_id": "c", "document_id": "a.txt", "quote": QUOTE}
TABLE = pa.table({name: [value] for name, value in GOOD.items()})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_folder(tmp_path / "documents", {"a.txt": TEXT})
    return tmp_path


def _run(folder: Path, claims: str = "claims.jsonl", **values: Any) -> Path:
    run_inline(folder / claims, folder / "out", folder / "documents", settings(**values))
    return folder / "out"


# --- what a user should hear ----------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["folder", "parquet"])
def test_where_no_claim_has_a_document_names_of_both_are_told(folder: Path, kind: str) -> None:
    documents = folder / "documents"
    if kind == "parquet":
        documents = folder / "documents.parquet"
        pq.write_table(pa.table({"document_id": ["a.txt"], "text": [TEXT]}), documents)
    write_json(folder / "claims.jsonl", [GOOD | {"document_id": "documents/a.txt"}])
    summary = run_inline(folder / "claims.jsonl", folder / "out", documents, settings())
    said = advice(summary, folder / "out", documents)
    assert "'documents/a.txt'" in said
    assert "'a.txt'" in said


def test_an_input_without_rows_is_told_of_and_one_with_results_is_not(folder: Path) -> None:
    (folder / "claims.jsonl").write_bytes(b"")
    summary = run_inline(folder / "claims.jsonl", folder / "out", folder / "documents", settings())
    assert advice(summary, folder / "out", folder / "documents") == "the input has no rows"
    write_json(folder / "claims.jsonl", [GOOD, GOOD | {"document_id": "b.txt"}])
    summary = run_inline(folder / "claims.jsonl", folder / "two", folder / "documents", settings())
    assert advice(summary, folder / "two", folder / "documents") == ""


def test_documents_without_id_are_told_of(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = folder / "documents.parquet"
    pq.write_table(pa.table({"document_id": ["a.txt", None], "text": [TEXT, TEXT]}), path)
    write_json(folder / "claims.jsonl", [GOOD])
    with caplog.at_level("WARNING", "veridical"):
        run_inline(folder / "claims.jsonl", folder / "out", path, settings())
    assert "1 rows without document_id are left out" in caplog.text


def test_what_is_not_kept_is_not_said_to_be(folder: Path) -> None:
    write_json(folder / "claims.jsonl", [GOOD])
    with pytest.raises(OutputError, match=r"Nothing was checked; .*begin again"):
        run_inline(folder / "claims.jsonl", "/proc/x", folder / "documents", settings())
    assert not can_go_on("/proc/x")


# --- in a program ---------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [str, Path])
def test_paths_may_be_text_or_paths(folder: Path, kind: Callable[[Path], Any]) -> None:
    write_json(folder / "claims.jsonl", [GOOD])
    claims, documents = kind(folder / "claims.jsonl"), kind(folder / "documents")
    assert run(claims, kind(folder / "out"), documents, BulkSettings()).checked == 1
    assert plan(claims, documents, BulkSettings()).rows == 1
    assert check_table(TABLE, documents).results.num_rows == 1


def test_documents_that_are_no_table_and_no_folder_are_refused(folder: Path) -> None:
    with pytest.raises(ValidationError, match="there is no such folder"):
        check_table(TABLE, folder / "nope")
    with pytest.raises(ValidationError, match="not dict"):
        check_table(TABLE, {"document_id": "a"})


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"workers": 1.5}, "workers: 1.5 is not a whole number"),
        ({"workers": "2"}, "workers: '2' is not a whole number"),
        ({"workers": True}, "workers: True is not a whole number"),
        ({"group_seconds": "9"}, "group_seconds: '9' is not a number"),
        ({"memory_bytes": 1e9}, "memory_bytes: .* is not a whole number"),
        ({"task": "judge"}, "task: 'judge' is no Task"),
        ({"columns": {}}, "columns: {} is no Columns"),
    ],
)
def test_settings_of_a_wrong_type_are_refused(values: dict[str, Any], why: str) -> None:
    with pytest.raises(ConfigurationError, match=why):
        BulkSettings(**values)


# --- processes ------------------------------------------------------------------------------------


_COMMAND = """
from veridical.cli.main import app
if __name__ == "__main__":
    app()
"""


def test_modules_of_the_current_folder_are_not_run_by_workers(folder: Path) -> None:
    for name in ("types.py", "threading.py", "json.py"):
        (folder / name).write_text("raise SystemExit('taken for a module of Python')", "utf-8")
    write_json(folder / "claims.jsonl", [GOOD])
    command = folder / "bin/veridical"  # as it is installed: its own folder is looked through first
    command.parent.mkdir()
    command.write_text(_COMMAND, "utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    environment.pop("PYTHONSAFEPATH", None)
    started = subprocess.run(
        [sys.executable, str(command), "bulk", "validate", "claims.jsonl", "out", "--documents",
         "documents", "--workers", "1"],
        cwd=folder, env=environment, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (started.returncode, started.stderr) == (0, "")
    require_each_once(folder / "out", 1)
