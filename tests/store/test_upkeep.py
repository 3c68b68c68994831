"""Databases of an older version, checks, and copies that are made while others write."""

from __future__ import annotations

import shlex
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.store.later import become_later
from tests.store.postgres import new_database, server_binaries
from tests.store.processes import running, wait_for
from tests.store.samples import sample_ledger
from tests.store.shelves import Filled, filled

from veridical.errors import ConfigurationError, OutputError, StoreError
from veridical.store import schema
from veridical.store.store import Store
from veridical.store.tables import metadata
from veridical.store.upkeep import backup, check, restore, upgrade

# --- older versions -------------------------------------------------------------------------------


def test_an_older_database_keeps_its_rows(
    store: Store, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    of = filled(store, "a")
    ledger, documents = store.load(of.ledger.id, "a"), store.shelf("a").documents.page()
    become_later(monkeypatch)
    with pytest.raises(StoreError, match=r"older version .* veridical db upgrade --database"):
        Store.open(url, create=False)
    (problem,) = check(url).problems
    assert "veridical db upgrade" in problem
    before = upgrade(url).before
    assert (before, schema.HEAD) == (schema.VERSIONS[-2], upgrade(url).before)
    with Store.open(url) as anew:
        assert anew.load(ledger.id, "a") == ledger
        assert anew.shelf("a").documents.page() == documents
        assert [one.id for one in anew.shelf("a").inquiries.page().items] == [of.inquiry.id]


# --- checks ---------------------------------------------------------------------------------------


def test_a_sound_database(store: Store, url: str) -> None:
    filled(store, "a")
    health = check(url)
    assert (health.version, health.problems) == (schema.HEAD, ())
    counts = dict(health.counts)
    assert set(counts) == set(metadata.tables)
    assert (counts["inquiries"], counts["jobs"], counts["entry_reviews"]) == (1, 4, 1)


def test_damage_is_told(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with Store.open(path) as store:
        filled(store, "a")
    sound = path.read_bytes()
    size = 4096
    for first in (1, 5, 30):
        damaged = bytearray(sound)
        for page in range(first, len(sound) // size, 3):
            damaged[page * size : page * size + 200] = bytes(range(200))
        path.write_bytes(damaged)
        assert check(path).problems
    path.write_bytes(sound)
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.execute("DELETE FROM uploads")
    assert any("upload_contents belongs to one of uploads" in one for one in check(path).problems)


def test_what_is_no_database_of_ours_is_not_checked(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    with pytest.raises(StoreError, match="There is no database"):
        check(path)
    path.write_bytes(b"PNG" * 999)
    with pytest.raises(StoreError, match="is not an SQLite database"):
        check(path)


# --- copies ---------------------------------------------------------------------------------------

WRITE = """
import sys
from tests.store.samples import sample_ledger
from veridical.store.store import Store
with Store.open(sys.argv[1]) as store:
    for number in range(10_000):
        store.save(sample_ledger(20, str(number)))
        if number == 3:
            print("writing", flush=True)
"""


def files_of(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_a_copy_that_is_made_while_another_process_writes(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    Store.open(path).close()
    with running(WRITE, str(path)) as process:
        wait_for(process, "writing")
        for number in range(3):
            copy = tmp_path / f"copy{number}.db"
            assert backup(path, copy) == copy.stat().st_size
        assert process.poll() is None
    held = []
    for number in range(3):
        copy = tmp_path / f"copy{number}.db"
        assert check(copy).problems == ()
        with Store.open(copy, create=False) as store:
            ledgers = store.list(limit=1_000)
            held.append(len(ledgers))
            for one in ledgers:
                assert store.load_record(one.ledger_id).is_as_saved
    assert held[0] >= 4
    assert held == sorted(held)
    assert not [name for name in files_of(tmp_path) if name.startswith(".")]


def test_a_copy_is_put_back(tmp_path: Path) -> None:
    path, copy, other = (tmp_path / name for name in ("store.db", "copy.db", "other.db"))
    with Store.open(path) as store:
        of = filled(store, "a")
        backup(path, copy)
        assert copy.stat().st_mode & 0o077 == 0
        store.shelf("a").inquiries.delete(of.inquiry.id)
    with pytest.raises(StoreError, match=r"holds \d+ rows, which would be lost"):
        restore(path, copy)
    assert restore(path, copy, replace=True) == schema.HEAD
    assert restore(other, copy) == schema.HEAD
    for place in (path, other):
        assert_holds(str(place), of)


def assert_holds(url: str, of: Filled) -> None:
    with Store.open(url, create=False) as store:
        shelf = store.shelf("a")
        assert shelf.inquiries.get(of.inquiry.id) == of.inquiry
        assert store.load(of.ledger.id, "a") == of.ledger
        assert shelf.reviews.of_session(of.inquiry.id) == (of.review,)
        assert shelf.documents.upload_content(of.upload.id)
        assert len(shelf.documents.contents()) == 1
        assert shelf.exports.content(of.export.id) == b"{}"


@pytest.mark.parametrize("replace", [False, True])
def test_a_database_that_lost_its_version_is_not_taken_for_empty(
    tmp_path: Path, replace: bool
) -> None:
    path, copy = tmp_path / "store.db", tmp_path / "copy.db"
    with Store.open(copy) as store:
        store.save(sample_ledger())
    with Store.open(path) as store:
        filled(store, "a")
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.execute("DELETE FROM veridical_schema")
    before = path.read_bytes()
    for look in (lambda: restore(path, copy, replace=replace), lambda: check(path)):
        with pytest.raises(StoreError, match="is damaged: it holds tables of Veridical"):
            look()
    assert path.read_bytes() == before


def test_a_store_that_is_open_sees_what_was_put_back(tmp_path: Path) -> None:
    path, copy = tmp_path / "store.db", tmp_path / "copy.db"
    with Store.open(path) as store:
        store.save(sample_ledger())
        backup(path, copy)
        store.save(sample_ledger(1, "later"))
        restore(path, copy, replace=True)
        assert len(store.list()) == 1
        store.save(sample_ledger(1, "later"))
    assert check(path).problems == ()


def test_a_copy_takes_the_place_of_nothing(tmp_path: Path) -> None:
    path, copy = tmp_path / "store.db", tmp_path / "copy.db"
    Store.open(path).close()
    copy.write_text("mine")
    with pytest.raises(OutputError, match=r"copy\.db: it is there already"):
        backup(path, copy)
    assert copy.read_text() == "mine"
    backup(path, copy, replace=True)
    assert check(copy).problems == ()
    for own in (path, tmp_path / "store.db-wal"):
        with pytest.raises(OutputError, match="the database itself"):
            backup(path, own, replace=True)
    with pytest.raises(OutputError, match="cannot write"):
        backup(path, tmp_path / "none" / "copy.db")
    with pytest.raises(StoreError, match="There is no database"):
        backup(tmp_path / "none.db", tmp_path / "copy2.db")
    assert files_of(tmp_path) == {"store.db", "copy.db"}


def test_what_is_no_sound_copy_is_not_put_back(tmp_path: Path) -> None:
    path, copy = tmp_path / "store.db", tmp_path / "copy.db"
    with Store.open(path) as store:
        filled(store, "a")
    before = path.read_bytes()
    with pytest.raises(StoreError, match="There is no file"):
        restore(path, copy, replace=True)
    with pytest.raises(StoreError, match="is the database itself"):
        restore(path, path, replace=True)
    for wrong in (b"", b"PNG" * 999, before[: len(before) // 2]):
        copy.write_bytes(wrong)
        with pytest.raises(StoreError, match=r"is empty|not an SQLite|damaged"):
            restore(path, copy, replace=True)
    with closing(sqlite3.connect(tmp_path / "theirs.db")) as raw, raw:
        raw.execute("CREATE TABLE theirs (x)")
    with pytest.raises(StoreError, match="another program"):
        restore(path, tmp_path / "theirs.db", replace=True)
    with pytest.raises(StoreError, match="another program"):
        restore(tmp_path / "theirs.db", path, replace=True)
    assert path.read_bytes() == before


@pytest.fixture
def second_postgres(server: str) -> Iterator[str]:
    with new_database(server, "veridical_restored") as url:
        yield url


def test_postgresql_is_copied_by_its_own_programs(
    postgres_store: Store, second_postgres: str, tmp_path: Path
) -> None:
    of = filled(postgres_store, "a")
    dump = tmp_path / "veridical.dump"
    url = postgres_store._database._url.render_as_string(hide_password=False)
    for copied, line in (
        (lambda: backup(url, dump), r"pg_dump --format=custom --file=\S+ .postgresql:"),
        (lambda: restore(second_postgres, dump), r"pg_restore --clean .*--dbname=.postgresql:"),
    ):
        with pytest.raises(ConfigurationError, match=line) as raised:
            copied()
        # As it is told: the server of the tests is not the one that these programs ask by default.
        run(*shlex.split(str(raised.value).partition("Run: ")[2]))
    assert_holds(second_postgres, of)
    assert check(second_postgres).problems == ()


def run(program: str, *arguments: str) -> None:
    subprocess.run([str(server_binaries() / program), *arguments], check=True, timeout=60)


def test_a_lock_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    """As that of another user."""
    for name in ("copy.db", "store.db"):
        Store.open(tmp_path / name).close()
    (tmp_path / "store.db.lock").mkdir()
    with pytest.raises(StoreError, match=r"store\.db\.lock cannot be read \(Is a directory\)"):
        restore(tmp_path / "store.db", tmp_path / "copy.db")
