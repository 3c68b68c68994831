"""What is given, in files or by a program, is read as meant, or refused with a reason."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
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

from veridical.bulk import BulkSettings, check_table
from veridical.bulk.summary import advice
from veridical.errors import ConfigurationError, ValidationError

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


# --- a JSON object with a key twice ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "is_bad"),
    [
        ('"quote": "The fee is 9 euros.", "quote": "The fee is 5 euros."', True),
        ('"quote": "The fee is 5 euros.", "document_id": "b.txt", "document_id": "a.txt"', True),
        ('"quote": "The fee is 5 euros.", "note": 1, "note": 2', False),
        ('"quote": "The fee is 5 euros.", "note": {"quote": 1, "quote": 2}', False),
    ],
)
def test_a_wanted_key_that_is_there_twice_is_a_bad_row(
    folder: Path, more: str, is_bad: bool
) -> None:
    line = f'{{"claim_id": "c", "document_id": "a.txt", {more}}}'.replace(
        '"document_id": "a.txt", "quote": "The fee is 5 euros.", "document_id"',
        '"quote": "The fee is 5 euros.", "document_id"',
    )
    (folder / "claims.jsonl").write_text(f"{line}\n{json.dumps(GOOD)}\n", "utf-8")
    out = _run(folder)
    assert reasons_of(out) == ({0: "bad_row"} if is_bad else {})
    if is_bad:
        assert "is there twice" in failures_of(out)["message"][0].as_py()


# --- columns of types that are no text ------------------------------------------------------------

_NO_TEXTS = {
    "int": pa.array([5]),
    "bool": pa.array([True]),
    "list": pa.array([["5"]]),
}


def _with(table: pa.Table, name: str, values: pa.Array) -> pa.Table:
    return table.set_column(table.schema.get_field_index(name), name, values)


@pytest.mark.parametrize("kind", _NO_TEXTS)
@pytest.mark.parametrize("column", ["claim_id", "document_id", "quote", "text"])
def test_columns_that_are_no_text_are_refused_in_files_and_tables(
    folder: Path, column: str, kind: str
) -> None:
    if kind == "int" and column.endswith("_id"):
        return  # numbers are ids
    documents = pa.table({"document_id": ["a.txt"], "text": [TEXT]})
    claims = TABLE
    if column == "text":
        documents = _with(documents, column, _NO_TEXTS[kind])
    else:
        claims = _with(claims, column, _NO_TEXTS[kind])
    pq.write_table(claims, folder / "claims.parquet")
    pq.write_table(documents, folder / "documents.parquet")
    name = re.escape(str(_NO_TEXTS[kind].type).partition("<")[0])
    said = f"the column '{column}' is of the type {name}"
    with pytest.raises(ValidationError, match=said):
        run_inline(
            folder / "claims.parquet", folder / "out", folder / "documents.parquet", settings()
        )
    with pytest.raises(ValidationError, match=said):
        check_table(claims, documents)


# --- long words -----------------------------------------------------------------------------------


# --- names ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["s3://bucket/out", "file:///tmp/out"])
def test_an_output_that_is_a_url_is_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(folder)
    write_json(folder / "claims.jsonl", [GOOD])
    with pytest.raises(ConfigurationError, match="OUTPUT is a folder of this machine"):
        run_inline("claims.jsonl", name, "documents", settings())
    assert sorted(path.name for path in folder.iterdir()) == ["claims.jsonl", "documents"]


@pytest.mark.parametrize("name", ["claims.csv", "claims.json", "claims", "claims.txt"])
def test_a_file_of_claims_of_another_kind_is_refused(folder: Path, name: str) -> None:
    write_json(folder / name, [GOOD])
    with pytest.raises(ValidationError, match=r"no file of a kind.*\.jsonl"):
        _run(folder, name)


def test_what_is_named_as_jsonl_and_is_none_is_refused(folder: Path) -> None:
    (folder / "claims.jsonl").write_text("claim_id,document_id,quote\n" * 30, "utf-8")
    with pytest.raises(ValidationError, match="evidently no JSONL"):
        _run(folder)


@pytest.mark.parametrize("name", ["part-0.parquet", "lang=en/part-0.parquet"])
def test_documents_as_others_write_parquet_are_read(folder: Path, name: str) -> None:
    path = folder / "spark" / name
    path.parent.mkdir(parents=True)
    pq.write_table(pa.table({"document_id": ["a.txt"], "text": [TEXT]}), path)
    for beside in ("_SUCCESS", ".part-0.parquet.crc"):
        (folder / "spark" / beside).write_bytes(b"")
    write_json(folder / "claims.jsonl", [GOOD])
    run_inline(folder / "claims.jsonl", folder / "out", folder / "spark", settings())
    assert results_of(folder / "out")["status"].to_pylist() == ["VALIDATED"]


def test_a_text_that_begins_with_a_byte_order_mark_keeps_its_offsets() -> None:
    text = f"\ufeff{TEXT}"
    documents = pa.table({"document_id": ["a.txt"], "text": [text]})
    (row,) = check_table(TABLE, documents).results.to_pylist()
    assert text[row["start"] : row["end"]] == row["matched_text"] == QUOTE


# --- what a user should hear ----------------------------------------------------------------------


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


# --- in a program ---------------------------------------------------------------------------------


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
