"""The documentation is true: everything is in it, and its examples do what they say."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path

import click
import pytest
from benchmarks.served import served

import evidence_validator
import veridical
from veridical import (
    AlterationKind,
    EvidenceType,
    FailureReason,
    Fidelity,
    MatchType,
    Rule,
    SourceLimits,
    Status,
)
from veridical.cli.evidence import app as evidence_app
from veridical.cli.formats import named_schema
from veridical.cli.main import app
from veridical.errors import ConfigurationError
from veridical.scoring.rubrics.file import lint_rubric
from veridical.sources.sniff import NAMED
from veridical.validation.schemas import load_schema

ROOT = Path(__file__).parents[1]
PAGES = ["README.md", *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))]
SERVICE = "docs/service.md"
"""The page whose commands are one session with a running service."""

NOT_RUN = ("make", "pip", "git")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@cache
def text(page: str) -> str:
    return (ROOT / page).read_text("utf-8")


def code(page: str) -> set[str]:
    """Everything that a page sets as code, inline."""
    return set(re.findall(r"`([^`\n]+)`", text(page)))


def blocks(page: str, language: str) -> list[str]:
    return [body for name, body in BLOCK.findall(text(page)) if name == language]


# --- everything is in it --------------------------------------------------------------------------


def options(command: click.Command) -> Iterator[str]:
    """The long options of a command."""
    yield "--help"
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            names = (*parameter.opts, *parameter.secondary_opts)
            yield from (name for name in names if name.startswith("--"))


def section(page: str, heading: str) -> str:
    """The text under a heading, up to the next one of its level."""
    parts = re.split("^## ", text(page), flags=re.MULTILINE)
    found = [part for part in parts if part.startswith(heading)]
    assert len(found) == 1, f"{page} has {len(found)} headings {heading!r}"
    return found[0]


def commands(group: click.Group, path: str = "") -> Iterator[tuple[str, click.Command]]:
    """Each command with its name, those of groups too."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield f"{path}{name}", command
        if isinstance(command, click.Group):
            yield from commands(command, f"{path}{name} ")


def test_every_command_is_told_of_and_explains_itself() -> None:
    """The page says what a command is for; its options are told by its help alone."""
    for name, command in commands(app):
        assert re.search(rf"\bveridical {name}[ `]", text("docs/cli.md")), name
        assert command.help, name
    assert "`python -m evidence_validator`" in text("docs/cli.md")


def test_the_drafts_of_the_schemas_are_told() -> None:
    with pytest.raises(ConfigurationError) as told:
        named_schema("none")
    names = str(told.value).partition("there are ")[2].split(", ")
    drafts = {re.findall(r"0(7)/|(2020-12)", named_schema(name)["$schema"])[0] for name in names}
    shown = " or ".join(sorted(map("".join, drafts), key=len))
    assert f"JSON Schema (draft {shown})" in text("docs/cli.md")


def test_no_option_is_documented_that_does_not_exist() -> None:
    known = {option for _, command in commands(app) for option in options(command)}
    known |= {*options(app), *options(evidence_app), "--"}
    for page in PAGES:
        told = {word for span in code(page) for word in span.split() if word.startswith("--")}
        assert told <= known, page


def bounds(rule: dict[str, object]) -> str:
    """The bounds of a setting as the table has them."""
    if "enum" in rule:
        return ", ".join(f"`{json.dumps(value)}`" for value in rule["enum"])  # type: ignore[attr-defined]
    if "exclusiveMinimum" in rule:
        return f"above {rule['exclusiveMinimum']}, to {rule['maximum']}"
    return f"{rule['minimum']} to {rule['maximum']}" if "minimum" in rule else ""


def test_every_setting_is_documented_with_its_default_and_bounds() -> None:
    listed = {
        name: (default, limits.strip())
        for name, default, limits in re.findall(
            r"^\| `(\w+\.\w+)` \| `([^`]+)` \|([^|]*)\| .+ \|$",
            text("docs/quotes.md"),
            re.MULTILINE,
        )
    }
    shipped = {
        f"{group}.{name}": (json.dumps(rule["default"]), bounds(rule))
        for group, schema in load_schema("validation_config")["properties"].items()
        for name, rule in schema["properties"].items()
    }
    assert listed == shipped


def test_every_field_of_a_claim_is_documented() -> None:
    schema = load_schema("evidence_claims")["properties"]
    named = code("docs/quotes.md")
    claim = schema["claims"]["items"]
    assert set(claim["properties"]) <= named
    assert set(schema["source_metadata"]["properties"]) <= named
    assert set(EvidenceType) <= named
    for field in claim["required"]:
        assert re.search(rf"^\| `{field}` \| .*Required \|$", text("docs/quotes.md"), re.MULTILINE)


@pytest.mark.parametrize("kind", [Status, FailureReason, Fidelity, Rule, AlterationKind])
def test_every_verdict_has_a_row_of_its_own(kind: type[Status]) -> None:
    rows = {line.split(" | ")[0] for line in text("docs/quotes.md").splitlines()}
    assert {f"| `{member.value}`" for member in kind} <= rows


def properties(schema: object) -> Iterator[str]:
    if isinstance(schema, dict):
        yield from schema.get("properties", {})
        for part in schema.values():
            yield from properties(part)


def test_every_field_of_a_result_is_documented() -> None:
    named = {word for span in code("docs/quotes.md") for word in span.split()}
    fields_of_parts = {"candidate_text", "position", "kind", "type"}
    assert set(properties(load_schema("evidence_validation"))) - fields_of_parts <= named
    assert set(MatchType) <= named


def test_every_exported_name_is_documented_and_used_in_an_example() -> None:
    pages = (
        "docs/library.md",
        "docs/speech.md",
        "docs/ledger.md",
        "docs/scoring.md",
        "docs/answering.md",
        "docs/formats.md",
        "docs/guard.md",
        "docs/integrations.md",
    )
    examples = "\n".join(body for page in pages for body in blocks(page, "python"))
    for name in {*veridical.__all__, "validate_evidence", "EvidenceValidatorError"}:
        assert len(re.findall(rf"\b{name}\b", examples)) >= 2, f"{name}: imported and used"
    for name in evidence_validator.__all__:
        assert name in code("docs/library.md"), name


def test_the_limits_and_suffixes_are_documented() -> None:
    limits = SourceLimits()
    for limit in fields(limits):
        value = f"{getattr(limits, limit.name):,g}" if limit.type == "float" else ""
        value = value or f"{getattr(limits, limit.name):,}"
        assert f"| `{limit.name}` | {value}" in text("docs/security.md")
    assert set(NAMED) <= code("docs/formats.md")


# --- what it says is so ---------------------------------------------------------------------------


def anchors(page: Path) -> set[str]:
    titles = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    prose = BLOCK.sub("", text(page))
    for target in re.findall(r"\]\(([^)\s]+)\)", prose):
        if re.match(r"https?://", target):
            continue
        place, _, anchor = target.partition("#")
        path = (ROOT / page).parent / place if place else ROOT / page
        assert path.exists(), f"{page} links to {target}"
        if anchor:
            assert anchor in anchors(path), f"{page} links to {target}"


@pytest.mark.parametrize("page", PAGES)
def test_json_is_json(page: str) -> None:
    for body in blocks(page, "json"):
        data = json.loads(body)
        if "claims" in data:
            veridical.parse_claims(data, max_claims=1000)
        if "validation_config" in data:
            veridical.ValidationConfig.from_mapping(data)


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "yaml")])
def test_rubrics_can_be_used(page: str) -> None:
    for body in blocks(page, "yaml"):
        assert lint_rubric(body) == ()


@dataclass(frozen=True)
class Example:
    """Something to run, and what it says it prints: `...` stands for anything."""

    program: str
    printed: str

    def holds(self, output: str) -> bool:
        pattern = ""
        for line in self.printed.splitlines():
            if line.strip() == "...":
                pattern += r"(?:.*\n)*"
            else:
                pattern += r".*".join(map(re.escape, line.rstrip().split("..."))) + r"[ ]*\n"
        return re.fullmatch(pattern, output) is not None


def console_examples(page: str) -> list[list[Example]]:
    """The commands of a page that can be run here, by `console` blocks."""
    return [found for body in blocks(page, "console") if (found := commands_of(body))]


def commands_of(body: str) -> list[Example]:
    parts = re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]
    found = [
        Example(command, printed) for command, _, printed in (it.partition("\n") for it in parts)
    ]
    return [example for example in found if example.program.split()[0] not in NOT_RUN]


def python_example(page: str) -> Example | None:
    """The `python` blocks of a page as one program. What they print stands in comments after the
    `print` that does it.
    """
    program = "\n".join(blocks(page, "python"))
    printed = re.findall(r"^# (?:.*)$", program, re.MULTILINE)
    return Example(program, "\n".join(line[2:] for line in printed)) if program else None


LEDGERS = {"annual-leave": "ledger", "remote-work": "remote"}
"""What one command of a page makes and a later one reads: they may be tested in two processes."""


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what the examples use, with the commands on a path of its own."""
    root = tmp_path_factory.mktemp("docs")
    for folder in ("examples", "eval"):
        shutil.copytree(ROOT / folder, root / folder)
    (root / "bin").mkdir()
    for name, arguments in (("veridical", "-m veridical"), ("python", "")):
        script = root / "bin" / name
        script.write_text(f'#!/bin/sh\nexec "{sys.executable}" {arguments} "$@"\n')
        script.chmod(0o755)
    for answer, ledger in LEDGERS.items():
        arguments = [
            "--response",
            f"examples/answers/{answer}.md",
            "--documents",
            "examples/sources",
        ]
        run(["veridical", "ledger", "build", *arguments, "-o", f"build/{ledger}.json"], root)
        assert (root / "build" / f"{ledger}.json").exists()
    scored = ["examples/scoring/customer-call.json", "customer-call", "-o", "build/call.json"]
    run(["veridical", "score", "run", *scored], root)
    assert (root / "build" / "call.json").exists()
    asked = ["eval/questions.jsonl", "--documents", "examples/policies", "-o", "build/run.jsonl"]
    run(["veridical", "eval", "run", *asked], root)
    assert (root / "build" / "run.jsonl").exists()
    return root


def run(arguments: list[str], workshop: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        arguments,
        cwd=workshop,
        env={**os.environ, "PATH": f"{workshop / 'bin'}{os.pathsep}{os.environ['PATH']}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


def holds_in_turn(examples: list[Example], workshop: Path, server: str = "") -> None:
    """Runs commands in one shell, since one may use what those before it made or found."""
    end = "--- the end of a command:"
    program = "".join(f"{example.program}\necho '{end}' $?\n" for example in examples)
    if server:
        program = program.replace("localhost:8000", server)
    done = run(["bash", "-c", program], workshop)
    *printed, rest = re.split(f"{end} (?:0|1)\n", done.stdout)
    assert (len(printed), rest) == (len(examples), ""), done.stdout
    for example, output in zip(examples, printed, strict=True):
        told = f"$ {example.program}\n{output}\n---\n{example.printed}"
        assert example.holds(output), told


@pytest.mark.parametrize(
    ("page", "examples"),
    [
        pytest.param(page, examples, id=f"{page}-{number}")
        for page in PAGES
        if page != SERVICE
        for number, examples in enumerate(console_examples(page), 1)
    ],
)
def test_commands_print_what_the_page_says(
    page: str, examples: list[Example], workshop: Path
) -> None:
    holds_in_turn(examples, workshop)


def test_the_first_session_with_the_service_goes_as_the_page_says(workshop: Path) -> None:
    examples = [example for block in console_examples(SERVICE) for example in block]
    with served(f"sqlite:///{workshop}/first-session.db") as server:
        holds_in_turn(examples, workshop, f"127.0.0.1:{server.port}")


@pytest.mark.parametrize("page", [page for page in PAGES if python_example(page)])
def test_programs_print_what_the_page_says(page: str, workshop: Path) -> None:
    example = python_example(page)
    assert example
    done = run([sys.executable, "-c", example.program], workshop)
    assert done.returncode == 0, done.stdout
    assert example.holds(done.stdout), f"{done.stdout}\n---\n{example.printed}"


def test_the_programs_of_the_readme_are_well_typed(tmp_path: Path) -> None:
    """As somebody's own file, against the package as it is installed."""
    (tmp_path / "readme.py").write_text("\n".join(blocks("README.md", "python")), "utf-8")
    options = ["--strict", "--config-file", os.devnull, "--cache-dir", str(tmp_path)]
    done = run([sys.executable, "-m", "mypy", *options, "readme.py"], tmp_path)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("printed", "output", "holds"),
    [
        ("", "", True),
        ("a\nb", "a\nb\n", True),
        ("a\n...\nd", "a\nb\nc\nd\n", True),
        ("a\n  ...", "a\nb\n", True),
        ("a...", "abc\n", True),
        ("a...", "abc\nd\n", False),
        ("a.c", "abc\n", False),
        ("a", "a  \n", True),
    ],
)
def test_the_comparison_itself(printed: str, output: str, holds: bool) -> None:
    assert Example("", printed).holds(output) is holds
