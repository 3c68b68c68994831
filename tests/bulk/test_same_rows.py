"""A plain loop, shards of any size and any number of workers give the same rows, byte for byte."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.bulk.data import (
    claims,
    claims_table,
    documents,
    documents_table,
    failures_of,
    require_each_once,
    results_of,
    run_inline,
    settings,
    words_column,
)

from veridical.bulk import CheckedTable, Task, check_table, run
from veridical.bulk.tables import Reason
from veridical.errors import VeridicalError
from veridical.ledger.build import LedgerBuilder
from veridical.retrieval.corpus import Corpus
from veridical.sources.document import Format
from veridical.sources.loader import document_from_text
from veridical.validation.claims import Claim, EvidenceType
from veridical.validation.validator import Validator

ROOT = Path(__file__).parents[2]
SHAPES = [(Task.VALIDATE, "half", 120), (Task.VALIDATE, "each", 100), (Task.JUDGE, "half", 40)]


def _given(folder: Path, task: Task, skew: str, count: int) -> tuple[str, str, CheckedTable]:
    """A data set in files, and what a plain loop makes of it."""
    held = documents(17 if skew == "half" else 100)
    rows = claims(held, count, task, skew=skew)
    pq.write_table(documents_table(held), folder / "documents.parquet")
    table = claims_table(rows, task)
    pq.write_table(table, folder / "claims.parquet", row_group_size=37)
    looped = check_table(table, documents_table(held), settings(task))
    assert Reason.ERROR.value not in looped.failures["reason"].to_pylist()
    return str(folder / "claims.parquet"), str(folder / "documents.parquet"), looped


def _require_same(output: Path, looped: CheckedTable) -> None:
    assert _bytes(results_of(output)) == _bytes(looped.results)
    assert _bytes(failures_of(output)) == _bytes(looped.failures)
    require_each_once(output, looped.results.num_rows + looped.failures.num_rows)


def _bytes(table: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table.combine_chunks())
    return bytes(sink.getvalue())


@pytest.mark.no_cover
@pytest.mark.parametrize(("task", "skew", "count"), SHAPES)
def test_the_loop_agrees_with_each_claim_checked_by_itself(
    tmp_path: Path, task: Task, skew: str, count: int
) -> None:
    held, words = documents(17 if skew == "half" else 100), words_column(task)
    rows = claims(held, count, task, skew=skew)
    _, _, looped = _given(tmp_path, task, skew, count)
    known = {row["row"]: row for row in looped.results.to_pylist()}
    assert len(known) > count * 0.9
    for number, row in enumerate(rows):
        text = held.get(row["document_id"] or "")
        expected = _alone(row["claim_id"], row[words], row["evidence_type"], text, task)
        found = known.get(number)
        assert (found and tuple(found.values())[3:-1]) == expected
        if found:
            assert text
            assert found["document_sha256"] == sha256(text.encode()).hexdigest()
            assert (found["claim_id"], found["document_id"]) == (
                row["claim_id"], row["document_id"],
            )  # fmt: skip


def _alone(
    claim_id: str | None, words: str | None, kind: str | None, text: str | None, task: Task
) -> tuple[object, ...] | None:
    if not claim_id or not text or not words or len(words) > 2_000:
        return None
    document = document_from_text(text, "the document", Format.PLAIN_TEXT)
    try:
        if task is Task.JUDGE:
            (entry,) = LedgerBuilder(Corpus([document])).judged([words])
            piece = entry.evidence[0] if entry.evidence else None
            span = piece.snippet_span if piece else None
            told: tuple[object, ...] = (entry.verdict.value, entry.confidence_score)
        else:
            claim = Claim("one", words, EvidenceType(kind or "direct_quote"))
            (result,) = Validator([document]).validate([claim]).results
            span = result.match.span if result.match else None
            fidelity = result.fidelity.value if result.fidelity else None
            told = (result.status.value, fidelity, result.confidence)
    except (ValueError, VeridicalError):
        return None
    place = (span.start, span.end, text[span.start : span.end]) if span else (None, None, None)
    return (*told, *place)


# Every cut of one data set, and of the others the cut that makes most of what they are.
@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("task", "skew", "count", "shard_rows", "shard_document_bytes", "group_rows"),
    [
        (*SHAPES[0], 40, 1 << 27, 500),
        (*SHAPES[0], 7, 1 << 27, 3),
        (Task.VALIDATE, "half", 40, 1, 1 << 27, 1),
        (*SHAPES[0], 50, 900, 8),
        (*SHAPES[1], 50, 900, 8),
        (*SHAPES[2], 7, 1 << 27, 3),
    ],
)
def test_shards_of_any_size_give_the_rows_of_the_loop(
    tmp_path: Path, task: Task, skew: str, count: int,
    shard_rows: int, shard_document_bytes: int, group_rows: int,
) -> None:  # fmt: skip
    given, held, looped = _given(tmp_path, task, skew, count)
    wanted = settings(
        task, shard_rows=shard_rows, group_rows=group_rows,
        shard_document_bytes=shard_document_bytes,
    )  # fmt: skip
    run_inline(given, tmp_path / "out", held, wanted)
    _require_same(tmp_path / "out", looped)


@pytest.mark.parametrize(
    ("task", "workers", "shard_rows"),
    [(Task.VALIDATE, 2, 9), (Task.VALIDATE, 3, 25), (Task.JUDGE, 2, 25)],
)
def test_any_number_of_workers_gives_the_rows_of_the_loop(
    tmp_path: Path, task: Task, workers: int, shard_rows: int
) -> None:
    given, held, looped = _given(tmp_path, task, "half", 50)
    summary = run(
        given, tmp_path / "out", held, settings(task, workers=workers, shard_rows=shard_rows)
    )
    _require_same(tmp_path / "out", looped)
    assert summary.checked == looped.results.num_rows
    assert summary.failed == looped.failures.num_rows


_SEEDED = """
import json, sys
from pathlib import Path
from tests.bulk.data import run_inline, settings
from veridical.bulk import Task
for task, folder in json.loads(sys.argv[1]):
    folder = Path(folder)
    run_inline(str(folder / "claims.parquet"), folder / sys.argv[2],
               str(folder / "documents.parquet"), settings(Task(task), shard_rows=20))
"""


def test_the_rows_do_not_depend_on_the_hash_seed(tmp_path: Path) -> None:
    given, expected = [], []
    for task in Task:
        (tmp_path / task).mkdir()
        given.append((task.value, str(tmp_path / task)))
        expected.append(_given(tmp_path / task, task, "half", 40)[2])
    for seed in ("1", "4242"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": f"{ROOT}/src:{ROOT}"}
        command = [sys.executable, "-c", _SEEDED, json.dumps(given), f"out-{seed}"]
        subprocess.run(command, check=True, cwd=ROOT, env=environment)
        for (_, folder), looped in zip(given, expected, strict=True):
            _require_same(Path(folder) / f"out-{seed}", looped)
