"""The other commands, the help of all of them, and the module of the specification."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.harness import POLICY, complaint, invoke, run

import veridical
from veridical import ValidationConfig


def test_the_version() -> None:
    done = run("--version")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode() == f"veridical {veridical.__version__}\n"


def test_the_example_configuration_holds_the_defaults() -> None:
    path = Path(__file__).parents[2] / "examples/config.json"
    assert ValidationConfig.from_mapping(json.loads(path.read_text("utf-8"))) == ValidationConfig()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["vaildate"], "No such command 'vaildate'"),
        (["validate", "a.md", "--claims", "c.json", "--colour"], "No such option"),
    ],
)
def test_a_wrong_command_line(arguments: list[str], message: str) -> None:
    done = invoke(*arguments)
    assert done.exit_code == 2
    assert message in done.stderr
    assert done.stdout == ""


def test_no_arguments_show_the_help() -> None:
    done = invoke()
    assert done.exit_code == 2
    assert "Commands:" in done.output


# --- `python -m evidence_validator`, as the specification has it ----------------------------------


MODULE = "evidence_validator"


def arguments(**changes: str) -> list[str]:
    options = {"source": "policy.md", "evidence": "claims.json", "output": "result.json", **changes}
    return [part for name, value in options.items() for part in (f"--{name}", value)]


def test_config_and_verbose(folder: Path) -> None:
    Path("c.json").write_text('{"fuzzy_matching": {"enabled": false}}', encoding="utf-8")
    done = run(*arguments(config="c.json"), "--verbose", module=MODULE)
    assert (done.returncode, done.stdout) == (0, b"")
    assert "1 of 1 validated" in done.stderr.decode()
    assert json.loads(Path("result.json").read_text("utf-8"))["ok"] is True


def test_the_document_may_come_from_standard_input(folder: Path) -> None:
    done = run(*arguments(source="-"), module=MODULE, stdin=POLICY.encode())
    assert done.returncode == 0
    assert json.loads(Path("result.json").read_text("utf-8"))["documents"][0]["name"] == "stdin"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"source": "gone.md"}, "gone.md: no such file. Check the path."),
        ({"output": "claims.json"}, "cannot write claims.json: it is an input of this run"),
        ({"source": "-", "evidence": "-"}, "standard input (-) can be read for one thing only"),
    ],
)
def test_what_cannot_be_run(folder: Path, changes: dict[str, str], message: str) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    done = run(*arguments(**changes), module=MODULE)
    assert (done.returncode, done.stdout) == (2, b"")
    assert message in complaint(done.stderr)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
