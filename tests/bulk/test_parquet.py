"""Parquet of any types and damage: each row is a result or a failure, or the error is plain."""

from __future__ import annotations

import random
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.bulk import data
from tests.bulk.data import documents_table, reasons_of, require_each_once, run_inline, write_folder

from veridical.bulk import BulkSettings, Task, check_table
from veridical.errors import ValidationError

TEXT = "The river rose by three metres in May. Nobody was hurt."
GOOD = {"claim_id": "c", "document_id": "a.txt", "quote": "The river rose"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_folder(tmp_path / "documents", {"a.txt": TEXT, "7": TEXT})
    return tmp_path


def _run(folder: Path) -> None:
    run_inline(
        str(folder / "claims.parquet"), folder / "out", str(folder / "documents"),
        BulkSettings(shard_rows=2),
    )  # fmt: skip


def _strings(*values: str | None) -> pa.Array:
    return pa.array(values, pa.string())


@pytest.mark.parametrize(
    ("column", "values", "failed"),
    [
        ("claim_id", pa.array([1, 2, None]), {2}),
        ("document_id", pa.array([7, 7, 8], pa.int16()), {2}),
        ("document_id", _strings("a.txt", "7", "a.txt").dictionary_encode(), set()),
        ("quote", _strings("The river", None, "Nobody").dictionary_encode(), {1}),
        ("quote", pa.array(["The river", "", "Nobody"], pa.large_string()), {1}),
        ("quote", pa.array(["The river", "Nobody", "x"], pa.string_view()), set()),
        ("quote", pa.array([b"The river", b"\xff\xfe", b"Nobody"], pa.binary()), {1}),
        ("quote", pa.array([b"The river", b"\xff", None], pa.binary()).view(pa.string()), {1, 2}),
        ("document_id", pa.array([b"7", b"\xff", b"7"], pa.binary()).view(pa.string()), {1}),
        ("evidence_type", _strings("paraphrase", "gossip", None), {1}),
        ("claim_id", pa.nulls(3), {0, 1, 2}),
    ],
)
def test_columns_of_parquet_may_have_many_types(
    folder: Path, column: str, values: pa.Array, failed: set[int]
) -> None:
    table = pa.table({name: _strings(*[word] * 3) for name, word in GOOD.items()})
    at = table.schema.get_field_index(column)
    table = table.append_column(column, values) if at < 0 else table.set_column(at, column, values)
    pq.write_table(table, folder / "claims.parquet")
    _run(folder)
    require_each_once(folder / "out", 3)
    assert set(reasons_of(folder / "out")) == failed


def _two_columns(name: str) -> pa.Table:
    arrays = [_strings("x")] * 4
    return pa.Table.from_arrays(arrays, names=["claim_id", "document_id", "quote", name])


_BAD_TABLES = [
    (pa.table({"claim_id": ["c"], "document_id": ["a"]}), "no column 'quote'; there are claim_id"),
    (_two_columns("quote"), "two columns 'quote'"),
    (
        pa.table({"claim_id": ["c"], "document_id": ["a"], "quote": [{"x": 1}]}),
        "of the type struct",
    ),
]


@pytest.mark.parametrize(("table", "why"), _BAD_TABLES)
def test_a_table_that_cannot_be_read_is_told_of(folder: Path, table: pa.Table, why: str) -> None:
    pq.write_table(table, folder / "claims.parquet")
    with pytest.raises(ValidationError, match=why):
        _run(folder)
    assert not (folder / "out").exists()
    with pytest.raises(ValidationError, match=why):
        check_table(table, documents_table({"a": TEXT}))


@pytest.mark.parametrize("kind", ["claims", "documents"])
@pytest.mark.parametrize("seed", range(12))
def test_damaged_parquet_is_an_error_or_failures(folder: Path, kind: str, seed: int) -> None:
    held = data.documents(9)
    rows = data.claims(held, 60, Task.VALIDATE)
    paths = {name: folder / f"{name}.parquet" for name in ("claims", "documents")}
    pq.write_table(data.claims_table(rows), paths["claims"])
    pq.write_table(documents_table(held), paths["documents"])
    chance, whole = random.Random(seed), bytearray(paths[kind].read_bytes())
    if seed % 3 == 0:
        whole = whole[: chance.randrange(len(whole))]
    else:
        for _ in range(1 + seed):
            whole[chance.randrange(4, len(whole))] = chance.randrange(256)
    paths[kind].write_bytes(whole)
    told, count = "", 0
    try:
        count = run_inline(
            str(paths["claims"]), folder / "out", str(paths["documents"]), BulkSettings()
        ).rows
    except ValidationError as error:
        told = str(error)
    if told:
        assert str(paths[kind]) in told
        assert not (folder / "out").exists()
    else:
        require_each_once(folder / "out", count)


@pytest.mark.parametrize(
    "texts",
    [
        pa.array([TEXT, TEXT], pa.large_string()),
        pa.array([TEXT, TEXT]).dictionary_encode(),
        pa.array([TEXT.encode(), b"\xff\xfe"]).view(pa.string()),
        pa.array([TEXT.encode(), b"\xff\xfe"], pa.binary()),
    ],
)
def test_documents_may_have_many_types_and_a_bad_one_costs_its_rows(
    folder: Path, texts: pa.Array
) -> None:
    pq.write_table(pa.table({"document_id": [1, 2], "text": texts}), folder / "documents.parquet")
    rows = [GOOD | {"document_id": 1}, GOOD | {"document_id": 2}]
    data.write_json(folder / "claims.jsonl", rows)
    summary = run_inline(
        str(folder / "claims.jsonl"), folder / "out", str(folder / "documents.parquet"),
        BulkSettings(),
    )  # fmt: skip
    require_each_once(folder / "out", 2)
    is_bad = (
        texts[-1].as_py() != TEXT
        if texts.type != pa.string()
        else texts.view(pa.binary())[-1].as_py().startswith(b"\xff")
    )
    assert summary.failed == int(is_bad)
