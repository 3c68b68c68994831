"""`veridical quote`: one quote by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.harness import POLICY, QUOTE, complaint, invoke, run


@pytest.mark.parametrize(
    ("text", "options", "code", "answer"),
    [
        (QUOTE.upper(), [], 0, "VALIDATED  normalised (differs in case)"),
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


def test_other_places_are_listed(folder: Path) -> None:
    answer = invoke("quote", "The line manager answers", "policy.md").stdout
    assert "also: policy.md, section 'Study leave', line 13" in answer


def test_the_document_may_come_from_standard_input(folder: Path) -> None:
    done = invoke("quote", QUOTE, "-", stdin=POLICY.encode())
    assert done.exit_code == 0
    assert "stdin, section 'Leave', line 3" in done.stdout


def test_an_unreadable_document_of_a_folder_is_told_on_standard_error(folder: Path) -> None:
    Path("bad.pdf").write_bytes(b"%PDF-1.7 and no more")
    done = run("quote", QUOTE, ".")
    assert done.returncode == 0
    assert done.stdout.startswith(b"VALIDATED")
    assert "bad.pdf: this is not a PDF" in complaint(done.stderr)


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
