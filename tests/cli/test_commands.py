"""The other commands, and the help of all of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.harness import complaint, invoke, run

import veridical
from veridical import ValidationConfig
from veridical.validation.schemas import load_schema

OPTIONS = {
    "validate": {
        *("--claims", "--output", "--config", "--format", "--strict", "--fail-under"),
        *("--verbose", "--help", "SOURCE"),
    },
    "quote": {"--type", "--section", "--hint", "--config", "--verbose", "--help", "TEXT", "SOURCE"},
    "config": {"--help"},
    "schema": {"--help", "NAME"},
}


def test_the_version() -> None:
    done = run("--version")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode() == f"veridical {veridical.__version__}\n"


def test_help_lists_the_commands() -> None:
    shown = invoke("--help").stdout
    assert all(f"\n  {command} " in shown for command in OPTIONS)


@pytest.mark.parametrize("command", OPTIONS)
def test_help_of_a_command_explains_every_option(command: str) -> None:
    done = invoke(command, "--help")
    assert done.exit_code == 0
    words = set(done.stdout.replace("{", " ").replace("}", " ").split())
    assert words >= OPTIONS[command]
    assert {word for word in words if word.startswith("--")} <= OPTIONS[command] | {"--config."}


def test_help_states_the_exit_codes() -> None:
    for command in ("validate", "quote"):
        assert "Exit code 0" in invoke(command, "--help").stdout
    shown = run("--help", module="evidence_validator").stdout.decode()
    assert "python -m evidence_validator" in shown
    assert all(f"--{name}" in shown for name in ("source", "evidence", "output", "config"))
    assert "Exit code 0" in shown


def test_config_prints_all_defaults_in_a_form_that_is_read_again(tmp_path: Path) -> None:
    printed = invoke("config").stdout
    settings = json.loads(printed)
    assert settings == {"validation_config": ValidationConfig().to_mapping()}
    assert ValidationConfig.from_mapping(settings) == ValidationConfig()


def test_the_example_configuration_holds_the_defaults() -> None:
    path = Path(__file__).parents[2] / "examples/config.json"
    assert ValidationConfig.from_mapping(json.loads(path.read_text("utf-8"))) == ValidationConfig()


@pytest.mark.parametrize("name", ["evidence_claims", "evidence_validation", "validation_config"])
def test_schemas_are_printed(name: str) -> None:
    assert json.loads(invoke("schema", name).stdout) == load_schema(name)  # type: ignore[arg-type]


def test_an_unknown_schema_is_an_error_that_lists_the_known_ones() -> None:
    done = invoke("schema", "claims")
    assert done.exit_code == 2
    message = complaint(done.stderr)
    assert "no schema 'claims'; there are evidence_claims, evidence_validation" in message


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["vaildate"], "No such command 'vaildate'"),
        (["validate"], "Missing argument 'SOURCE"),
        (["validate", "a.md"], "Missing option '--claims'"),
        (["validate", "a.md", "--claims", "c.json", "--colour"], "No such option"),
        (["validate", "a.md", "--claims", "c.json", "--fail-under", "most"], "--fail-under"),
        (["quote", "words"], "Missing argument 'SOURCE"),
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
