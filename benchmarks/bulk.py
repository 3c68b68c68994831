"""Bulk work: claims a second on one core, on two, on Ray, and with ten times the data.

`python -m benchmarks.bulk`, or `make bench-bulk`, prints the rows. Each run is a process of its
own, and its time is the wall's, from the first line of the program to the last file.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from benchmarks import bulk_data, peers
from benchmarks.corpus import Corpus, load_corpus
from benchmarks.measure import progress
from benchmarks.report import Line, goal, mebibytes, ratio, table
from benchmarks.served import all_cores
from veridical.bulk import BulkSettings, Task
from veridical.text.normalize import fold

OURS = "**Veridical**"
DOCUMENTS = 2_000
WRITTEN = Path(__file__).resolve().parent.parent / "training" / "data" / "written" / "t.jsonl"
"""Claims in other words than their documents', on which the reader was not trained."""

_JUDGED_ROWS = 24
_PEER_DOCUMENTS = 10
_TENTH = 10
_SHARD_ROWS = BulkSettings().shard_rows
_STARTS = 400
"""Claims of the run whose time is that of starting: of few documents, each with a shard of its own,
or it would take no more than one worker."""


def lines(source: Corpus, *, documents: int = DOCUMENTS, with_ray: bool = True) -> list[Line]:
    """Rows s to w, and y."""
    with tempfile.TemporaryDirectory() as name, all_cores():
        folder = Path(name)
        for part in ("whole", "tenth", "start", "written"):
            (folder / part).mkdir()
        whole = bulk_data.write(source, folder / "whole", documents)
        tenth = bulk_data.write(source, folder / "tenth", documents // _TENTH)
        start = bulk_data.write(source, folder / "start", _STARTS // bulk_data.CLAIMS_OF_ONE)
        one = _run(folder, whole, 1)
        less = _run(folder, tenth, 1)
        two = _run(folder, whole, 2)
        made = [*_one_core(one, whole), _two_cores(one, two), _ten_times(less, one), _memory(two)]
        if with_ray:
            made.append(_ray(folder, whole, start, two))
        made.append(_judging(folder, bulk_data.write_written(WRITTEN, folder / "written")))
        return made


def _run(
    folder: Path,
    data: tuple[Path, Path],
    workers: int,
    engine: str = "local",
    *,
    shard_rows: int = _SHARD_ROWS,
    task: Task = Task.VALIDATE,
) -> dict[str, Any]:
    """What `bulk_once` tells of a run, on as many cores as it has workers."""
    with tempfile.TemporaryDirectory(dir=folder) as output:
        command = [
            sys.executable, "-m", "benchmarks.bulk_once", *map(str, data), f"{output}/out", engine,
            str(workers), str(shard_rows), task.value,
        ]  # fmt: skip
        done = subprocess.run(
            command,
            stdout=subprocess.PIPE,
            check=True,
            preexec_fn=lambda: os.sched_setaffinity(0, range(workers)),
        )
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    assert not told["failed"], told
    rate = told["rows"] / told["seconds"]
    progress(f"{engine}, {workers}: {told['rows']:,} claims, {rate:,.0f} a second; {told}")
    return told


def _rate(told: dict[str, Any]) -> float:
    return float(told["rows"] / told["seconds"])


def _one_core(one: dict[str, Any], data: tuple[Path, Path]) -> list[Line]:
    rate = _rate(one)
    work = f"{one['rows']:,} direct quotes ({bulk_data.MIX}) over documents of 50 KB, one core"
    ours = Line(
        "s", work, OURS, f"{rate:,.0f} claims a second",
        located=", ".join(f"{count:,} {name}" for name, count in one["outcomes"].items()),
        must=goal("8,000", met=rate >= 8_000), aim=goal("15,000", met=rate >= 15_000),
    )  # fmt: skip
    return [ours, *_peers(rate, data)]


def _peers(ours: float, data: tuple[Path, Path]) -> list[Line]:
    """Other ways to say where quotes stand, on the first documents; they judge nothing."""
    claims, documents = (pq.read_table(path) for path in data)
    texts = dict(
        zip(*(documents[name].to_pylist() for name in ("document_id", "text")), strict=True)
    )
    chosen = set(list(texts)[:_PEER_DOCUMENTS])
    grouped: dict[str, list[str]] = {name: [] for name in chosen}
    for name, quote in zip(
        claims["document_id"].to_pylist(), claims["quote"].to_pylist(), strict=True
    ):
        if name in chosen:
            grouped[name].append(quote)
    ways: dict[str, peers.Peer] = {
        "Aho-Corasick + fuzzysearch": peers.aho_corasick_fuzzysearch,
        "rapidfuzz": peers.rapidfuzz_alignment,
    }
    made = []
    for name, peer in ways.items():
        begun, located, count = time.perf_counter(), 0, 0
        for document, quotes in grouped.items():
            found = peer(fold(texts[document]), [fold(quote) for quote in quotes])
            located += sum(one is not None for one in found)
            count += len(quotes)
        rate = count / (time.perf_counter() - begun)
        made.append(
            Line(
                "s", "", f"{name}, a loop, no verdict", f"{rate:,.0f} claims a second",
                ratio(ours / rate), f"{located:,} of {count:,}",
            )
        )  # fmt: skip
    return made


def _two_cores(one: dict[str, Any], two: dict[str, Any]) -> Line:
    gain = one["seconds"] / two["seconds"]
    return Line(
        "t", "the same, two workers on two cores against one on one", OURS,
        f"{_rate(two):,.0f} claims a second: {gain:.2f} x",
        must=goal("1.8 x", met=gain >= 1.8), aim=goal("1.95 x", met=gain >= 1.95),
    )  # fmt: skip


def _ten_times(less: dict[str, Any], more: dict[str, Any]) -> Line:
    cost = more["seconds"] / less["seconds"]
    memory = more["worker_bytes"] / less["worker_bytes"]
    driver = more["driver_bytes"] / less["driver_bytes"]
    return Line(
        "v", f"{more['rows']:,} claims against {less['rows']:,}, ten times the documents", OURS,
        f"{cost:.2f} x the time",
        located=f"memory of the worker {memory:.2f} x, of the driver {driver:.2f} x",
        must=goal("10.5 x, the same memory", met=cost <= 10.5 and max(memory, driver) <= 1.15),
    )  # fmt: skip


def _memory(two: dict[str, Any]) -> Line:
    size = two["worker_bytes"]
    return Line(
        "w", "memory of the largest worker", OURS, mebibytes(size),
        located=f"driver {mebibytes(two['driver_bytes'])}",
        must=goal("400 MB", met=size <= 400 * 1024**2),
        aim=goal("250 MB", met=size <= 250 * 1024**2),
    )  # fmt: skip


def _ray(
    folder: Path, data: tuple[Path, Path], start: tuple[Path, Path], local: dict[str, Any]
) -> Line:
    """Both without what it takes to start: the time of a run of few claims."""
    starting = {
        engine: _run(folder, start, 2, engine, shard_rows=bulk_data.CLAIMS_OF_ONE)["seconds"]
        for engine in ("local", "ray")
    }
    ray = _run(folder, data, 2, "ray")
    share = (local["seconds"] - starting["local"]) / (ray["seconds"] - starting["ray"])
    return Line(
        "u", "Ray with two workers against two local ones, start-up apart", OURS,
        f"{share:.2f} x the speed", located=f"starts in {starting['ray']:.1f} s",
        must=goal("0.75 x", met=share >= 0.75), aim=goal("0.9 x", met=share >= 0.9),
    )  # fmt: skip


def _judging(folder: Path, data: tuple[Path, Path]) -> Line:
    """Claims that are read, with what it takes to start."""
    one, two = (
        _run(folder, data, workers, shard_rows=_JUDGED_ROWS, task=Task.JUDGE) for workers in (1, 2)
    )
    gain = one["seconds"] / two["seconds"]
    return Line(
        "y", f"{one['rows']:,} claims judged over documents of a page, one core", OURS,
        f"{_rate(one):,.0f} claims a second",
        located=f"on two cores {_rate(two):,.0f}: {gain:.2f} x; worker "
        f"{mebibytes(one['worker_bytes'])}",
    )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="the folder of the shared data")
    parser.add_argument("--documents", type=int, default=DOCUMENTS)
    parser.add_argument("--no-ray", action="store_true")
    parser.add_argument("--judging", action="store_true", help="row y alone")
    options = parser.parse_args()
    if options.judging:
        with tempfile.TemporaryDirectory() as name, all_cores():
            folder = Path(name)
            print(table([_judging(folder, bulk_data.write_written(WRITTEN, folder))]))
        return
    source = load_corpus(options.data)
    print(table(lines(source, documents=options.documents, with_ray=not options.no_ray)))


if __name__ == "__main__":
    main()
