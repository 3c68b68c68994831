"""The other commands, and the help of all of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.harness import invoke, run

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
        (["validate", "a.md"], "Missing option '--claims'"),
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
