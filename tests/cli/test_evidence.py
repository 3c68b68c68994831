"""`python -m evidence_validator`, as the specification has it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.harness import POLICY, complaint, run

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
