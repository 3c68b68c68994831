"""What the pages carry with them is what was published, and says under which licence."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
VENDOR = ROOT / "src/veridical/service/static/vendor"
SCRIPT = (ROOT / "scripts/vendor.sh").read_text("utf-8")
LIST = (VENDOR / "VENDORED.md").read_text("utf-8")
OURS = {"VENDORED.md", "SHA256SUMS"}


def test_every_file_is_as_it_was_fetched() -> None:
    lines = (VENDOR / "SHA256SUMS").read_text("utf-8").splitlines()
    listed = {name: digest for digest, name in (line.split("  ", 1) for line in lines)}
    there = {
        path.relative_to(VENDOR).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in VENDOR.rglob("*")
        if path.is_file() and path.name not in OURS
    }
    assert there == listed


@pytest.mark.parametrize("folder", sorted(path.name for path in VENDOR.iterdir() if path.is_dir()))
def test_each_library_has_its_licence_and_its_line(folder: str) -> None:
    assert (VENDOR / folder / "LICENSE").stat().st_size > 300
    assert f"`{folder}/`" in LIST


def test_the_script_and_the_list_name_the_same_archives() -> None:
    fetched = re.findall(r"^fetch (\S+) (\S+) ([0-9a-f]{64})$", SCRIPT, re.MULTILINE)
    assert fetched
    for name, version, digest in fetched:
        assert f"`{name}`" in LIST
        assert f"| {version} |" in LIST
        assert f"`{digest}`" in LIST
