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
    """A ledger without a key, one with, and one of which a verdict was changed."""
    desk = set_up(tmp_path, monkeypatch)
    (desk / "key").write_text("sixteen bytes and more\n", "utf-8")
    (desk / "other").write_text("another key, as long\n", "utf-8")
    build("-o", "ledger.json")
    build("-o", "keyed.json", "--key-file", "key")
    sealed = (desk / "ledger.json").read_bytes()
    (desk / "changed.json").write_bytes(sealed.replace(b'"supported"', b'"weak"', 1))
    return desk


def test_an_intact_ledger_is_shown_without_a_word(desk: Path) -> None:
    shown = invoke("ledger", "show", "ledger.json")
    assert (shown.exit_code, shown.stderr) == (0, "")


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


def test_the_key_decides_what_can_be_said(desk: Path) -> None:
    unchecked = invoke("ledger", "show", "keyed.json")
    assert unchecked.exit_code == 0
    assert "Seal: not checked: it was sealed with a key, give --key-file" in unchecked.stderr
    checked = invoke("ledger", "show", "keyed.json", "--key-file", "key")
    assert (checked.exit_code, checked.stderr) == (0, "")
    for source, key in (("keyed.json", "other"), ("ledger.json", "key")):
        wrong = invoke("ledger", "show", source, "--key-file", key)
        assert (wrong.exit_code, "Seal: broken: " in wrong.stderr) == (1, True)


@pytest.mark.parametrize("form", FORMS)
def test_a_changed_ledger_is_not_handed_on(desk: Path, form: str) -> None:
    done = invoke("ledger", "export", "changed.json", "--format", form, "-o", "out")
    assert done.exit_code == 2
    told = complaint(done.stderr)
    assert "its seal is broken: " in told
    assert "veridical ledger verify" in told
    assert not (desk / "out").exists()


@pytest.mark.parametrize("form", FORMS)
def test_a_keyed_ledger_is_handed_on_with_its_key_only(desk: Path, form: str) -> None:
    export = ("ledger", "export", "keyed.json", "--format", form)
    without = invoke(*export)
    assert (without.exit_code, "give --key-file" in without.stderr) == (2, True)
    assert invoke(*export, "--key-file", "other").exit_code == 2
    assert invoke(*export, "--key-file", "key").exit_code == 0


@pytest.mark.parametrize(("source", "key"), [("ledger.json", ()), ("keyed.json", ("key",))])
def test_as_json_a_ledger_file_stays_as_it_is(
    desk: Path, source: str, key: tuple[str, ...]
) -> None:
    given = [part for name in key for part in ("--key-file", name)]
    done = invoke("ledger", "export", source, "-o", "same.json", *given)
    assert done.exit_code == 0, done.output
    assert (desk / "same.json").read_bytes() == (desk / source).read_bytes()


def test_a_ledger_that_anyone_could_have_made_is_not_sealed_with_the_key(desk: Path) -> None:
    done = invoke("ledger", "export", "ledger.json", "-o", "new.json", "--key-file", "key")
    assert done.exit_code == 2
    assert "it was sealed without a key" in done.stderr
    assert not (desk / "new.json").exists()


def test_verify_does_not_judge_a_keyed_seal_without_the_key(desk: Path) -> None:
    (desk / "ledger.json").write_bytes((desk / "keyed.json").read_bytes())
    done = verify("-o", "result.json")
    assert done.exit_code == 2
    assert complaint(done.stderr) == (
        "veridical: Seal: not checked: it was sealed with a key, give --key-file"
    )
    assert not (desk / "result.json").exists()
    assert verify("--key-file", "key").exit_code == 0
    assert verify("--key-file", "other").exit_code == 1


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
