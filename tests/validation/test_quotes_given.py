"""Bare quotes, without the fields of a claims file."""

from __future__ import annotations

from pathlib import Path

import jsonschema
import pytest
from tests.cli.harness import complaint, invoke, run

from veridical import ValidationError, check_quotes, load_document
from veridical.validation.schemas import load_schema

POLICY = "# Leave\n\nIn the teaching pool it is 35 days a year. Nobody is called back from leave.\n"
TRUE, FALSE = "Nobody is called back", "In the teaching pool it is 45"


def test_a_list_of_quotes_gives_a_report_that_prints_itself(tmp_path: Path) -> None:
    path = tmp_path / "leave.md"
    path.write_text(POLICY, "utf-8")
    for sources in ({"leave.md": POLICY}, path, load_document(path, name="leave.md"), [path]):
        report = check_quotes([TRUE, FALSE], sources)
        assert [one.claim.id for one in report.results] == ["Q001", "Q002"]
        lines = repr(report).splitlines()
        assert lines[0] == f"VALIDATED  verbatim  100%: “{TRUE}”"
        assert lines[1].endswith("leave.md, section 'Leave', line 3")
        assert "    Changed number: '35' became '45'." in lines
        assert lines[-1] == "1 of 2 quotes validated"
        jsonschema.validate(report.to_dict(), load_schema("evidence_validation"))
    with pytest.raises(ValidationError, match="quote 1 is a int"):
        check_quotes([1], {"leave.md": POLICY})  # type: ignore[list-item]


def test_what_is_in_doubt_is_told_at_its_head_and_in_the_line_that_counts() -> None:
    text = "# Rest\n\nThe pool is heated all day and lit at night.\n\n" * 2 + "Lockers take a coin."
    quotes = [TRUE, "Lockers take a coin", "The pool is heated"]
    quotes += ["The pool is heated all day and cleaned at night"]
    report = check_quotes(quotes, {"rest.md": text})
    heads = [line.split()[0] for line in str(report).splitlines() if line[:1] != " "]
    assert heads == ["FAILED", "VALIDATED", "AMBIGUOUS", "LOW_CONFIDENCE", "1"]
    told = "1 of 4 quotes validated, 1 ambiguous, 1 low confidence"
    assert str(report).splitlines()[-1] == told


def test_the_command_takes_a_file_of_quotes_and_single_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("leave.md").write_text(POLICY, "utf-8")
    Path("quotes.txt").write_text(f"{TRUE}\n\n{FALSE}\n", "utf-8")
    done = invoke("validate", "leave.md", "--quotes", "quotes.txt", "--quote", "from leave")
    assert done.exit_code == 1
    assert all(f"Q00{number}" in done.stdout for number in (1, 2, 3))
    assert invoke("validate", "leave.md", "--quote", TRUE).exit_code == 0
    assert run("validate", "leave.md", "--quotes", "-", stdin=TRUE.encode()).returncode == 0
    Path("empty.txt").write_text("\n", "utf-8")
    for arguments, told in [
        ([], "--quotes FILE.txt"),
        (["--quote", TRUE, "--claims", "c.json"], "--claims"),
        (["--quotes", "empty.txt"], "holds no quote"),
        (["--quote", " "], "Q001"),
    ]:
        assert told in complaint(invoke("validate", "leave.md", *arguments).stderr)
