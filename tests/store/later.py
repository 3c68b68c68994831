"""A version of Veridical that is one step of the tables ahead of this one."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from veridical.store import schema

STEP = """
from alembic import op

revision, down_revision, branch_labels, depends_on = "0005", "0004", None, None


def upgrade():
    op.execute("CREATE TABLE later (id INTEGER PRIMARY KEY)")


def downgrade():
    op.execute("DROP TABLE later")
"""


def become_later(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on in this test, all databases that were made before are of an older version."""
    steps = folder / "migrations"
    shutil.copytree(Path(schema.__file__).parent / "migrations", steps)
    (steps / "versions/v0005_later.py").write_text(STEP)
    monkeypatch.setattr(schema, "MIGRATIONS", str(steps))
    monkeypatch.setattr(schema, "VERSIONS", (*schema.VERSIONS, "0005"))
    monkeypatch.setattr(schema, "HEAD", "0005")
