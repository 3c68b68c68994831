"""The core does without the packages of the extras, and says which extra brings what is missing."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
DATA = ROOT / "src/veridical/service/demo_data"
QUESTIONS = str(DATA / "questions.jsonl")
POLICY = str(DATA / "pto-policy.md")

PROGRAM = """
import importlib.util, json, sys
core = set(json.loads(sys.argv[2]))
class Only:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top in core:
            raise ModuleNotFoundError(f"No module named {top!r}", name=top)
sys.meta_path.insert(0, Only())
from veridical.cli.main import app
app(json.loads(sys.argv[1]), prog_name="veridical")
"""
MISSING = [
    "bm25s", "docx", "fastapi", "fsspec", "httpx2", "huggingface_hub", "mcp", "nltk", "psycopg",
    "pyarrow", "pydantic", "requests", "safetensors", "spacy", "sqlalchemy", "tokenizers", "tqdm",
    "typst", "uvicorn", "wordllama", "yaml",
]  # fmt: skip
"""Modules that an installation of the core alone does not have."""


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, json.dumps(arguments), json.dumps(MISSING)],
        capture_output=True,
        text=True,
        timeout=120,
    )


@pytest.mark.parametrize(
    ("code", "arguments"),
    [
        (0, ["--help"]),
        (0, ["quote", "Days carried over must be taken by 31 March", POLICY]),
        (1, ["check", str(DATA / "answer.md"), "--documents", POLICY]),
        (0, ["ask", "Until when must carried over days be taken?", "--documents", POLICY]),
        (1, ["validate", POLICY, "--claims", str(DATA / "claims.json")]),
        (0, ["speech", "evaluate", str(DATA / "talk.json")]),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_the_core_alone(code: int, arguments: list[str]) -> None:
    done = run(*arguments)
    assert (done.returncode, "needs an optional package" in done.stderr) == (code, False), done


@pytest.mark.parametrize(
    ("extra", "arguments"),
    [
        ("store", ["ledger", "list", "--store", "none.db"]),
        ("store", ["index", POLICY, "--database", "none.db"]),
        ("store", ["ask", "May I?", "--database", "none.db"]),
        ("store", ["db", "check", "--database", "none.db"]),
        ("store", ["token", "list", "--database", "none.db"]),
        ("serve", ["serve", "--documents", POLICY]),
        ("scoring", ["score", "rubrics"]),
        ("model", ["ask", "Why?", "--documents", POLICY, "--model", "a", "--base-url", "http://[::1]:9"]),
        ("model", ["eval", "run", QUESTIONS, "--url", "http://[::1]:9", "-o", "none.jsonl"]),
        ("mcp", ["mcp", POLICY]),
        ("bulk", ["bulk", "validate", "none.jsonl", "none", "--documents", POLICY]),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value[:2]),
)  # fmt: skip
def test_what_is_missing_is_named(extra: str, arguments: list[str]) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert f"pip install 'veridical[{extra}]'" in done.stderr


def test_an_index_of_the_cache_is_done_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a kept index is there, but not what reads it, the documents are read themselves."""
    from veridical.answering.index.place import CACHE_VARIABLE, cache_file

    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    file = cache_file([POLICY])
    assert file is not None
    file.parent.mkdir(parents=True)
    file.touch()
    done = run("ask", "Until when must carried over days be taken?", "--documents", POLICY)
    assert done.returncode == 0
    assert "read without an index that is kept" in done.stderr


def test_every_extra_that_is_named_is_there_and_in_all() -> None:
    named: set[str] = set()
    call = re.compile(r"(?:require_package|MissingExtraError)\(([^()]*?)\)", re.DOTALL)
    for path in (ROOT / "src").rglob("*.py"):
        for given in call.findall(path.read_text("utf-8")):
            named |= set(re.findall(r'"([a-z]+)"$', given.strip().rstrip(",")))
    assert {"store", "model", "scoring", "serve", "nli", "export"} <= named <= set(EXTRAS)
    lot = {name for entry in EXTRAS["all"] for name in re.findall(r"[a-z]+", entry)}
    assert lot - {"veridical"} == set(EXTRAS) - {"all", "dev"}


HEARS_BY_ITSELF = {"faster-whisper"}
"""No package brings weights for it: the tests of recordings hear by a server."""


def test_serve_brings_what_its_pages_do_and_dev_brings_all() -> None:
    assert {*EXTRAS["store"], *EXTRAS["model"], *EXTRAS["scoring"]} <= set(EXTRAS["serve"])
    brought = {need for extra in set(EXTRAS) - {"all", "dev"} for need in EXTRAS[extra]}
    assert {need.partition(">")[0] for need in brought} - HEARS_BY_ITSELF <= {
        need.partition(">")[0] for need in EXTRAS["dev"]
    }


def test_demo(tmp_path: Path) -> None:
    done = run("demo", "-o", str(tmp_path / "made"))
    assert done.returncode == 0, done
    assert [line for line in done.stdout.splitlines() if line.startswith(("VALID", "FAILED"))] == [
        "VALIDATED  verbatim  100%",
        "FAILED  altered",
    ]
    assert "Up to 5 unused days" in done.stdout
    assert "Contradicted" in done.stdout
    assert done.stdout.splitlines()[-1].startswith("Now your own: veridical check ")
    assert "Contradicted" in (tmp_path / "made/report.html").read_text("utf-8")
