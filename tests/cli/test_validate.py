"""`veridical validate` and `quote`: what they print and write, and their exit codes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from tests.cli.harness import (
    FALSE,
    NEARLY,
    POLICY,
    QUOTE,
    TRUE,
    TWICE,
    complaint,
    invoke,
    run,
    write_claims,
)


def report_of(text: str | bytes) -> dict[str, Any]:
    report: dict[str, Any] = json.loads(text)
    return report


def test_each_format_goes_to_standard_output(folder: Path) -> None:
    arguments = ("validate", "policy.md", "--claims", "mixed.json", "--format")
    results = {form: invoke(*arguments, form) for form in ("Json", "junit", "sarif", "HTML")}
    for form, result in results.items():
        assert result.exit_code == 1, form
        assert result.stderr == "", form
    assert report_of(results["Json"].stdout)["validation_summary"]["total_claims"] == 3
    assert ET.fromstring(results["junit"].stdout).iter("testcase")  # noqa: S314
    assert json.loads(results["sarif"].stdout)["version"] == "2.1.0"
    assert results["HTML"].stdout.lower().startswith("<!doctype html>")


def test_the_suffix_decides_the_format_of_each_output(folder: Path) -> None:
    names = ["new/deep/a.json", "b.html", "c.xml", "d.sarif", "e.txt", "f.HTM"]
    outputs = [part for name in names for part in ("-o", name)]
    done = invoke("validate", "policy.md", "--claims", "claims.json", *outputs)
    assert done.exit_code == 0
    assert done.stderr.splitlines() == [f"Report: {name}" for name in names]
    starts = {name: Path(name).read_text("utf-8").lstrip()[:5] for name in names}
    assert starts["new/deep/a.json"].startswith("{")
    assert starts["b.html"].lower() == starts["f.HTM"].lower() == "<!doc"
    assert starts["c.xml"] == "<?xml"
    assert report_of(Path("d.sarif").read_text("utf-8"))["runs"]
    assert "1 of 1 validated" in Path("e.txt").read_text("utf-8")
    assert "\x1b" not in Path("e.txt").read_text("utf-8")


def test_format_overrules_the_suffix_and_then_nothing_is_printed(folder: Path) -> None:
    done = invoke(
        *("validate", "policy.md", "--claims", "claims.json"),
        *("--output", "report.data", "--format", "json"),
    )
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", "")
    assert report_of(Path("report.data").read_text("utf-8"))["ok"] is True
    options = ("--output", "verdicts.table", "--format", "table")
    assert invoke("validate", "policy.md", "--claims", "claims.json", *options).exit_code == 0
    assert "validated" in Path("verdicts.table").read_text("utf-8")


@pytest.mark.parametrize(
    ("claims", "options", "code"),
    [
        ([TRUE], [], 0),
        ([TRUE, FALSE], [], 1),
        ([TWICE], [], 1),
        ([NEARLY], [], 1),
        ([TRUE, FALSE], ["--fail-under", "0.5"], 0),
        ([TRUE, FALSE], ["--fail-under", "0.51"], 1),
        ([FALSE], ["--fail-under", "0"], 0),
        ([TRUE], ["--fail-under", "1"], 0),
        ([TRUE], ["--strict"], 0),
        ([TRUE, TWICE], ["--strict"], 1),
    ],
)
def test_exit_code(
    folder: Path, claims: list[dict[str, Any]], options: list[str], code: int
) -> None:
    write_claims(folder / "c.json", claims)
    assert invoke("validate", "policy.md", "--claims", "c.json", *options).exit_code == code


def test_a_document_comes_from_standard_input(folder: Path) -> None:
    done = invoke(
        *("validate", "-", "--claims", "claims.json", "--format", "json"), stdin=POLICY.encode()
    )
    assert done.exit_code == 0
    report = report_of(done.stdout)
    assert report["documents"][0]["name"] == "stdin"
    assert report["validated_claims"][0]["match_details"]["section"] == "Leave"


def test_claims_come_from_standard_input_and_a_bare_list_will_do(folder: Path) -> None:
    listed = json.dumps([TRUE]).encode()
    assert invoke("validate", "policy.md", "--claims", "-", stdin=listed).exit_code == 0


def test_one_bad_document_of_ten_is_reported_beside_the_nine(folder: Path) -> None:
    Path("ten/deep").mkdir(parents=True)
    for number in range(8):
        Path(f"ten/{number}.txt").write_text(f"Chapter {number}. Nothing here.", encoding="utf-8")
    Path("ten/deep/4.txt").write_text(POLICY, encoding="utf-8")
    Path("ten/bad.pdf").write_bytes(b"%PDF-1.7 and no more")
    done = invoke("validate", "ten", "--claims", "claims.json", "--format", "json")
    report = report_of(done.stdout)
    assert done.exit_code == 0  # by the claims, which are all validated
    assert len(report["documents"]) == 9
    assert report["ok"] is False
    assert [(e["code"], e["details"]) for e in report["errors"]] == [
        ("DOCUMENT_PARSING_ERROR", {"document": "bad.pdf"})
    ]
    table = invoke("validate", "ten", "--claims", "claims.json").stdout
    assert "error: bad.pdf: this is not a PDF" in table


@pytest.mark.parametrize("wrapped", [True, False])
def test_a_configuration_file_is_used(folder: Path, wrapped: bool) -> None:
    settings: dict[str, Any] = {"exact_matching": {"case_sensitive": True}}
    if wrapped:
        settings = {"validation_config": settings}
    Path("config.json").write_text(json.dumps(settings), encoding="utf-8")
    claim = {**TRUE, "quote": QUOTE.upper()}
    write_claims(folder / "c.json", [claim])
    arguments = ("validate", "policy.md", "--claims", "c.json")
    assert invoke(*arguments).exit_code == 0
    assert invoke(*arguments, "--config", "config.json").exit_code == 1


def test_past_the_time_limit_the_rest_is_listed_and_the_exit_code_says_so(folder: Path) -> None:
    settings = {"performance_limits": {"max_processing_time_seconds": 1e-9}}
    Path("config.json").write_text(json.dumps(settings), encoding="utf-8")
    done = invoke(
        *("validate", "policy.md", "--claims", "claims.json", "--config", "config.json"),
        *("--format", "json", "--fail-under", "0"),
    )
    report = report_of(done.stdout)
    assert done.exit_code == 1
    assert report["ok"] is False
    assert report["errors"][0]["code"] == "PROCESSING_ERROR"
    assert report["errors"][0]["affected_claims"] == ["EV1"]
    assert "Traceback" not in done.stderr


def test_verbose_logs_to_standard_error_and_never_the_text(folder: Path) -> None:
    done = run("validate", "policy.md", "--claims", "claims.json", "--verbose")
    assert done.returncode == 0
    assert b"loaded 1 documents" in done.stderr
    assert b"twenty-five" not in done.stderr


# --- `veridical quote`: one quote by hand ---------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "options", "code", "answer"),
    [
        (QUOTE.upper(), [], 0, "VALIDATED  normalised (differs in case)"),
        (
            f"[{QUOTE[0].swapcase()}]{QUOTE[1:]}",
            [],
            0,
            "VALIDATED  normalised (differs in case, a letter",
        ),
        (QUOTE.replace("five", "six"), [], 1, "FAILED  altered"),
        ("Dogs may be brought along", [], 1, "FAILED  fabricated"),
        ("The line manager answers", [], 1, "AMBIGUOUS  verbatim"),
        ("The line manager answers", ["--section", "Study leave"], 0, "VALIDATED  verbatim"),
        (
            "The line manager answers",
            ["--hint", "five days carried over"],
            0,
            "VALIDATED  verbatim",
        ),
        (QUOTE, ["--section", "Study leave"], 1, "FAILED  misattributed"),
        ("staff: twenty-five days of leave a year", ["--type", "paraphrase"], 0, "VALIDATED  "),
        ("Study leave", ["--type", "section_reference"], 0, "VALIDATED  100%"),
        ("five days", [], 0, "VALIDATED  verbatim"),
        ("carried over", ["--type", "concept_reference"], 0, "VALIDATED"),
    ],
)
def test_verdicts(folder: Path, text: str, options: list[str], code: int, answer: str) -> None:
    done = invoke("quote", text, "policy.md", *options)
    assert done.exit_code == code, done.output
    assert done.stdout.startswith(answer)


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("", [], "the quote is empty; give the words to look for"),
        (" \n\t", [], "the quote is empty"),
        ("x" * 2001, [], "the quote has 2,001 characters, the limit is 2,000. Split it"),
        (QUOTE, ["--type", "verse"], "--type 'verse' is not one of direct_quote, paraphrase"),
        (QUOTE, ["--config", "gone.json"], "configuration: cannot read gone.json"),
    ],
)
def test_what_cannot_be_run(folder: Path, text: str, options: list[str], message: str) -> None:
    done = invoke("quote", text, "policy.md", *options)
    assert done.exit_code == 2
    assert message in complaint(done.stderr)
    assert done.stdout == ""
