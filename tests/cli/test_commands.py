"""The other commands, the help of all of them, and the module of the specification."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.harness import invoke, run

from veridical import ValidationConfig


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
