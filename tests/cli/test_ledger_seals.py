"""The seal of a ledger file, wherever `veridical ledger` reads one."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.harness import complaint, invoke
from tests.cli.ledger_desk import build, read, set_up, verify

from veridical.cli.ledger_files import read_ledger_bytes
from veridical.ledger.canonical import MAX_FILE_BYTES

MEBIBYTE = 1024 * 1024
FORMS = ("json", "markdown", "html")


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A ledger, and one of which a verdict was changed."""
    desk = set_up(tmp_path, monkeypatch)
    build("-o", "ledger.json")
    sealed = (desk / "ledger.json").read_bytes()
    (desk / "changed.json").write_bytes(sealed.replace(b'"supported"', b'"weak"', 1))
    return desk


@pytest.mark.parametrize("more", [(), ("--claim", "1")])
def test_a_changed_ledger_is_shown_with_a_warning(desk: Path, more: tuple[str, ...]) -> None:
    shown = invoke("ledger", "show", "changed.json", *more)
    assert shown.exit_code == 1
    assert "Seal: broken: " in shown.stderr
    assert "entries[0]: it was changed" in shown.stderr
    assert "Full-time staff" in shown.stdout


def test_a_ledger_without_a_seal_is_none_to_rely_on(desk: Path) -> None:
    import json

    unsealed = read(desk / "ledger.json")
    del unsealed["seal"]
    (desk / "ledger.json").write_text(json.dumps(unsealed), "utf-8")
    shown = invoke("ledger", "show", "ledger.json")
    assert (shown.exit_code, "Seal: broken: " in shown.stderr) == (1, True)
    assert invoke("ledger", "export", "ledger.json").exit_code == 2


@pytest.mark.parametrize("form", FORMS)
def test_a_changed_ledger_is_not_handed_on(desk: Path, form: str) -> None:
    done = invoke("ledger", "export", "changed.json", "--format", form, "-o", "out")
    assert done.exit_code == 2
    told = complaint(done.stderr)
    assert "its seal is broken: " in told
    assert "veridical ledger verify" in told
    assert not (desk / "out").exists()


@pytest.mark.parametrize("head", ["abc", "", "0" * 63, "0" * 65, "g" * 64])
def test_what_is_no_head_is_a_wrong_option(desk: Path, head: str) -> None:
    done = verify("--head", head)
    assert done.exit_code == 2
    assert "--head" in complaint(done.stderr)


def test_a_head_may_be_noted_in_capitals(desk: Path) -> None:
    assert verify("--head", read(desk / "ledger.json")["seal"]["head"].upper()).exit_code == 0


def test_ledger_files_may_be_larger_than_other_input(desk: Path) -> None:
    large = desk / "large.json"
    with large.open("wb") as file:
        file.truncate(65 * MEBIBYTE)
    assert len(read_ledger_bytes("large.json")) == 65 * MEBIBYTE
    with large.open("r+b") as file:
        file.truncate(MAX_FILE_BYTES + 1)
    assert "larger than 256 MB" in complaint(invoke("ledger", "show", "large.json").stderr)
