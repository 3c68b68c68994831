"""A folder with documents and an answer that they bear out, and the commands on it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.cli.harness import invoke

POLICY = """# Leave

Full-time staff are entitled to 27 days of annual leave in each leave year.

Up to five days may be carried over into the next leave year.
"""
ANSWER = """Full-time staff are entitled to 27 days of annual leave in each leave year.
Up to five days may be carried over into the next leave year.
"""
VARIABLES = (
    *(f"VERIDICAL_{name}" for name in ("STORE", "MODEL", "BASE_URL", "API_KEY")),
    "SOURCE_DATE_EPOCH",
)


def set_up(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make `folder` the current one, with documents and an answer in it."""
    (folder / "docs").mkdir()
    (folder / "docs" / "leave.md").write_text(POLICY, "utf-8")
    (folder / "answer.md").write_text(ANSWER, "utf-8")
    monkeypatch.chdir(folder)
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    return folder


def build(
    *more: str | Path, answer: str | Path = "answer.md", documents: str | Path = "docs"
) -> Any:
    return invoke("ledger", "build", "--response", answer, "--documents", documents, *more)


def verify(*more: str | Path) -> Any:
    return invoke("ledger", "verify", "ledger.json", "--documents", "docs", *more)


def read(path: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return data


def contents(folder: Path) -> dict[Path, bytes]:
    """All files under a folder and what is in them."""
    return {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
