"""A place with a service for the tests of a file, and a client with a workspace of its own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from uuid import uuid4

import pytest
from fastapi.testclient import TestClient
from tests.service.visiting import Place, a_place
from tests.service.working import in_new_workspace
from tests.store.conftest import empty_postgres, postgres_template, server
from tests.store.postgres import new_database

__all__ = ["empty_postgres", "postgres_template", "server"]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A file whose `ON_BOTH` is true has its place on SQLite and on PostgreSQL."""
    if "place" in metafunc.fixturenames and getattr(metafunc.module, "ON_BOTH", False):
        metafunc.parametrize("place", ["sqlite", "postgresql"], indirect=True, scope="module")


@pytest.fixture(scope="module")
def place(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Place]:
    """With the settings of the file's `PLACE`, where it has that."""
    given = getattr(request.module, "PLACE", {})
    with ExitStack() as stack:
        if getattr(request, "param", "sqlite") == "postgresql":
            server, template = map(request.getfixturevalue, ("server", "postgres_template"))
            url = new_database(server, f"veridical_{uuid4().hex[:12]}", template)
            given = {**given, "database": stack.enter_context(url)}
        yield stack.enter_context(a_place(tmp_path_factory.mktemp("place"), **given))


@pytest.fixture
def client(place: Place) -> TestClient:
    return in_new_workspace(place)
