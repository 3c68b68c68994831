"""Ledgers written into a real PostgreSQL server and an SQLite file, for the row of the store."""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.orm import Session, registry
from tests.store.postgres import URL_VARIABLE, new_database, postgres_server

from benchmarks.measure import progress
from benchmarks.report import Line, goal, ratio
from veridical.judging.judge import SupportLevel
from veridical.judging.verdict import Verdict
from veridical.ledger.confidence import ConfidenceComponents
from veridical.ledger.entry import (
    AnswerClaim,
    Evidence,
    EvidenceLedger,
    JudgeRecord,
    LedgerEntry,
    Source,
)
from veridical.ledger.ids import content_id
from veridical.ledger.risks import summarised
from veridical.sources.document import Span
from veridical.store.rows import (
    CLAIM_COLUMNS,
    ENTRY_COLUMNS,
    claim_rows,
    entry_rows,
    header,
    seal_head,
)
from veridical.store.store import Store
from veridical.store.tables import claims, evidence_ledger, sessions
from veridical.store.workspaces import ensure_workspace

ENTRIES = 100_000
ROWS = 2 * ENTRIES
"""Each entry is a row of `claims` and one of `evidence_ledger`."""

LEDGERS = 10
PEER_SAMPLE = 10
"""The other ways write one ledger in so many, scaled to all."""

MUST_PER_SECOND, AIM_PER_SECOND = 20_000, 40_000
MOST_RUNS = 5

SERVER = "PostgreSQL"

SENTENCE = "All permanent employees shall receive {} days of paid annual leave per calendar year."

Write = Callable[[Store, EvidenceLedger], object]


def ledger(count: int, number: int) -> EvidenceLedger:
    """A ledger of supported claims with one piece of evidence each, like that of a long answer."""
    session = content_id("session", str(number))
    source = Source(content_id("document", "HR.md"), "HR.md", "cd" * 32, "markdown", 90_000)
    entries = tuple(_entry(number, n, source.id) for n in range(count))
    stamp = "2026-01-03T14:30:00Z"
    return EvidenceLedger(
        content_id("ledger", session), session, f"Leave {number}", "How many days?",
        " ".join(entry.claim.text for entry in entries), stamp, stamp,
        JudgeRecord("reader:1", "strict", "rules"), (source,), entries, summarised(entries),
    )  # fmt: skip


def _entry(number: int, at: int, source: str) -> LedgerEntry:
    text = f"Employees with {at} years of service are entitled to {at % 30} days of annual leave."
    snippet = SENTENCE.format(at % 30)
    start = at * 90
    evidence = Evidence(
        content_id("chunk", str(number), str(at)), f"{at:064x}", f"{at:08x}", source, snippet,
        snippet, Span(start, start + len(snippet)), Span(start, start + 900), SupportLevel.FULL,
        0.9 + at / 2e6, 0.8 + at / 1e6, 0.01, False, 1.0, heading_path=("Leave", "Annual leave"),
    )  # fmt: skip
    return LedgerEntry(
        id=content_id("entry", str(number), str(at)),
        claim=AnswerClaim(
            content_id("claim", str(number), str(at)), Span(start, start + len(text)), text, text
        ),
        verdict=Verdict.SUPPORTED,
        confidence_score=0.9 + at / 2e6,
        components=ConfidenceComponents(0.9 + at / 2e6, 1, 1.0, 1.0),
        probability=0.8 + at / 1e6,
        notes=f'Directly supported by: "{snippet}"',
        evidence=(evidence,),
    )


def with_executemany(store: Store, kept: EvidenceLedger) -> None:
    """The same rows by SQLAlchemy's own way for many rows."""

    def work(connection: sa.Connection) -> None:
        connection.execute(sa.insert(claims), _as_dicts(CLAIM_COLUMNS, claim_rows(kept.id, kept)))
        connection.execute(
            sa.insert(evidence_ledger), _as_dicts(ENTRY_COLUMNS, entry_rows(kept.id, kept))
        )

    _in_session(store, kept, work)


class _Claim:
    """A row of `claims` as an object."""


class _Entry:
    """A row of `evidence_ledger` as an object."""


_mapped = registry()
_mapped.map_imperatively(_Claim, claims)
_mapped.map_imperatively(_Entry, evidence_ledger)


def with_orm(store: Store, kept: EvidenceLedger) -> None:
    """The same rows as objects of the ORM."""

    def work(connection: sa.Connection) -> None:
        with Session(connection) as session:
            for kind, columns, rows in (
                (_Claim, CLAIM_COLUMNS, claim_rows(kept.id, kept)),
                (_Entry, ENTRY_COLUMNS, entry_rows(kept.id, kept)),
            ):
                for values in _as_dicts(columns, rows):
                    made = kind()
                    for name, value in values.items():
                        setattr(made, name, value)
                    session.add(made)
                session.flush()

    _in_session(store, kept, work)


def _in_session(store: Store, kept: EvidenceLedger, work: Callable[[sa.Connection], None]) -> None:
    head = seal_head(kept)

    def whole(connection: sa.Connection) -> None:
        place = ensure_workspace(connection, "default")
        connection.execute(
            sa.insert(sessions).values(
                id=kept.id, workspace_id=place, revision=1, **header(kept, head)
            )
        )
        work(connection)

    store._database.write(whole, kept.id)


def _as_dicts(columns: tuple[str, ...], rows: Iterator[tuple[object, ...]]) -> list[dict]:
    return [dict(zip(columns, row, strict=True)) for row in rows]


@dataclass(frozen=True, slots=True)
class Spent:
    """Seconds by the clock for all entries: the server's work counts too."""

    median: float
    minimum: float
    scaled: int

    @property
    def rows_per_second(self) -> float:
        return ROWS / self.median


def measured(url: str, runs: int, ways: Mapping[str, tuple[Write, int]]) -> dict[str, Spent]:
    """Each way of writing in turn, in every round, into tables that are emptied between."""
    ledgers = [ledger(ENTRIES // LEDGERS, number) for number in range(LEDGERS)]
    spent: dict[str, list[float]] = {name: [] for name in ways}
    with Store.open(url) as store:
        for run in range(runs):
            for name, (write, sample) in ways.items():
                started = time.perf_counter()
                for one in ledgers[: max(1, LEDGERS // sample)]:
                    write(store, one)
                seconds = (time.perf_counter() - started) * sample
                spent[name].append(seconds)
                progress(f"{name}, run {run + 1} of {runs}: {seconds:.3f} s")
                _empty(store)
        Store.save(store, ledgers[0])
        assert store.load(ledgers[0].id) == ledgers[0]
    return {
        name: Spent(statistics.median(times), min(times), ways[name][1])
        for name, times in spent.items()
    }


def _empty(store: Store) -> None:
    """Tables as new: rows that are merely deleted would slow down the next run."""

    def work(connection: sa.Connection) -> None:
        for table in (evidence_ledger, claims, sessions):
            if store._database.is_postgresql:
                connection.execute(sa.text(f"TRUNCATE {table.name} CASCADE"))
            else:
                connection.execute(sa.delete(table))

    store._database.write(work, content_id("empty"))


@contextmanager
def _databases() -> Iterator[dict[str, str]]:
    """URLs by what the table calls the databases."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        with _on_other_cores() as elsewhere:
            server = stack.enter_context(postgres_server())
        place = ", the server on another core" if elsewhere else ""
        url = stack.enter_context(new_database(server, "veridical_bench"))
        yield {f"{SERVER}{place}": url, "SQLite": f"sqlite:///{Path(folder) / 'bench.db'}"}


@contextmanager
def _on_other_cores() -> Iterator[bool]:
    """What is started inside runs on other cores than this process, as on a machine of its own.

    False where there are none, where the system cannot, or where the server already runs.
    """
    if not hasattr(os, "sched_setaffinity") or URL_VARIABLE in os.environ:
        yield False
        return
    ours = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, set(range(os.cpu_count() or 1)) - ours)
    except (OSError, ValueError):
        yield False
        return
    try:
        yield True
    finally:
        os.sched_setaffinity(0, ours)


def lines(row: str, ours: str, runs: int) -> list[Line]:
    """The lines of the table. `ours` is how the table calls Veridical."""
    runs = min(runs, MOST_RUNS)
    with _databases() as urls:
        found = {
            name: measured(
                url,
                runs,
                {
                    f"{name}, ours": (Store.save, 1),
                    f"{name}, executemany": (with_executemany, PEER_SAMPLE),
                    f"{name}, ORM": (with_orm, PEER_SAMPLE),
                },
            )
            for name, url in urls.items()
        }
    return [line for name, spent in found.items() for line in _lines(row, ours, name, spent)]


def _lines(row: str, ours: str, name: str, spent: Mapping[str, Spent]) -> Iterator[Line]:
    own = spent[f"{name}, ours"]
    line = Line(
        row,
        f"store {ENTRIES:,} entries as {ROWS:,} rows, {name}, by the clock",
        ours,
        _shown(own),
    )
    if name.startswith(SERVER):
        must = own.rows_per_second >= MUST_PER_SECOND
        aim = own.rows_per_second >= AIM_PER_SECOND
        line = replace(
            line,
            must=goal(f"{MUST_PER_SECOND:,} rows/s", met=must),
            aim=goal(f"{AIM_PER_SECOND:,} rows/s", met=aim),
        )
    yield line
    for label, who in (
        ("executemany", "SQLAlchemy `insert`, many rows"),
        ("ORM", "SQLAlchemy ORM"),
    ):
        other = spent[f"{name}, {label}"]
        yield Line(row, "", who, _shown(other), ratio(other.median / own.median))


def _shown(spent: Spent) -> str:
    shown = f"{spent.median:.2f} s ({spent.minimum:.2f}), {spent.rows_per_second:,.0f} rows/s"
    shown = f"{shown} of tables, {ENTRIES / spent.median:,.0f} entries/s"
    return shown if spent.scaled == 1 else f"{shown}, scaled {spent.scaled} x from a sample"
