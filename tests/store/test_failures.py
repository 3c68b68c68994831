"""What is wrong with a database is said, with what to do, and never with a password."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa
from tests.service.serving import keep_port
from tests.store.samples import sample_ledger, text_pair
from tests.store.shelves import texts

from veridical.errors import ConfigurationError, StoreError, StoreUnavailable
from veridical.store import engine
from veridical.store.store import Store
from veridical.store.tables import secrets


def test_what_is_no_database_is_told_and_left_alone(tmp_path: Path) -> None:
    path, png = tmp_path / "chart.png", b"\x89PNG\r\n\x1a\n" + b"\x00\x00\x00\rIHDR" * 200
    path.write_bytes(png)
    for url, told in (
        (path, r"chart\.png is not an SQLite database\. Give another"),
        (tmp_path / "none" / "store.db", "cannot be opened. Check that its folder exists"),
    ):
        with pytest.raises(StoreError, match=told):
            Store.open(url)
    assert path.read_bytes() == png


def test_a_database_that_may_only_be_read(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    Store.open(path).close()
    with (
        Store.open(f"sqlite:///file:{path}?mode=ro&uri=true") as store,
        pytest.raises(StoreError, match=r"cannot be written to. Check the permissions"),
    ):
        store.save(sample_ledger())


def test_a_locked_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "BUSY_SECONDS", 0.05)
    path = tmp_path / "store.db"
    with Store.open(path) as store:
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match=r"is locked by another program. Wait until"):
            store.save(sample_ledger())
        assert store.list() == ()
        other.execute("ROLLBACK")
        other.close()
        store.save(sample_ledger())


def test_a_locked_ledger_on_postgresql(
    postgres_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = postgres_store._database
    monkeypatch.setattr(database, "busy_seconds", 1)
    postgres_store.ingest([text_pair("a.txt", "Ten days.")])
    with database.engine.begin() as other:
        other.execute(sa.text("LOCK TABLE documents"))
        with pytest.raises(StoreError, match="is busy with another writer"):
            postgres_store.ingest([text_pair("a.txt", "Twelve days.")])
    assert texts(postgres_store) == {"a.txt": "Ten days."}


FULL = """
import resource, signal, sys
from tests.store.samples import sample_ledger
from veridical.errors import StoreError
from veridical.store.store import Store
with Store.open(sys.argv[1]) as store:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, resource.RLIM_INFINITY))
    try:
        store.save(sample_ledger(3_000))
    except StoreError as error:
        print(error)
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    assert store.list() == ()
    store.save(sample_ledger(3_000))
"""


def test_a_disk_that_takes_no_more(tmp_path: Path) -> None:
    """A limit on the size of files is what a test can have of a full disk."""
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(tmp_path / "store.db")],
        capture_output=True, text=True, timeout=60, check=True, cwd=Path(__file__).parents[2],
    )  # fmt: skip
    assert "store.db cannot" in done.stdout
    assert "disk" in done.stdout


def test_a_look_writes_leaves_nothing_and_tells_a_database_that_may_only_be_read(
    store: Store,
) -> None:
    store.ping()
    with store._database.reading() as connection:
        kept = connection.execute(sa.select(sa.func.count()).select_from(secrets)).scalar()
    assert kept == 0
    read_only = (
        "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY"
        if store._database.is_postgresql
        else "PRAGMA query_only = ON"
    )
    store._database.engine.dispose()
    sa.event.listen(
        store._database.engine,
        "connect",
        lambda connection, _: (connection.execute(read_only), connection.commit()),
    )
    with pytest.raises(StoreUnavailable, match=r"read-only|cannot be written to"):
        store.ping()


def test_a_server_that_is_not_there_is_told_without_the_password() -> None:
    for given, more in (("ann:s3cret@", ""), ("ann@", "?password=s3cret")):
        with (
            keep_port(0) as kept,
            pytest.raises(StoreUnavailable, match=r"reached\. Check that the") as raised,
        ):
            Store.open(f"postgresql://{given}127.0.0.1:{kept.getsockname()[1]}/ledgers{more}")
        assert "ann@127.0.0.1" in str(raised.value)
        assert "s3cret" not in str(raised.value)


def test_a_database_that_is_not_there_does_not_come_by_waiting(server: str) -> None:
    url = sa.make_url(server).set(database="no_such_database").render_as_string(False)
    with pytest.raises(StoreError, match=r"does not exist. Create it with createdb") as raised:
        Store.open(url)
    assert not isinstance(raised.value, StoreUnavailable)


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://ann:s3cret@host:port/db",
        "mysql://ann:s3cret@host/db",
        "postgresql+psycopg2://ann:s3cret@host/db",
        "://ann:s3cret@host",
    ],
)
def test_a_url_that_leads_nowhere(url: str) -> None:
    with pytest.raises(ConfigurationError) as raised:
        Store.open(url)
    assert "postgresql://" in str(raised.value)
    assert "s3cret" not in str(raised.value)
    assert raised.value.__cause__ is None


def test_no_database_at_all() -> None:
    with pytest.raises(ConfigurationError, match="No database was given"):
        Store.open("")


MISSING = """
import sys
sys.modules["psycopg"] = None
from veridical.errors import MissingExtraError
from veridical.store.store import Store
try:
    Store.open("postgresql://ann@127.0.0.1/db")
except MissingExtraError as error:
    print(error)
"""


def test_a_driver_that_is_not_installed() -> None:
    done = subprocess.run(
        [sys.executable, "-c", MISSING], capture_output=True, text=True, timeout=60, check=True
    )
    assert "pip install 'veridical[postgres]'" in done.stdout


def test_words_are_not_told(postgres_store: Store) -> None:
    """PostgreSQL quotes the row that broke a rule; no message of ours does."""
    entry = replace(sample_ledger(1, notes="a secret").entries[0], confidence_score=7.5)
    with pytest.raises(StoreError) as raised:
        postgres_store.save(replace(sample_ledger(1), entries=(entry,)))
    assert "secret" not in str(raised.value)
