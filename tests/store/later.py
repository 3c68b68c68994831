"""Versions of Veridical that are one step of the tables ahead of this one, or behind."""

from __future__ import annotations

import pytest
from sqlalchemy import Connection

from veridical.store import schema


def _to_0006(connection: Connection) -> None:
    connection.exec_driver_sql("CREATE TABLE later (id INTEGER PRIMARY KEY)")


def become_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on in this test, all databases that were made before are of an older version."""
    monkeypatch.setattr(schema, "STEPS", {**schema.STEPS, "0006": _to_0006})
    monkeypatch.setattr(schema, "VERSIONS", (*schema.VERSIONS, "0006"))
    monkeypatch.setattr(schema, "HEAD", "0006")


def become_0003(connection: Connection) -> None:
    """Have the tables of a database as the first version that was released had them."""
    for change in (
        "DROP TABLE recordings",
        "DROP TABLE rubrics",
        "DROP INDEX idx_inquiries_earlier",
        "ALTER TABLE inquiries DROP COLUMN earlier_id",
        "DROP TABLE job_steps",
        "ALTER TABLE jobs DROP COLUMN beat",
        "ALTER TABLE jobs DROP COLUMN worker",
        "UPDATE veridical_schema SET version_num = '0003'",
    ):
        connection.exec_driver_sql(change)
