"""The service: a large ledger for many clients, its pages, its start, and its memory.

`python -m benchmarks.service` prints the rows by themselves.
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from benchmarks import bare_app, service_pages, service_soak
from benchmarks.corpus import Corpus as Text
from benchmarks.corpus import load_corpus
from benchmarks.http_load import Call, Replies, call, load
from benchmarks.ledgers import answer_over, documents_of
from benchmarks.measure import progress
from benchmarks.report import Line, goal, table
from benchmarks.served import (
    POSTGRESQL,
    all_cores,
    databases,
    listening,
    served,
    session,
    upload,
    wait_until,
)
from veridical.ledger.build import LedgerBuilder
from veridical.ledger.entry import EvidenceLedger
from veridical.ledger.extraction.rules import RuleExtractor
from veridical.retrieval.corpus import Corpus
from veridical.sources.document import Document
from veridical.store.store import Store

OURS = "**Veridical**"
ENTRIES = 1_000
CLIENTS = 20
_TEXT_BYTES = 1_000_000
_WHEN = datetime(2026, 1, 1, tzinfo=UTC)
_POLICY = Path(__file__).resolve().parent.parent / "examples" / "policies" / "pto-policy.md"
_QUESTION = "May I carry unused PTO over into next year?"

ROWS = "nopqr"


def lines(source: Text, *, rows: str = ROWS, quick: bool = False) -> list[Line]:
    """Rows n to r, those that are asked for."""
    made: list[Line] = []
    with all_cores():
        if set("no") & set(rows):
            documents = documents_of(source, _TEXT_BYTES, 20)
            progress(f"building a ledger of {ENTRIES:,} claims")
            ledger = _ledger(documents)
        if "n" in rows:
            made += _under_load(ledger, documents, 400 if quick else 4_000)
        if "o" in rows:
            with _filled_server(ledger, documents) as port:
                made += service_pages.session_lines(port, ledger, 3 if quick else 15)
        if "p" in rows:
            made += service_pages.viewer_lines(3 if quick else 15)
        if "q" in rows:
            made += _starting(2 if quick else 9)
        if "r" in rows:
            made += service_soak.lines(4_000 if quick else 100_000)
    return made


def _ledger(documents: Sequence[Document]) -> EvidenceLedger:
    """As many claims as there are to be, with all that a real ledger holds of each."""
    answer = answer_over(documents, ENTRIES + ENTRIES // 4)
    claims = RuleExtractor().extract(answer, "").claims
    whole = answer[: claims[ENTRIES - 1].span.end] + "\n"
    ledger = LedgerBuilder(Corpus(documents)).build(whole, title="A long answer", created_at=_WHEN)
    assert len(ledger.entries) == ENTRIES, len(ledger.entries)
    return ledger


def fill(url: str, ledger: EvidenceLedger, documents: Sequence[Document]) -> None:
    """Keep a ledger and its documents in a database, as the command line does."""
    corpus = Corpus(documents)
    with Store.open(url) as store:
        store.ingest((each, corpus.of_document(each.name)) for each in documents)
        store.save(ledger)


@contextmanager
def _filled_server(ledger: EvidenceLedger, documents: Sequence[Document]) -> Iterator[int]:
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/pages.db"
        fill(url, ledger, documents)
        with served(url) as server:
            yield server.port


# --- row n --------------------------------------------------------------------------------


def _under_load(ledger: EvidenceLedger, documents: Sequence[Document], count: int) -> list[Line]:
    """Row n: the same ledger for many clients at once."""
    made: list[Line] = []
    path = f"/api/v1/sessions/{ledger.session_id}/ledger"
    with databases() as urls:
        for name, url in urls.items():
            fill(url, ledger, documents)
            with served(url) as server, server.client() as client:
                plain = client.get(path, headers={"Accept-Encoding": "identity"}).content
                entries = len(json.loads(plain)["ledger"]["entries"])
                for coding in ("gzip", "identity"):
                    asked = call("ledger", "GET", path, Accept_Encoding=coding)
                    found = _loaded(server.port, asked, count)
                    work = f"GET a ledger of {entries:,} entries, {CLIENTS} clients, {name}"
                    made.append(_line(f"{work}, {_coded(coding)}", OURS, found, count, goals=True))
    for coding in ("gzip", "identity"):
        body = gzip.compress(plain, 6) if coding == "gzip" else plain
        with _bare(body, coding) as port:
            found = _loaded(port, call("bare", "GET", "/body"), count)
        who = f"a bare FastAPI application, the same bytes from memory, {_coded(coding)}"
        ours = [line for line in made if line.work.endswith(f"{POSTGRESQL}, {_coded(coding)}")]
        made.append(_line("", who, found, count))
        progress(f"n: {ours[0].measured} beside {made[-1].measured}")
    return made


def _coded(coding: str) -> str:
    return "gzip" if coding == "gzip" else "not compressed"


def _loaded(port: int, asked: Call, count: int) -> Replies:
    load(port, itertools.repeat(asked), CLIENTS, count // 10)
    return load(port, itertools.repeat(asked), CLIENTS, count)


def _line(work: str, who: str, found: Replies, count: int, *, goals: bool = False) -> Line:
    p50, p95 = (float(np.percentile(found.seconds, p)) * 1000 for p in (50, 95))
    rate = count / found.elapsed
    measured = (
        f"p50 {p50:.1f} ms, p95 {p95:.1f} ms, {rate:,.0f} a second of "
        f"{found.bytes / count / 1e6:.2f} MB, {found.errors} errors"
    )
    progress(f"n, {work or who}: {measured}")
    met = p95 <= 100 and not found.errors
    must = goal("p95 100 ms, no errors", met=met) if goals else ""
    aim = goal("40 ms", met=p95 <= 40) if goals else ""
    return Line("n", work, who, measured, must=must, aim=aim)


@contextmanager
def _bare(body: bytes, coding: str) -> Iterator[int]:
    """The peer: what FastAPI alone needs to send the same."""
    command = [sys.executable, "-m", "uvicorn", "--factory", "benchmarks.bare_app:create_app"]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "body")
        file.write_bytes(body)
        environment = {bare_app.BODY: str(file)}
        if coding == "gzip":
            environment[bare_app.ENCODING] = coding
        with listening([*command, "--port", "0", "--no-access-log"], **environment) as server:
            wait_until(server, "/body")
            yield server.port


# --- row q --------------------------------------------------------------------------------


def _starting(runs: int) -> list[Line]:
    """Row q: a fresh process and an empty database; a policy is uploaded and asked about."""
    stages: dict[str, list[float]] = {"listening": [], "ready": [], "read": [], "answered": []}
    for run in range(runs + 1):
        with tempfile.TemporaryDirectory() as folder:
            took = _first_answer(f"sqlite:///{folder}/first.db")
        told = ", ".join(f"{stage} {seconds:.2f} s" for stage, seconds in took.items())
        progress(f"q, run {run} of {runs}: {told}")
        for stage, seconds in took.items():
            if run:  # the first fills the file cache
                stages[stage].append(seconds)
    median = {stage: statistics.median(each) for stage, each in stages.items()}
    in_all = ", ".join(f"{stage} after {seconds:.2f} s" for stage, seconds in median.items())
    return [
        Line(
            "q",
            "start to first answer: empty database, a policy uploaded, asked, its ledger ready",
            OURS,
            f"{median['answered']:.2f} s ({min(stages['answered']):.2f})",
            located=in_all,
            must=goal("3 s", met=median["answered"] <= 3),
            aim=goal("1.5 s", met=median["answered"] <= 1.5),
        ),
        Line(
            "q",
            "start to the first request answered, no configuration",
            OURS,
            f"{median['ready']:.2f} s ({min(stages['ready']):.2f})",
            must=goal("2 s", met=median["ready"] <= 2),
        ),
        _bare_start(runs),
    ]


def _first_answer(url: str) -> dict[str, float]:
    """Seconds since the process was started, at each stage."""
    began = time.perf_counter()
    command = [sys.executable, "-m", "veridical", "serve", "--port", "0", "--database", url]
    with listening(command) as server, server.client() as client:
        took = {"listening": time.perf_counter() - began}
        wait_until(server, "/ready")
        took["ready"] = time.perf_counter() - began
        upload(client, _POLICY.name, _POLICY.read_bytes())
        took["read"] = time.perf_counter() - began
        asked = session(client, query=_QUESTION)
        ledger = client.get(f"/api/v1/sessions/{asked}/ledger").json()
        took["answered"] = time.perf_counter() - began
        assert ledger["ledger"]["entries"], "nothing was answered: what is measured would be empty"
    return took


def _bare_start(runs: int) -> Line:
    seconds = []
    for _ in range(runs):
        began = time.perf_counter()
        with _bare(b"{}", "identity"):
            seconds.append(time.perf_counter() - began)
    median = statistics.median(seconds)
    return Line("q", "", "a bare FastAPI application", f"{median:.2f} s ({min(seconds):.2f})")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="the folder of the shared data")
    parser.add_argument("--rows", default=ROWS)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    source = load_corpus(options.data)
    print(table(lines(source, rows=options.rows, quick=options.quick)))


if __name__ == "__main__":
    main()
