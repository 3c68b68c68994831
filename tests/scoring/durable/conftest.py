"""A model to ask, a file to keep runs in, and the PostgreSQL of the tests of the store."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.scoring.durable.runs import Asked
from tests.store.conftest import empty_postgres, server

__all__ = ["empty_postgres", "server"]


@pytest.fixture
def asked() -> Asked:
    return Asked()


@pytest.fixture
def file(tmp_path: Path) -> str:
    return str(tmp_path / "runs.sqlite")
