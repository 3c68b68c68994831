"""The GitHub Action: its steps run in a shell as GitHub runs them, on hostile inputs and names."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
STEPS = ACTION["runs"]["steps"]

POLICY = "# Leave\n\nFull-time staff are entitled to 26 days of leave in each calendar year.\n"
TRUE = "Full-time staff are entitled to 26 days of leave in each calendar year.\n"
FALSE = "Hello.\n\nFull-time staff are entitled to 28 days of leave in each calendar year.\n"
ODD_NAMES = ["an answer.md", 'it\'s "quoted".md', "$(touch pwned).md", "`touch pwned`;&|.md"]
ODD_NAMES += ["a\nnew line.md", "-o.md", "::error::x.md", "[a]*.md", "Ünï.MD"]


@dataclass
class Run:
    """What became of the steps: the exit code, what they printed and their outputs."""

    code: int
    printed: str
    outputs: dict[str, dict[str, str]] = field(default_factory=dict)


def resolved(text: str, context: Mapping[str, Any]) -> str:
    """A text with its `${{ a.b || c.d }}` looked up, the way GitHub does it for `env`."""
    return re.sub(r"\$\{\{(.*?)\}\}", lambda found: lookup(found[1], context), text)


def lookup(expression: str, context: Mapping[str, Any]) -> str:
    for path in expression.split("||"):
        value: Any = context
        for name in path.strip().split("."):
            value = value.get(name, "") if isinstance(value, Mapping) else ""
        if value:
            return str(value)
    return ""


def wanted(step: Mapping[str, Any], context: Mapping[str, Any]) -> bool:
    condition = step.get("if")
    if condition is None:
        return True
    left, right = str(condition).split("!=")
    return lookup(left, context) != right.strip().strip("'")


def run_action(
    workspace: Path,
    inputs: Mapping[str, str],
    event: Mapping[str, Any] | None = None,
    *,
    skip: str = "Install Veridical",
    env: Mapping[str, str] | None = None,
) -> Run:
    """Run the action's steps; without installing, Veridical is the one that is tested."""
    temporary = workspace.parent / "runner"
    temporary.mkdir(exist_ok=True)
    if skip:
        stand_in(temporary / "veridical" / "bin" / "veridical")
    defaults = {name: str(given.get("default", "")) for name, given in ACTION["inputs"].items()}
    context: dict[str, Any] = {
        "inputs": {**defaults, **inputs},
        "github": {"event": event or {}, "action_path": str(ROOT)},
        "steps": {},
    }
    done = Run(0, "")
    for step in STEPS:
        if step["name"] == skip or not wanted(step, context):
            continue
        outputs = temporary / "output"
        outputs.write_text("")
        script = temporary / "script.sh"
        script.write_text(step["run"])
        given = {name: resolved(value, context) for name, value in step["env"].items()}
        ran = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
            cwd=workspace,
            env={**os.environ, **given, **(env or {}), "RUNNER_TEMP": str(temporary),
                 "GITHUB_OUTPUT": str(outputs)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=300,
            check=False,
        )  # fmt: skip
        pairs = dict(line.split("=", 1) for line in outputs.read_text().splitlines())
        context["steps"][step.get("id", "")] = {"outputs": pairs}
        done.outputs[step.get("id", "")] = pairs
        done.printed += ran.stdout
        done.code = ran.returncode
        if ran.returncode:
            break
    return done


def stand_in(command: Path) -> None:
    command.parent.mkdir(parents=True, exist_ok=True)
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m veridical "$@"\n')
    command.chmod(0o755)


def git(workspace: Path, *arguments: str) -> str:
    settings = ["-c", "user.name=Test", "-c", "user.email=test@example.org"]
    alone = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    told = subprocess.check_output(
        ["git", *settings, *arguments], cwd=workspace, env={**os.environ, **alone}, text=True
    )
    return told.strip()


def commit(workspace: Path, files: Mapping[str, str]) -> str:
    for name, text in files.items():
        path = workspace / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    git(workspace, "add", "--all")
    git(workspace, "commit", "--quiet", "--allow-empty", "-m", "change")
    return git(workspace, "rev-parse", "HEAD")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with sources and an old answer, which is wrong and which nobody changes."""
    workspace = tmp_path / "work space"
    workspace.mkdir()
    git(workspace, "init", "--quiet", "--initial-branch=main")
    commit(workspace, {"sources/leave.md": POLICY, "answers/old.md": FALSE, "notes.txt": "Hi.\n"})
    return workspace


def pull_request(base: str) -> dict[str, Any]:
    return {"pull_request": {"base": {"sha": base}}}


def test_only_what_a_pull_request_changes_is_checked(repository: Path) -> None:
    base = git(repository, "rev-parse", "HEAD")
    changed = {"answers/new.md": FALSE, "answers/right.md": TRUE, "sources/more.md": "More.\n"}
    commit(repository, changed)
    done = run_action(repository, {"documents": "sources"}, pull_request(base))
    assert done.code == 1, done.printed
    errors = [line for line in done.printed.splitlines() if line.startswith("::error")]
    assert len(errors) == 1
    assert errors[0].startswith("::error file=answers/new.md,line=3,endLine=3,title=")
    assert "old.md" not in done.printed
    assert "2 files checked" in done.printed
    assert done.outputs["check"] == {"sarif": "veridical.sarif"}
    assert '"answers/new.md"' in (repository / "veridical.sarif").read_text("utf-8")


def test_nothing_changed_passes_with_a_notice(repository: Path) -> None:
    base = git(repository, "rev-parse", "HEAD")
    git(repository, "rm", "--quiet", "answers/old.md")
    commit(repository, {"main.py": "pass\n"})
    done = run_action(repository, {"documents": "sources"}, pull_request(base), skip="")
    assert done.code == 0
    assert "::notice::Veridical: no Markdown file was changed" in done.printed
    assert done.outputs == {"files": {"checked": "0"}}


@pytest.mark.parametrize("before", ["0" * 40])
def test_without_a_known_base_all_is_checked(repository: Path, before: str) -> None:
    inputs = {"documents": "sources", "fail-on": "not-found"}
    done = run_action(repository, inputs, {"before": before})
    assert done.code == 0
    assert "it is not known what changed" in done.printed
    assert "::warning file=answers/old.md" in done.printed


def test_a_shallow_checkout_fetches_its_base(repository: Path) -> None:
    base = git(repository, "rev-parse", "HEAD")
    commit(repository, {"answers/new.md": TRUE})
    git(repository, "config", "uploadpack.allowAnySHA1InWant", "true")
    shallow = repository.parent / "shallow"
    git(repository.parent, "clone", "--quiet", "--depth=1", repository.as_uri(), str(shallow))
    done = run_action(shallow, {"documents": "sources"}, pull_request(base))
    assert done.code == 0, done.printed
    assert "1 file checked" in done.printed


def test_no_name_reaches_a_shell_or_the_log_as_a_command(repository: Path) -> None:
    base = git(repository, "rev-parse", "HEAD")
    commit(repository, dict.fromkeys(ODD_NAMES, FALSE))
    done = run_action(repository, {"documents": "sources"}, pull_request(base))
    assert done.code == 1, done.printed
    assert f"{len(ODD_NAMES)} files checked" in done.printed
    commands = [line for line in done.printed.splitlines() if line.startswith("::")]
    assert len(commands) == len(ODD_NAMES)
    assert all(line.startswith("::error file=") for line in commands)
    assert "file=a%0Anew line.md," in done.printed
    assert "file=%3A%3Aerror%3A%3Ax.md," in done.printed
    assert not list(repository.rglob("pwned*"))


@pytest.mark.parametrize(
    "inputs",
    [
        {"documents": 'sources"; touch pwned; "', "files": "`touch pwned`"},
        {"documents": "sources", "fail-on": "$(touch pwned)", "files": "answers"},
        {"documents": "sources", "sarif": "a.sarif\nchecked=1"},
    ],
)
def test_no_input_reaches_a_shell(repository: Path, inputs: dict[str, str]) -> None:
    done = run_action(repository, inputs)
    assert done.code == 2, done.printed
    assert not {"sarif", "checked"} & set(done.outputs["check"]) or "sarif" not in inputs
    assert not list(repository.rglob("pwned*"))


def test_a_run_that_cannot_be_made_is_an_annotation_and_names_no_file(repository: Path) -> None:
    (repository / "veridical.sarif").write_text("of an earlier run")
    done = run_action(repository, {"documents": "nowhere", "files": "answers"})
    assert done.code == 2, done.printed
    (error,) = [line for line in done.printed.splitlines() if line.startswith("::error")]
    assert error.startswith("::error title=Veridical: not checked::nowhere: no such file")
    assert "sarif" not in done.outputs["check"]


def test_a_version_is_only_a_version(repository: Path) -> None:
    inputs = {"documents": "sources", "files": "answers", "version": "1.0 --index-url=evil"}
    done = run_action(repository, inputs, skip="")
    assert done.code == 2
    assert "::error::Veridical: the input version is not a version" in done.printed
    assert not (repository.parent / "runner" / "veridical").exists()


def test_the_action_installs_its_own_version(repository: Path) -> None:
    """Without a network: what it depends on is that of the environment of this test."""
    inputs = {"documents": "sources", "files": "answers", "python": sys.executable}
    packages = next(path for path in sys.path if Path(path).name == "site-packages")
    offline = {"PIP_NO_DEPS": "1", "PIP_NO_BUILD_ISOLATION": "0", "PIP_NO_INDEX": "1",
               "PYTHONPATH": packages}  # fmt: skip
    done = run_action(repository, inputs, skip="", env=offline)
    assert done.code == 1, done.printed
    assert "title=Veridical%3A contradicted" in done.printed
    assert shutil.which("veridical", path=str(repository.parent / "runner" / "veridical" / "bin"))
