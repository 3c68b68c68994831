"""Whatever the input holds, each row of it is a result or a failure, or the error is plain."""

from __future__ import annotations

import gzip
import json
import random
import tempfile
from pathlib import Path
from typing import Any

import fsspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.bulk import data
from tests.bulk.data import (
    documents_table,
    failures_of,
    reasons_of,
    require_each_once,
    results_of,
    run_inline,
    write_folder,
)

from veridical.bulk import BulkSettings, BulkSummary, Task
from veridical.bulk.reading import MOST_LINE_BYTES
from veridical.bulk.tables import Reason
from veridical.errors import ConfigurationError, ValidationError

TEXT = "The river rose by three metres in May. Nobody was hurt."
GOOD = {"claim_id": "c", "document_id": "a.txt", "quote": "The river rose"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_folder(tmp_path / "documents", {"a.txt": TEXT, "7": TEXT})
    return tmp_path


def _run(claims: str | Path, folder: Path, wanted: BulkSettings | None = None) -> BulkSummary:
    return run_inline(
        str(claims), folder / "out", str(folder / "documents"), wanted or BulkSettings(shard_rows=2)
    )


_VALUES = st.one_of(
    st.sampled_from(["a.txt", "7", "The river rose", "nowhere", "", " ", "\x00", "\ud800", "é"]),
    st.sampled_from(["direct_quote", "paraphrase", "rumour"]),
    st.none(), st.booleans(), st.integers(-9, 9), st.floats(), st.just([]), st.just(["x"]),
    st.just({}), st.text(max_size=9),
)  # fmt: skip
_OBJECTS = st.dictionaries(
    st.sampled_from(["claim_id", "document_id", "quote", "evidence_type", "other"]), _VALUES
)
_LINES = st.one_of(
    st.builds(lambda one: json.dumps(GOOD | one).encode(), _OBJECTS),
    st.builds(lambda one: json.dumps(one).encode(), _OBJECTS),
    st.sampled_from([
        b"{", b"[]", b"null", b"7", b"\xff\xfe", b"\x00", b'{"a":' * 50_000, b"[" * 50_000,
        b"1" * 9_000, b"x" * (MOST_LINE_BYTES + 1), b'"\\ud800"', b"NaN",
        json.dumps(GOOD).encode("utf-16"),
    ]),
    st.binary(min_size=1, max_size=20).filter(lambda line: bool(line.strip())).map(
        lambda line: line.replace(b"\n", b"x")
    ),
)  # fmt: skip


@given(st.lists(st.lists(_LINES, max_size=6), min_size=1, max_size=3), st.booleans())
def test_every_line_is_in_the_output_once(files: list[list[bytes]], packed: bool) -> None:
    with tempfile.TemporaryDirectory() as place:
        folder, good = Path(place), json.dumps(GOOD).encode()  # else it is another kind of file
        write_folder(folder / "documents", {"a.txt": TEXT, "7": TEXT})
        for number, lines in enumerate(files):
            joined = b"\n".join([good, *lines]) + (b"\n" if number else b"")
            name = f"{number}.jsonl" + (".gz" if packed else "")
            path = folder / "claims" / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(gzip.compress(joined, 1) if packed else joined)
        summary = _run(folder / "claims", folder)
        count = len(files) + sum(1 for lines in files for one in lines if one.strip())
        require_each_once(folder / "out", count)
        assert summary.rows == count


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{", "the line is not JSON"),
        ("[" * 90_000, "the line is not JSON"),
        ("7", "the line is no JSON object"),
        ("x" * (MOST_LINE_BYTES + 1), "the line has more than 1,048,576 bytes"),
        ({"claim_id": None}, "claim_id is missing"),
        ({"claim_id": True}, "claim_id is no text"),
        ({"claim_id": 1.5}, "claim_id is no text"),
        ({"document_id": "x" * 1_001}, "document_id has more than 1,000 characters"),
        ({"quote": " "}, "the quote is empty"),
        ({"quote": ["x"]}, "the quote is no text"),
        ({"quote": "x" * 2_001}, "the quote has 2,001 characters, the limit is 2,000"),
        ({"quote": "\ud800"}, "it is no valid Unicode text"),
        ({"evidence_type": ["x"]}, "evidence_type is none of "),
        ({"evidence_type": 0}, "evidence_type is none of "),
    ],
)
def test_a_bad_line_says_what_is_wrong_and_costs_no_other(
    folder: Path, line: str | dict[str, Any], why: str
) -> None:
    text = line if isinstance(line, str) else json.dumps(GOOD | line)
    (folder / "claims.jsonl").write_text(f"{json.dumps(GOOD)}\n{text}\n{json.dumps(GOOD)}\n")
    _run(folder / "claims.jsonl", folder)
    require_each_once(folder / "out", 3)
    assert reasons_of(folder / "out") == {1: Reason.BAD_ROW}
    assert failures_of(folder / "out")["message"][0].as_py().startswith(why)


@pytest.mark.parametrize(
    "where", ["{}/claims", "{}/claims/*.jsonl", "file://{}/claims/**", "memory"]
)
def test_files_are_read_in_their_order_wherever_they_are(folder: Path, where: str) -> None:
    names = ["b.jsonl", "a.jsonl", "sub/c.jsonl", "_hidden.jsonl", ".hidden.jsonl", "notes.txt"]
    memory = fsspec.filesystem("memory")
    for name in names:
        row = json.dumps(GOOD | {"claim_id": name}) + "\n"
        (folder / "claims" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "claims" / name).write_text(row, "utf-8")
        memory.pipe(f"/once/{name}", row.encode())
    if where == "file://{}/claims/**":  # a pattern stands for all that it fits
        for name in names[3:]:
            (folder / "claims" / name).unlink()
    try:
        _run("memory://once" if where == "memory" else where.format(folder), folder)
    finally:
        memory.rm("/once", recursive=True)
    read = results_of(folder / "out")["claim_id"].to_pylist()
    flat = [".hidden.jsonl", "_hidden.jsonl", "a.jsonl", "b.jsonl"]  # a pattern says what it means
    assert read == (flat if where.endswith("*.jsonl") else ["a.jsonl", "b.jsonl", "sub/c.jsonl"])


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("claims.parquet", b""),
        ("claims.parquet", b"PAR1" + b"\xff" * 99 + b"PAR1"),
        ("claims.jsonl.gz", b"no gzip"),
        ("claims.jsonl.gz", gzip.compress(b"{}\n" * 99_999)[:-40]),
        ("claims.jsonl.gz", gzip.compress(b"{}\n" * 999)[:12] + b"\xff" * 99),
    ],
)
def test_a_damaged_file_of_claims_is_told_of(folder: Path, name: str, content: bytes) -> None:
    (folder / name).write_bytes(content)
    with pytest.raises(ValidationError, match=name):
        _run(folder / name, folder)
    assert not (folder / "out").exists()


@pytest.mark.parametrize(
    ("claims", "documents", "error"),
    [
        ("nowhere.jsonl", "documents", ValidationError),
        ("empty", "documents", ValidationError),
        ("nothing*.jsonl", "documents", ValidationError),
        ("claims.jsonl", "empty", ValidationError),
        ("claims.jsonl", "nowhere", ValidationError),
        ("claims.jsonl", "claims.jsonl", ValidationError),
        ("claims.jsonl", "odd.parquet", ValidationError),
        ("strange://bucket/claims.jsonl", "documents", ConfigurationError),
    ],
)
def test_names_that_stand_for_nothing_are_told_of(
    folder: Path, claims: str, documents: str, error: type[Exception]
) -> None:
    (folder / "empty").mkdir()
    (folder / "claims.jsonl").write_text(json.dumps(GOOD), "utf-8")
    pq.write_table(pa.table({"document_id": ["a"], "body": ["b"]}), folder / "odd.parquet")
    given_claims = claims if "://" in claims else str(folder / claims)
    with pytest.raises(error):
        run_inline(given_claims, folder / "out", str(folder / documents), BulkSettings())
    assert not (folder / "out").exists()


# --- Parquet of any types and damage --------------------------------------------------------------


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
    _run(folder / "claims.parquet", folder)
    require_each_once(folder / "out", 3)
    assert set(reasons_of(folder / "out")) == failed


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
