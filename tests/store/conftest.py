"""Every test that asks for `url` or `store` runs on SQLite and on PostgreSQL."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from tests.store.postgres import ServerMissing, new_database, postgres_server

from veridical.store.store import Store
from veridical.store.tables import metadata


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The URL of a PostgreSQL server. Where there must be one, its absence is a failure."""
    try:
        with postgres_server() as url:
            yield url
    except ServerMissing as missing:
        if os.environ.get("CI") or os.environ.get("REQUIRE_POSTGRES"):
            pytest.fail(f"the tests of the store need PostgreSQL: {missing}")
        pytest.skip(str(missing))


@pytest.fixture(scope="session")
def postgres_template(server: str) -> Iterator[str]:
    """The name of a database with our tables: a copy of it is made faster than the tables are."""
    name = f"veridical_template_{uuid4().hex[:12]}"
    with new_database(server, name) as url:
        Store.open(url).close()
        yield name


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite file with our tables."""
    path = tmp_path_factory.mktemp("store") / "template.db"
    Store.open(path).close()
    return path


@pytest.fixture
def empty_postgres(server: str) -> Iterator[str]:
    """The URL of a PostgreSQL database without tables."""
    with new_database(server, f"veridical_{uuid4().hex[:12]}") as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of a database that has our tables and nothing in them."""
    if request.param == "sqlite":
        shutil.copy(request.getfixturevalue("sqlite_template"), tmp_path / "store.db")
        yield f"sqlite:///{tmp_path / 'store.db'}"
        return
    server, template = map(request.getfixturevalue, ("server", "postgres_template"))
    with new_database(server, f"veridical_{uuid4().hex[:12]}", template) as made:
        yield made


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a database without tables."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'empty.db'}"
    return str(request.getfixturevalue("empty_postgres"))


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """A store with nothing in it."""
    with Store.open(url) as opened:
        yield opened


@pytest.fixture(scope="session", params=["sqlite", "postgresql"])
def kept_store(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Store]:
    """A store that is not made anew for each test, which takes longer than most of them."""
    if request.param == "sqlite":
        path = tmp_path_factory.mktemp("kept") / "store.db"
        shutil.copy(request.getfixturevalue("sqlite_template"), path)
        with Store.open(path) as opened:
            yield opened
        return
    server, template = map(request.getfixturevalue, ("server", "postgres_template"))
    name = f"veridical_{uuid4().hex[:12]}"
    with new_database(server, name, template) as url, Store.open(url) as opened:
        yield opened


@pytest.fixture
def emptied(kept_store: Store) -> Iterator[Store]:
    """A store with nothing in it, for tests that leave the tables themselves alone."""
    yield kept_store
    with kept_store._database.engine.begin() as connection:
        for table in reversed(metadata.sorted_tables):
            connection.execute(table.delete())


@pytest.fixture
def postgres_store(server: str, postgres_template: str) -> Iterator[Store]:
    """A store on PostgreSQL, for what only a server does."""
    name = f"veridical_{uuid4().hex[:12]}"
    with new_database(server, name, postgres_template) as url, Store.open(url) as opened:
        yield opened
