"""What others hold on to: names, schemas, a seal, and a database that this version has stored."""

from __future__ import annotations

import gzip
import inspect
import json
import os
import sqlite3
from enum import Enum
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests.outside.recorded import FOLDER, as_json, compare, normalised
from tests.outside.test_service import asked_for
from tests.service.visiting import Place
from tests.store.samples import sample_ledger

import evidence_validator
import veridical
from veridical import ledger_to_bytes
from veridical.cli.main import app
from veridical.service.app import create_app
from veridical.service.demo import load
from veridical.service.settings import ServiceSettings
from veridical.store.store import Store

STORED = FOLDER / "stored.db.gz"
"""The samples, as the first version of the tables that has to open for ever keeps them."""


@pytest.mark.parametrize("package", [veridical, evidence_validator])
def test_names(package: Any) -> None:
    """Each public name, with its signature and what else of it is public."""
    told = []
    for name in package.__all__:
        value = getattr(package, name)
        plain = inspect.isclass(value) and issubclass(value, Enum | Exception)
        signature = "" if plain or not callable(value) else str(inspect.signature(value))
        told.append(f"{name}{signature}".replace("veridical.", ""))
        if inspect.isclass(value):
            told += [f"    .{part}" for part in sorted(vars(value)) if not part.startswith("_")]
    compare(f"names-{package.__name__}.txt", normalised("\n".join(told) + "\n"))


def test_schemas() -> None:
    run = CliRunner().invoke
    names = run(app, ["schema", "nothing"]).stderr.strip().partition("there are ")[2].split(", ")
    schemas = {name: json.loads(run(app, ["schema", name]).stdout) for name in names}
    assert len(schemas) > 10
    compare("schemas.json", as_json(schemas))


def test_the_bytes_under_a_seal() -> None:
    """They are the same for ever: a ledger that was sealed once is intact, and seals alike."""
    sealed = FOLDER / "sealed.json"
    compare(sealed.name, ledger_to_bytes(sample_ledger()).decode())
    verified = CliRunner().invoke(
        app, ["ledger", "verify", str(sealed), "--documents", str(FOLDER)]
    )
    assert "Seal: intact" in verified.output


def test_a_stored_database_opens(tmp_path: Path) -> None:
    database = tmp_path / "stored.db"
    if os.environ.get("RECORD") and not STORED.exists():
        with Store.open(f"sqlite:///{database}") as store:
            load(store, "default")
        sqlite3.connect(database).execute("VACUUM").connection.close()
        STORED.write_bytes(gzip.compress(database.read_bytes(), mtime=0))
    database.write_bytes(gzip.decompress(STORED.read_bytes()))
    settings = ServiceSettings(database=f"sqlite:///{database}")
    with Store.open(settings.database) as store:
        place = Place(create_app(settings, store=store), store)
        kept = [path for path in place.app.openapi()["paths"] if path.startswith("/api/")]
        got = [p for p in kept if "get" in place.app.openapi()["paths"][p]]
        compare("stored.txt", normalised("\n".join(asked_for(place.client(), got))))
