"""Data sets for bulk work, and what came of a run in a form that can be compared."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from veridical.bulk import BulkSettings, BulkSummary, Columns, Task, check_table
from veridical.bulk.local import Prepared, run
from veridical.bulk.places import StrPath
from veridical.bulk.pool import Told, WorkerPool

TEXTS: Mapping[str, str] = {
    "english": "The river rose by 3.5 metres in May 2021. Nobody was hurt. The old bridge, built "
    "in 1887, was closed for eleven weeks, and trade in the valley fell by a third. ",
    "german": "Der Fluß stieg im Mai um drei Meter. Die Brücke wurde für elf Wochen gesperrt. ",
    "chinese": "长江是中国最长的河流,全长约6300公里。它发源于青藏高原,流入东海。",
    "japanese": "富士山は日本で一番高い山です。標高は3776メートルです。",
    "arabic": "النيل أطول نهر في أفريقيا. يبلغ طوله نحو ٦٦٥٠ كيلومترا. ",
    "hindi": "गंगा भारत की एक पवित्र नदी है। इसकी लंबाई लगभग 2525 किलोमीटर है। ",
    "combining": "Cafe\u0301 Zu\u0308rich opened in 1911; a\u030angstro\u0308m units were used. ",
    "emoji": "The launch went well 🚀🎉. The family 👨‍👩‍👧‍👦 saw it from the beach 🏖️ at 6 am. ",
}
TYPES = ("direct_quote", "paraphrase", "section_reference", "concept_reference")


def words_column(task: Task) -> str:
    return Columns.of(task).words


def settings(task: Task = Task.VALIDATE, **values: Any) -> BulkSettings:
    return BulkSettings(task=task, columns=Columns.of(task), **values)


def documents(count: int, seed: int = 0) -> dict[str, str]:
    """Documents in several languages, each of some sentences in an order of its own."""
    chance, made = random.Random(seed), {}
    for number in range(count):
        name = list(TEXTS)[number % len(TEXTS)]
        pieces = [TEXTS[name], f"Report {number} of {name}. ", TEXTS["english"]]
        chance.shuffle(pieces)
        made[f"{name}/{number}.txt"] = "".join(pieces)
    return made


def claim_words(text: str, chance: random.Random) -> str:
    """Words of a text, as they stand or changed a little, or words of no text."""
    start = chance.randrange(max(1, len(text) - 60))
    found = text[start : start + chance.randrange(8, 60)].strip() or text[:20]
    kind = chance.randrange(5)
    if kind == 0:
        return found.replace("3", "4").replace("rose", "fell").replace("是", "不是")
    if kind == 1:
        return f"{found[: len(found) // 2]} and then nothing {found[-4:]}"
    return "Purple elephants vote on Tuesdays." if kind == 2 else found


def claims(
    held: Mapping[str, str], count: int, task: Task, *, skew: str = "half", seed: int = 0
) -> list[dict[str, Any]]:
    """Rows of a data set with all that may be wrong with one. With the skew `half` one document has
    half of the claims, with `each` no document has two before all have one."""
    chance, ids = random.Random(seed), list(held)
    rows: list[dict[str, Any]] = []
    words = words_column(task)
    for number in range(count):
        at = number if skew == "each" else number // 2 if number % 2 else 0
        document_id = ids[at % len(ids)]
        rows.append({
            "claim_id": f"c{number}", "document_id": document_id,
            words: claim_words(held[document_id], chance), "evidence_type": chance.choice(TYPES),
        })  # fmt: skip
    rows += [dict(rows[0]), dict(rows[0]), {**rows[1], "claim_id": rows[0]["claim_id"]}]
    rows += [
        {**rows[2], words: ""},
        {**rows[2], words: None},
        {**rows[2], words: "x" * 2_001},
        {**rows[2], "claim_id": None},
        {**rows[2], "document_id": ""},
        {**rows[2], "document_id": "no such document"},
        {**rows[2], "document_id": "without text"},
        {**rows[2], "document_id": "empty"},
        {**rows[2], "document_id": "twice"},
        {**rows[2], "evidence_type": None},
        {**rows[2], "evidence_type": "rumour" if task is Task.VALIDATE else None},
    ]
    chance.shuffle(rows)
    return rows


def documents_table(held: Mapping[str, str]) -> pa.Table:
    """Documents as a table, with those that cannot be used."""
    odd: list[tuple[str | None, str | None]] = [
        ("without text", None), ("empty", ""), ("twice", "One."), ("twice", "One."), (None, "No."),
    ]  # fmt: skip
    both = [*held.items(), *odd]
    return pa.table({"document_id": [i for i, _ in both], "text": [t for _, t in both]})


def claims_table(rows: Sequence[Mapping[str, Any]], task: Task = Task.VALIDATE) -> pa.Table:
    names = ("claim_id", "document_id", words_column(task), "evidence_type")
    return pa.table({n: pa.array([row.get(n) for row in rows], pa.string()) for n in names})


def write_folder(folder: Path, held: Mapping[str, str]) -> Path:
    for name, text in held.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    return folder


def write_json(path: Path, rows: Sequence[Mapping[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def results_of(output: Path) -> pa.Table:
    """All results of a run, by row."""
    parts = [pq.read_table(path) for path in sorted(output.glob("part-*.parquet"))]
    return pa.concat_tables(parts).sort_by("row") if parts else pa.table({"row": []})


def failures_of(output: Path) -> pa.Table:
    return pq.read_table(output / "failures.parquet").sort_by("row")


def reasons_of(output: Path) -> dict[int, str]:
    """Why each row failed."""
    table = failures_of(output)
    return dict(zip(table["row"].to_pylist(), table["reason"].to_pylist(), strict=True))


def require_each_once(output: Path, rows: int) -> None:
    """Every row of the input is a result or a failure, once, and nothing else is left."""
    found = [*results_of(output)["row"].to_pylist(), *failures_of(output)["row"].to_pylist()]
    assert sorted(found) == list(range(rows))
    names = {path.name for path in output.iterdir()}
    assert names == {one for one in names if one.startswith("part-")} | {
        "summary.json", "failures.parquet",
    }  # fmt: skip
    counted = json.loads((output / "summary.json").read_text("utf-8"))
    assert counted["rows"] == rows == counted["checked"] + counted["failed"]


def run_inline(
    claims_at: StrPath, output: StrPath, documents_at: StrPath, wanted: BulkSettings, **more: Any
) -> BulkSummary:
    """A run without processes: quick, where what they do does not matter."""

    def work(prepared: Prepared, told: Told) -> None:
        worker = prepared.worker()
        for shard in prepared.left:
            told(*worker.work(shard))

    return run(claims_at, output, documents_at, wanted, **more, work=work)


def run_in_crew(
    make: Any,
    claims_at: StrPath,
    output: StrPath,
    documents_at: StrPath,
    wanted: BulkSettings,
    **more: Any,
) -> BulkSummary:
    """A run with workers of a kind of our own."""

    def work(prepared: Prepared, told: Told) -> None:
        WorkerPool(make(**vars(prepared.worker()))).work(prepared.left, told)

    return run(claims_at, output, documents_at, wanted, **more, work=work)


class Given:
    """Files of a run, and what a plain loop gives."""

    def __init__(
        self, folder: Path, count: int, claimed: int, task: Task = Task.VALIDATE, skew: str = "each"
    ) -> None:
        self.folder, self.task, self.output = folder, task, folder / "out"
        self.claims, self.documents = folder / "claims.parquet", folder / "documents.parquet"
        held = documents(count)
        self._table = claims_table(claims(held, claimed, task, skew=skew), task)
        self._documents = documents_table(held)
        self.rows = self._table.num_rows
        pq.write_table(self._table, self.claims)
        pq.write_table(self._documents, self.documents)

    @property
    def where(self) -> tuple[Path, Path, Path]:
        return self.claims, self.output, self.documents

    def require_whole(self) -> None:
        """Every row once, as in an undisturbed run, and no work left."""
        expected = check_table(self._table, self._documents, settings(self.task))
        require_each_once(self.output, self.rows)
        assert results_of(self.output).equals(expected.results)
        assert failures_of(self.output).equals(expected.failures)


def lines(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of a file of JSON lines."""
    return (json.loads(line) for line in path.read_text("utf-8").splitlines())
