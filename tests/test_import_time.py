"""What a command does not need is not imported: that is what makes it start fast."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from veridical import build_ledger, ledger_to_bytes, load_document

HEAVY = {"numpy", "rich.table", "jsonschema_rs", "wordllama", "pypdfium2", "rapidfuzz", "sentencex"}
HEAVY |= {"fastapi", "httpx2", "jinja2", "nltk", "onnxruntime", "tokenizers", "uvicorn", "yaml"}
HEAVY |= {"openai", "sqlalchemy"}

PROGRAM = """
import json, sys
from contextlib import redirect_stdout, suppress
arguments = json.loads(sys.argv[1])
if arguments is None:
    import veridical
else:
    from veridical.cli.main import app
    with redirect_stdout(sys.stderr), suppress(SystemExit):
        app(arguments)
print(json.dumps(sorted(sys.modules)))
"""


def modules(arguments: list[str] | None) -> set[str]:
    """The modules that are loaded after a command, or after `import veridical` for None."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, json.dumps(arguments)],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return set(json.loads(done.stdout))


@pytest.mark.parametrize(
    "arguments",
    [None, ["--help"], ["ask", "--help"], ["validate", "--help"]],
)
def test_nothing_heavy(arguments: list[str] | None) -> None:
    assert modules(arguments) & HEAVY == set()


def test_import_alone_is_next_to_nothing() -> None:
    loaded = {name for name in modules(None) if name.startswith("veridical")}
    assert loaded == {"veridical", "veridical.version"}


def test_one_quote_in_a_markdown_file(tmp_path: Path) -> None:
    path = tmp_path / "policy.md"
    path.write_text("# Leave\n\nStaff get *25 days* of leave a year.\n", encoding="utf-8")
    loaded = modules(["quote", "Staff get 25 days", str(path)])
    unwanted = {"rich", "jsonschema_rs", "wordllama", "pypdfium2", "docx"}
    assert loaded & unwanted == set()


EXAMPLES = Path(__file__).parents[1] / "examples" / "speech"


def test_a_check_of_timed_quotes_that_hold(tmp_path: Path) -> None:
    evaluation = json.loads((EXAMPLES / "evaluation.json").read_text("utf-8"))
    evaluation["items"] = evaluation["items"][:1]
    path = tmp_path / "evaluation.json"
    path.write_text(json.dumps(evaluation), encoding="utf-8")
    talk = EXAMPLES / "talk.json"
    loaded = modules(["speech", "check", str(talk), str(path), "--format", "json"])
    assert loaded & {"numpy", "rapidfuzz", "edlib", "openai", "httpx2", "rich"} == set()


def test_an_evaluation_by_rules_needs_no_model() -> None:
    loaded = modules(["speech", "evaluate", str(EXAMPLES / "talk.json")])
    assert loaded & {"numpy", "openai", "httpx2", "rich", "spacy", "wordllama"} == set()


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """A ledger, and the document that it is about."""
    folder = tmp_path_factory.mktemp("ledger")
    path = folder / "policy.md"
    path.write_text("# Leave\n\nStaff get 25 days of leave a year.\n", encoding="utf-8")
    document = load_document(path)
    made = build_ledger("Staff get 25 days of leave a year.", [document])
    (folder / "ledger.json").write_bytes(ledger_to_bytes(made))
    return str(folder / "ledger.json"), str(path)


@pytest.mark.parametrize(
    "arguments",
    [
        ["quote", "Staff are given some days off", "{document}"],
        ["ledger", "build", "--help"],
        ["ledger", "show", "{ledger}"],
        ["ledger", "verify", "{ledger}", "--documents", "{document}"],
        ["score", "rubrics"],
    ],
)
def test_the_reader_is_not_loaded_where_nothing_is_judged(
    arguments: list[str], ledger: tuple[str, str]
) -> None:
    file, document = ledger
    loaded = modules([part.format(ledger=file, document=document) for part in arguments])
    assert "onnxruntime" not in loaded


@pytest.mark.parametrize(
    "arguments",
    [
        ["quote", "Staff get 25 days", "{document}"],
        ["check", "{answer}", "--documents", "{document}", "--output", "{answer}.sarif"],
        ["ledger", "show", "{ledger}"],
    ],
)
def test_templates_are_not_loaded_where_no_page_is_made(
    arguments: list[str], ledger: tuple[str, str], tmp_path: Path
) -> None:
    file, document = ledger
    answer = tmp_path / "answer.md"
    answer.write_text("Staff get 25 days of leave a year.\n", encoding="utf-8")
    named = {"ledger": file, "document": document, "answer": str(answer)}
    loaded = modules([part.format(**named) for part in arguments])
    assert not {name for name in loaded if name.startswith(("jinja2", "veridical.reports.page"))}
