"""`veridical index`: what it prints, keeps and exits with."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import pytest
from tests.cli.harness import POLICY, complaint, invoke

run = partial(invoke, "index")
LONG_AGO = 1_700_000_000


@pytest.fixture
def policies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder: a policy, written long ago."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "policies"
    folder.mkdir()
    (folder / "leave.md").write_text(POLICY, encoding="utf-8")
    os.utime(folder / "leave.md", (LONG_AGO, LONG_AGO))
    monkeypatch.chdir(folder)
    return folder


def test_it_says_what_changed_and_where_it_is_kept(policies: Path) -> None:
    made = run(".")
    assert (made.exit_code, made.stderr) == (0, "")
    first, second, third = made.stdout.splitlines()
    assert first == "1 added, 0 changed, 0 removed, 0 unchanged, 0 not readable"
    assert second == "1 document, 3 chunks"
    kept = Path(third.removeprefix("Kept in: "))
    assert kept.parent == policies.parent / "cache/veridical"
    named = run(".", "--database", f"sqlite:///{policies.parent}/index.db")
    assert named.stdout.endswith(f"Kept in: {policies.parent}/index.db\n")
    (policies / "more.txt").write_text("Dogs are welcome on Fridays.")
    again = run(policies)
    assert again.stdout.splitlines() == [
        "1 added, 0 changed, 0 removed, 1 unchanged, 0 not readable",
        "2 documents, 4 chunks",
        third,
    ]


def test_files_that_cannot_be_read_are_told_line_by_line(policies: Path) -> None:
    (policies / "broken\x1b[31m.pdf").write_bytes(b"%PDF-1.7 and no more")
    result = run(".")
    assert result.exit_code == 1
    assert "1 added, 0 changed, 0 removed, 0 unchanged, 1 not readable" in result.stdout
    (warning,) = result.stderr.splitlines()
    assert warning.startswith("veridical: warning: broken")
    assert "\x1b" not in result.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere"], "nowhere: there is no such file or folder. Check the path."),
        (["-"], "standard input cannot be looked at again"),
        ([".", "--database", "mysql://x"], "Databases of the kind 'mysql' are not known"),
        ([".", "--database", "leave.md"], "is not an SQLite database"),
    ],
)
def test_what_cannot_be_run(policies: Path, arguments: list[str], message: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert message in complaint(result.stderr)
    assert result.stdout == ""
    assert (policies / "leave.md").read_text(encoding="utf-8") == POLICY
