"""The index of folders: it always holds what the files hold, and reads no more than it must."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import astuple, replace
from pathlib import Path
from threading import Event
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.store.later import become_later
from tests.store.postgres import ServerMissing, new_database, postgres_server

from veridical.answering.index import files as index_files
from veridical.answering.index import policy_index
from veridical.answering.index.files import Finding
from veridical.answering.index.place import cache_file
from veridical.answering.index.policy_index import PolicyIndex, RefreshReport
from veridical.errors import ConfigurationError, NoDocumentsError, StoreError
from veridical.retrieval.corpus import Corpus
from veridical.retrieval.hybrid import HybridRetriever
from veridical.sources import loader
from veridical.sources.document import Document
from veridical.sources.loader import SourceEntry, load_documents
from veridical.store.rows import structure_of
from veridical.store.store import Store

POLICIES = Path(__file__).parents[2] / "examples/policies"

LEAVE = "# Leave\n\nStaff have 25 days of leave a year.\n"
TRAVEL = "# Travel\n\nMeals are paid up to 42 euros a day.\n"
NONE = Document("", "")
LONG_AGO_NS = 1_700_000_000_000_000_000


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two policies, written long ago."""
    folder = tmp_path / "policies"
    folder.mkdir()
    write(folder / "leave.md", LEAVE)
    write(folder / "travel.md", TRAVEL)
    return folder


@pytest.fixture(scope="module")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with our tables: a copy of it is made faster than they are."""
    path = tmp_path_factory.mktemp("index") / "empty.db"
    Store.open(path).close()
    return path


@pytest.fixture
def indexed(folder: Path, empty_database: Path) -> Path:
    """The same folder, with an index of it in the cache."""
    kept = cache_file([str(folder)])
    assert kept is not None
    kept.parent.mkdir(parents=True)
    shutil.copy(empty_database, kept)
    assert counts(PolicyIndex.open([folder]).opened) == (2, 0, 0, 0, 0)
    return folder


def write(path: Path, text: str, modified_ns: int = LONG_AGO_NS) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    os.utime(path, ns=(modified_ns, modified_ns))


@pytest.fixture
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files count as written long ago at once."""
    monkeypatch.setattr(index_files, "_SETTLED_NS", 0)


def forbid_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    def read_file(*_: object) -> bytes:
        raise AssertionError("a file was read")

    monkeypatch.setattr(loader, "read_file", read_file)


def held(index: PolicyIndex) -> dict[str, str]:
    return {document.name: document.text for document in index.current().corpus.documents}


def as_plain(corpus: Corpus) -> list[tuple[object, ...]]:
    """All of a corpus, to compare: what documents are masked with has no equality of its own."""
    documents = [
        (d.name, d.text, d.format, d.size_bytes, structure_of(d)) for d in corpus.documents
    ]
    return [*documents, *(astuple(replace(chunk, document=NONE)) for chunk in corpus.chunks)]


def read_anew(*sources: Path) -> list[tuple[object, ...]]:
    return as_plain(Corpus(load_documents(sources).documents))


def counts(report: RefreshReport) -> tuple[int, int, int, int, int]:
    """Added, changed, removed, unchanged, failed."""
    return (report.added, report.changed, report.removed, report.unchanged, len(report.failures))


def test_what_is_kept_is_what_reading_anew_gives() -> None:
    """One document of each kind."""
    by_suffix = {path.suffix: path for path in sorted(POLICIES.rglob("*.*"))}
    assert by_suffix.keys() == {".md", ".txt", ".html", ".pdf"}
    sources = list(by_suffix.values())
    assert counts(PolicyIndex.open(sources).opened) == (4, 0, 0, 0, 0)
    kept = PolicyIndex.open(sources)
    fresh = Corpus(load_documents(sources).documents)
    assert counts(kept.opened) == (0, 0, 0, 4, 0)
    assert kept.count_chunks() == len(fresh.chunks)
    assert as_plain(kept.current().corpus) == as_plain(fresh)


def test_a_second_start_reads_no_file_that_looks_the_same(
    settled: None, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert counts(PolicyIndex.open([folder]).opened) == (2, 0, 0, 0, 0)
    forbid_reading(monkeypatch)
    again = PolicyIndex.open([folder])
    assert counts(again.opened) == (0, 0, 0, 2, 0)
    assert held(again) == {"leave.md": LEAVE, "travel.md": TRAVEL}


def test_a_change_that_keeps_size_and_time_of_modification_is_seen(
    settled: None, folder: Path
) -> None:
    index = PolicyIndex.open([folder])
    for days in ("26", "27"):
        changed = LEAVE.replace("25", days)
        write(folder / "leave.md", changed)
        again = index.refresh() if days == "26" else PolicyIndex.open([folder]).opened
        assert counts(again) == (0, 1, 0, 1, 0)
    assert held(PolicyIndex.open([folder])) == {"leave.md": changed, "travel.md": TRAVEL}


def _change(folder: Path) -> None:
    write(folder / "leave.md", LEAVE.replace("25", "28"), LONG_AGO_NS + 1)


def _remove(folder: Path) -> None:
    (folder / "leave.md").unlink()


def _swap(folder: Path) -> None:
    (folder / "leave.md").rename(folder / "x")
    (folder / "travel.md").rename(folder / "leave.md")
    (folder / "x").rename(folder / "travel.md")


CHANGES = [
    (lambda _: None, (0, 0, 0, 2, 0)),
    (_change, (0, 1, 0, 1, 0)),
    (lambda f: write(f / "leave.md", LEAVE, LONG_AGO_NS + 10**9), (0, 0, 0, 2, 0)),
    (lambda f: write(f / "deep/er/pets.txt", "Dogs are welcome on Fridays."), (1, 0, 0, 2, 0)),
    (_remove, (0, 0, 1, 1, 0)),
    (lambda f: (f / "leave.md").rename(f / "holidays.md"), (1, 0, 1, 1, 0)),
    (_swap, (0, 2, 0, 0, 0)),
    (lambda f: (f / "leave.md").write_bytes(b""), (0, 0, 0, 1, 1)),
]


@pytest.mark.parametrize(("change", "expected"), CHANGES)
def test_what_changed_between_two_starts(
    indexed: Path, change: Callable[[Path], object], expected: tuple[int, ...]
) -> None:
    change(indexed)
    for keep in (False, True):
        index = PolicyIndex.open([indexed], keep=keep)
        assert counts(index.opened) == expected
        assert as_plain(index.current().corpus) == read_anew(indexed)
    settled = PolicyIndex.open([indexed]).opened
    assert (settled.added, settled.changed, settled.removed) == (0, 0, 0)


OPERATIONS = st.lists(
    st.tuples(
        st.sampled_from(["write", "remove", "rename", "refresh", "reopen"]),
        st.sampled_from(["a.md", "b.txt", "sub/a.md", "c.html"]),
        st.sampled_from(["One is 1.", "Two is 2.", "<b>Three</b> is 3.", " "]),
    ),
    max_size=12,
)


@settings(max_examples=10)
@given(operations=OPERATIONS)
def test_it_holds_what_the_files_hold_whatever_happened(
    empty_database: Path, operations: list[tuple[str, str, str]]
) -> None:
    """Changes follow each other faster than any file system counts time, and keep sizes."""
    with tempfile.TemporaryDirectory() as place:
        folder, database = Path(place, "policies"), str(Path(place, "index.db"))
        folder.mkdir()
        shutil.copy(empty_database, database)
        index = PolicyIndex.open([folder], database=database)
        for what, name, text in [*operations, ("refresh", "", ""), ("reopen", "", "")]:
            path = folder / name
            if what == "write":
                path.parent.mkdir(exist_ok=True)
                path.write_text(text)
            elif what == "remove":
                path.unlink(missing_ok=True)
            elif what == "rename" and path.exists():
                path.rename(folder / f"new-{path.name}")
            elif what in ("refresh", "reopen"):
                if what == "reopen":
                    index = PolicyIndex.open([folder], database=database)
                report = index.opened if what == "reopen" else index.refresh()
                try:
                    loaded = load_documents([folder])
                except NoDocumentsError:
                    assert len(index) == 0
                    continue
                assert as_plain(index.current().corpus) == as_plain(Corpus(loaded.documents))
                assert report.failures == index.current().failures == loaded.failures
                assert report.added + report.changed + report.unchanged == len(index)


@pytest.mark.parametrize("moment", ["it is listed", "its files are compared", "they are read"])
def test_a_source_that_goes_while_it_is_looked_at_keeps_its_documents(
    folder: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    index = PolicyIndex.open([folder])
    write(folder / "leave.md", "# Leave\n\nOther words.\n")
    away = folder.with_name("away")

    def list_as_it_goes(sources: Sequence[str]) -> object:
        if moment == "it is listed":
            folder.rename(away)
        listing = index_files.list_files(sources)
        if moment == "its files are compared":
            folder.rename(away)
        return listing

    def look_as_it_goes(file: SourceEntry, *rest: Any) -> Finding:
        with suppress(FileNotFoundError):  # the other file was looked at first
            folder.rename(away)
        return index_files.look_at(file, *rest)

    monkeypatch.setattr(policy_index, "list_files", list_as_it_goes)
    monkeypatch.setattr(policy_index, "look_at", look_as_it_goes)
    with pytest.raises(NoDocumentsError, match="there is no such file or folder"):
        index.refresh()
    assert held(index) == {"leave.md": LEAVE, "travel.md": TRAVEL}
    monkeypatch.undo()
    away.rename(folder)
    assert counts(index.refresh()) == (0, 1, 0, 1, 0)


@pytest.mark.parametrize(
    ("sources", "error", "message"),
    [
        (["nowhere"], NoDocumentsError, "nowhere: there is no such file or folder"),
        (["no\0where"], NoDocumentsError, "there is no such file or folder"),
        (["-"], ConfigurationError, "standard input"),
        ([], NoDocumentsError, "No documents were named"),
    ],
)
def test_sources_that_cannot_be_used(
    sources: list[str], error: type[Exception], message: str, cache: Path
) -> None:
    with pytest.raises(error, match=message):
        PolicyIndex.open(sources)
    assert not cache.exists()


# Where it is kept.


def files_below(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_cache_is_the_users_own_and_the_folder_stays_as_it_is(
    folder: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = files_below(folder)
    index = PolicyIndex.open([folder])
    (kept,) = cache.rglob("*.db")
    assert kept == cache_file([str(folder)])
    assert index.place == str(kept)
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert stat.S_IMODE(kept.parent.stat().st_mode) == 0o700
    assert files_below(folder) == before
    monkeypatch.chdir(folder)
    assert counts(PolicyIndex.open(["."]).opened) == (0, 0, 0, 2, 0)
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", str(folder.parent / "home"))
    assert cache_file(["."]) == folder.parent / "home/.cache/veridical" / kept.name


def test_without_keeping_nothing_is_written(folder: Path, cache: Path) -> None:
    index = PolicyIndex.open([folder], keep=False)
    assert held(index) == {"leave.md": LEAVE, "travel.md": TRAVEL}
    assert index.place is None
    assert not cache.exists()
    PolicyIndex.open([folder])
    before = files_below(cache)
    _change(folder)
    assert counts(PolicyIndex.open([folder], keep=False).opened) == (0, 1, 0, 1, 0)
    assert files_below(cache) == before


def _others(kept: Path) -> None:
    kept.unlink()
    _execute(kept, "CREATE TABLE theirs (a)")


def _execute(kept: Path, statement: str) -> None:
    with closing(sqlite3.connect(kept)) as connection:
        connection.execute(statement)
        connection.commit()


@pytest.mark.parametrize(
    "harm",
    [
        lambda kept: kept.write_bytes(b"no database" * 1000),
        lambda kept: kept.write_bytes(kept.read_bytes()[: kept.stat().st_size // 2]),
        _others,
        lambda kept: _execute(kept, "UPDATE veridical_schema SET version_num = '9999'"),
        lambda kept: _execute(kept, "DROP TABLE indexed_files"),
    ],
)
def test_a_file_of_the_cache_that_cannot_be_used_is_made_anew(
    indexed: Path, harm: Callable[[Path], object]
) -> None:
    kept = cache_file([str(indexed)])
    assert kept is not None
    harm(kept)
    only_read = PolicyIndex.open([indexed], keep=False)
    (warning,) = only_read.opened.warnings
    assert "without an index" in warning
    assert held(only_read) == {"leave.md": LEAVE, "travel.md": TRAVEL}
    index = PolicyIndex.open([indexed])
    (warning,) = index.opened.warnings
    assert "made anew" in warning
    assert counts(index.opened) == (2, 0, 0, 0, 0)
    assert held(index) == {"leave.md": LEAVE, "travel.md": TRAVEL}
    again = PolicyIndex.open([indexed]).opened
    assert (counts(again), again.warnings) == ((0, 0, 0, 2, 0), ())


@pytest.mark.parametrize(
    "harm",
    [
        "UPDATE documents SET text = replace(text, '25', '52')",
        "UPDATE documents SET structure = '{}' WHERE filename = 'leave.md'",
        "UPDATE documents SET structure = '[' WHERE filename = 'leave.md'",
        "UPDATE documents SET format = 'scroll' WHERE filename = 'leave.md'",
        "UPDATE document_chunks SET end_offset = end_offset - 1",
        "UPDATE document_chunks SET start_offset = 1e300",
        "DELETE FROM document_chunks",
    ],
)
def test_a_document_that_is_not_as_it_was_kept_is_read_again(
    settled: None, indexed: Path, harm: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = cache_file([str(indexed)])
    assert kept is not None
    _execute(kept, harm)
    for _ in range(2):
        assert as_plain(PolicyIndex.open([indexed]).current().corpus) == read_anew(indexed)
    forbid_reading(monkeypatch)
    assert held(PolicyIndex.open([indexed]))["leave.md"] == LEAVE


def test_a_cache_that_cannot_be_written_does_not_stop_it(folder: Path, cache: Path) -> None:
    cache.write_text("a file where a folder should be")
    index = PolicyIndex.open([folder])
    (warning,) = index.opened.warnings
    assert "without an index that is kept" in warning
    assert index.place is None
    assert held(index) == {"leave.md": LEAVE, "travel.md": TRAVEL}


def test_a_database_that_is_named_is_never_thrown_away(folder: Path, tmp_path: Path) -> None:
    database = tmp_path / "ledgers.db"
    database.write_bytes(b"no database" * 1000)
    before = database.read_bytes()
    with pytest.raises(StoreError, match="not an SQLite database"):
        PolicyIndex.open([folder], database=str(database))
    assert database.read_bytes() == before


def test_an_index_is_used_without_its_files(folder: Path, tmp_path: Path, cache: Path) -> None:
    database = str(tmp_path / "index.db")
    made = PolicyIndex.open([folder], database=database)
    used = PolicyIndex.open([], database=database)
    assert counts(used.opened) == (0, 0, 0, 2, 0)
    assert as_plain(used.current().corpus) == as_plain(made.current().corpus)
    (folder / "leave.md").write_bytes(b"\0")
    (folder / "travel.md").unlink()
    assert counts(used.refresh()) == (0, 0, 0, 2, 0)
    assert used.current().version == 1
    _change(folder)
    made.refresh()
    assert counts(used.refresh()) == (0, 1, 1, 0, 0)
    assert held(used) == {"leave.md": LEAVE.replace("25", "28")}
    assert not cache.exists()
    _execute(Path(database), "DELETE FROM document_chunks")
    (failure,) = PolicyIndex.open([], database=database).current().failures
    assert "leave.md: its document in the database was changed" in failure.message


def test_who_only_reads_leaves_the_tables_of_an_older_version_as_they_are(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, kept = str(tmp_path / "ledgers.db"), cache_file([str(folder)])
    assert kept is not None
    for named in (url, None):
        PolicyIndex.open([folder], database=named)
    become_later(monkeypatch)
    before = Path(url).read_bytes(), kept.read_bytes()
    for sources in ([folder], []):
        with pytest.raises(StoreError, match=r"older version .* veridical db upgrade"):
            PolicyIndex.open(sources, database=url, keep=False)
    (warning,) = PolicyIndex.open([folder], keep=False).opened.warnings
    assert "older version" in warning
    assert (Path(url).read_bytes(), kept.read_bytes()) == before
    for named in (url, None):
        assert counts(PolicyIndex.open([folder], database=named).opened) == (0, 0, 0, 2, 0)


def test_a_database_without_sources_must_hold_one_index(folder: Path, tmp_path: Path) -> None:
    database = str(tmp_path / "index.db")
    with pytest.raises(StoreError, match="There is no database"):
        PolicyIndex.open([], database=database)
    PolicyIndex.open([folder / "leave.md"], database=database)
    PolicyIndex.open([folder], database=database)
    with pytest.raises(ConfigurationError, match=r"holds 2 indexes: .*Name the documents"):
        PolicyIndex.open([], database=database)
    assert len(PolicyIndex.open([folder], database=database, keep=False)) == 2
    _execute(Path(database), "DELETE FROM indexes")
    with pytest.raises(ConfigurationError, match="holds no index"):
        PolicyIndex.open([], database=database)


def test_on_postgresql(folder: Path) -> None:
    try:
        with (
            postgres_server() as server,
            new_database(server, f"veridical_{uuid4().hex[:12]}") as database,
        ):
            PolicyIndex.open([folder], database=database)
            _change(folder)
            index = PolicyIndex.open([folder], database=database)
            assert counts(index.opened) == (0, 1, 0, 1, 0)
            assert held(index) == {"leave.md": LEAVE.replace("25", "28"), "travel.md": TRAVEL}
            _remove(folder)
            assert counts(index.refresh()) == (0, 0, 1, 1, 0)
            assert held(PolicyIndex.open([], database=database)) == {"travel.md": TRAVEL}
    except ServerMissing as missing:
        if os.environ.get("CI") or os.environ.get("REQUIRE_POSTGRES"):
            pytest.fail(str(missing))
        pytest.skip(str(missing))


# Several at once.


def many(folder: Path, number: int) -> None:
    for n in range(number):
        write(folder / f"policy-{n:03}.md", f"# Policy {n}\n\nRule {n} has {n + 2} days.\n")


KILLED = """
import os, signal, sys
from veridical.answering.index.policy_index import PolicyIndex
kill = lambda done, total: done < total and os.kill(os.getpid(), signal.SIGKILL)
PolicyIndex.open(sys.argv[1:], on_progress=kill)
"""
INDEXED = """
import sys
from veridical.answering.index.policy_index import PolicyIndex
index = PolicyIndex.open(sys.argv[1:])
assert not index.opened.warnings
print(len(index))
"""


def process(program: str, folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", program, str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_a_run_that_was_killed_is_completed_by_the_next(tmp_path: Path) -> None:
    folder = tmp_path / "many"
    many(folder, 70)
    killed = process(KILLED, folder)
    killed.communicate(timeout=60)
    assert killed.returncode == -signal.SIGKILL
    index = PolicyIndex.open([folder])
    assert counts(index.opened) == (6, 0, 0, 64, 0)
    assert as_plain(index.current().corpus) == read_anew(folder)


def test_two_processes_at_once(tmp_path: Path) -> None:
    folder = tmp_path / "many"
    many(folder, 70)
    both = [process(INDEXED, folder) for _ in range(2)]
    for one in both:
        output, errors = one.communicate(timeout=60)
        assert (output, errors, one.returncode) == ("70\n", "", 0)
    index = PolicyIndex.open([folder])
    assert counts(index.opened) == (0, 0, 0, 70, 0)
    assert as_plain(index.current().corpus) == read_anew(folder)


@pytest.mark.no_cover
def test_readers_go_on_while_it_is_refreshed(folder: Path) -> None:
    index = PolicyIndex.open([folder])
    assert index.current().version == 1
    is_over = Event()

    def read() -> list[int]:
        versions = []
        while not is_over.is_set() or not versions:
            snapshot = index.current()
            versions.append(snapshot.version)
            corpus = snapshot.corpus
            (hits,) = HybridRetriever(corpus).search(["how many days of leave"])
            assert hits[0].chunk.document in corpus.documents
            assert "days of leave" in hits[0].chunk.text
        return versions

    with ThreadPoolExecutor(8) as readers:
        reading = [readers.submit(read) for _ in range(8)]
        try:
            for round_ in range(5):
                text = LEAVE.replace("25", str(30 + round_))
                write(folder / "leave.md", text, LONG_AGO_NS + 1 + round_)
                many(folder / "more", round_)
                index.refresh()
        finally:
            is_over.set()
        seen = [one.result(timeout=60) for one in reading]
    assert all(versions == sorted(versions) for versions in seen)
    assert index.current().version == 6
    assert as_plain(index.current().corpus) == read_anew(folder)
