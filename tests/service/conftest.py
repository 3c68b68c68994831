"""A place with a service for the tests of a file, and a client with a workspace of its own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient
from tests.service.visiting import Place, a_place
from tests.service.working import in_new_workspace


@pytest.fixture(scope="module")
def place(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Place]:
    """With the settings of the file's `PLACE`, where it has that."""
    given = getattr(request.module, "PLACE", {})
    with a_place(tmp_path_factory.mktemp("place"), **given) as place:
        yield place


@pytest.fixture
def client(place: Place) -> TestClient:
    return in_new_workspace(place)
