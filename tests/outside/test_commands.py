"""Every command: its help, what it prints, its exit code and the files that it writes."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from tests.outside.recorded import brief, compare, normalised, shown

from veridical.cli.evidence import app as evidence_app
from veridical.cli.main import app

ROOT = Path(__file__).parents[2]
APPS = {"veridical": app, "evidence-validator": evidence_app}
NOT_RUN = {"transcribe", "serve", "mcp", "speech speak", "bulk judge"}
"""Servers, what needs a voice of the machine, and what differs from `bulk validate` in the reader
alone: their own tests run them."""

SESSIONS = {
    "quotes": """
        veridical quote "entitled to 27 days of annual leave" examples/sources
        veridical quote "Full-time staff are entitled to 26 days of annual leave" examples/sources
        veridical quote "nobody ever wrote this" examples/sources
        veridical quote "" examples/sources
        veridical validate examples/sources --claims examples/claims.json --format table \\
            --output result.json --output report.html --output junit.xml --output result.sarif
        veridical validate missing --claims examples/claims.json
        evidence-validator validate examples/sources --claims examples/claims.json \\
            --output evidence.json
        veridical demo
    """,
    "ledger": """
        veridical ledger build --response examples/answers/annual-leave.md \\
            --documents examples/sources --query "How much leave?" --store kept.db \\
            --output ledger.json --output ledger.md --output ledger.html --output ledger.pdf
        veridical ledger verify ledger.json --documents examples/sources
        veridical ledger show ledger.json
        veridical ledger show ledger.json --claim 1
        veridical ledger list --store kept.db
        veridical ledger export ledger.json --format anthropic --output cited.json
        veridical ledger export ledger.json --format web-annotations --output notes.json
        veridical ledger export ledger.json --format text-fragments --base-url https://example.org
        veridical ledger citations cited.json --documents examples/sources
        veridical ledger export ledger.json --format pack --output pack.zip
        veridical ledger verify pack.zip
        veridical ledger evaluate pairs.jsonl --output evaluated.json
        veridical ledger calibrate pairs.jsonl --output calibration.json
        veridical ledger show examples/claims.json
    """,
    "answers": """
        veridical check examples/answers --documents examples/sources \\
            --output check.json --output check.sarif
        veridical guard --documents examples/sources --on-fail drop \\
            < examples/answers/annual-leave.md
        veridical guard --documents missing < examples/answers/annual-leave.md
        veridical ask "May I carry unused PTO over into next year?" --documents examples/policies
        veridical ask "Who won the football match?" --documents examples/policies --format json
        veridical index examples/policies --database kept.db
        veridical ask "How many days of PTO do I get?" --database kept.db
        veridical eval run eval.jsonl --documents examples/policies \\
            --output before.jsonl --output before.html
        veridical eval compare before.jsonl before.jsonl
        veridical eval review before.jsonl --sample-size 2 --seed 1 --output review.csv
        veridical eval agreement review.csv
        veridical ask "Anything" --documents missing
    """,
    "speech": """
        veridical speech evaluate examples/speech/talk.json \\
            --output speech.json --output speech.html --output speech.txt
        veridical speech check examples/speech/talk.json examples/speech/evaluation.json \\
            --output checked.json
        veridical speech script examples/speech/talk.json examples/speech/evaluation.json
        veridical speech evaluate missing.json
    """,
    "scoring": """
        veridical score rubrics
        veridical score rubrics fireground
        veridical score run examples/scoring/fireground.vtt fireground --output card.json \\
            --output card.html --output card.md --output card.txt
        veridical score lint fireground
        veridical score lint examples/claims.json
        veridical score draft examples/scoring/fireground-procedure.md
        veridical score draft examples/expected.json
        veridical score trend card.json card.json
        veridical score diff card.json card.json
        veridical score agreement card.json examples/scoring/human.csv
        veridical score run examples/scoring/fireground.vtt nothing
    """,
    "upkeep": """
        veridical config
        veridical db upgrade --database kept.db
        veridical db check --database kept.db
        veridical db backup backup.db --database kept.db
        veridical db restore backup.db --database other.db
        veridical db check --database missing.db
        veridical token create --workspace team --role reviewer --name Ana --database kept.db
        veridical token list --workspace team --database kept.db
        veridical token revoke 1 --database kept.db
        veridical bulk plan examples/bulk/claims.jsonl --documents examples/sources --workers 2
        veridical bulk validate examples/bulk/claims.jsonl found --documents examples/sources \\
            --workers 1
        veridical bulk validate missing found --documents examples/sources
        veridical schema nothing
        veridical nothing
    """,
}
"""Command lines that follow one another in a folder of their own, which holds the examples."""

MOMENT = 1_800_000_000
"""When all of it happens, in seconds since 1970."""

PAIRS = [
    {
        "id": f"{n}-{days}",
        "claim": f"Staff of hall {n} get {days} days.",
        "evidence": [f"Staff of hall {n} get 27 days of leave."],
        "label": label,
    }
    for n in range(60)
    for days, label in ((27, "supported"), (30, "refuted"))
]


def groups(name: str, command: click.Command, path: str = "") -> Iterator[tuple[str, str]]:
    """Every command below one, as (program, words)."""
    yield name, path
    if isinstance(command, click.Group):
        for word in command.list_commands(click.Context(command)):
            inner = command.get_command(click.Context(command), word)
            assert inner is not None
            yield from groups(name, inner, f"{path} {word}".strip())


COMMANDS = [one for name, command in APPS.items() for one in groups(name, command)]


def help_of_all() -> str:
    """The help of every command, one after the other."""
    told = []
    for program, words in COMMANDS:
        arguments = [*words.split(), "--help"]
        ran = CliRunner().invoke(APPS[program], arguments, prog_name=program, terminal_width=100)
        assert ran.exit_code == 0
        told.append(ran.output)
    return "\n".join(told)


def test_help_of_every_command() -> None:
    """In a process of its own: click keeps the help option that a command was first run with."""
    program = f"from {__name__} import help_of_all; print(help_of_all())"
    ran = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    compare("help.txt", normalised(ran.stdout))


def test_every_command_is_run() -> None:
    lines = "\n".join(line for name in SESSIONS for line in lines_of(name))
    single = {w for p, w in COMMANDS if p == "veridical" and w and not _is_group(w)}
    assert {w for w in single if f"veridical {w}" not in lines} == NOT_RUN


def lines_of(name: str) -> list[str]:
    """The command lines of a session, each whole."""
    joined = SESSIONS[name].replace("\\\n", " ").splitlines()
    return [" ".join(line.split()) for line in joined if line.strip()]


def _is_group(words: str) -> bool:
    return any(w.startswith(f"{words} ") for _, w in COMMANDS)


@pytest.mark.parametrize("name", SESSIONS)
def test_session(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    questions = (ROOT / "eval" / "questions.jsonl").read_text("utf-8").splitlines()
    (tmp_path / "eval.jsonl").write_text("\n".join(questions[:3]), "utf-8")
    (tmp_path / "pairs.jsonl").write_text("\n".join(map(json.dumps, PAIRS)), "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(MOMENT))
    monkeypatch.setattr(time, "perf_counter", lambda: 0.0)
    for path in tmp_path.rglob("*"):
        os.utime(path, (MOMENT, MOMENT))
    before = {p for p in tmp_path.rglob("*") if p.is_file()}
    told = []
    for line in lines_of(name):
        told += [f"$ {line}", *_run(line), ""]
    for path in sorted(p for p in tmp_path.rglob("*") if p.is_file() and p not in before):
        content = normalised(shown(path.name, path.read_bytes()), [(str(tmp_path), "<folder>")])
        told += [f"== {path.relative_to(tmp_path)}", brief(content)]
    compare(f"{name}.txt", normalised("\n".join(told), [(str(tmp_path), "<folder>")]))


def _run(line: str) -> list[str]:
    """What a command line prints, and how it ends."""
    command, _, given = line.partition(" < ")
    program, *arguments = shlex.split(command)
    ran = CliRunner().invoke(
        APPS[program],
        arguments,
        prog_name=program,
        input=Path(given).read_bytes() if given else None,
    )
    told = [ran.stdout.rstrip(), *(f"! {part}" for part in ran.stderr.rstrip().splitlines())]
    return [*filter(None, told), f"exit {ran.exit_code}"]
