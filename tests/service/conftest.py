"""A place with a service for the tests of a file, and a client with a workspace of its own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient
from tests.service.visiting import Place, a_place
from tests.service.working import in_new_workspace


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with a_place(tmp_path_factory.mktemp("place")) as place:
        yield place


@pytest.fixture
def client(place: Place) -> TestClient:
    return in_new_workspace(place)
