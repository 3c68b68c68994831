"""Files in each other's places: said, with the order that was meant."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.cli.harness import complaint, invoke

EXAMPLES = Path(__file__).parents[2] / "examples"
TALK, EVALUATION = EXAMPLES / "speech" / "talk.json", EXAMPLES / "speech" / "evaluation.json"
CALL, POLICIES = EXAMPLES / "scoring" / "customer-call.json", EXAMPLES / "policies"
CLAIMS, POLICY = EXAMPLES / "claims.json", EXAMPLES / "policies.md"
GUIDE, ANSWER = POLICIES / "benefits-guide.pdf", EXAMPLES / "answers" / "annual-leave.md"

SWAPPED: list[tuple[list[Any], str]] = [
    (
        ["speech", "check", EVALUATION, TALK],
        f"{EVALUATION} is an evaluation. Give {TALK} as TRANSCRIPT and {EVALUATION} as EVAL",
    ),
    (
        ["speech", "script", EVALUATION, EXAMPLES / "speech" / "talk.txt"],
        f"Give {EXAMPLES / 'speech' / 'talk.txt'} as TRANSCRIPT",
    ),
    (
        ["score", "run", "customer-call", CALL],
        f"customer-call is a rubric. Give {CALL} as TRANSCRIPT and customer-call as RUBRIC.",
    ),
    (["score", "run", "@rubric.yaml", CALL], f"Give {CALL} as TRANSCRIPT"),
    (
        ["validate", CLAIMS, "--claims", POLICY],
        f"{CLAIMS} is a claims file. Give {POLICY} as SOURCE and {CLAIMS} as --claims.",
    ),
    (["validate", CLAIMS, "--claims", POLICIES], f"Give {POLICIES} as SOURCE"),
    (
        ["ledger", "build", "--response", POLICIES, "--documents", ANSWER],
        f"{POLICIES} is a source. Give {ANSWER} as --response and {POLICIES} as --documents.",
    ),
    (["ledger", "build", "--response", GUIDE, "--documents", ANSWER], f"Give {ANSWER} as --resp"),
    (["ledger", "verify", POLICIES, "--documents", "@ledger.json"], "ledger.json as LEDGER and"),
    (["ledger", "citations", GUIDE, "--documents", "@cited.json"], f"{GUIDE} as --documents"),
    (["score", "agreement", "@human.csv", "@card.json"], "card.json as SCORECARDS"),
]
FILES = {
    "rubric.yaml": "template:\n  id: a\nsections:\n  - id: b\n",
    "ledger.json": '{"ledger_id": "1", "entries": []}',
    "human.csv": "criterion,verdict\n",
    "cited.json": '{"content": []}',
    "card.json": '{"schemaVersion": 1, "overall": {}, "sections": []}',
}


@pytest.mark.parametrize(("given", "told"), SWAPPED)
def test_swapped_files_are_told(tmp_path: Path, given: list[Any], told: str) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    arguments = [tmp_path / it[1:] if isinstance(it, str) and it[:1] == "@" else it for it in given]
    result = invoke(*arguments)
    assert result.exit_code == 2
    said = complaint(result.stderr)
    assert "the files are swapped: " in said
    assert told in said


@pytest.mark.parametrize(
    "given",
    [
        ["speech", "check", EVALUATION, "missing.json"],
        ["speech", "check", TALK, TALK],
        ["validate", POLICY, "--claims", POLICY],
        ["validate", "-", "--claims", "missing.json"],
    ],
)
def test_nothing_else_is_called_so(given: list[Any]) -> None:
    assert "swapped" not in complaint(invoke(*given).stderr)
