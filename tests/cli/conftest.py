from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.cli.harness import FALSE, POLICY, TRUE, TWICE, write_claims


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder: a policy, a claim that holds, and claims of which some do not."""
    (tmp_path / "policy.md").write_text(POLICY, encoding="utf-8")
    write_claims(tmp_path / "claims.json", [TRUE])
    write_claims(tmp_path / "mixed.json", [TRUE, FALSE, TWICE])
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(autouse=True)
def plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings of the machine that the tests run on must not show."""
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "PYTHONIOENCODING", "PYTHONHASHSEED"):
        monkeypatch.delenv(name, raising=False)
    assert os.environ.get("PYTHONUTF8", "") in ("", "0", "1")
